"""Does the trash keep everything until a person ends it?"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial

import pytest

from tests.library.fakes import Breaking, Killed
from tests.library.home import Home, an_id
from vademecum.library.checking import examine
from vademecum.library.editing import update_note, update_tags
from vademecum.library.history import revisions
from vademecum.library.reading import read_window
from vademecum.library.saving import save_link
from vademecum.library.spaces import create_space, set_member
from vademecum.library.trash import (
    PURGED_AT_ONCE,
    Deleted,
    delete_item,
    list_trash,
    purge,
    purge_expired,
    restore,
)
from vademecum.model.errors import NotFound, NotPermitted, TierDenied, VersionConflict
from vademecum.model.items import IndexState, Role
from vademecum.model.revisions import Action


def trashed(home: Home) -> list[str]:
    return [item.title for item in list_trash(home.library, home.owner, 100)]


def test_a_deleted_item_is_in_the_trash_with_everything_and_in_no_list(home: Home) -> None:
    item_id = home.save("See [[Other]]. halyard", "Title")
    update_tags(home.library, home.owner, item_id, ["tag"], 1)
    home.clock.pass_by(minutes=1)
    deleted = delete_item(home.library, home.owner, item_id, 2)
    assert deleted == Deleted(item_id, 3, already_deleted=False)
    item = home.item(item_id)
    assert (item.version, item.trashed_at, item.tags, item.title) == (
        3,
        home.library.now(),
        ("tag",),
        "Title",
    )
    assert (item.index_state, item.index_reason) == (IndexState.SKIPPED, "in the trash")
    assert (home.listed(), home.found("halyard"), trashed(home)) == ([], [], ["Title"])
    with pytest.raises(NotFound):
        read_window(home.library, home.owner, item_id)
    assert home.versions(item_id) == [3, 2, 1]
    with home.library.storage.read() as tx:
        assert [link.target for link in tx.links.out_of(item.space_id, item_id)] == ["Other"]
    assert list(examine(home.library)) == []


@pytest.mark.parametrize("version", [1, 2, 3, 0, -7, 99])
def test_deleting_again_succeeds_whatever_version_is_named(home: Home, version: int) -> None:
    item_id = home.save("Text")
    delete_item(home.library, home.owner, item_id, 1)
    again = delete_item(home.library, home.owner, item_id, version)
    assert again == Deleted(item_id, 2, already_deleted=True)
    assert home.versions(item_id) == [2, 1]


def test_a_stale_version_leaves_a_live_item_alone(home: Home) -> None:
    item_id = home.save("Text", "Title")
    update_note(home.library, home.owner, item_id, "Newer", 1, None)
    with pytest.raises(VersionConflict):
        delete_item(home.library, home.owner, item_id, 1)
    assert home.listed() == ["Title"]
    assert home.versions(item_id) == [2, 1]


def test_of_several_who_delete_at_once_one_does_it_and_all_are_told_so(home: Home) -> None:
    item_id, answers, start = home.save("Text"), [], threading.Barrier(6)

    def delete() -> None:
        start.wait()
        answers.append(delete_item(home.library, home.owner, item_id, 1))

    threads = [threading.Thread(target=delete) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answer.already_deleted for answer in answers) == [False, *[True] * 5]
    assert {answer.version for answer in answers} == {2}
    assert home.versions(item_id) == [2, 1]


def test_only_the_full_tier_deletes(home: Home) -> None:
    item_id = home.save("Text")
    for tier in ("read_only", "edit"):
        with pytest.raises(TierDenied):
            delete_item(home.library, home.agent(tier), item_id, 1)
    assert delete_item(home.library, home.agent("full"), item_id, 1).version == 2


def test_what_is_unknown_cannot_be_deleted(home: Home) -> None:
    for unknown in (an_id(), "x"):
        with pytest.raises(NotFound):
            delete_item(home.library, home.owner, unknown, 1)


def test_restoring_brings_the_item_back_to_its_place_with_its_history(home: Home) -> None:
    item_id = home.save("halyard", "Title")
    update_tags(home.library, home.owner, item_id, ["tag"], 1)
    before = home.read(item_id)
    delete_item(home.library, home.owner, item_id, 2)
    home.clock.pass_by(days=1)
    restored = restore(home.library, home.owner, item_id)
    after = home.read(item_id)
    assert (restored.item_id, restored.version) == (item_id, 4)
    assert after.state == before.state
    assert (after.item.version, after.item.trashed_at) == (4, None)
    assert [one.action for one in revisions(home.library, home.owner, item_id)] == [
        Action.RESTORE,
        Action.TRASH,
        Action.TAGS,
        Action.CREATE,
    ]
    assert (home.listed(), home.found("halyard"), trashed(home)) == (["Title"], ["Title"], [])


def test_a_restored_item_gets_a_number_when_its_file_name_is_taken_by_now(home: Home) -> None:
    first = home.save("1", "Plan")
    delete_item(home.library, home.owner, first, 1)
    home.save("2", "Plan")
    restored = restore(home.library, home.owner, first)
    assert (restored.title, restored.file_name) == ("Plan", "Plan 2.md")


def test_what_is_not_in_the_trash_is_neither_restored_nor_purged(home: Home) -> None:
    item_id = home.save("Text")
    for unknown in (item_id, an_id()):
        with pytest.raises(NotFound):
            restore(home.library, home.owner, unknown)
        with pytest.raises(NotFound):
            purge(home.library, home.owner, unknown)
    assert home.versions(item_id) == [1]


def test_the_trash_lists_the_last_deleted_first(home: Home) -> None:
    ids = [home.save("Text", title) for title in "abc"]
    for item_id in (ids[1], ids[0], ids[2]):
        home.clock.pass_by(minutes=1)
        delete_item(home.library, home.owner, item_id, 1)
    assert trashed(home) == ["c", "a", "b"]
    assert [item.title for item in list_trash(home.library, home.owner, 1)] == ["c"]


def test_a_purged_item_leaves_nothing_behind(home: Home) -> None:
    item_id = home.save("halyard [[Other]]", "Title")
    update_note(home.library, home.owner, item_id, "spinnaker", 1, "Second")
    delete_item(home.library, home.owner, item_id, 2)
    purge(home.library, home.owner, item_id)
    with home.library.storage.read() as tx:
        space_id = home.owner.spaces[0]
        assert tx.items.find(space_id, item_id) is None
        assert tx.items.text_bytes([space_id]) == 0
        assert tx.links.count(space_id) == 0
        assert tx.index.counts([space_id]) == {"chunks": 0, "vectors": 0}
    with pytest.raises(NotFound):
        revisions(home.library, home.owner, item_id)
    assert list(examine(home.library)) == []


def test_the_trash_empties_itself_after_its_days_and_never_with_0(home: Home) -> None:
    old, new, live = (home.save("Text", title) for title in ("old", "new", "live"))
    delete_item(home.library, home.owner, old, 1)
    home.clock.pass_by(days=20)
    delete_item(home.library, home.owner, new, 1)
    home.clock.pass_by(days=10, seconds=1)
    assert purge_expired(home.library, 0) == 0
    assert purge_expired(home.library, 31) == 0
    assert purge_expired(home.library, 30) == 1
    assert (trashed(home), home.listed()) == (["new"], ["live"])
    assert home.item(live).version == 1


def test_a_full_trash_is_emptied_in_short_transactions_and_goes_on_where_it_was_broken_off(
    home: Home,
) -> None:
    plain = home.with_ports(embedder=None)
    amount = 2 * PURGED_AT_ONCE + 5
    for number in range(amount):
        delete_item(home.library, home.owner, plain.save(f"Text [[{number}]]"), 1)
    home.clock.pass_by(days=31)
    breaking = Breaking(home.library.storage, left=2)
    broken_off = home.with_ports(storage=breaking).library
    with pytest.raises(Killed):
        purge_expired(broken_off, 30)
    assert len(trashed(home)) == amount - 2 * PURGED_AT_ONCE
    assert list(examine(home.library)) == []
    assert purge_expired(home.library, 30) == amount - 2 * PURGED_AT_ONCE
    assert (trashed(home), list(examine(home.library))) == ([], [])


def test_of_a_restore_and_a_purge_at_once_one_wins(home: Home) -> None:
    plain = home.with_ports(embedder=None)
    for _ in range(20):
        item_id, together = plain.save("Text"), threading.Barrier(2)
        delete_item(home.library, home.owner, item_id, 1)
        done: list[str] = []

        def act(
            name: str, door: Callable[[], object], wait: threading.Barrier = together, done: list[str] = done
        ) -> None:
            wait.wait()
            with suppress(NotFound, VersionConflict):
                door()
                done.append(name)

        doors = {"restore": restore, "purge": purge}
        threads = [
            threading.Thread(target=act, args=(name, partial(door, plain.library, plain.owner, item_id)))
            for name, door in doors.items()
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(done) == 1
        with home.library.storage.read() as tx:
            found = tx.items.find(home.owner.spaces[0], item_id)
        assert (found is None) == (done == ["purge"])
    assert list(examine(home.library)) == []


def test_a_mere_reader_neither_deletes_restores_nor_purges(home: Home) -> None:
    create_space(home.library, home.owner, "shared", None)
    guest = home.somebody("guest")
    owner = home.owner_again()
    set_member(home.library, owner, "shared", "guest", Role.READER)
    ours = home.agent("full", of=owner, spaces=("shared",))
    live, gone = home.save("1", "live", ours), home.save("2", "gone", ours)
    delete_item(home.library, ours, gone, 1)
    reader = home.agent("full", of=guest, spaces=("shared",))
    for refused in (
        lambda: delete_item(home.library, reader, live, 1),
        lambda: restore(home.library, reader, gone),
        lambda: purge(home.library, reader, gone),
    ):
        with pytest.raises(NotPermitted):
            refused()
    assert [home.item(one).version for one in (live, gone)] == [1, 2]


def test_a_link_deleted_before_its_capture_is_captured_once_it_is_restored(home: Home) -> None:
    item_id = an_id()
    save_link(home.library, home.owner, item_id, "https://example.org/")
    delete_item(home.library, home.owner, item_id, 1)
    job = home.claim()
    assert job is not None
    with home.library.storage.write() as tx:
        tx.jobs.finish(job)
    restore(home.library, home.owner, item_id)
    again = home.claim()
    assert again is not None
    assert (again.kind.value, again.subject) == ("capture", item_id)
