"""What does the frontmatter of a text say: its title, tags, aliases and dates?"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from vademecum.model.tags import distinct_tags
from vademecum.text.frontmatter_block import inside
from vademecum.text.markdown_lines import LINE_END
from vademecum.text.yaml_nodes import Node, UnreadableYamlError, Value, read_yaml

_TAG_KEYS = ("tags", "tag")
_ALIAS_KEYS = ("aliases", "alias")
_CREATED_KEYS = ("created", "created_at", "createdat", "date created", "date_created", "date")
_UPDATED_KEYS = (
    *("updated", "updated_at", "updatedat", "date updated", "modified", "date modified", "date_modified"),
    *("last_modified", "lastmod"),
)
_USUAL, _SHORT = 1_000, 20_000  # code points of a header that is remembered for long, and for a while
_COMMAS = re.compile("[,，、]")
_GAPS = re.compile("[,，、\\s]+")


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a header, or one key of it, is not read: a line of the file, from 1, and a sentence of ours."""

    line: int
    message: str


@dataclass(frozen=True, slots=True)
class Property:
    """One key of the header with its value, every scalar in it the literal text that was written.

    `start` and `end` are the range of the value in the block, `written` is what stands there.
    """

    key: str
    value: Value
    start: int
    end: int
    written: str
    key_range: tuple[int, int]
    node: Node


@dataclass(frozen=True, slots=True)
class Properties:
    """What the header says. Where `problem` is set nothing of it was read; the body is readable all the same.

    `repeated` names each key that stands more than once, at its later line; reading takes the last.
    """

    entries: tuple[Property, ...] = ()
    problem: Problem | None = None
    repeated: tuple[Problem, ...] = ()

    def find(self, key: str) -> Property | None:
        """The last property of that name, whatever its case."""
        wanted = key.casefold()
        return next((entry for entry in reversed(self.entries) if entry.key.casefold() == wanted), None)

    def get(self, key: str) -> Value:
        """The value of a key, None where the key is missing or its value is null."""
        found = self.find(key)
        return found.value if found else None

    def literal(self, key: str) -> str | None:
        """The literal text of a key; None where its value is null, empty or more than one text."""
        value = self.get(key)
        return value if isinstance(value, str) and value.strip() else None

    @property
    def title(self) -> str | None:
        """The literal title on one line; None when there is none, or null, empty or an unquoted None."""
        found = self.find("title")
        if found is None or found.value is None:
            return None
        text = found.value if isinstance(found.value, str) else found.written
        if not isinstance(found.value, str) and LINE_END.search(text):
            return None
        unquoted_none = text == "None" and not found.node.style
        return None if unquoted_none else LINE_END.sub(" ", text).strip() or None

    @property
    def tags(self) -> tuple[str, ...]:
        """The tags as text, without hash, each once: from `tags`, else `tag`, else the same one level down.

        A list, a text parted by commas or else by spaces, numbers, and words that their hash made a comment
        are all taken; `tags` wins where both stand.
        """
        return distinct_tags(self._tag_texts())

    @property
    def aliases(self) -> tuple[str, ...]:
        """The other names of the item, in order."""
        found = next((entry for entry in map(self.find, _ALIAS_KEYS) if entry), None)
        if found is None:
            return ()
        texts = _COMMAS.split(found.value) if isinstance(found.value, str) else _texts(found.value)
        return tuple(dict.fromkeys(text.strip() for text in texts if text.strip()))

    @property
    def created(self) -> str | None:
        """The literal text of the time at which the item was made."""
        return self._first_text(_CREATED_KEYS)

    @property
    def updated(self) -> str | None:
        """The literal text of the time of the last change."""
        return self._first_text(_UPDATED_KEYS)

    def _first_text(self, keys: tuple[str, ...]) -> str | None:
        return next((text for text in map(self.literal, keys) if text), None)

    def _tag_texts(self) -> Iterator[str]:
        found = next((entry.node for entry in map(self.find, _TAG_KEYS) if entry), None)
        nested = [] if found else [entry.node for entry in self.entries if entry.node.pairs]
        nodes = [found] if found else [node for mapping in nested for node in _tags_within(mapping)]
        for node in nodes:
            for scalar in node.scalars():
                yield from _tags_of(scalar, is_whole=scalar is node)


def _tags_within(mapping: Node) -> Iterator[Node]:
    return (value for key, value in mapping.pairs or () if (key.text or "").casefold() in _TAG_KEYS)


def _tags_of(scalar: Node, *, is_whole: bool) -> Iterator[str]:
    if scalar.comment:
        yield from _GAPS.split(scalar.comment)
    elif not scalar.is_null and scalar.text is not None:
        parts = _COMMAS.split(scalar.text)
        yield from [scalar.text] if not is_whole else parts if len(parts) > 1 else scalar.text.split()


def _texts(value: Value) -> Iterator[str]:
    match value:
        case str():
            yield value
        case list():
            for item in value:
                yield from _texts(item)


def parse(block: str) -> Properties:
    """What a block from `split` says, in bounded time and memory whatever it holds.

    Broken YAML, and YAML that is no list of keys and values, gives a problem and no entries (cases A11).
    """
    if len(block) <= _USUAL:
        return _long_remembered(block)
    return _remembered(block) if len(block) <= _SHORT else _parsed(block)


# An import asks for the aliases only when the whole batch has been read.
@lru_cache(maxsize=100)
def _long_remembered(block: str) -> Properties:
    return _parsed(block)


# One header is asked for its title and tags, its aliases and its links in turn.
@lru_cache(maxsize=8)
def _remembered(block: str) -> Properties:
    return _parsed(block)


def _parsed(block: str) -> Properties:
    start, end = inside(block)
    try:
        root = read_yaml(block[start:end])
    except UnreadableYamlError as error:
        return Properties(problem=Problem(_line(block, start + error.place), error.message))
    if root is None or root.is_null:
        return Properties()
    if root.pairs is None:
        return Properties(
            problem=Problem(_line(block, start + root.start), "the header holds no keys with values")
        )
    entries = tuple(_property(block, start, key, value) for key, value in root.pairs)
    return Properties(entries, None, tuple(_repeated(block, entries)))


def _property(block: str, offset: int, key: Node, value: Node) -> Property:
    start, end = offset + value.start, offset + value.end
    key_range = offset + key.start, offset + key.end
    return Property(key.text or "", value.value(), start, end, block[start:end], key_range, value)


def _repeated(block: str, entries: tuple[Property, ...]) -> Iterator[Problem]:
    seen: set[str] = set()
    for entry in entries:
        if entry.key in seen:
            yield Problem(
                _line(block, entry.key_range[0]), "this key stands more than once; the last one is read"
            )
        seen.add(entry.key)


def _line(block: str, place: int) -> int:
    return 1 + sum(1 for _ in LINE_END.finditer(block, 0, min(place, len(block))))
