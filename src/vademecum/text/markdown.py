"""Which headings and code has a note, how does it begin, and how does it read without marks?"""

from __future__ import annotations

import re

from vademecum.model.graphemes import cut
from vademecum.text.frontmatter_block import split
from vademecum.text.outline import Heading, read_outline
from vademecum.text.plain import plain

__all__ = [
    "Heading",
    "code_ranges",
    "first_heading",
    "first_line",
    "headings",
    "leading_heading",
    "plain_text",
]
__all__ += ["title_from"]

EXCERPT = 400
TITLE_TAKEN = 200
_LINE_READ = 1_000
_HEADINGS_TRIED = 100
_START_READ = 20_000
_BLOCK_MARKS = re.compile(
    r"(?:[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t])|\[.\](?=[ \t])|#{1,6}(?=[ \t])|\|))+[ \t]*"
)
_ONLY_MARKS = re.compile(r"[\s|`~$%=*_:<>#-]*\Z")


def headings(text: str) -> list[Heading]:
    """The headings of a text outside lists, quotations, code, comments and raw HTML, in order.

    Lines count from 0 at the very beginning of the text, a leading header included.
    """
    return list(read_outline(text).headings)


def code_ranges(text: str) -> list[tuple[int, int]]:
    """The ranges of code, formulas on lines of their own, and inline code, in order, in code points."""
    return list(read_outline(text).code)


def first_heading(body: str) -> str | None:
    """The text of the first heading that has any, without marks; only the first hundred are tried."""
    texts = (plain(heading.text[:_LINE_READ]) for heading in read_outline(body).headings[:_HEADINGS_TRIED])
    return next((text for text in texts if text), None)


def leading_heading(body: str) -> str | None:
    """The text of the H1 that opens the body, without marks; None when other text stands before it."""
    found = read_outline(body).headings[:1]
    if not found or found[0].level != 1:
        return None
    before = body[len(split(body).block) : found[0].start]
    return None if before.strip("\ufeff \t\r\n") else plain(found[0].text[:_LINE_READ]) or None


def first_line(body: str) -> str:
    """The first line that reads as text, without marks; empty when none is near the beginning."""
    start = len(split(body).block)
    for line in re.split(r"[\r\n]+", body[start : start + _START_READ].lstrip("\ufeff")):
        bare = (
            _BLOCK_MARKS.sub("", line[:_LINE_READ], count=1)
            if _BLOCK_MARKS.match(line)
            else line[:_LINE_READ]
        )
        if not _ONLY_MARKS.match(bare):
            text = plain(bare.strip())
            if text:
                return text
    return ""


def title_from(body: str) -> str:
    """The title of an untitled item: its first heading, else its first line, else empty (design 5).

    At most 200 characters, cut between visible characters.
    """
    return cut(first_heading(body) or first_line(body), TITLE_TAKEN).strip()


def plain_text(body: str, limit: int = EXCERPT) -> str:
    """The beginning of a body as it reads, on one line, at most `limit` characters, cut between visible ones.

    Reads only as much of the body as that needs, so links and code that fill its start may shorten it.
    """
    start = len(split(body).block)
    return cut(plain(body[start : start + 2 * limit + _LINE_READ].lstrip("\ufeff")), limit).strip()
