"""Is a picture known by its own bytes, and one refused that would fill the memory of who opens it?"""

from __future__ import annotations

import struct

import pytest

from vademecum.model.errors import DocumentRefused
from vademecum.ports.documents import Picture
from vademecum.providers.documents.pictures import read_picture
from vademecum.providers.documents.refusals import DAMAGED, NOT_A_PICTURE, TOO_LARGE


def png(width: int, height: int) -> bytes:
    return b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", width, height) + b"\x08\x02\0\0\0"


def jpeg(width: int, height: int, before: bytes = b"") -> bytes:
    frame = b"\xff\xc2\0\x11\x08" + struct.pack(">HH", height, width) + b"\x03\1\x22\0\2\x11\1\3\x11\1"
    return b"\xff\xd8\xff\xe0\0\x10JFIF\0" + b"\0" * 9 + before + frame


def gif(width: int, height: int) -> bytes:
    return b"GIF89a" + struct.pack("<HH", width, height) + b"\xf7\0\0"


def webp(chunk: bytes) -> bytes:
    return b"RIFF" + struct.pack("<I", len(chunk) + 4) + b"WEBP" + chunk


def lossy(width: int, height: int) -> bytes:
    return webp(b"VP8 \x20\0\0\0\x30\1\0\x9d\x01\x2a" + struct.pack("<HH", width | 0x4000, height))


def lossless(width: int, height: int) -> bytes:
    bits = (width - 1) | (height - 1) << 14
    return webp(b"VP8L\x20\0\0\0\x2f" + struct.pack("<I", bits) + b"\0" * 5)


def extended(width: int, height: int) -> bytes:
    sizes = (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    return webp(b"VP8X\x0a\0\0\0\x10\0\0\0" + sizes)


@pytest.mark.parametrize(
    ("content", "media_type"),
    [
        (png(640, 480), "image/png"),
        (jpeg(640, 480), "image/jpeg"),
        (jpeg(640, 480, b"\xff\xff\xff\xe1\0\x06Exif\xff\xc4\0\x03\0"), "image/jpeg"),
        (gif(640, 480), "image/gif"),
        (lossy(640, 480), "image/webp"),
        (lossless(640, 480), "image/webp"),
        (extended(640, 480), "image/webp"),
    ],
)
def test_kind_and_size_are_read_from_the_head(content: bytes, media_type: str) -> None:
    assert read_picture(content + b"data") == Picture(media_type, 640, 480)


@pytest.mark.parametrize(
    "content", [b"", b"BM" + b"\0" * 60, b"<svg xmlns='x'/>", b"%PDF-1.4", b"RIFF\0\0\0\0WAVE"]
)
def test_other_files_are_refused(content: bytes) -> None:
    with pytest.raises(DocumentRefused) as refused:
        read_picture(content)
    assert refused.value.reason == NOT_A_PICTURE


@pytest.mark.parametrize(
    "content",
    [
        png(640, 480)[:20], png(0, 480), jpeg(640, 480)[:24], jpeg(640, 480)[:26], gif(640, 480)[:8],
        lossy(640, 480)[:28], lossless(640, 480)[:23], extended(640, 480)[:28],
        jpeg(640, 480, b"no marker"), webp(b"ALPH\0\0\0\0"),
    ],
)  # fmt: skip
def test_a_picture_that_is_cut_short_is_refused(content: bytes) -> None:
    with pytest.raises(DocumentRefused) as refused:
        read_picture(content)
    assert refused.value.reason == DAMAGED


@pytest.mark.parametrize("content", [png(50_000, 50_000), jpeg(65_535, 65_535), gif(60_000, 60_000)])
def test_a_picture_of_billions_of_pixels_is_refused_undecoded(content: bytes) -> None:
    with pytest.raises(DocumentRefused) as refused:
        read_picture(content)
    assert refused.value.reason == TOO_LARGE
