"""What does a YAML text say, word for word, and where does each part of it stand?"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

import yaml
from yaml.events import (
    AliasEvent,
    CollectionEndEvent,
    CollectionStartEvent,
    DocumentStartEvent,
    Event,
    MappingStartEvent,
    NodeEvent,
    ScalarEvent,
)

YAML_LIMIT = 65_536  # characters
_NODES_MOST = 10_000  # aliases counted as often as they stand for something
_DEEPEST = 32

# The C parser is twenty times faster; where it is not built, the other one takes its place.
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
# These end a line in YAML 1.1, which the parser speaks, but neither in YAML 1.2 nor in Markdown.
_NO_LINE_ENDS = "\x85\u2028\u2029"
_NULLS = frozenset(("", "~", "null", "Null", "NULL"))
# Unquoted, these are lists and mappings to YAML; whoever wrote them meant a link and a placeholder.
_LINK_OR_PLACEHOLDER = re.compile(r"\[\[[^\[\]\r\n]+\]\]|\{\{[^{}\r\n]+\}\}")
_HASHED = re.compile(r"[ \t]+(#[^\s#][^\r\n]*)")
# An anchor and a tag, which stand before a value and are none of it.
_NAMES_BEFORE = re.compile(r"(?:[&!]\S*\s+)+")

Value: TypeAlias = "str | list[Value] | dict[str, Value] | None"


class UnreadableYamlError(Exception):
    """The text is not YAML that we read: where, in code points, and why, in words of ours alone."""

    def __init__(self, place: int, message: str) -> None:
        super().__init__(message)
        self.place = place
        self.message = message


@dataclass(slots=True)
class Node:
    """A scalar, list or mapping and its range in the text.

    `text` is a scalar's literal text, `style` its quotation mark or `|`, `>`, or the bracket of a collection
    in flow style. A block collection ends where its last child does, and no node ends in blank lines. `size`
    counts it and all within. `comment` is what stands after an empty value, directly behind a hash, and was
    perhaps meant as the value.
    """

    start: int
    end: int
    style: str = ""
    text: str | None = None
    items: list[Node] | None = None
    pairs: list[tuple[Node, Node]] | None = None
    size: int = 1
    anchor: str | None = None
    comment: str = ""
    waiting: list[Node] = field(default_factory=list)

    @property
    def is_null(self) -> bool:
        return self.text in _NULLS and not self.style

    def value(self) -> Value:
        """The node as plain data, every scalar the text as written, save null."""
        if self.items is not None:
            return [item.value() for item in self.items]
        if self.pairs is not None:
            return {key.text or "": value.value() for key, value in self.pairs}
        return None if self.is_null else self.text

    def scalars(self) -> Iterator[Node]:
        """All scalars within but the keys of mappings, in order."""
        children = self.items or [value for _, value in self.pairs or ()]
        if self.text is not None:
            yield self
        for child in children:
            yield from child.scalars()


def read_yaml(text: str) -> Node | None:
    """The root of a YAML document, None when it holds nothing but comments.

    Scalars stay as written: no number, date or truth value is made of them (YAML 1.2 without its types).
    Raises UnreadableYamlError for broken YAML and for what would cost too much: more than 65,536 characters,
    10,000 nodes, or 32 levels.
    """
    if len(text) > YAML_LIMIT:
        raise UnreadableYamlError(YAML_LIMIT, "the header is too long to be read")
    stand_ins = _unused(text)
    builder = _Builder(text, {ord(new): old for old, new in zip(_NO_LINE_ENDS, stand_ins, strict=True)})
    plain = text.translate({ord(old): new for old, new in zip(_NO_LINE_ENDS, stand_ins, strict=True)})
    try:
        for event in yaml.parse(plain, Loader=_LOADER):
            builder.take(event)
    except yaml.MarkedYAMLError as error:
        marks = [error.problem_mark, error.context_mark]
        if "end of stream" in (error.problem or ""):
            marks.reverse()
        mark = marks[0] or marks[1]
        raise UnreadableYamlError(mark.index if mark else 0, _sentence(error)) from None
    except yaml.reader.ReaderError as error:
        raise UnreadableYamlError(error.position, "a control character stands here") from None
    except UnicodeEncodeError as error:
        raise UnreadableYamlError(error.start, "half of a character stands here") from None
    return builder.root


def _unused(text: str) -> list[str]:
    """One private character for each of the marks that end no line, which the text does not hold."""
    private = (chr(code) for code in range(0xF0000, 0x10FFFE))
    return [next(one for one in private if one not in text) for _ in _NO_LINE_ENDS]


_SENTENCES = {
    "mapping values are not allowed": "a value that holds a colon needs quotation marks",
    "cannot start any token": "a value that begins with this sign needs quotation marks",
    "alphabetic or numeric character": "a value that begins with this sign needs quotation marks",
    "unknown escape character": "a backslash in double quotation marks needs a second one",
    "hexdecimal": "a backslash in double quotation marks needs a second one",
    "hexadecimal": "a backslash in double quotation marks needs a second one",
    "unexpected end of stream": "a quotation mark is never closed",
    "nesting depth": "the header is nested too deeply",
}


def _sentence(error: yaml.MarkedYAMLError) -> str:
    told = f"{error.problem} {error.context}"
    fitting = (ours for theirs, ours in _SENTENCES.items() if theirs in told)
    return next(fitting, "this line cannot be understood")


class _Builder:
    """Makes nodes of the parser's events, without recursion and within the limits."""

    def __init__(self, text: str, marks: dict[int, str]) -> None:
        self.root: Node | None = None
        self._text = text
        self._marks = marks
        self._open: list[Node] = []
        self._anchors: dict[str, Node] = {}
        self._count = 0
        self._documents = 0

    def take(self, event: Event) -> None:
        start = event.start_mark.index if event.start_mark else 0
        end = event.end_mark.index if event.end_mark else start
        if isinstance(event, DocumentStartEvent):
            self._documents += 1
            if self._documents > 1:
                raise UnreadableYamlError(start, "a second document begins here")
        elif isinstance(event, AliasEvent):
            self._take_alias(event.anchor, start, end)
        elif isinstance(event, ScalarEvent):
            text = event.value.translate(self._marks)
            named = _NAMES_BEFORE.match(self._text, start, end) if event.anchor or event.tag else None
            start = named.end() if named else start
            if event.style in ("|", ">"):
                end = start + len(self._text[start:end].rstrip(" \t\r\n"))
            hashed = _HASHED.match(self._text, end) if start == end else None
            comment = hashed[1] if hashed else ""
            self._close(Node(start, end, event.style or "", text, anchor=event.anchor, comment=comment))
        elif isinstance(event, CollectionStartEvent):
            self._open_collection(event, start)
        elif isinstance(event, CollectionEndEvent):
            self._close_collection(end)

    def _take_alias(self, name: str | None, start: int, end: int) -> None:
        meant = self._anchors.get(name or "")
        if meant is None:
            raise UnreadableYamlError(start, "a value that begins with this sign needs quotation marks")
        self._close(Node(start, end, "*", meant.text, meant.items, meant.pairs, meant.size))

    def _open_collection(self, event: NodeEvent, start: int) -> None:
        if len(self._open) >= _DEEPEST:
            raise UnreadableYamlError(start, "the header is nested too deeply")
        is_mapping = isinstance(event, MappingStartEvent)
        is_flow = isinstance(event, CollectionStartEvent) and event.flow_style
        style = "" if not is_flow else "{" if is_mapping else "["
        node = Node(start, start, style, anchor=event.anchor)
        if is_mapping:
            node.pairs = []
        else:
            node.items = []
        self._open.append(node)

    def _close_collection(self, end: int) -> None:
        node = self._open.pop()
        children = node.waiting
        node.size += sum(child.size for child in children)
        node.waiting = []
        node.end = end if node.style or not children else children[-1].end
        if node.pairs is not None:
            node.pairs = list(zip(children[::2], children[1::2], strict=True))
        else:
            node.items = children
        literal = self._text[node.start : node.end]
        if node.style and _LINK_OR_PLACEHOLDER.fullmatch(literal):
            node = Node(node.start, node.end, "", literal)
        self._close(node)

    def _close(self, node: Node) -> None:
        self._count += node.size if node.style == "*" else 1
        if self._count > _NODES_MOST:
            raise UnreadableYamlError(node.start, "the header holds too much")
        if node.anchor:
            self._anchors[node.anchor] = node
        if not self._open:
            self.root = node
            return
        parent = self._open[-1]
        parent.waiting.append(node)
        if parent.pairs is not None and len(parent.waiting) % 2 == 1 and node.text is None:
            node.text, node.items, node.pairs = self._text[node.start : node.end], None, None
