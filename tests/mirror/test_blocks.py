"""Do plain files hold the data of charts, and does the library follow them?"""

from __future__ import annotations

import pytest

from tests.mirror.folder import Mirrored
from vademecum.library.blocks import BlockPlace, ChartNumbers, block_data, change_block, make_chart
from vademecum.library.editing import update_note as write_text
from vademecum.library.editing import update_tags
from vademecum.library.history import revert
from vademecum.library.notes import read_note
from vademecum.library.undoing import undo_change
from vademecum.mirror.examining import examine_mirror
from vademecum.model.blocks import Block, Chart, ChartType, block_from_json
from vademecum.model.errors import NotFound

DATA = '{"id":"b1","labels":["a"],"series":[{"name":"s","values":[%d]}],"title":"Sales","type":"bar"}'
FENCE = "```monthlet-block\nid: b1\nlabel: Sales (bar chart)\n%s```\n"
BARE = FENCE % ""


def whole(number: int) -> str:
    return FENCE % f"data: {DATA % number}\n"


def block(mirrored: Mirrored, path: str = "Note.md", block_id: str = "b1") -> Block:
    home = mirrored.home
    return block_data(home.library, home.owner, mirrored.at(path).item.item_id, block_id)


def shown(mirrored: Mirrored, path: str = "Note.md") -> str:
    found = read_note(mirrored.home.library, mirrored.home.owner, path).markdown
    return found.removeprefix("---\ntype: Note\n---\n")


@pytest.fixture
def note(mirrored: Mirrored) -> Mirrored:
    """A note with a chart that another program wrote."""
    mirrored.step(1)
    mirrored.put("Note.md", f"One\n\n{whole(1)}")
    mirrored.step()
    return mirrored


def test_a_file_with_data_becomes_a_note_that_shows_id_and_label(note: Mirrored) -> None:
    assert shown(note) == f"One\n\n{BARE}"
    assert block(note) == block_from_json(DATA % 1)
    assert note.texts() == {"Note.md": f"One\n\n{whole(1)}"}
    assert note.at("Note.md").item.version == 1


def test_a_chart_that_is_made_here_stands_in_the_file_with_its_data(mirrored: Mirrored) -> None:
    home = mirrored.home
    item_id = home.save("One", "Note")
    numbers = ChartNumbers(["a"], {"s": [1]})
    made = make_chart(home.library, home.owner, BlockPlace(item_id, 1), ChartType.BAR, "Sales", numbers)
    mirrored.step()
    expected = whole(1).replace("b1", made.block.id)
    assert mirrored.texts() == {"Notes/Note.md": f"One\n\n{expected}"}
    assert isinstance(made.block, Chart)
    change_block(
        home.library,
        home.owner,
        BlockPlace(item_id, 2),
        block_from_json(DATA.replace("b1", made.block.id) % 2),
    )
    mirrored.step()
    assert mirrored.texts() == {"Notes/Note.md": f"One\n\n{expected.replace('[1]', '[2]')}"}
    revert(home.library, home.owner, item_id, 2)
    mirrored.step()
    assert mirrored.texts() == {"Notes/Note.md": f"One\n\n{expected}"}
    assert mirrored.at("Notes/Note.md").item.version == 4


def test_data_that_are_changed_in_the_file_hold_from_then_on(note: Mirrored) -> None:
    note.put("Note.md", f"One\n\n{whole(2)}")
    note.step()
    assert (block(note), shown(note)) == (block_from_json(DATA % 2), f"One\n\n{BARE}")
    assert note.at("Note.md").item.version == 2
    revert(note.home.library, note.home.owner, note.at("Note.md").item.item_id, 1)
    note.step()
    assert note.texts() == {"Note.md": f"One\n\n{whole(1)}"}


def test_words_that_are_changed_in_the_file_leave_the_data(note: Mirrored) -> None:
    note.put("Note.md", f"Two\n\n{whole(1)}")
    note.step()
    assert (block(note), shown(note)) == (block_from_json(DATA % 1), f"Two\n\n{BARE}")
    assert note.texts() == {"Note.md": f"Two\n\n{whole(1)}"}


def test_both_sides_may_change_different_things(note: Mirrored) -> None:
    item = note.at("Note.md").item
    update_tags(note.home.library, note.home.owner, item.item_id, ["tea"], 1)
    note.put("Note.md", f"Two\n\n{whole(3)}")
    note.step(3)
    assert (note.at("Note.md").item.tags, block(note)) == (("tea",), block_from_json(DATA % 3))
    assert set(note.texts()) == {"Note.md"}
    assert note.texts()["Note.md"].endswith(f"Two\n\n{whole(3)}")


def test_data_that_make_no_block_stay_where_they_stand(note: Mirrored) -> None:
    broken = FENCE % "data: {broken\n"
    note.put("Note.md", broken)
    note.step()
    assert shown(note) == broken
    assert note.texts() == {"Note.md": broken}


ODD = {
    "spelled otherwise": whole(1).replace(":[", ": [").replace('"bar"', '"bar", "mine": 1.50'),
    "no space": whole(1).replace("data: ", "data:"),
    "before the label": f"```monthlet-block\ndata: {DATA % 1}\nid: b1\n```\n",
    "no block": FENCE % "data: {broken\n",
    "two with one id": whole(1) + whole(2),
    "one of two without": whole(1) + BARE,
    "the second of two": BARE + whole(1),
    "other line ends": whole(1).replace("\n", "\r\n"),
    "in a quotation": "> " + whole(1).replace("\n", "\n> ", 4),
}


@pytest.mark.parametrize("name", ODD)
def test_a_file_is_not_touched_and_a_change_of_tags_touches_its_header_alone(
    on_sqlite: Mirrored, name: str
) -> None:
    mirrored, text = on_sqlite, f"One\n\n{ODD[name]}\nTwo"
    mirrored.step(1)
    mirrored.put("Odd.md", text)
    mirrored.step()
    mirrored.restart()
    mirrored.step()
    item = mirrored.at("Odd.md").item
    assert (mirrored.texts(), item.version) == ({"Odd.md": text}, 1)
    assert list(examine_mirror(mirrored.home.library, mirrored.root, mirrored.data / ".vade")) == []
    update_tags(mirrored.home.library, mirrored.home.owner, item.item_id, ["tea"], 1)
    mirrored.step()
    tagged = mirrored.texts()["Odd.md"]
    header = tagged.removesuffix(text)
    assert (header.split(), tagged) == (["---", "tags:", "-", "tea", "---"], header + text)
    mirrored.put("Odd.md", f"{tagged} three")
    mirrored.step()
    assert mirrored.disk() == {"Odd.md": f"{tagged} three".encode()}
    assert mirrored.at("Odd.md").item.version == 3


def test_data_that_make_no_block_hide_those_that_held_before(note: Mirrored) -> None:
    note.put("Note.md", FENCE % "data: {broken\n")
    note.step()
    with pytest.raises(NotFound):
        block(note)
    note.put("Note.md", BARE)
    note.step()
    assert block(note) == block_from_json(DATA % 1)


def test_a_block_without_data_in_the_file_is_no_change_of_its_text(note: Mirrored) -> None:
    note.put("Bare.md", f"Bare\n\n{BARE}")
    note.step()
    item = note.at("Bare.md").item
    write_text(note.home.library, note.home.owner, item.item_id, f"Here\n\n{BARE}", 1, None)
    note.put("Bare.md", f"---\ntags: [outside]\n---\nBare\n\n{BARE}")
    note.step(3)
    assert set(note.texts()) == {"Bare.md", "Note.md"}
    assert note.texts()["Bare.md"] == f"---\ntags: [outside]\n---\nHere\n\n{whole(1)}"


def test_undoing_what_another_program_did_brings_the_data_back(note: Mirrored) -> None:
    note.put("Note.md", f"One\n\n{whole(2)}")
    note.step()
    newest = note.history(note.at("Note.md").item.item_id)[0]
    undo_change(note.home.library, note.home.owner, newest.change.change_id)
    note.step()
    assert (block(note), note.texts()) == (block_from_json(DATA % 1), {"Note.md": f"One\n\n{whole(1)}"})


def test_a_copy_of_the_file_is_a_note_with_the_same_chart(note: Mirrored) -> None:
    note.put("Copy.md", f"Copy\n\n{whole(1)}")
    note.put("Bare.md", f"Bare\n\n{BARE}")
    note.step()
    for path in ("Copy.md", "Bare.md"):
        assert block(note, path) == block_from_json(DATA % 1)


def test_a_file_from_which_the_data_were_taken_is_no_damage_and_gets_them_back(note: Mirrored) -> None:
    note.put("Note.md", f"One\n\n{BARE}")
    note.step()
    assert block(note) == block_from_json(DATA % 1)
    assert list(examine_mirror(note.home.library, note.root, note.data / ".vade")) == []
    note.home.clock.pass_by(seconds=1)
    write_text(note.home.library, note.home.owner, note.at("Note.md").item.item_id, f"Two\n\n{BARE}", 1, None)
    note.step()
    assert note.texts() == {"Note.md": f"Two\n\n{whole(1)}"}


def test_a_deleted_file_goes_to_the_trash_with_its_text_as_it_was(note: Mirrored) -> None:
    item_id = note.at("Note.md").item.item_id
    (note.root / "Note.md").unlink()
    note.step()
    assert note.body_of_version(item_id, 2) == f"One\n\n{BARE}"
