"""Which picture do these bytes declare to be, and how large?"""

from __future__ import annotations

import struct

from vademecum.ports.documents import MOST_PIXELS, Picture
from vademecum.providers.documents.refusals import DAMAGED, NOT_A_PICTURE, TOO_LARGE, refused

_PNG = b"\x89PNG\r\n\x1a\n"
_JPEG_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_JPEG_BARE = frozenset({0x01, *range(0xD0, 0xD8)})  # markers without a length
_JPEG_SEGMENTS = 10_000


def read_picture(content: bytes) -> Picture:
    """Media type and size from the head of the file.

    Raises DocumentRefused for what is none of the four kinds, is cut short, or declares more than 100
    million pixels.
    """
    kind, size = _kind(content)
    if kind is None:
        raise refused(NOT_A_PICTURE)
    if size is None or 0 in size:
        raise refused(DAMAGED)
    width, height = size
    if width * height > MOST_PIXELS:
        raise refused(TOO_LARGE)
    return Picture(kind, width, height)


def _kind(content: bytes) -> tuple[str | None, tuple[int, int] | None]:
    if content.startswith(_PNG):
        return "image/png", _png(content)
    if content.startswith(b"\xff\xd8\xff"):
        return "image/jpeg", _jpeg(content)
    if content[:6] in (b"GIF87a", b"GIF89a"):
        return "image/gif", _numbers("<HH", content, 6)
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return "image/webp", _webp(content)
    return None, None


def _numbers(form: str, content: bytes, place: int) -> tuple[int, int] | None:
    """Width and height at a place, None where the file ends before."""
    if len(content) < place + struct.calcsize(form):
        return None
    first, second = struct.unpack_from(form, content, place)
    return int(first), int(second)


def _png(content: bytes) -> tuple[int, int] | None:
    return _numbers(">II", content, 16) if content[12:16] == b"IHDR" else None


def _jpeg(content: bytes) -> tuple[int, int] | None:
    """The size that the frame header tells, which stands behind segments of any kind."""
    place = 2
    for _ in range(_JPEG_SEGMENTS):
        while content[place : place + 1] == b"\xff" == content[place + 1 : place + 2]:
            place += 1  # fill bytes
        if content[place : place + 1] != b"\xff" or len(content) < place + 4:
            return None
        marker = content[place + 1]
        if marker in _JPEG_FRAMES:
            size = _numbers(">HH", content, place + 5)
            return (size[1], size[0]) if size else None
        place += 2 if marker in _JPEG_BARE else 2 + int.from_bytes(content[place + 2 : place + 4], "big")
    return None


def _webp(content: bytes) -> tuple[int, int] | None:
    kind, body = content[12:16], content[20:30]
    if kind == b"VP8 " and body[3:6] == b"\x9d\x01\x2a":
        size = _numbers("<HH", body, 6)
        return (size[0] & 0x3FFF, size[1] & 0x3FFF) if size else None
    if kind == b"VP8L" and body[:1] == b"\x2f" and len(body) >= 5:
        bits = int.from_bytes(body[1:5], "little")
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if kind == b"VP8X" and len(body) == 10:
        return int.from_bytes(body[4:7], "little") + 1, int.from_bytes(body[7:10], "little") + 1
    return None
