"""Do edits of other programs come into the library, with history kept and nothing lost?"""

from __future__ import annotations

import os
import unicodedata
from dataclasses import replace
from pathlib import Path

import pytest

from tests.mirror.folder import Mirrored
from vademecum.library.editing import update_note, update_tags, write_state
from vademecum.library.trash import delete_item, list_trash
from vademecum.model.items import Kind, Layers
from vademecum.model.revisions import Action, ActorKind


def test_a_new_file_becomes_a_note_as_an_import_would_make_it(mirrored: Mirrored) -> None:
    mirrored.step(1)
    mirrored.put("Tea/Green.md", "---\ntitle: Sencha\ntags: [tea]\npinned: true\n---\nsteep at 70 #kyoto")
    mirrored.step(1)
    found = mirrored.at("Tea/Green.md")
    assert (found.item.title, found.item.tags, found.item.pinned) == ("Sencha", ("tea", "kyoto"), True)
    assert found.body == "steep at 70 #kyoto"
    change = mirrored.history(found.item.item_id)[0].change
    assert (change.actor_kind, change.tool) == (ActorKind.OUTSIDE, "outside editor")
    assert mirrored.home.found("steep") == ["Sencha"]


def test_an_edit_is_a_revision_and_the_file_is_left_as_it_was_written(mirrored: Mirrored) -> None:
    item_id = mirrored.home.save("one #a", "Plan")
    update_tags(mirrored.home.library, mirrored.home.owner, item_id, ["mine"], 1)
    mirrored.step()
    text = mirrored.texts()["Notes/Plan.md"]
    written = text.replace("one", "two\r\n") + " #b"
    mirrored.put("Notes/Plan.md", written)
    mirrored.step()
    found = mirrored.at("Notes/Plan.md")
    assert (found.body, found.item.version) == ("two\r\n #a #b", 3)
    assert found.item.tags == ("mine", "b")  # what the edit added; `#a` stood there before and was no tag
    assert mirrored.texts()["Notes/Plan.md"] == written
    assert mirrored.body_of_version(item_id, 2) == "one #a"


def test_a_header_written_outside_gives_title_tags_and_flags(mirrored: Mirrored) -> None:
    mirrored.home.save("one", "Plan")
    mirrored.step()
    mirrored.put("Notes/Plan.md", "---\ntitle: Other\ntags: x\narchived: true\nmine: 1\n---\none")
    mirrored.step()
    item = mirrored.items()["Notes/Plan.md"]
    assert (item.title, item.tags, item.archived) == ("Other", ("x",), True)
    assert mirrored.at("Notes/Plan.md").frontmatter.startswith("---\ntitle: Other")


def test_a_file_that_is_written_again_unchanged_makes_no_revision(mirrored: Mirrored) -> None:
    item_id = mirrored.home.save("one", "Plan")
    mirrored.step()
    mirrored.put("Notes/Plan.md", "one")
    mirrored.step()
    mirrored.restart()
    mirrored.step()
    assert len(mirrored.history(item_id)) == 1


def test_a_change_of_same_size_and_time_is_noticed(mirrored: Mirrored) -> None:
    # A32
    mirrored.home.save("one", "Plan")
    mirrored.step()
    place = mirrored.root / "Notes/Plan.md"
    before = place.stat()
    place.write_text("two")
    os.utime(place, ns=(before.st_atime_ns, before.st_mtime_ns))
    mirrored.step()
    assert mirrored.at("Notes/Plan.md").body == "two"


@pytest.mark.parametrize("seconds", [0.0, 1e9, 4e9])
def test_the_times_of_a_file_decide_nothing(on_sqlite: Mirrored, seconds: float) -> None:
    on_sqlite.home.save("one", "Plan")
    on_sqlite.step()
    os.utime(on_sqlite.put("Notes/Plan.md", "two"), (seconds, seconds))
    on_sqlite.step()
    assert on_sqlite.at("Notes/Plan.md").body == "two"


def test_a_rename_keeps_the_item_and_its_history(mirrored: Mirrored) -> None:
    item_id = mirrored.home.save("one", "Plan")
    mirrored.step()
    (mirrored.root / "Notes/Plan.md").rename(mirrored.root / "Schedule.md")
    mirrored.step()
    item = mirrored.items()["Schedule.md"]
    assert (item.item_id, item.title) == (item_id, "Schedule")
    assert mirrored.history(item_id)[0].action is Action.MOVE
    assert mirrored.disk() == {"Schedule.md": b"one"}


def test_a_rename_by_a_tool_that_copies_and_deletes_keeps_the_item(mirrored: Mirrored) -> None:
    item_id = mirrored.home.save("one", "Plan")
    mirrored.step()
    (mirrored.root / "Notes/Plan.md").unlink()
    mirrored.put("Elsewhere/Plan.md", "one")
    mirrored.step()
    assert mirrored.items()["Elsewhere/Plan.md"].item_id == item_id


def test_two_files_that_change_names_keep_their_items(mirrored: Mirrored) -> None:
    first, second = mirrored.home.save("one", "A"), mirrored.home.save("two", "B")
    mirrored.step()
    notes = mirrored.root / "Notes"
    (notes / "A.md").rename(notes / "C.md")
    (notes / "B.md").rename(notes / "A.md")
    (notes / "C.md").rename(notes / "B.md")
    mirrored.step()
    assert {path: item.item_id for path, item in mirrored.items().items()} == {
        "Notes/B.md": first,
        "Notes/A.md": second,
    }
    assert mirrored.texts() == {"Notes/B.md": "one", "Notes/A.md": "two"}


def test_saving_through_a_new_file_is_an_edit(mirrored: Mirrored) -> None:
    item_id = mirrored.home.save("one", "Plan")
    mirrored.step()
    mirrored.put("Notes/Plan.md.new", "two")
    mirrored.step()
    (mirrored.root / "Notes/Plan.md.new").replace(mirrored.root / "Notes/Plan.md")
    mirrored.step()
    item = mirrored.items()["Notes/Plan.md"]
    assert (item.item_id, mirrored.at("Notes/Plan.md").body) == (item_id, "two")
    assert mirrored.texts() == {"Notes/Plan.md": "two"}


def test_a_change_of_letter_case_alone_keeps_the_item(mirrored: Mirrored) -> None:
    # A19
    item_id = mirrored.home.save("one", "plan")
    mirrored.step()
    (mirrored.root / "Notes/plan.md").rename(mirrored.root / "Notes/Plan.md")
    mirrored.step()
    assert mirrored.items()["Notes/Plan.md"].item_id == item_id
    update_note(mirrored.home.library, mirrored.home.owner, item_id, "one", 2, "PLAN")
    mirrored.step()
    assert mirrored.disk() == {"Notes/PLAN.md": b"one"}
    assert list(mirrored.items()) == ["Notes/PLAN.md"]


def test_a_name_in_decomposed_form_is_kept_and_reached_in_either(mirrored: Mirrored) -> None:
    # A24
    name = unicodedata.normalize("NFD", "ガイド.md")
    mirrored.step(1)
    mirrored.put(name, "kana")
    mirrored.step()
    mirrored.restart()
    mirrored.step()
    assert list(mirrored.disk()) == [name]
    assert len(mirrored.items()) == 1


def test_two_files_that_differ_in_case_alone_both_stay(on_sqlite: Mirrored) -> None:
    on_sqlite.step(1)
    on_sqlite.put("Tea/a.md", "one")
    on_sqlite.put("tea/A.md", "two")
    on_sqlite.put("Tea/A.md", "three")
    before = on_sqlite.disk()
    on_sqlite.step()
    on_sqlite.restart()
    on_sqlite.step()
    assert on_sqlite.disk() == before
    assert sorted(on_sqlite.home.listed()) == ["A", "A", "a"]


def test_items_that_come_to_bear_one_name_lie_beside_each_other(on_sqlite: Mirrored) -> None:
    on_sqlite.step(1)
    on_sqlite.put("a.md", "one")
    on_sqlite.put("A.md", "two")
    on_sqlite.step()
    item_id = on_sqlite.items()["a.md"].item_id
    update_note(on_sqlite.home.library, on_sqlite.home.owner, item_id, "three", 1, "A")
    on_sqlite.step()
    before = on_sqlite.disk()
    assert sorted(before.values()) == [b"three", b"two"]
    on_sqlite.restart()
    on_sqlite.step(3)
    assert on_sqlite.disk() == before
    assert sorted(on_sqlite.home.listed()) == ["A", "A"]


def test_a_deleted_file_puts_its_item_into_the_trash(mirrored: Mirrored) -> None:
    item_id = mirrored.home.save("one", "Plan")
    mirrored.step()
    (mirrored.root / "Notes/Plan.md").unlink()
    mirrored.step()
    assert mirrored.items() == {}
    trash = list_trash(mirrored.home.library, mirrored.home.owner, 10)
    assert [item.item_id for item in trash] == [item_id]
    assert mirrored.history(item_id)[0].change.actor_kind is ActorKind.OUTSIDE


def test_a_file_of_another_kind_comes_in_and_changes(mirrored: Mirrored) -> None:
    mirrored.step(1)
    mirrored.put("t.csv", "a,b")
    mirrored.put("pic.png", b"\x89PNG")
    mirrored.step()
    mirrored.put("t.csv", "a,halyards")
    mirrored.step()
    assert mirrored.home.found("halyards") == ["t.csv"]
    assert mirrored.items()["t.csv"].version == 2
    assert mirrored.disk() == {"t.csv": b"a,halyards", "pic.png": b"\x89PNG"}


def test_a_capture_that_is_edited_outside_keeps_what_was_captured(on_sqlite: Mirrored) -> None:
    library, owner = on_sqlite.home.library, on_sqlite.home.owner
    item_id = on_sqlite.home.save("", "Tea")
    before = on_sqlite.home.read(item_id)
    captured = replace(
        before.state,
        kind=Kind.ARTICLE,
        layers=Layers(extracted="captured"),
        source_url="https://example.org/tea",
    )
    write_state(library, owner, before, captured, ("test", Action.CAPTURE))
    on_sqlite.step()
    text = on_sqlite.texts()["Notes/Tea.md"]
    assert "source: https://example.org/tea\n" in text
    on_sqlite.put("Notes/Tea.md", text.replace("captured", "captured and read"))
    on_sqlite.step()
    layers = on_sqlite.home.read(item_id).layers
    assert (layers.authored, layers.extracted) == ("captured and read", "captured")


def test_a_text_file_that_is_renamed_to_a_note_becomes_one(mirrored: Mirrored) -> None:
    mirrored.step(1)
    mirrored.put("a.txt", "plain")
    mirrored.step()
    item_id = mirrored.items()["a.txt"].item_id
    (mirrored.root / "a.txt").rename(mirrored.root / "a.md")
    mirrored.step()
    assert mirrored.at("a.md").body == "plain"
    assert mirrored.items()["a.md"].item_id == item_id


@pytest.mark.parametrize(
    "name",
    [".~lock.x.md#", "~$x.md", ".x.md.swp", "4913", "x.tmp", ".DS_Store", "x.md~", "._x.md", ".#x.md"],
)
def test_what_editors_leave_for_a_moment_is_no_item(on_sqlite: Mirrored, name: str) -> None:
    on_sqlite.step(1)
    on_sqlite.put(name, "passing")
    for folder in (".obsidian", ".trash", ".git", ".vade"):
        on_sqlite.put(f"{folder}/x.md", "not ours")
    on_sqlite.step()
    assert on_sqlite.items() == {}


def test_no_link_is_followed_out_of_the_folder(on_sqlite: Mirrored, tmp_path: Path) -> None:
    outside = tmp_path / "secret"
    outside.mkdir()
    (outside / "s.md").write_text("secret")
    on_sqlite.home.save("one", "Plan")
    on_sqlite.step()
    (on_sqlite.root / "link.md").symlink_to(outside / "s.md")
    (on_sqlite.root / "folder").symlink_to(outside)
    os.mkfifo(on_sqlite.root / "pipe.md")
    on_sqlite.step()
    assert list(on_sqlite.items()) == ["Notes/Plan.md"]
    item_id = on_sqlite.items()["Notes/Plan.md"].item_id
    (on_sqlite.root / "Notes").rename(tmp_path / "moved out")
    (on_sqlite.root / "Notes").symlink_to(outside)
    update_note(on_sqlite.home.library, on_sqlite.home.owner, item_id, "two", 1, None)
    on_sqlite.step()
    assert [path.name for path in outside.iterdir()] == ["s.md"]
    assert on_sqlite.at("Notes/Plan.md").body == "two"


def test_a_broken_header_blocks_nothing_and_is_left_as_it_is(on_sqlite: Mirrored) -> None:
    on_sqlite.step(1)
    text = "---\ntitle: a: b: [\n---\nbody"
    on_sqlite.put("a.md", text)
    on_sqlite.put("b.md", "\ufeff# Marked\r\n")
    on_sqlite.put("c.md", "日本語".encode("shift_jis") * 20)
    on_sqlite.step()
    assert on_sqlite.at("a.md").body == "body"
    assert on_sqlite.items()["b.md"].title == "Marked"
    before = on_sqlite.disk()
    item = on_sqlite.items()["c.md"]
    assert on_sqlite.at("c.md").body.startswith("日本語")
    update_tags(on_sqlite.home.library, on_sqlite.home.owner, item.item_id, ["x"], 1)
    on_sqlite.step()
    assert on_sqlite.disk()["b.md"] == before["b.md"]
    assert on_sqlite.texts()["c.md"].startswith("---\ntags:\n  - x\n---\n日本語")


def test_what_an_edit_and_a_change_here_do_not_share_is_joined(mirrored: Mirrored) -> None:
    item_id = mirrored.home.save("one", "Plan")
    mirrored.step()
    update_tags(mirrored.home.library, mirrored.home.owner, item_id, ["tea"], 1)
    mirrored.put("Notes/Plan.md", "two")
    mirrored.step()
    assert (mirrored.at("Notes/Plan.md").body, mirrored.items()["Notes/Plan.md"].tags) == ("two", ("tea",))
    assert mirrored.texts() == {"Notes/Plan.md": "---\ntags:\n  - tea\n---\ntwo"}


def test_of_two_texts_written_at_once_both_stay(mirrored: Mirrored) -> None:
    # A35
    item_id = mirrored.home.save("one", "Plan")
    mirrored.step()
    update_note(mirrored.home.library, mirrored.home.owner, item_id, "from an agent", 1, None)
    mirrored.put("Notes/Plan.md", "from an editor")
    mirrored.step()
    bodies = {path: mirrored.at(path).body for path in mirrored.items()}
    beside = "Notes/Plan (conflict 2026-11-30 12.00.01).md"
    assert bodies == {"Notes/Plan.md": "from an agent", beside: "from an editor"}
    texts = mirrored.texts()
    assert texts["Notes/Plan.md"] == "from an agent"
    assert texts[beside].endswith("from an editor")
    assert mirrored.items()[beside].title == "Plan (conflict 2026-11-30 12.00.01)"


def test_the_same_text_written_on_both_sides_is_no_conflict(mirrored: Mirrored) -> None:
    item_id = mirrored.home.save("one", "Plan")
    mirrored.step()
    update_note(mirrored.home.library, mirrored.home.owner, item_id, "two", 1, None)
    mirrored.put("Notes/Plan.md", "two")
    mirrored.step()
    assert len(mirrored.items()) == 1
    assert len(mirrored.history(item_id)) == 2


def test_what_was_trashed_here_and_edited_outside_becomes_a_new_note(mirrored: Mirrored) -> None:
    item_id = mirrored.home.save("one", "Plan")
    mirrored.step()
    delete_item(mirrored.home.library, mirrored.home.owner, item_id, 1)
    mirrored.put("Notes/Plan.md", "two")
    mirrored.step()
    assert mirrored.at("Notes/Plan.md").body == "two"
    assert mirrored.items()["Notes/Plan.md"].item_id != item_id


def test_what_was_deleted_outside_and_changed_here_is_written_again(mirrored: Mirrored) -> None:
    item_id = mirrored.home.save("one", "Plan")
    mirrored.step()
    update_note(mirrored.home.library, mirrored.home.owner, item_id, "two", 1, None)
    (mirrored.root / "Notes/Plan.md").unlink()
    mirrored.step()
    assert mirrored.texts() == {"Notes/Plan.md": "two"}


def test_a_file_and_a_note_that_take_the_same_name_at_once_both_stay(mirrored: Mirrored) -> None:
    mirrored.step(1)
    mirrored.home.save("here", "Plan")
    mirrored.put("Notes/Plan.md", "outside")
    mirrored.step()
    assert sorted(mirrored.texts().values()) == ["here", "outside"]
    assert {path: mirrored.at(path).body for path in mirrored.items()} == mirrored.texts()


def test_tags_in_another_order_are_taken_as_the_file_has_them(mirrored: Mirrored) -> None:
    mirrored.put("Plan.md", "---\ntags: [b, a]\n---\none")
    mirrored.step()
    mirrored.put("Plan.md", "---\ntags: [A, b]\n---\none")
    mirrored.step()
    assert mirrored.items()["Plan.md"].tags == ("A", "b")
    assert mirrored.texts() == {"Plan.md": "---\ntags: [A, b]\n---\none"}
