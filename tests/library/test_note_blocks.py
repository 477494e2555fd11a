"""Does a note that another program wrote come back to the byte, and what of its blocks is taken from it?"""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.library.home import Home
from tests.library.vault import put
from vademecum.library.blocks import block_data
from vademecum.library.note_blocks import from_disk, left_in_text
from vademecum.library.note_writing import Replacement, edit_note, update_note
from vademecum.library.notes import read_note
from vademecum.model.blocks import block_from_json
from vademecum.model.errors import InvalidInput, NotFound
from vademecum.text.blocks import join_data

DATA = '{"id":"b1","labels":["a"],"series":[{"name":"s","values":[%d]}],"title":"Sales","type":"bar"}'
FENCE = "```monthlet-block\nid: b1\nlabel: Sales (bar chart)\n%s```\n"
BARE = FENCE % ""
ONE = FENCE % f"data: {DATA % 1}\n"
TWO = FENCE % f"data: {DATA % 2}\n"
SPELLED = FENCE % ("data: " + json.dumps({**json.loads(DATA % 3), "mine": [1.50]}, indent=None) + "\n")

LEFT = {
    "no JSON": FENCE % "data: {broken\n",
    "no block": FENCE % 'data: {"id":"b1"}\n',
    "another id": ONE.replace("id: b1", "id: b2"),
    "half of a character": (FENCE % f"data: {DATA % 1}\n").replace('"Sales"', '"\\ud800"'),
    "too long": FENCE % f"data: {json.dumps('x' * 500_000)}\n",
    "no space": ONE.replace("data: ", "data:"),
    "space behind": ONE.replace("}\n", "} \n"),
    "before the label": f"```monthlet-block\ndata: {DATA % 1}\nid: b1\n```\n",
    "another indentation": ONE.replace("data: ", "  data: "),
    "twice": FENCE % f"data: {DATA % 1}\ndata: {DATA % 1}\n",
    "behind one without": BARE,
}


def joined(body: str) -> str:
    text, blocks = from_disk(body)
    return join_data(text, {block.block_id: block.data for block in blocks})


@pytest.mark.parametrize("name", LEFT)
def test_what_would_not_come_back_to_the_byte_or_makes_no_block_stays_and_is_told(name: str) -> None:
    body = f"Before\n\n{LEFT[name]}\nBetween\n\n{ONE if name == 'behind one without' else TWO}"
    text, blocks = from_disk(body)
    assert (joined(body), LEFT[name] in text) == (body, True)
    ids = {"another id": ["b1"]}.get(name, [])
    assert [block.block_id for block in blocks] == ids
    assert left_in_text(body)


def test_data_are_kept_as_they_are_spelled() -> None:
    text, (block,) = from_disk(SPELLED)
    assert (text, joined(SPELLED)) == (BARE, SPELLED)
    assert block_from_json(block.data) == block_from_json(DATA % 3)
    assert left_in_text(SPELLED) == []


def test_of_two_blocks_with_one_id_the_first_is_taken_and_the_other_stays() -> None:
    text, (block,) = from_disk(ONE + TWO)
    assert (text, block.data, joined(ONE + TWO)) == (BARE + TWO, DATA % 1, ONE + TWO)
    assert left_in_text(ONE + TWO) == [
        "block b1: data: a block above has the same id; its data are kept as text"
    ]


def test_many_blocks_with_one_id_do_not_multiply_its_data() -> None:
    assert len(join_data(BARE * 2_000, {"b1": "x" * 100_000})) < len(BARE) * 2_000 + 100_100


_PIECES = st.sampled_from(
    [BARE, ONE, TWO, SPELLED, *LEFT.values(), "Text\n", "\n", "- item\n", "> quoted\n", "`"]
)
_INDENT = st.sampled_from(["", "  ", "> ", ">", "\t", " "])


@given(
    st.lists(st.tuples(_PIECES.filter(lambda piece: len(piece) < 1_000), _INDENT, _INDENT), max_size=6),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.booleans(),
)
def test_any_text_comes_back_to_the_byte(
    pieces: list[tuple[str, str, str]], line_end: str, is_cut: bool
) -> None:
    lines = [
        (first if number == 0 else others) + line
        for piece, first, others in pieces
        for number, line in enumerate(piece.splitlines(keepends=True))
    ]
    body = "".join(lines).replace("\n", line_end)
    body = body[:-1] if is_cut else body
    assert joined(body) == body
    text, _ = from_disk(body)
    assert from_disk(text)[0] == text


def test_an_edit_beside_data_that_make_no_block_leaves_them(home: Home) -> None:
    broken = LEFT["no JSON"].replace("b1", "b2")
    put(home, "Tea.md", f"One\n\n{broken}\n{ONE}")
    first = read_note(home.library, home.owner, "Tea.md")
    edit_note(home.library, home.owner, "Tea.md", Replacement("One", "Two"), first.version)
    read = read_note(home.library, home.owner, "Tea.md")
    assert home.read(read.item.item_id).body == f"Two\n\n{broken}\n{BARE}"
    assert block_data(home.library, home.owner, read.item.item_id, "b1") == block_from_json(DATA % 1)
    with pytest.raises(NotFound):
        block_data(home.library, home.owner, read.item.item_id, "b2")
    with pytest.raises(InvalidInput):
        edit_note(home.library, home.owner, "Tea.md", Replacement("{broken", "{other"), read.version)
    mended = broken.replace("{broken", (DATA % 4).replace("b1", "b2"))
    update_note(home.library, home.owner, "Tea.md", mended, read.version)
    assert block_data(home.library, home.owner, read.item.item_id, "b2") == block_from_json(
        (DATA % 4).replace("b1", "b2")
    )
