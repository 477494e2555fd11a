"""Can everything that an item was be seen, and brought back?"""

from __future__ import annotations

import tracemalloc
from dataclasses import replace

import pytest

from tests.library.home import Home, an_id
from tests.storage.opening import change_rows
from vademecum.library.changing import begin_change
from vademecum.library.editing import update_note, update_tags
from vademecum.library.history import revert, revision, revisions
from vademecum.library.spaces import create_space, set_member
from vademecum.library.trash import delete_item
from vademecum.model.errors import NotFound, NotPermitted, StoredDataDamaged
from vademecum.model.items import Role
from vademecum.model.revisions import Action, ActorKind


def test_reverting_makes_an_earlier_state_the_newest_version(home: Home) -> None:
    item_id = home.save("First, halyard", "One")
    update_note(home.library, home.owner, item_id, "Second", 1, "Two")
    update_tags(home.library, home.owner, item_id, ["tag"], 2)
    first = revision(home.library, home.owner, item_id, 1).state
    home.clock.pass_by(minutes=1)
    assert revert(home.library, home.owner, item_id, 1) == 4
    found = home.read(item_id)
    assert (found.body, found.item.title, found.item.tags, found.item.version) == (
        "First, halyard",
        "One",
        (),
        4,
    )
    assert found.state == first
    newest = revisions(home.library, home.owner, item_id)[0]
    assert (newest.action, newest.change.tool, newest.change.actor_kind) == (
        Action.REVERT,
        "revert",
        ActorKind.PERSON,
    )
    assert home.versions(item_id) == [4, 3, 2, 1]
    assert (home.found("halyard"), home.found("second")) == (["One"], [])


def test_a_revert_can_itself_be_reverted(home: Home) -> None:
    item_id = home.save("First", "One")
    update_note(home.library, home.owner, item_id, "Second", 1, "Two")
    revert(home.library, home.owner, item_id, 1)
    assert revert(home.library, home.owner, item_id, 2) == 4
    assert (home.read(item_id).body, home.item(item_id).title) == ("Second", "Two")


def test_what_an_agent_wrote_is_taken_back_by_a_person(home: Home) -> None:
    item_id = home.save("Mine", "Title")
    agent = home.agent("edit")
    update_note(home.library, agent, item_id, "Not mine", 1, None)
    update_tags(home.library, agent, item_id, ["noise"], 2)
    revert(home.library, home.owner, item_id, 1)
    actors = [one.change.actor_kind for one in revisions(home.library, home.owner, item_id)]
    assert actors == [ActorKind.PERSON, ActorKind.KEY, ActorKind.KEY, ActorKind.PERSON]
    assert home.read(item_id).state == revision(home.library, home.owner, item_id, 1).state


def test_a_reverted_title_that_is_taken_by_now_gets_a_numbered_file(home: Home) -> None:
    item_id = home.save("1", "Plan")
    update_note(home.library, home.owner, item_id, "1", 1, "Other")
    home.save("2", "Plan")
    revert(home.library, home.owner, item_id, 1)
    assert (home.item(item_id).title, home.item(item_id).file_name) == ("Plan", "Plan 2.md")


def test_a_revert_leaves_the_place_and_the_trash_as_they_are(home: Home) -> None:
    item_id = home.save("First", "Title")
    update_note(home.library, home.owner, item_id, "Second", 1, None)
    delete_item(home.library, home.owner, item_id, 2)
    assert revert(home.library, home.owner, item_id, 1) == 4
    item = home.item(item_id)
    assert item.trashed
    assert home.listed() == home.found("first") == []


@pytest.mark.parametrize("version", [0, 2, -1])
def test_an_unknown_version_is_not_found(home: Home, version: int) -> None:
    item_id = home.save("Text")
    with pytest.raises(NotFound):
        revert(home.library, home.owner, item_id, version)
    assert home.versions(item_id) == [1]


def test_an_unknown_item_has_no_history(home: Home) -> None:
    with pytest.raises(NotFound):
        revisions(home.library, home.owner, an_id())
    with pytest.raises(NotFound):
        revert(home.library, home.owner, an_id(), 1)


def test_a_mere_reader_sees_the_history_and_reverts_nothing(home: Home) -> None:
    create_space(home.library, home.owner, "shared", None)
    guest = home.somebody("guest")
    owner = home.owner_again()
    set_member(home.library, owner, "shared", "guest", Role.READER)
    ours = home.agent("full", of=owner, spaces=("shared",))
    item_id = home.save("First", "Title", ours)
    update_note(home.library, ours, item_id, "Second", 1, None)
    reader = home.agent("full", of=guest, spaces=("shared",))
    assert [one.version for one in revisions(home.library, reader, item_id)] == [2, 1]
    with pytest.raises(NotPermitted):
        revert(home.library, reader, item_id, 1)
    assert home.item(item_id).version == 2


def test_a_history_keeps_every_text_as_it_was(home: Home) -> None:
    texts = ["a\r\nb", "", "\ufeffc", "d\n" * 1000, "a\r\nb"]
    item_id = home.save(texts[0], "Title")
    for version, text in enumerate(texts[1:], start=1):
        update_note(home.library, home.owner, item_id, text, version, None)
    states = [revision(home.library, home.owner, item_id, version).state for version in range(1, 6)]
    assert [state.layers.authored for state in states] == texts


def test_a_history_of_ten_thousand_versions_is_listed_without_their_texts(home: Home) -> None:
    item_id = home.save("Text", "Title")
    before = home.read(item_id)
    with home.library.storage.write() as tx:
        change = begin_change(home.library, tx, home.owner, before.item.space_id, "test")
        for version in range(2, 10_001):
            state = replace(before.state, tags=(str(version),))
            tx.revisions.add(item_id, version, Action.UPDATE, state, change)
    tracemalloc.start()
    found = revisions(home.library, home.owner, item_id)
    held = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert [one.version for one in found] == list(range(10_000, 0, -1))
    assert (found[0].tags, found[-1].title) == (("10000",), "Title")
    assert held < 50_000_000


def test_a_broken_text_hides_no_history(home: Home) -> None:
    item_id = home.save("First", "One")
    update_note(home.library, home.owner, item_id, "Second", 1, "Two")
    change_rows(home.url, "DELETE FROM text")
    listed = [(one.version, one.title) for one in revisions(home.library, home.owner, item_id)]
    assert listed == [(2, "Two"), (1, "One")]
    with pytest.raises(StoredDataDamaged):
        revision(home.library, home.owner, item_id, 1)
    with pytest.raises(NotFound):
        revision(home.library, home.owner, item_id, 3)
