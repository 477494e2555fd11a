"""How is frontmatter parted from a text, and how are single keys of it changed with the rest left alone?"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TypeAlias

from vademecum.model.errors import InvalidInput, TooLarge
from vademecum.text.frontmatter_block import Split, inside, join, split
from vademecum.text.markdown_lines import LINE_END, line_end_of
from vademecum.text.properties import Problem, Properties, Property, parse
from vademecum.text.yaml_nodes import YAML_LIMIT, Node, Value
from vademecum.text.yaml_scalars import scalar_text

__all__ = ["NewValue", "Problem", "Properties", "Property", "Split", "Value"]
__all__ += ["join", "parse", "set_properties", "split", "without"]

NewValue: TypeAlias = "str | bool | int | Sequence[str]"
Edit: TypeAlias = tuple[int, int, str]

_COLON = re.compile(r"[ \t]*:")


def set_properties(block: str, changes: Mapping[str, NewValue | None], newline: str = "\n") -> str:
    """The block with the named keys set, or removed where the value is None; all else stays byte for byte.

    Keys are matched whatever their case and keep spelling, place, quoting and comment; new ones follow at
    the end. A value that is set already is left as written. The block's own line ends are used, `newline`
    only for a new block; one that loses its last key keeps its fences. Raises InvalidInput where the block
    cannot be read or cannot be changed without touching more, TooLarge beyond 65,536 characters.
    """
    if not block:
        block = f"---{newline}---{newline}"
        made = set_properties(block, changes, newline)
        return made if made != block else ""
    before = _readable(block)
    line_end = line_end_of(block, newline)
    edits = [edit for entry in before.entries for edit in _edits(block, before, entry, changes, line_end)]
    edits.append(_addition(block, before, changes, line_end))
    after = block
    for start, end, text in sorted(edits, reverse=True):
        after = after[:start] + text + after[end:]
    _check(before, after, changes)
    return after


def without(block: str, keys: Collection[str]) -> str:
    """The block without the named keys, empty when nothing else is left in it.

    Raises InvalidInput where the block cannot be read.
    """
    rest = set_properties(block, dict.fromkeys(keys)) if block else ""
    start, end = inside(rest)
    return rest if rest[start:end].strip() else ""


def _readable(block: str) -> Properties:
    properties = parse(block)
    if split(block) != (block, ""):
        raise InvalidInput("frontmatter", "is no frontmatter block")
    if properties.problem:
        problem = properties.problem
        raise InvalidInput(
            "frontmatter", f"cannot be changed before line {problem.line} is mended: {problem.message}"
        )
    if any(_indent(block, entry) is None for entry in properties.entries):
        raise InvalidInput("frontmatter", "can be changed only where every key has a line of its own")
    return properties


def _indent(block: str, entry: Property) -> str | None:
    """The white space before a key; None when the key does not begin its line or bears no colon."""
    start, end = entry.key_range
    before = block[_line_start(block, start) : start]
    return before if not before.strip(" ") and _COLON.match(block, end) else None


def _line_start(block: str, place: int) -> int:
    return max(block.rfind("\n", 0, place), block.rfind("\r", 0, place)) + 1


def _line_end(block: str, place: int) -> int:
    """Where the line after the one at the place begins."""
    found = LINE_END.search(block, place)
    return found.end() if found else len(block)


def _wanted(changes: Mapping[str, NewValue | None], key: str) -> tuple[bool, NewValue | None]:
    for name, value in changes.items():
        if name.casefold() == key.casefold():
            return True, value
    return False, None


def _edits(
    block: str, before: Properties, entry: Property, changes: Mapping[str, NewValue | None], line_end: str
) -> Iterator[Edit]:
    is_named, value = _wanted(changes, entry.key)
    if not is_named:
        return
    is_first = next(one for one in before.entries if one.key.casefold() == entry.key.casefold()) is entry
    if value is None or not is_first:
        yield _line_start(block, entry.key_range[0]), _line_end(block, entry.end), ""
    elif not _is_set(before, entry, value):
        yield _replacement(block, entry, value, line_end)


def _is_set(before: Properties, entry: Property, value: NewValue) -> bool:
    return before.find(entry.key) is entry and entry.value == _as_read(value)


def _as_read(value: NewValue) -> Value:
    """The value as `parse` gives it back once it is written."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str | int):
        return str(value)
    return list(value)


def _replacement(block: str, entry: Property, value: NewValue, line_end: str) -> Edit:
    """The edit that writes the value in the place and, as far as it can, in the style of the old one."""
    colon = _COLON.match(block, entry.key_range[1])
    after_colon = colon.end() if colon else entry.key_range[1]
    end = max(entry.end, after_colon)
    node = entry.node
    rest_of_line = block[end : _line_end(block, end)].strip()
    if isinstance(value, str | int):
        return (
            _first(block, entry, after_colon),
            end,
            _spaced(block, entry, after_colon, _scalar(value, node)),
        )
    if not value or node.style == "[" or (node.items is None and rest_of_line):
        return _first(block, entry, after_colon), end, _spaced(block, entry, after_colon, _flow_list(value))
    if node.items is not None:
        indent = block[_line_start(block, entry.start) : entry.start]
        return entry.start, end, f"{line_end}{indent}".join(_items(value))
    indent = (_indent(block, entry) or "") + "  "
    return after_colon, end, "".join(f"{line_end}{indent}{item}" for item in _items(value))


def _first(block: str, entry: Property, after_colon: int) -> int:
    """Where a value on the line of its key begins: where the old one did, unless that stood further down."""
    is_below = LINE_END.search(block, after_colon, max(entry.start, after_colon)) is not None
    return after_colon if is_below else max(entry.start, after_colon)


def _spaced(block: str, entry: Property, after_colon: int, text: str) -> str:
    start = _first(block, entry, after_colon)
    return text if block[start - 1] in " \t" else " " + text


def _scalar(value: str | int, node: Node) -> str:
    if isinstance(value, str):
        return scalar_text(value, node.style if node.style in ("'", '"') else "")
    return str(_as_read(value))


def _flow_list(value: Sequence[str]) -> str:
    return "[" + ", ".join(scalar_text(item, in_list=True) for item in value) + "]"


def _items(value: Sequence[str]) -> list[str]:
    return ["- " + scalar_text(item) for item in value]


def _addition(block: str, before: Properties, changes: Mapping[str, NewValue | None], line_end: str) -> Edit:
    """The edit that writes the keys which are not there yet, in the order of the changes."""
    _, end = inside(block)
    indent = (_indent(block, before.entries[0]) or "") if before.entries else ""
    lines: list[str] = []
    for key, value in changes.items():
        if value is None or before.find(key) is not None:
            continue
        name = f"{scalar_text(key)}:"
        if isinstance(value, str):
            lines.append(f"{name} {scalar_text(value)}")
        elif isinstance(value, int):
            lines.append(f"{name} {_as_read(value)}")
        else:
            lines += [name, *("  " + item for item in _items(value))] if value else [f"{name} []"]
    return end, end, "".join(indent + line + line_end for line in lines)


def _check(before: Properties, block: str, changes: Mapping[str, NewValue | None]) -> None:
    """Refuse a result that does not say exactly what was asked, whatever the old block had in store."""
    start, end = inside(block)
    if end - start > YAML_LIMIT:
        raise TooLarge("frontmatter", YAML_LIMIT)
    after = parse(block)
    expected = [(entry.key, entry.value) for entry in before.entries if not _wanted(changes, entry.key)[0]]
    kept = [(entry.key, entry.value) for entry in after.entries if not _wanted(changes, entry.key)[0]]
    is_as_asked = all(
        after.find(key) is None
        if value is None
        else (found := after.find(key)) and found.value == _as_read(value)
        for key, value in changes.items()
    )
    if after.problem or split(block).body or kept != expected or not is_as_asked:
        raise InvalidInput("frontmatter", "cannot be changed without touching more than was asked")
