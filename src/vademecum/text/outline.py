"""Which parts of a Markdown text are headings, which are code, and which may hold links and tags?"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from vademecum.text.frontmatter_block import split
from vademecum.text.markdown_blocks import BlockKind, Blocks, parse_blocks
from vademecum.text.markdown_lines import line_starts
from vademecum.text.markdown_scan import scan_blocks

# The parser takes some 40 millionths of a second a line and 8 a quotation mark or cell.
_LINES_PARSED = 15_000
_MARKS_A_LINE = 5
_SHORT, _LONG = 200_000, 2_200_000  # code points
_ESCAPE_OR_TICKS = re.compile(r"\\[!-/:-@\[-`{-~]|`+")
_TICKS = re.compile(r"`+")
_CELL = re.compile(r"(?:\\[^\r\n]|\[\[[^\[\]\r\n]{1,1000}\]\]|[^|\\\r\n])+")


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading outside lists and quotations: its first line (from 0), level, text without marks, and place.

    `start` is where its first line begins, `end` where the line after it begins, in code points.
    """

    line: int
    level: int
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Outline:
    """The parts of a text, as ranges of code points of the text as given.

    `code` is sorted and does not overlap; `fences` are those of it that are fenced blocks, each with what
    stands behind its opening marks. `prose` is where links and tags may stand, code excepted, each a
    paragraph, a heading, a cell of a table or a piece of HTML. `bullets` are where the lines begin on which
    a bullet of a list stands that is in no quotation.
    """

    headings: tuple[Heading, ...]
    code: tuple[tuple[int, int], ...]
    prose: tuple[tuple[int, int], ...]
    bullets: tuple[int, ...]
    fences: tuple[tuple[int, int, str], ...] = ()


def read_outline(text: str) -> Outline:
    """The outline of a text; a leading frontmatter block or byte-order mark belongs to no part of it.

    Bounded for any input: a text of more than about 15,000 lines is read by marks of its lines instead of
    being parsed, which differs for lists and quotations of unusual nesting only.
    """
    if len(text) <= _SHORT:
        return _remembered(text)
    return _last_remembered(text) if len(text) <= _LONG else compose(text, _parse_or_scan)


# One text is asked for its chunks, links, tags and title in turn.
@lru_cache(maxsize=8)
def _remembered(text: str) -> Outline:
    return compose(text, _parse_or_scan)


@lru_cache(maxsize=1)
def _last_remembered(text: str) -> Outline:
    return compose(text, _parse_or_scan)


def compose(text: str, blocks_of: Callable[[str], Blocks]) -> Outline:
    """The outline made of the blocks that the function finds in what follows a leading header."""
    starts = line_starts(text)
    above = bisect_left(starts, len(split(text).block))
    first = starts[above] if above else int(text.startswith("\ufeff"))
    places = [first, *starts[above + 1 :]]
    blocks = blocks_of(text[first:])
    code = [(places[one.first], places[one.last]) for one in blocks.blocks if one.kind is BlockKind.CODE]
    prose: list[tuple[int, int]] = []
    headings: list[Heading] = []
    for one in blocks.blocks:
        start, end = places[one.first], places[one.last]
        if one.kind is BlockKind.HEADING:
            headings.append(Heading(above + one.first, one.level, one.text, start, end))
        elif one.kind is BlockKind.PROSE:
            prose.append((start, end))
        elif one.kind is BlockKind.ROW:
            prose += [cell.span() for cell in _CELL.finditer(text, start, end)]
    for start, end in prose:
        code += _code_spans(text, start, end)
    bullets = sorted(places[line] for line in blocks.bullets)
    fences = tuple(
        (places[one.first], places[one.last], one.text)
        for one in blocks.blocks
        if one.kind is BlockKind.CODE and one.text
    )
    return Outline(tuple(headings), tuple(sorted(code)), tuple(sorted(prose)), tuple(bullets), fences)


def _parse_or_scan(body: str) -> Blocks:
    marks = (body.count(">") + body.count("|")) // _MARKS_A_LINE
    lines = body.count("\n") + body.count("\r")
    return parse_blocks(body) if lines + marks <= _LINES_PARSED else scan_blocks(body)


def _code_spans(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The spans of inline code in a piece of prose, by the CommonMark rule, in time near its length."""
    if text.find("`", start, end) < 0:
        return
    runs: dict[int, list[int]] = {}
    for run in _TICKS.finditer(text, start, end):
        runs.setdefault(len(run[0]), []).append(run.start())
    while opening := _ESCAPE_OR_TICKS.search(text, start, end):
        start = opening.end()
        if not opening[0].startswith("`"):
            continue
        closings = runs.get(len(opening[0]), [])
        place = bisect_left(closings, start)
        if place < len(closings):
            start = closings[place] + len(opening[0])
            yield opening.start(), start
