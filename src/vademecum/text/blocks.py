"""Where do blocks stand in a text, and how do a note on disk and a note in a tool show them?"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from vademecum.model.blocks import Block, block_to_json, label_of, one_line
from vademecum.text.outline import read_outline

FENCE = "monthlet-block"

_OPENING = re.compile(rf"(?P<marks>`{{3,}}|~{{3,}})[ \t]*{FENCE}[ \t]*$")
_MEMBER = re.compile(r"(?P<before>[ \t>]*)(?P<name>id|label|data):")
_LABEL = re.compile(r"(?<=[\r\n])(?P<before>[ \t>]*label:)[^\r\n]*")
_CLOSING = re.compile(r"[ \t>]*(?P<marks>`{3,}|~{3,})[ \t]*")
_LINE = re.compile(r"(?P<text>[^\r\n]*)(?P<end>\r\n|\n|\r|\Z)")


@dataclass(frozen=True, slots=True)
class BlockFence:
    """A block where it stands in a text: from `start` to `end` in code points, its closing line included.

    `data` is the JSON as it stands there, None without; `data_start` and `data_end` are the whole line that
    holds it, or the place where it would be put. `before` is what a line within it begins with. `is_plain`
    tells of data that stand as `join_data` would write them.
    """

    id: str
    label: str
    data: str | None
    start: int
    end: int
    data_start: int
    data_end: int
    before: str
    line_end: str
    is_plain: bool


def find_blocks(text: str) -> tuple[BlockFence, ...]:
    """The blocks of a text in order, also those in lists and quotations.

    A fence that is not closed, or has no id, is code as any other.
    """
    if FENCE not in text:
        return ()
    found = []
    for start, end, info in read_outline(text).fences:
        block = _read(text, start, end) if info == FENCE else None
        if block is not None:
            found.append(block)
    return tuple(found)


def write_fence(block: Block, *, with_data: bool) -> str:
    """The lines of a block, as a tool shows it or, with its data, as it stands on disk (design 5)."""
    data = f"data: {block_to_json(block)}\n" if with_data else ""
    return f"```{FENCE}\nid: {block.id}\nlabel: {one_line(label_of(block))}\n{data}```\n"


def with_label(text: str, fence: BlockFence, label: str) -> str:
    """The text in which the fence shows another label, all else as it was."""
    block = text[fence.start : fence.end]
    told, found = _LABEL.subn(lambda line: f"{line['before']} {one_line(label)}", block, count=1)
    if not found:
        place = fence.data_start - fence.start
        told = f"{block[:place]}{fence.before}label: {one_line(label)}{fence.line_end}{block[place:]}"
    return text[: fence.start] + told + text[fence.end :]


def cut_data(text: str, blocks: Iterable[BlockFence]) -> str:
    """The text without the lines that hold the data of these of its blocks, which stand in its order."""
    pieces, place = [], 0
    for block in blocks:
        pieces.append(text[place : block.data_start])
        place = block.data_end
    return "".join([*pieces, text[place:]])


def join_data(text: str, data: Mapping[str, str]) -> str:
    """The text as it stands on disk: a block holds its data in the line before the last, of several with one
    id the first. Data that stand in the text already stay.
    """
    pieces, place = [], 0
    met: set[str] = set()
    for block in find_blocks(text):
        if block.data is None and block.id in data and block.id not in met:
            line = f"{block.before}data: {data[block.id]}{block.line_end}"
            pieces += [text[place : block.data_start], line]
            place = block.data_start
        met.add(block.id)
    return "".join([*pieces, text[place:]])


def compare_blocks(before: str, after: str) -> tuple[list[BlockFence], list[BlockFence]]:
    """The blocks of the text before that the text after still has, and those that it lost, each id once."""
    there = {block.id for block in find_blocks(after)}
    blocks = {block.id: block for block in reversed(find_blocks(before))}
    ordered = sorted(blocks.values(), key=lambda block: block.start)
    kept = [block for block in ordered if block.id in there]
    return kept, [block for block in ordered if block.id not in there]


def _read(text: str, start: int, end: int) -> BlockFence | None:
    """The block between two places, None where its lines do not make one."""
    lines = list(_lines(text, start, end))
    opening, closing = _OPENING.search(lines[0]["text"]), _CLOSING.fullmatch(lines[-1]["text"])
    if len(lines) < 3 or not opening or not closing or not closing["marks"].startswith(opening["marks"]):
        return None
    members: dict[str, tuple[str, re.Match[str]]] = {}
    before = ""
    for line in lines[1:-1]:
        found = _MEMBER.match(line["text"])
        if found and found["name"] not in members:
            members[found["name"]] = line["text"][found.end() :].strip(" \t"), line
            before = found["before"] if found["name"] == "id" else before
    if not members.get("id", ("",))[0]:
        return None
    data = members.get("data")
    end_line, line_end = lines[-1].start(), members["id"][1]["end"]
    return BlockFence(
        id=members["id"][0],
        label=members["label"][0] if "label" in members else "",
        data=data[0] if data else None,
        start=start,
        end=lines[-1].end(),
        data_start=data[1].start() if data else end_line,
        data_end=data[1].end() if data else end_line,
        before=before,
        line_end=line_end,
        is_plain=data is not None
        and data[1].end() == end_line
        and data[1].group() == f"{before}data: {data[0]}{line_end}",
    )


def _lines(text: str, start: int, end: int) -> Iterator[re.Match[str]]:
    while start < end and (line := _LINE.match(text, start)):
        yield line
        start = line.end()
