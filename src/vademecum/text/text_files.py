"""Which text do the bytes of a file stand for, and are they text at all?"""

from __future__ import annotations

import re

from vademecum.model.errors import DocumentRefused
from vademecum.text.decoding import decode_marked, decode_page

NOT_TEXT = "not a text file"

_SAMPLE = 100_000  # bytes or characters that decide
_CLEAR = 0.3  # share of zero bytes at every second place in a text of UTF-16 that holds spaces and ASCII
_RARE = 0.02  # the same share at the places between
_MOST_DAMAGE = 0.1  # share of characters that are no text
_NO_TEXT = re.compile("[\x00-\x07\x0e-\x1a\x1c-\x1f\x7f\ufffd\ufffe\uffff]")


def decode_text_file(content: bytes) -> str:
    """The text of a file in UTF-8, UTF-16 or a legacy encoding, without its byte order mark.

    Line ends stay as they are. Raises DocumentRefused, `not a text file`, for anything else (cases X01).
    """
    text = decode_marked(content)
    if text is None:
        text = _unmarked_utf16(content)
    if text is None:
        if b"\0" in content[:_SAMPLE]:
            raise _refused()
        text = decode_page(content)
    sample = text[:_SAMPLE]
    if len(_NO_TEXT.findall(sample)) > _MOST_DAMAGE * len(sample):
        raise _refused()
    return text


def _unmarked_utf16(content: bytes) -> str | None:
    """The text of UTF-16 without a mark, where the zero bytes of its ASCII characters make it clear."""
    sample = content[: _SAMPLE // 2 * 2]
    half = len(sample) // 2
    if not half or len(content) % 2:
        return None
    even, odd = sample[0::2].count(0) / half, sample[1::2].count(0) / half
    for codec, zeros, others in (("utf-16-le", odd, even), ("utf-16-be", even, odd)):
        if zeros >= _CLEAR and others <= _RARE:
            text = content.decode(codec, "replace")
            return None if _NO_TEXT.search(text[:_SAMPLE]) else text
    return None


def _refused() -> DocumentRefused:
    return DocumentRefused(NOT_TEXT, "The file is not text.", advice="Use the tool for files of its kind.")
