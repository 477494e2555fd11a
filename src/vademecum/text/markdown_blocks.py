"""Which lines of a Markdown text are headings, code, prose or rows of a table, by the CommonMark rules?"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token

# Deeper text is neither prose nor code to us: nobody writes it, and each level costs time on every line.
_DEEPEST = 40
_TAGS_OF_CODE = ("<pre", "<script", "<style", "<textarea")
_BULLETS = frozenset("-*+")
_COMMENT, _MATHS = "%%", "$$"
_RULES_OF_MARKERS = {_COMMENT: "comment", _MATHS: "maths"}


class BlockKind(StrEnum):
    """What a run of lines is to us."""

    HEADING = "heading"
    CODE = "code"
    PROSE = "prose"
    ROW = "row"


class Block(NamedTuple):
    """A run of lines, first line included and last excluded, counted from 0; level and text of a heading.

    Of a fence the text is what stands behind its opening marks.
    """

    kind: BlockKind
    first: int
    last: int
    level: int = 0
    text: str = ""


@dataclass(frozen=True, slots=True)
class Blocks:
    """The blocks in order, and the lines on which a bullet of a list begins that is in no quotation."""

    blocks: tuple[Block, ...]
    bullets: frozenset[int]


def parse_blocks(body: str) -> Blocks:
    """The blocks of a text without frontmatter.

    Only headings outside lists and quotations are reported; `%%` comments and `$$` formulas hide theirs.
    Takes up to about 80 millionths of a second a line, so callers bound the lines.
    """
    reader = _Reader()
    for token in _parser.parse(body):
        reader.take(token)
    return Blocks(tuple(reader.blocks), frozenset(reader.bullets))


class _Reader:
    """Collects blocks from the parser's tokens, which open and close what they nest."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self.bullets: set[int] = set()
        self._quotes = 0
        self._in_row = False
        self._heading: Token | None = None

    def take(self, token: Token) -> None:
        match token.type:
            case "blockquote_open":
                self._quotes += 1
            case "blockquote_close":
                self._quotes -= 1
            case "tr_open":
                self._in_row = True
                self._add(BlockKind.ROW, token)
            case "tr_close":
                self._in_row = False
            case "heading_open" if token.level == 0:
                self._heading = token
            case "inline" if not self._in_row:
                self._take_prose(token)
            case _:
                self._take_other(token)

    def _take_prose(self, token: Token) -> None:
        if self._heading is not None and self._heading.map is not None:
            first, last = self._heading.map
            level, text = int(self._heading.tag[1:]), token.content.replace("\n", " ")
            self.blocks.append(Block(BlockKind.HEADING, first, last, level, text))
            self._heading = None
        self._add(BlockKind.PROSE, token)

    def _take_other(self, token: Token) -> None:
        match token.type:
            case "list_item_open" if token.markup in _BULLETS and token.map and not self._quotes:
                self.bullets.add(token.map[0])
            case "fence":
                self._add(BlockKind.CODE, token, token.info.strip())
            case "code_block" | "maths":
                self._add(BlockKind.CODE, token)
            case "html_block":
                is_code = token.content.lstrip().lower().startswith(_TAGS_OF_CODE)
                self._add(BlockKind.CODE if is_code else BlockKind.PROSE, token)
            case "comment":
                self._add(BlockKind.PROSE, token)

    def _add(self, kind: BlockKind, token: Token, text: str = "") -> None:
        if token.map is not None:
            first, last = token.map
            self.blocks.append(Block(kind, first, last, text=text))


def _comment_or_maths(state: StateBlock, start_line: int, end_line: int, silent: bool) -> bool:
    """A block rule: `%%` to `%%` is a comment and `$$` to `$$` a formula, at the top of the text only."""
    if state.level or state.blkIndent or state.is_code_block(start_line):
        return False
    start, end = state.bMarks[start_line] + state.tShift[start_line], state.eMarks[start_line]
    marker, rest = state.src[start : start + 2], state.src[start + 2 : end].rstrip()
    if marker not in _RULES_OF_MARKERS or rest.startswith(marker[0]):
        return False
    if marker in rest:
        last = start_line if marker == _MATHS and rest.endswith(marker) else None
    else:
        last = _closing_line(state, marker, start_line + 1, end_line)
    if last is None:
        return False
    if not silent:
        token = state.push(_RULES_OF_MARKERS[marker], "", 0)
        token.map = [start_line, last + 1]
        state.line = last + 1
    return True


def _closing_line(state: StateBlock, marker: str, first: int, end_line: int) -> int | None:
    """The line that closes a block; that there is none is remembered, else many openings would cost much."""
    if state.env.get(marker, end_line) <= first:
        return None
    for line in range(first, end_line):
        text = state.src[state.bMarks[line] : state.eMarks[line]].rstrip()
        if text.endswith(marker) or (marker == _COMMENT and marker in text):
            return line
    state.env[marker] = first
    return None


def _a_parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"maxNesting": _DEEPEST}).enable("table").disable("reference")
    parser.core.ruler.enableOnly(["normalize", "block"])
    ended_by_it = ["paragraph", "reference", "blockquote", "list"]
    parser.block.ruler.before("table", "comment_or_maths", _comment_or_maths, {"alt": ended_by_it})
    # The parser orders its rules at the first use, which would be a race between threads.
    parser.parse("a")
    return parser


_parser = _a_parser()
