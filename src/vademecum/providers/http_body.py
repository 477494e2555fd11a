"""What did a web server really send: how much, and of which kind?"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Iterator

from vademecum.model.errors import FetchRefused
from vademecum.ports.fetch import FetchReason

TEXT_TYPES = frozenset(
    {"text/html", "application/xhtml+xml", "text/plain", "text/markdown", "text/x-markdown"}
)
_XML_TYPES = frozenset({"text/xml", "application/xml"})
_UNTOLD_TYPES = frozenset({"", "application/octet-stream", "binary/octet-stream"}) | _XML_TYPES
_SIGNATURES = (
    (b"%PDF-", "application/pdf"),
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF8", "image/gif"),
    (b"PK\x03\x04", "application/zip"),
    (b"\x1f\x8b", "application/gzip"),
    (b"\x7fELF", "application/x-executable"),
)
_HTML_START = re.compile(rb"<(?:!doctype\s+html|html|head|body)[\s>]", re.IGNORECASE)
_CHARSET = re.compile(r"charset\s*=\s*[\"']?([\w.:+-]{1,40})", re.IGNORECASE)
_SNIFFED_BYTES = 1024


def parse_content_type(value: str) -> tuple[str, str | None]:
    """Media type in lower case and charset of a Content-Type header; ("", None) for an empty one."""
    media_type, _, parameters = value.partition(",")[0].partition(";")
    charset = _CHARSET.search(parameters)
    return media_type.strip().lower(), charset.group(1) if charset else None


def check_declared_type(media_type: str) -> None:
    """Raises FetchRefused before a body is read whose declared type rules out that it holds a page."""
    if media_type not in TEXT_TYPES and media_type not in _UNTOLD_TYPES:
        raise FetchRefused(FetchReason.MEDIA_TYPE, f"unsupported media type {media_type[:80]!r}")


def actual_type(declared: str, body: bytes) -> str:
    """The media type that the bytes bear out, one of TEXT_TYPES. Raises FetchRefused for anything else."""
    start = body[:_SNIFFED_BYTES].lstrip()
    for signature, media_type in _SIGNATURES:
        if start.startswith(signature):
            raise FetchRefused(FetchReason.MEDIA_TYPE, f"unsupported media type {media_type!r}")
    if declared in TEXT_TYPES:
        return declared
    if _HTML_START.search(start):
        return "text/html"
    if declared in _XML_TYPES or not _is_plain_text(body):
        raise FetchRefused(FetchReason.MEDIA_TYPE, f"unsupported media type {declared or 'unknown'!r}")
    return "text/plain"


def _is_plain_text(body: bytes) -> bool:
    try:
        return "\0" not in body.decode("utf-8")
    except UnicodeDecodeError:
        return False


def decoded(chunks: Iterable[bytes], encoding: str, limit: int) -> bytes:
    """The body with its content encoding undone, never more than `limit` bytes of it in memory beyond one
    chunk. Raises FetchRefused when it is larger, damaged, cut short or of an encoding that was not asked for.
    """
    encoding = encoding.strip().lower()
    if encoding in ("", "identity"):
        parts: Iterable[bytes] = chunks
    elif encoding in ("gzip", "x-gzip"):
        parts = _inflated(chunks, 16 + zlib.MAX_WBITS, limit)
    elif encoding == "deflate":
        parts = _deflated(chunks, limit)
    else:
        raise FetchRefused(FetchReason.RESPONSE, "unknown content encoding")
    body = bytearray()
    for part in parts:
        body += part
        if len(body) > limit:
            raise FetchRefused(FetchReason.TOO_LARGE)
    return bytes(body)


def _deflated(chunks: Iterable[bytes], limit: int) -> Iterator[bytes]:
    """Deflate with the zlib header that the standard asks for, or without as some servers send it."""
    rest = iter(chunks)
    first = next(rest, b"")
    has_header = len(first) > 1 and first[0] & 0x0F == 8 and int.from_bytes(first[:2], "big") % 31 == 0

    def joined() -> Iterator[bytes]:
        yield first
        yield from rest

    return _inflated(joined(), zlib.MAX_WBITS if has_header else -zlib.MAX_WBITS, limit)


def _inflated(chunks: Iterable[bytes], window_bits: int, limit: int) -> Iterator[bytes]:
    """Decompresses piecewise, so that a small input that stands for a huge output is stopped in time."""
    decompressor = zlib.decompressobj(window_bits)
    received = False
    for chunk in chunks:
        data = chunk
        while data:
            received = True
            if decompressor.eof:  # another member follows
                decompressor = zlib.decompressobj(window_bits)
            try:
                yield decompressor.decompress(data, limit + 1)
            except zlib.error as error:
                raise FetchRefused(FetchReason.RESPONSE, "damaged compression") from error
            data = decompressor.unused_data if decompressor.eof else decompressor.unconsumed_tail
    if received and not decompressor.eof:
        raise FetchRefused(FetchReason.RESPONSE, "the body was cut short", passing=True)
