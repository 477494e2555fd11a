"""Where does the frontmatter of a text end and its body begin?"""

from __future__ import annotations

import re
from typing import NamedTuple

from vademecum.text.markdown_lines import LINE_END, line_end_of

_OPENING = re.compile(r"\ufeff?---[ \t]*(?:\r\n|\n|\r)")
_CLOSING = re.compile(r"(?:(?<=\n)|(?<=\r))---[ \t]*(?:\r\n|\n|\r|\Z)")


class Split(NamedTuple):
    """A text in two; joined they are the text again. The block is empty where there is no frontmatter."""

    block: str
    body: str


def split(text: str) -> Split:
    """The text as frontmatter block, fences and byte-order mark included, and body.

    A header that is never closed is no frontmatter; one closed at the very end of the text is (cases A16).
    """
    opening = _OPENING.match(text)
    closing = _CLOSING.search(text, opening.end()) if opening else None
    return Split(text[: closing.end()], text[closing.end() :]) if closing else Split("", text)


def inside(block: str) -> tuple[int, int]:
    """The range between the fences of a block, in code points."""
    opening = _OPENING.match(block)
    closing = _CLOSING.search(block, opening.end()) if opening else None
    return (opening.end(), closing.start()) if opening and closing else (0, 0)


def join(block: str, body: str) -> str:
    """The text whose frontmatter is the block and whose body is the body, so that `split` gives both back.

    A body that itself begins with a header follows an empty block where there is none (decisions,
    Frontmatter), and a block that ends at its fence gets a line end where a body follows.
    """
    if not block:
        line_end = line_end_of(body)
        return f"---{line_end}---{line_end}{body}" if split(body).block else body
    ends_open = bool(body) and not LINE_END.search(block[-1])
    return block + (line_end_of(block) if ends_open else "") + body
