"""Is it kept who did what, reads and refusals too?"""

from __future__ import annotations

import pytest

from tests.library.home import Home, an_id
from vademecum.library.auditing import read_entry, recent, record
from vademecum.library.connecting import list_keys
from vademecum.library.editing import update_note, update_tags
from vademecum.library.history import revisions
from vademecum.library.saving import save_link
from vademecum.library.spaces import create_space
from vademecum.library.trash import delete_item
from vademecum.model.errors import VersionConflict


def test_every_write_is_recorded_in_its_own_transaction(home: Home) -> None:
    agent = home.agent()
    item_id = home.save("Text", "Title", agent)
    update_note(home.library, agent, item_id, "x", 1, None)
    update_tags(home.library, agent, item_id, ["x"], 2)
    delete_item(home.library, agent, item_id, 3)
    save_link(home.library, agent, an_id(), "https://example.org/")
    told = recent(home.library, home.owner, 50)
    assert sorted(entry.tool for entry in told) == [
        "delete_item",
        "save_link",
        "save_note",
        "update_note",
        "update_tags",
    ]
    changes = {one.change.change_id for one in revisions(home.library, home.owner, item_id)}
    of_item = [entry for entry in told if entry.item_id == item_id]
    assert {entry.change_id for entry in of_item} == changes
    for entry in told:
        assert (entry.outcome, entry.actor_kind, entry.client_name) == ("ok", "key", "an agent")
        assert (entry.account_id, entry.credential_id) == (home.owner.account_id, agent.credential_id)
    assert len({entry.session_id for entry in told}) == 1


def test_a_refused_write_leaves_no_row_of_a_write(home: Home) -> None:
    item_id = home.save("Text")
    with pytest.raises(VersionConflict):
        update_note(home.library, home.owner, item_id, "x", 9, None)
    assert [entry.tool for entry in recent(home.library, home.owner, 50)] == ["save_note"]


def test_reads_are_recorded_in_batches_within_the_session_of_their_key(home: Home) -> None:
    agent, other = home.agent("read_only"), home.agent("read_only")
    item_id = home.save("Text", "Title")
    batch = [
        (agent, read_entry(home.library, agent, "get_item", item_id, "ok")),
        (agent, read_entry(home.library, agent, "get_item", an_id(), "NOT_FOUND")),
        (other, read_entry(home.library, other, "search_hub", None, "ok")),
    ]
    record(home.library, batch)
    told = [entry for entry in recent(home.library, home.owner, 50) if entry.tool != "save_note"]
    assert sorted((entry.tool, entry.outcome) for entry in told) == [
        ("get_item", "NOT_FOUND"),
        ("get_item", "ok"),
        ("search_hub", "ok"),
    ]
    sessions = {entry.credential_id: entry.session_id for entry in told}
    assert len(set(sessions.values())) == 2
    assert None not in sessions.values()
    assert {key.last_used_at for key in list_keys(home.library, home.owner)} == {home.library.now()}


def test_a_call_over_several_spaces_lies_in_the_personal_one(home: Home) -> None:
    create_space(home.library, home.owner, "work", None)
    agent = home.agent(of=home.owner_again(), spaces=("work", "me"))
    record(home.library, [(agent, read_entry(home.library, agent, "search_hub", None, "ok"))])
    (entry,) = recent(home.library, home.owner_again(), 50)
    assert entry.space_id == home.owner.spaces[0]
    assert recent(home.library, home.owner, 50) == [entry]


def test_the_newest_come_first_and_no_more_than_asked_for(home: Home) -> None:
    ids = [home.save(str(number)) for number in range(5)]
    assert [entry.item_id for entry in recent(home.library, home.owner, 3)] == ids[:1:-1]


def test_a_batch_of_nothing_is_kept_as_nothing(home: Home) -> None:
    record(home.library, [])
    assert recent(home.library, home.owner, 10) == []
