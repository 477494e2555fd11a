"""How does a piece of Markdown read without its marks?"""

from __future__ import annotations

import re
from collections.abc import Iterator

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

_TAG = re.compile(r"<[^<>]{0,1000}>")
_COMMENT = re.compile(r"%%.*?%%", re.DOTALL)
_CALLOUT = re.compile(r"\A\[![^\]\r\n]{1,40}\][-+]?\s*")
_WIKI = re.compile(r"!?\[\[([^\[\]\r\n]{1,1000})\]\]")
_WHITE_SPACE = re.compile(r"\s+")


def plain(markdown: str) -> str:
    """The words of a short piece of Markdown on one line: link texts, code and formulas without their marks.

    Takes time that grows faster than the piece does; callers bound it to a few thousand characters.
    """
    words = " ".join(_texts(_parser.parse(markdown)))
    return _WHITE_SPACE.sub(" ", words).strip()


def _texts(tokens: list[Token]) -> Iterator[str]:
    for token in tokens:
        if token.type == "inline":
            yield _CALLOUT.sub("", _COMMENT.sub("", "".join(_inline_texts(token.children or []))))
        elif token.type in ("fence", "code_block"):
            yield token.content
        elif token.type == "html_block":
            yield _TAG.sub(" ", token.content)


def _inline_texts(tokens: list[Token]) -> Iterator[str]:
    for token in tokens:
        if token.type == "image":
            yield from _inline_texts(token.children or [])
        elif token.type in ("softbreak", "hardbreak"):
            yield " "
        elif token.type != "html_inline":
            yield token.content


def _wikilink(state: StateInline, silent: bool) -> bool:
    """An inline rule: a wikilink reads as its display text, else as its target."""
    found = _WIKI.match(state.src, state.pos, state.posMax)
    if found is None:
        return False
    if not silent:
        target, _, display = found[1].partition("|")
        state.push("text", "", 0).content = display.strip() or target.strip(" \\").lstrip("#")
    state.pos = found.end()
    return True


def _a_parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"maxNesting": 20}).enable(["table", "strikethrough"])
    parser.inline.ruler.before("link", "wikilink", _wikilink)
    # The parser orders its rules at the first use, which would be a race between threads.
    parser.parse("a")
    return parser


_parser = _a_parser()
