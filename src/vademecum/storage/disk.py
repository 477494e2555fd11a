"""When is something on the disk for good, and when is there no room for it?"""

from __future__ import annotations

import errno
import fcntl
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from vademecum.model.errors import StorageFull

NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


def make_durable(number: int) -> None:
    """Return once what was written to the open file would survive a power cut."""
    if sys.platform == "darwin":
        fcntl.fcntl(number, fcntl.F_FULLFSYNC)  # there fsync leaves it in the disk's own cache
    else:
        os.fsync(number)


def make_folder_durable(folder: Path) -> None:
    """Return once the names in the folder would survive a power cut."""
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


@contextmanager
def full_disk_told() -> Iterator[None]:
    """Tells a full disk, a quota used up and a file that may not grow as StorageFull."""
    try:
        yield
    except OSError as error:
        if error.errno in NO_ROOM:
            raise StorageFull from error
        raise
