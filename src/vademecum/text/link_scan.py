"""Which links stand in a Markdown text, and where exactly?"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from html import unescape
from typing import TypeAlias
from urllib.parse import unquote

from vademecum.text.outline import Outline

_NESTED_BRACKETS = 1000
_TOKEN = re.compile(
    r"\\[!-/:-@\[-`{-~]|(?P<wiki>!?\[\[(?P<inside>[^\[\]\r\n]{1,1000})\]\])|(?P<open>!?\[)|(?P<close>\])"
    r"|<(?P<address>[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]{1,4000})>"
)
_PLAIN_PART = r"[^\s()\\]|\\.|\((?:[^\s()\\]|\\.)*+\)"
_TITLE = r""""(?:[^"\\]|\\.)*+"|'(?:[^'\\]|\\.)*+'|\((?:[^()\\]|\\.)*+\)"""
_DESTINATION = re.compile(
    rf"\(\s*+(?:<(?P<angle>[^<>\r\n]*+)>|(?P<plain>(?!<)(?:{_PLAIN_PART})++))?(?:\s++(?:{_TITLE}))?\s*+\)"
)
_DEFINITION = re.compile(
    r" {0,3}\[(?P<label>(?!\^)[^\[\]\r\n]{1,999})\]:[ \t]*+(?:\r\n?|\n)?[ \t]*+"
    rf"(?:<(?P<angle>[^<>\r\n]*+)>|(?P<plain>(?!<)\S++))(?:[ \t]++(?:{_TITLE}))?[ \t]*+(?:\r\n?|\n|\Z)"
)
_FRAGMENT = re.compile(r"#(?=\S)|(?<=\s)#(?=\s*\S)")
_BLOCK_ID = re.compile(r"\^([A-Za-z0-9-]+)\s*\Z")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:(?=\S)|//")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_LABEL = re.compile(
    r"[ \t]*+[-*+][ \t]++(?P<label>(?![-*+][ \t]|\d+[.)][ \t])[^\[\]<\s][^\[\]<\r\n]{0,99}?)"
    r"[ \t]++(?=\[\[)"
)
# What parts sentences or their clauses makes a label prose: a sentence before a link names no relation.
_PROSE = re.compile(r"""[.,;!?…](?=[)\]"'*_”’»]*(?:\s|\Z))|[。、，；！？…]""")
# The size at which Obsidian shows an image, behind its path: `x.png|500`, `x.png|640x480`.
_SIZE = re.compile(r"\\?\|\d{1,5}(?:x\d{1,5})?[ \t]*\Z")
_ONLY_A_REMARK = re.compile(r"[ \t]*+(?:\([^()\r\n]{0,500}\))?[ \t]*+(?=[\r\n]|\Z)")


class LinkKind(StrEnum):
    """How a link is meant: a relation is a wikilink that is all a list item holds but its label."""

    WIKILINK = "wikilink"
    EMBED = "embed"
    MARKDOWN = "markdown"
    RELATION = "relation"


class Notation(StrEnum):
    """How the target of a link is written."""

    WIKI = "wiki"
    LABEL_FIRST = "label-first"
    PLAIN = "plain"
    ANGLE = "angle"


@dataclass(frozen=True, slots=True)
class Link:
    """A link and its place, in code points of the text that holds it.

    `target` is the decoded name or path, empty for a link within the text itself, or the whole address of
    a link to outside; `target_start` and `target_end` are where it is written. `display` is the shown text
    as written, `relation` the label of a relation line.
    """

    kind: LinkKind
    notation: Notation
    target: str
    start: int
    end: int
    target_start: int
    target_end: int
    heading: str | None = None
    block_id: str | None = None
    display: str | None = None
    relation: str | None = None
    is_external: bool = False


# What stands between the brackets, and where it begins; None when it names nothing.
ReadWikilink: TypeAlias = Callable[[str, int], Link | None]


def scan_links(text: str, outline: Outline, read: ReadWikilink | None = None) -> list[Link]:
    """The links of a text in order, none of them from code, in time near its length.

    `read` says what the brackets of a wikilink hold, where it is not what `wikilink` says.
    """
    links: list[Link] = []
    starts = [start for start, _ in outline.code]
    ends = [end for _, end in outline.code]
    for start, end in outline.prose:
        first, last = bisect_right(ends, start), bisect_left(starts, end)
        links += _Scan(text, end, outline.code[first:last], read or wikilink).links(start)
    links.sort(key=lambda link: link.start)
    return _with_relations(text, links, outline.bullets)


class _Scan:
    """One piece of prose: brackets that are open, and the code spans that lie between its words."""

    def __init__(self, text: str, end: int, code: tuple[tuple[int, int], ...], read: ReadWikilink) -> None:
        self._text = text
        self._end = end
        self._code = code
        self._read = read
        self._open: deque[re.Match[str]] = deque(maxlen=_NESTED_BRACKETS)
        self._place = 0

    def links(self, start: int) -> Iterator[Link]:
        self._place = start
        yield from self._definitions()
        for first, last in self._gaps(self._place):
            for token in _TOKEN.finditer(self._text, first, last):
                if token.start() >= self._place:
                    yield from self._take(token)

    def _gaps(self, start: int) -> Iterator[tuple[int, int]]:
        for code_start, code_end in self._code:
            if code_start > start:
                yield start, code_start
            start = max(start, code_end)
        yield start, self._end

    def _take(self, token: re.Match[str]) -> Iterator[Link]:
        if token["wiki"]:
            link = self._read(token["inside"], token.start("inside"))
            if link is not None:
                kind = LinkKind.EMBED if token["wiki"].startswith("!") else LinkKind.WIKILINK
                yield replace(link, kind=kind, start=token.start(), end=token.end())
        elif token["open"]:
            self._open.append(token)
        elif token["close"] and self._open:
            yield from self._close(self._open.pop(), token.start())
        elif token["address"]:
            yield _to_outside(token["address"], token.start("address"), token.span())

    def _close(self, opening: re.Match[str], closing: int) -> Iterator[Link]:
        found = _DESTINATION.match(self._text, closing + 1, self._end)
        if found is None or self._meets_code(*found.span()):
            return
        self._place = found.end()
        kind = LinkKind.EMBED if opening["open"].startswith("!") else LinkKind.MARKDOWN
        link = _with_destination(found, (opening.start(), found.end()), kind)
        if link is not None:
            yield replace(link, kind=kind, display=self._text[opening.end() : closing] or None)

    def _meets_code(self, start: int, end: int) -> bool:
        place = bisect_right(self._code, (start, self._end))
        following = self._code[place : place + 1]
        before = self._code[place - 1 : place] if place else ()
        return any(first < end and last > start for first, last in (*before, *following))

    def _definitions(self) -> Iterator[Link]:
        while found := _DEFINITION.match(self._text, self._place, self._end):
            if self._meets_code(*found.span()) or not found["label"].strip():
                return
            self._place = found.end()
            span = (found.start(), found.start() + len(found[0].rstrip()))
            link = _with_destination(found, span, LinkKind.MARKDOWN)
            if link is not None:
                yield replace(link, display=found["label"])


def wikilink(inside: str, offset: int) -> Link | None:
    r"""The wikilink whose brackets hold `inside`, which stands at `offset`; None when it names nothing.

    A pipe, or in a table `\|`, parts target and display. A hash begins a heading unless it ends the name or
    is glued to a word and followed by a space, as in `C# in depth`.
    """
    name, pipe, display = inside.partition("|")
    if pipe and name.endswith("\\"):
        name = name[:-1]
    hash_sign = _FRAGMENT.search(name)
    target = name[: hash_sign.start()] if hash_sign else name
    heading, block_id = _fragment(name[hash_sign.end() :]) if hash_sign else (None, None)
    if not target.strip() and heading is None and block_id is None:
        return None
    start = offset + len(target) - len(target.lstrip())
    end = start + len(target.strip())
    return Link(
        LinkKind.WIKILINK,
        Notation.WIKI,
        target.strip(),
        start=offset - 2,
        end=offset + len(inside) + 2,
        target_start=start,
        target_end=end,
        heading=heading,
        block_id=block_id,
        display=display.strip() or None,
    )


def _fragment(text: str) -> tuple[str | None, str | None]:
    block = _BLOCK_ID.search(text)
    heading = text[: block.start()] if block else text
    return heading.strip(" \t#") or None, block[1] if block else None


def _to_outside(address: str, place: int, span: tuple[int, int]) -> Link:
    start, end = span
    target = (place, place + len(address))
    return Link(LinkKind.MARKDOWN, Notation.ANGLE, address, start, end, *target, is_external=True)


def _with_destination(found: re.Match[str], span: tuple[int, int], kind: LinkKind) -> Link | None:
    """The link to a destination in brackets or plain; None when there is none."""
    part, notation = ("plain", Notation.PLAIN) if found["angle"] is None else ("angle", Notation.ANGLE)
    written = found[part] or ""
    if kind is LinkKind.EMBED:
        written = _SIZE.sub("", written)
    start, end = span
    place = found.start(part)
    if _SCHEME.match(written):
        address = _ENTITY.sub(_decoded_entity, _ESCAPE.sub(r"\1", written))
        target_range = (place, place + len(written))
        return Link(LinkKind.MARKDOWN, notation, address, start, end, *target_range, is_external=True)
    path, _, fragment = written.partition("#")
    heading, block_id = _fragment(_decoded(fragment))
    if not path and heading is None and block_id is None:
        return None
    target_range = (place, place + len(path))
    return Link(
        LinkKind.MARKDOWN,
        notation,
        _decoded(path),
        start,
        end,
        *target_range,
        heading=heading,
        block_id=block_id,
    )


def _decoded(written: str) -> str:
    plain = _ENTITY.sub(_decoded_entity, _ESCAPE.sub(r"\1", written))
    try:
        return unquote(plain, errors="strict")
    except UnicodeDecodeError:
        return plain


def _decoded_entity(found: re.Match[str]) -> str:
    return unescape(found[0])


def _with_relations(text: str, links: list[Link], bullets: tuple[int, ...]) -> list[Link]:
    """The links, those of relation lines made relations."""
    labels: dict[int, str] = {}
    for bullet in bullets:
        found = _LABEL.match(text, bullet)
        if found is not None and not _PROSE.search(found["label"]):
            labels[found.end()] = found["label"].strip()
    if not labels:
        return links
    return [
        replace(link, kind=LinkKind.RELATION, relation=labels[link.start])
        if link.start in labels and link.target and _is_alone(text, link)
        else link
        for link in links
    ]


def _is_alone(text: str, link: Link) -> bool:
    return link.kind is LinkKind.WIKILINK and _ONLY_A_REMARK.match(text, link.end) is not None
