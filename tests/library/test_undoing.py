"""Is what a change did taken back where no one wrote since, and is the rest told and left alone?"""

from __future__ import annotations

import pytest

from tests.library.home import Home, an_id
from tests.library.vault import put
from vademecum.library.drafts import NewDraft, keep_draft
from vademecum.library.editing import update_note as library_update_note
from vademecum.library.history import revisions
from vademecum.library.linking import link_resolver_of
from vademecum.library.moving import move_folder, move_note, rename_folder, rename_note
from vademecum.library.note_writing import create_folder, create_note, update_note, update_tags
from vademecum.library.notes import read_note
from vademecum.library.places import tree_of
from vademecum.library.trash import delete_item, list_trash, purge, restore
from vademecum.library.undoing import Subject, UndoReport, WhyLeft, undo_change
from vademecum.model.errors import NotFound, NotPermitted
from vademecum.model.items import Document
from vademecum.model.revisions import Action


def last_change(home: Home, item_id: str) -> str:
    return revisions(home.library, home.owner, item_id)[0].change.change_id


def undo(home: Home, change_id: str) -> UndoReport:
    home.clock.pass_by(seconds=1)
    return undo_change(home.library, home.owner, change_id)


def undo_last(home: Home, item_id: str) -> UndoReport:
    return undo(home, last_change(home, item_id))


def kept(home: Home, path: str) -> Document:
    return home.read(read_note(home.library, home.owner, path).item.item_id)


def id_at(home: Home, path: str) -> str:
    return kept(home, path).item.item_id


def folders(home: Home) -> list[str]:
    with home.library.storage.read() as tx:
        tree = tree_of(tx, home.owner.spaces[0])
    return sorted(tree.path_of(folder_id) for folder_id in tree.below(None) if folder_id is not None)


def folder_change(home: Home, path: str) -> str:
    """The change that last wrote the folder."""
    with home.library.storage.read() as tx:
        _, folder_id = tree_of(tx, home.owner.spaces[0]).find(path.split("/"))
        assert folder_id is not None
        return tx.folders.history(home.owner.spaces[0], folder_id)[-1].change_id


def test_a_note_that_was_made_goes_into_the_trash_and_its_new_folder_goes(home: Home) -> None:
    made = create_note(home.library, home.owner, "Green", "Body", "Tea/Hot", ())
    report = undo_last(home, made.item.item_id)
    assert [(one.subject, one.name, one.why) for one in report.subjects] == [
        (Subject.ITEM, "Green", None),
        (Subject.FOLDER, "Hot", None),
        (Subject.FOLDER, "Tea", None),
    ]
    assert ([item.title for item in list_trash(home.library, home.owner, 9)], folders(home)) == (
        ["Green"],
        [],
    )
    restore(home.library, home.owner, made.item.item_id)
    assert (kept(home, "Tea/Hot/Green.md").body, folders(home)) == ("Body", ["Tea", "Tea/Hot"])


def test_a_folder_that_holds_something_stays(home: Home) -> None:
    made = create_note(home.library, home.owner, "Green", "Body", "Tea", ())
    put(home, "Tea/Black.md")
    report = undo_last(home, made.item.item_id)
    assert [(one.name, one.why) for one in report.left] == [("Tea", WhyLeft.NOT_EMPTY)]
    assert folders(home) == ["Tea"]
    with pytest.raises(NotFound):
        kept(home, "Tea/Green.md")


def test_the_state_before_comes_back_whole(home: Home) -> None:
    header = "---\ntags: [tea]\n---\n"
    put(home, "Green.md", "Body", frontmatter=header, tags=("tea",))
    item_id = id_at(home, "Green.md")
    before = kept(home, "Green.md").state
    update_tags(home.library, home.owner, "Green.md", (["cup"], ["tea"]), None)
    undo_last(home, item_id)
    update_note(
        home.library,
        home.owner,
        "Green.md",
        "---\nx: 1\n---\nNew",
        read_note(home.library, home.owner, "Green.md").version,
    )
    report = undo_last(home, item_id)
    assert home.read(item_id).state == before
    assert home.found("Body") == ["Green"]
    newest = revisions(home.library, home.owner, item_id)[0]
    assert (newest.version, newest.action, newest.change.tool, newest.change.change_id) == (
        5,
        Action.UNDO,
        "undo",
        report.change_id,
    )


def test_what_was_changed_since_is_left_and_told(home: Home) -> None:
    put(home, "Green.md", "Text")
    put(home, "One.md", "[[Green]]")
    put(home, "Two.md", "[[Green]]")
    rename_note(home.library, home.owner, "Green.md", "Sencha")
    change_id = last_change(home, id_at(home, "Sencha.md"))
    one = kept(home, "One.md").item
    library_update_note(home.library, home.owner, one.item_id, "[[Sencha]] and more", one.version, None)
    report = undo(home, change_id)
    assert [(left.name, left.why) for left in report.left] == [("One", WhyLeft.CHANGED_SINCE)]
    assert [kept(home, path).body for path in ("Green.md", "One.md", "Two.md")] == [
        "Text",
        "[[Sencha]] and more",
        "[[Green]]",
    ]
    with home.library.storage.read() as tx:
        resolver = link_resolver_of(tx, home.owner.spaces[0])
        assert resolver.path_of(str(resolver.named("Sencha", past=True))) == "Green.md"
    again = undo(home, change_id)
    assert (again.change_id, len(again.left)) == (None, 3)


def test_an_undo_is_undone_in_turn(home: Home) -> None:
    put(home, "Green.md", "Text")
    put(home, "One.md", "[[Green]]")
    rename_note(home.library, home.owner, "Green.md", "Sencha")
    item_id = id_at(home, "Sencha.md")
    undo_last(home, item_id)
    undo_last(home, item_id)
    assert (kept(home, "Sencha.md").item.version, kept(home, "One.md").body) == (4, "[[Sencha]]")


def test_what_was_deleted_comes_back_and_what_was_restored_goes(home: Home) -> None:
    item_id = home.save("Text", "Tea")
    delete_item(home.library, home.owner, item_id, 1)
    undo_last(home, item_id)
    assert home.found("Text") == ["Tea"]
    undo_last(home, item_id)
    assert home.item(item_id).trashed
    purge(home.library, home.owner, item_id)


def test_what_was_purged_is_told(home: Home) -> None:
    one, two = home.save("Text", "One"), home.save("[[One]]", "Two")
    rename_note(home.library, home.owner, "Notes/One.md", "Uno")
    change_id = last_change(home, one)
    delete_item(home.library, home.owner, two, 2)
    assert [left.why for left in undo(home, change_id).left] == [WhyLeft.CHANGED_SINCE]
    undo_last(home, one)
    purge(home.library, home.owner, two)
    assert home.item(one).title == "Uno"
    assert undo(home, change_id).left != []


def test_a_moved_note_goes_back_and_gets_a_number_where_its_name_is_taken(home: Home) -> None:
    put(home, "Green.md", "first")
    create_folder(home.library, home.owner, "Tea")
    item_id = id_at(home, "Green.md")
    move_note(home.library, home.owner, "Green.md", "Tea")
    put(home, "green.md", "second")
    undo_last(home, item_id)
    assert (kept(home, "Green 2.md").item.item_id, kept(home, "green.md").body) == (item_id, "second")


def test_a_moved_folder_goes_back_if_it_was_not_moved_since(home: Home) -> None:
    put(home, "Tea/Green.md", "Text")
    put(home, "Linker.md", "[[Tea/Green]]")
    create_folder(home.library, home.owner, "Drinks")
    move_folder(home.library, home.owner, "Tea", "Drinks")
    moved = folder_change(home, "Drinks/Tea")
    assert undo(home, moved).left == []
    assert (kept(home, "Tea/Green.md").item.version, kept(home, "Linker.md").body) == (1, "[[Tea/Green]]")
    rename_folder(home.library, home.owner, "Tea", "Cha")
    renamed = folder_change(home, "Cha")
    move_folder(home.library, home.owner, "Cha", "Drinks")
    report = undo(home, renamed)
    assert {(one.name, one.why) for one in report.left} == {
        ("Cha", WhyLeft.CHANGED_SINCE),
        ("Linker", WhyLeft.CHANGED_SINCE),
    }
    assert folders(home) == ["Drinks", "Drinks/Cha"]


def test_a_folder_whose_name_or_place_is_taken_stays(home: Home) -> None:
    create_folder(home.library, home.owner, "Tea/Green")
    rename_folder(home.library, home.owner, "Tea/Green", "Black")
    renamed = folder_change(home, "Tea/Black")
    create_folder(home.library, home.owner, "Tea/green")
    assert [one.why for one in undo(home, renamed).left] == [WhyLeft.NAME_TAKEN]
    move_folder(home.library, home.owner, "Tea/Black", "")
    moved = folder_change(home, "Black")
    move_folder(home.library, home.owner, "Tea", "Black")
    assert [one.why for one in undo(home, moved).left] == [WhyLeft.PARENT_GONE]
    assert folders(home) == ["Black", "Black/Tea", "Black/Tea/green"]


def test_an_empty_folder_that_was_made_is_removed_and_made_again_by_undoing_that(home: Home) -> None:
    create_folder(home.library, home.owner, "Tea/Green")
    report = undo(home, folder_change(home, "Tea/Green"))
    assert folders(home) == []
    assert report.change_id is not None
    assert undo(home, report.change_id).left == []
    assert folders(home) == ["Tea", "Tea/Green"]


def test_blocks_hold_again_what_they_held(home: Home) -> None:
    def fence(value: int) -> str:
        series = f'[{{"name":"s","values":[{value}]}}]'
        data = f'{{"id":"b1","labels":["a"],"series":{series},"title":"S","type":"bar"}}'
        return f"```monthlet-block\nid: b1\nlabel: S (bar chart)\ndata: {data}\n```\n"

    made = create_note(home.library, home.owner, "Tea", fence(1), "", ())
    update_note(home.library, home.owner, "Tea.md", fence(2), made.version)
    undo_last(home, made.item.item_id)
    with home.library.storage.read() as tx:
        (block,) = tx.blocks.of_item(made.item.space_id, made.item.item_id, 3).values()
    assert '"values":[1]' in block.data


def test_the_library_undoes_for_a_person_alone_and_only_changes(home: Home) -> None:
    item_id = home.save("Text", "Tea")
    change_id = last_change(home, item_id)
    with pytest.raises(NotPermitted):
        undo_change(home.library, home.agent("full"), change_id)
    with pytest.raises(NotFound):
        undo_change(home.library, home.somebody(), change_id)
    for wrong in (an_id(), "nonsense", "", item_id):
        with pytest.raises(NotFound) as told:
            undo(home, wrong)
        assert "sessions" in told.value.advice
    keep_draft(home.library, home.owner, NewDraft("x", item_id=item_id, base_version=1))
    assert undo(home, f" {change_id.upper()}\n").left == []
