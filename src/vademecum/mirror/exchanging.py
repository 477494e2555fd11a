"""How do two files on disk change places in one step?"""

from __future__ import annotations

import ctypes
import errno
import os
import sys

_LINUX_EXCHANGE = 2  # RENAME_EXCHANGE of renameat2
_DARWIN_SWAP = 2  # RENAME_SWAP of renameatx_np


def exchange(folder: int, first: str, second: str) -> bool:
    """Let the two names in an open folder each mean what the other did, at once; False where the system or
    its file system cannot do that, and nothing was done.

    Raises OSError when one of the two is not there.
    """
    name, flag = (
        ("renameatx_np", _DARWIN_SWAP) if sys.platform == "darwin" else ("renameat2", _LINUX_EXCHANGE)
    )
    call = getattr(ctypes.CDLL(None, use_errno=True), name, None)
    if call is None:
        return False
    if call(folder, os.fsencode(first), folder, os.fsencode(second), ctypes.c_uint(flag)) == 0:
        return True
    number = ctypes.get_errno()
    if number == errno.ENOENT:
        raise OSError(number, os.strerror(number), first)
    return False
