"""Into which sections is a text cut for search, and what of it does a model read?"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from vademecum.model.graphemes import boundary_before
from vademecum.text.cutting import Size, even_pieces, pieces
from vademecum.text.markdown import headings as headings_of
from vademecum.text.outline import Heading

SECTION = Size(letters=1_000, cjk=450)
WINDOW = Size(letters=600, cjk=250)
_PREFIX = Size(letters=200, cjk=84)  # of title and headings before a window
_SPARE = 0.25  # by which the last piece of a section may be longer
_NO_TEXT = "\ufeff \t\r\n"  # what may stand before a heading without being a section of its own
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Chunk:
    """A section as indexed: `body[start:end]` under the headings of `heading_path`, outermost first.

    `pages` are the first and last page, from 1, where the text has pages.
    """

    ordinal: int
    heading_path: tuple[str, ...]
    start: int
    end: int
    pages: tuple[int, int] | None = None


def cut(body: str, *, markdown: bool = True, pages: Sequence[int] | None = None) -> list[Chunk]:
    """Cuts the body at its headings, then into pieces of about 1,000 characters (450 of Chinese or Japanese).

    The chunks partition the body: each begins where the one before ends, and together they are the body
    exactly; an empty body has none. A heading with nothing under it but deeper headings stands with the first
    of them. No chunk is longer than 1,250 characters. `pages` are the offsets at which pages begin, the first
    one 0. Linear in the length of the body.
    """
    headings = headings_of(body) if markdown else []
    found: list[Chunk] = []
    for path, start, end in _sections(body, headings):
        for first, last in pieces(body, start, end, SECTION, _SPARE):
            found.append(Chunk(len(found), path, first, last, _pages_of(body, first, last, pages)))
    return found


def vector_windows(text: str, size: Size = WINDOW) -> list[str]:
    """The text in windows that a model reads well: at most 600 characters, or 250 of Chinese, Japanese,
    Korean.

    They follow each other and leave out nothing but white space at their ends; of one text they are about
    equally long. No window is empty.
    """
    windows = (text[start:end].strip() for start, end in even_pieces(text, size))
    return [_encodable(window) for window in windows if window]


def embedding_head(title: str, headings: Sequence[str], tags: Sequence[str]) -> str:
    """What stands for an item as a whole: title, headings and tags, as far as they fit into one window."""
    parts = (title, *headings, *tags)
    return _encodable(_fitting("\n".join(part.strip() for part in parts if part.strip()), WINDOW))


def embedding_text(title: str, heading_path: Sequence[str], window: str) -> str:
    """What stands for a window: the window itself after the title and the headings above it."""
    headings = [heading for heading in heading_path if heading.strip() != title.strip()]
    prefix = _fitting("\n".join(part.strip() for part in (title, *headings) if part.strip()), _PREFIX)
    return _encodable(f"{prefix}\n{window}" if prefix else window)


def embedding_query(query: str) -> str:
    """A query as a model reads it: at most one window of it."""
    return _encodable(_fitting(query.strip(), WINDOW))


def _fitting(text: str, size: Size) -> str:
    if not text:
        return ""
    return text[: boundary_before(text, size.fitting(text, 0, len(text), size.budget))].strip()


def _encodable(text: str) -> str:
    """The text without lone surrogates, at which an encoder would raise."""
    return _SURROGATE.sub("\ufffd", text)


def _sections(body: str, headings: Sequence[Heading]) -> Iterator[tuple[tuple[str, ...], int, int]]:
    """Each stretch under one heading with the path of headings above it; together they are the body."""
    path: list[tuple[int, str]] = []
    begun = written = 0  # where the section begins, and where its text under the last heading does
    for heading in headings:
        outer = [(level, text) for level, text in path if level < heading.level]
        goes_deeper = len(outer) == len(path)
        if body[written : heading.start].strip(_NO_TEXT) or not goes_deeper:
            yield tuple(text for _, text in path), begun, heading.start
            begun = heading.start
        path = [*outer, (heading.level, heading.text)]
        written = heading.end
    if begun < len(body):
        yield tuple(text for _, text in path), begun, len(body)


def _pages_of(body: str, start: int, end: int, pages: Sequence[int] | None) -> tuple[int, int] | None:
    """The pages on which the text of the range stands, its outer white space left aside."""
    if not pages:
        return None
    piece = body[start:end]
    first = start + len(piece) - len(piece.lstrip())
    last = start + len(piece.rstrip()) - 1
    if last < first:
        first = last = start
    return max(1, bisect_right(pages, first)), max(1, bisect_right(pages, last))
