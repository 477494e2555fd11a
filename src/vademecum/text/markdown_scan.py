"""Which lines of a Markdown text are headings, code or prose, told in one pass over its lines?"""

from __future__ import annotations

import re
from collections.abc import Callable

from vademecum.text.markdown_blocks import Block, BlockKind, Blocks
from vademecum.text.markdown_lines import split_lines

_FENCE = re.compile(
    r"(?P<quote>(?:[ \t]*>)*)(?P<indent>[ \t]*(?:[-*+]\s+|\d{1,9}[.)]\s+)?)(?P<marks>`{3,}|~{3,})"
)
_HEADING = re.compile(r" {0,3}(#{1,6})(?=[ \t]|\Z)")
_UNDERLINE = re.compile(r" {0,3}(?:=+|-+)[ \t]*\Z")
_RULE = re.compile(r" {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}\Z")
_LIST_ITEM = re.compile(r"[ \t]*([-*+]|\d{1,9}[.)])(?:[ \t]|\Z)")
_HTML = re.compile(r" {0,3}<(?:/?[A-Za-z][A-Za-z0-9-]*(?=[\s/>]|\Z)|[!?])")
_CODE_TAG = re.compile(r" {0,3}<(pre|script|style|textarea)\b", re.IGNORECASE)
_MARKED = re.compile(r" {0,3}(%%(?!%)|\$\$(?!\$))")
# A line that begins otherwise, outside a list, is prose, unless the next one underlines it.
_MEANINGFUL = frozenset(" \t#`~%$<>|-*+=_0123456789")


def scan_blocks(body: str) -> Blocks:
    """The blocks of a text without frontmatter, in time that grows with its length alone.

    Serves texts that are too long or too tangled for the parser. It agrees with the parser on texts as
    people write them; lists and quotations it knows by their marks only, not by their nesting.
    """
    lines = [line.rstrip("\r\n") for line in split_lines(body)]
    scan = _Scan(lines)
    place = 0
    while place < len(lines):
        place = scan.step(place)
    scan.end_prose(len(lines))
    return Blocks(tuple(scan.blocks), frozenset(scan.bullets))


class _Scan:
    """What is known of the lines above: open prose, whether a list goes on, which markers have no end."""

    def __init__(self, lines: list[str]) -> None:
        self.blocks: list[Block] = []
        self.bullets: set[int] = set()
        self._lines = lines
        self._prose: int | None = None
        self._in_list = False
        self._after_blank = True
        self._unclosed: set[str] = set()
        self._rules: tuple[Callable[[int, str], int | None], ...] = (
            self._blank,
            self._indented_code,
            self._fence,
            self._marked,
            self._html,
            self._heading,
            self._underline,
            self._item_or_row,
        )

    def step(self, place: int) -> int:
        """Take the block that begins on the line; the line after it is returned."""
        line = self._lines[place]
        if line and (self._in_list or line[0] in _MEANINGFUL):
            after_blank = self._after_blank
            for rule in self._rules:
                following = rule(place, line)
                if following is not None:
                    return following
            if after_blank and line[0] not in " \t":
                self._in_list = False
        elif not line:
            return self._blank(place, line) or place + 1
        self._open_prose(place)
        return place + 1

    def end_prose(self, place: int) -> None:
        if self._prose is not None and self._prose < place:
            self.blocks.append(Block(BlockKind.PROSE, self._prose, place))
        self._prose = None

    def _open_prose(self, place: int) -> None:
        self._after_blank = False
        if self._prose is None:
            self._prose = place

    def _add(self, block: Block) -> int:
        self.end_prose(block.first)
        self.blocks.append(block)
        self._after_blank = False
        return block.last

    def _blank(self, place: int, line: str) -> int | None:
        if line.strip(" \t"):
            return None
        self.end_prose(place)
        self._after_blank = True
        return place + 1

    def _indented_code(self, place: int, line: str) -> int | None:
        if self._in_list or not self._after_blank or not _is_indented(line):
            return None
        last = place + 1
        while last < len(self._lines) and _is_indented(self._lines[last]):
            last += 1
        return self._add(Block(BlockKind.CODE, place, last))

    def _fence(self, place: int, line: str) -> int | None:
        opening = _FENCE.match(line)
        if opening is None or (opening["marks"][0] == "`" and "`" in line[opening.end() :]):
            return None
        if len(opening["indent"].expandtabs(4)) > 3 and not self._in_list and not opening["indent"].strip():
            return None
        info = line[opening.end() :].strip()
        last = place + 1
        while last < len(self._lines):
            text = self._lines[last].lstrip(" \t>") if opening["quote"] else self._lines[last].strip(" \t")
            if opening["quote"] and not self._lines[last].lstrip(" \t").startswith(">"):
                break
            last += 1
            if text.startswith(opening["marks"]) and not text.strip(opening["marks"][0] + " \t"):
                break
        return self._add(Block(BlockKind.CODE, place, last, text=info))

    def _marked(self, place: int, line: str) -> int | None:
        """A `%%` comment or a `$$` formula."""
        found = _MARKED.match(line)
        if found is None or (self._in_list and (not self._after_blank or line[0] == " ")):
            return None
        marker, rest = found[1], line[found.end() :].rstrip()
        if marker in rest:
            is_whole = marker == "$$" and rest.endswith(marker)
            return self._add_marked(marker, place, place + 1) if is_whole else None
        if marker in self._unclosed:
            return None
        for last in range(place + 1, len(self._lines)):
            text = self._lines[last]
            if text.rstrip().endswith(marker) or (marker == "%%" and marker in text):
                return self._add_marked(marker, place, last + 1)
        self._unclosed.add(marker)
        return None

    def _add_marked(self, marker: str, place: int, last: int) -> int:
        self._in_list = False
        return self._add(Block(BlockKind.CODE if marker == "$$" else BlockKind.PROSE, place, last))

    def _html(self, place: int, line: str) -> int | None:
        """Raw HTML, to its closing mark or to the next blank line."""
        if _HTML.match(line) is None:
            return None
        code = _CODE_TAG.match(line)
        closing = f"</{code[1].lower()}>" if code else "-->" if line.lstrip().startswith("<!--") else ""
        last = place
        while last < len(self._lines):
            text = self._lines[last].lower()
            if not closing and not text.strip():
                break
            last += 1
            if closing and closing in text:
                break
        return self._add(Block(BlockKind.CODE if code else BlockKind.PROSE, place, last))

    def _heading(self, place: int, line: str) -> int | None:
        found = _HEADING.match(line)
        if found is None or (self._in_list and line.startswith("  ")):
            return None
        self._in_list = False
        text = line[found.end() :].strip(" \t")
        bare = text.rstrip("#")
        text = bare.rstrip(" \t") if not bare or bare[-1] in " \t" else text
        return self._add_heading(Block(BlockKind.HEADING, place, place + 1, len(found[1]), text), place + 1)

    def _underline(self, place: int, line: str) -> int | None:
        if self._prose is None or self._in_list or not _UNDERLINE.match(line):
            return None
        if self._lines[place - 1].lstrip().startswith(">"):
            return None
        first, level = self._prose, 1 if line.strip().startswith("=") else 2
        self._prose = None
        text = " ".join(text.strip(" \t") for text in self._lines[first:place])
        return self._add_heading(Block(BlockKind.HEADING, first, place + 1, level, text), place)

    def _add_heading(self, heading: Block, end_of_text: int) -> int:
        self._add(heading)
        self.blocks.append(Block(BlockKind.PROSE, heading.first, end_of_text))
        self._after_blank = True
        return heading.last

    def _item_or_row(self, place: int, line: str) -> int | None:
        if _RULE.match(line):
            self.end_prose(place)
            self._in_list = False
            self._after_blank = True
            return place + 1
        item = _LIST_ITEM.match(line)
        if item is not None:
            self.end_prose(place)
            self._in_list = True
            self._open_prose(place)
            if item[1] in "-*+":
                self.bullets.add(place)
            return place + 1
        if line.lstrip().startswith("|"):
            return self._add(Block(BlockKind.ROW, place, place + 1))
        return None


def _is_indented(line: str) -> bool:
    return line.startswith(("    ", "\t", " \t", "  \t", "   \t"))
