"""In which form does a text lie in its row?"""

from __future__ import annotations

import zlib

from vademecum.model.errors import StoredDataDamaged

_SHORTEST_PACKED = 128  # bytes; below, zlib saves nothing
_LARGE = 256 * 1024  # bytes; from here on speed counts more than size, for other writers wait

PLAIN, ZLIB = "plain", "zlib"


def pack(text: str) -> tuple[int, str, bytes]:
    """The size of the text's UTF-8 in bytes, and its encoding and content in the smaller of both forms."""
    plain = text.encode()
    if len(plain) >= _SHORTEST_PACKED:
        packed = zlib.compress(plain, 1 if len(plain) >= _LARGE else 6)
        if len(packed) < len(plain):
            return len(plain), ZLIB, packed
    return len(plain), PLAIN, plain


def unpack(encoding: str, size: int, content: bytes) -> str:
    """The text, in no more memory than `size` says; raises StoredDataDamaged when it is not so large."""
    try:
        plain = content if encoding == PLAIN else zlib.decompressobj().decompress(content, size + 1)
        if len(plain) == size and encoding in (PLAIN, ZLIB):
            return plain.decode()
    except (zlib.error, UnicodeDecodeError) as error:
        raise StoredDataDamaged("A stored text cannot be read.") from error
    raise StoredDataDamaged("A stored text is not as long as it was.")
