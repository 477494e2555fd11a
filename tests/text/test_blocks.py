"""Are blocks found wherever they may stand, and does a note lose nothing on its way to a tool and back?"""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vademecum.model.blocks import Embed, block_from_json
from vademecum.text.blocks import compare_blocks, cut_data, find_blocks, join_data, write_fence

PLAIN = "```monthlet-block\nid: a1\nlabel: Sales by month (bar chart)\n```\n"
ON_DISK = '```monthlet-block\nid: a1\nlabel: Sales by month (bar chart)\ndata: {"id":"a1"}\n```\n'


def indented(text: str, first: str, others: str) -> str:
    lines = text.splitlines(keepends=True)
    return first + lines[0] + "".join(others + line for line in lines[1:])


PLACES: dict[str, Callable[[str], str]] = {
    "alone": lambda text: text,
    "between paragraphs": lambda text: f"Before.\n\n{text}\nAfter `code`.\n",
    "in a list": lambda text: "- item\n\n" + indented(text, "  ", "  ") + "- next\n",
    "on the line of a bullet": lambda text: indented(text, "- ", "  "),
    "in a numbered list": lambda text: "1. a\n   - b\n\n" + indented(text, "     ", "     "),
    "in a quotation": lambda text: indented(text, "> ", "> ") + "\nAfter.\n",
    "in a list in a quotation": lambda text: "> - item\n>\n" + indented(text, ">   ", ">   "),
    "with other line ends": lambda text: f"Before.\n\n{text}After.\n".replace("\n", "\r\n"),
    "with tildes": lambda text: text.replace("```", "~~~~"),
    "without a last line end": lambda text: f"# H\n\n{text}".removesuffix("\n"),
    "after frontmatter": lambda text: f"---\ntitle: x\n---\n{text}",
    "in a text too long to parse": lambda text: "line\n\n" * 16_000 + text,
    "behind a byte order mark": lambda text: f"\ufeff{text}",
}


@pytest.mark.parametrize("place", PLACES)
def test_a_block_is_found_with_its_range(place: str) -> None:
    text = PLACES[place](ON_DISK)
    (found,) = find_blocks(text)
    assert (found.id, found.label, found.data) == ("a1", "Sales by month (bar chart)", '{"id":"a1"}')
    block = text[found.start : found.end]
    assert block.lstrip(" >-")[:3] in ("```", "~~~")
    assert block.rstrip("\r\n").endswith(("```", "~~~"))
    assert "a1" not in text[: found.start] + text[found.end :]


@pytest.mark.parametrize("place", PLACES)
def test_a_note_on_disk_is_shown_without_data_and_comes_back_to_the_byte(place: str) -> None:
    text = PLACES[place](ON_DISK)
    blocks = find_blocks(text)
    shown = cut_data(text, blocks)
    assert (shown, blocks[0].is_plain) == (PLACES[place](PLAIN), True)
    assert join_data(shown, {"a1": blocks[0].data or ""}) == text


def test_only_blocks_of_which_data_are_known_get_some() -> None:
    other = PLAIN.replace("a1", "b2")
    filled = other.replace("chart)\n", "chart)\ndata: {}\n")
    assert join_data(PLAIN + other, {"b2": "{}", "c3": "{}"}) == PLAIN + filled


@pytest.mark.parametrize(
    "text",
    [
        "```monthlet-block\nid: a1\nlabel: never closed\n",
        "```monthlet-block\nlabel: no id\n```\n",
        "```monthlet-block\nid:\n```\n",
        "```monthlet-block\n```\n",
        "```monthlet-blocks\nid: a1\n```\n",
        "```text\n```monthlet-block\nid: a1\n````\n",
        "````markdown\n```monthlet-block\nid: a1\n```\n````\n",
        "    ```monthlet-block\n    id: a1\n    ```\n",
        "Write `monthlet-block` and ```` ```monthlet-block id: a1 ``` ````.\n",
        "monthlet-block\nid: a1\n",
    ],
)
def test_what_only_looks_like_a_block_is_left_alone(text: str) -> None:
    assert find_blocks(text) == ()
    assert join_data(text, {"a1": "{}"}) == text


def test_blocks_kept_and_lost_are_told_each_once_and_in_order() -> None:
    before = "".join(PLAIN.replace("a1", name) for name in ("c", "a", "b", "a"))
    kept, lost = compare_blocks(before, PLAIN.replace("a1", "b") + PLAIN.replace("a1", "new"))
    assert [block.id for block in kept] == ["b"]
    assert [(block.id, block.label) for block in lost] == [
        ("c", "Sales by month (bar chart)"),
        ("a", "Sales by month (bar chart)"),
    ]


def test_of_two_blocks_with_one_id_the_first_holds_the_data() -> None:
    assert join_data(PLAIN + PLAIN, {"a1": '{"id":"a1"}'}) == ON_DISK + PLAIN


@given(st.text(max_size=60), st.text(max_size=60))
def test_a_written_block_is_found_again_whatever_it_is_called(title: str, target: str) -> None:
    data = block_from_json(
        f'{{"type":"embed","id":"x-1","title":{json.dumps(title)},"target":{json.dumps("t" + target)}}}'
    )
    (shown,) = find_blocks(f"Text.\n\n{write_fence(data, with_data=False)}")
    (stored,) = find_blocks(f"Text.\n\n{write_fence(data, with_data=True)}")
    assert (shown.id, shown.data, shown.label) == ("x-1", None, stored.label)
    assert block_from_json(stored.data or "") == data


def test_many_fences_and_marks_take_no_long_time() -> None:
    hostile = (
        "- " * 2_000
        + "x monthlet-block\n"
        + "-    " * 2_000
        + "```x\n"
        + "```monthlet-block\nid: \n```\n" * 3_000
    )
    assert find_blocks(hostile) == ()


def test_a_label_of_a_block_is_one_line() -> None:
    block = Embed("x", "https://example.org/", "a\nb ``` c")
    assert write_fence(block, with_data=False) == "```monthlet-block\nid: x\nlabel: a b ``` c (embed)\n```\n"
