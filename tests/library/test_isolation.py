"""Can anything of another space be read, counted or guessed?"""

from __future__ import annotations

import pytest

from tests.library.home import Home, an_id
from vademecum.library.auditing import read_entry, recent, record
from vademecum.library.checking import status
from vademecum.library.editing import update_note, update_tags
from vademecum.library.history import revert, revisions
from vademecum.library.quota import quota
from vademecum.library.reading import document, read_chunks, read_window
from vademecum.library.saving import save_link, save_note
from vademecum.library.trash import delete_item, list_trash, purge, restore
from vademecum.model.access import Caller
from vademecum.model.errors import NotFound


@pytest.fixture
def ada(home: Home) -> Caller:
    """A person with a library of their own."""
    return home.somebody("ada")


def test_no_list_or_search_shows_what_is_anothers(home: Home, ada: Caller) -> None:
    item_id = home.save("The secret halyard 秘密 ABC-1234", "Hidden plan")
    update_tags(home.library, home.owner, item_id, ["private"], 1)
    save_link(home.library, home.owner, an_id(), "https://example.org/secret")
    home.save("The halyard of Ada", "Hers", ada)
    assert home.listed(ada) == ["Hers"]
    assert home.listed(ada, keyword="halyard") == ["Hers"]
    assert home.listed(ada, keyword="秘密") == []
    for query in (
        "halyard",
        "Hidden plan",
        '"secret halyard"',
        "ABC-1234",
        "https://example.org/secret",
        "秘密",
    ):
        assert set(home.found(query, ada, limit=50)) <= {"Hers"}, query
    assert home.found("halyard", ada, tags=["private"]) == []
    assert sorted(home.found("halyard", limit=50)) == ["Hidden plan"]


def test_what_is_anothers_looks_like_what_does_not_exist(home: Home, ada: Caller) -> None:
    item_id = home.save("Text", "Hidden")
    told = []
    for wanted in (item_id, an_id()):
        for ask in (
            lambda one: document(home.library, ada, one),
            lambda one: read_window(home.library, ada, one),
            lambda one: read_chunks(home.library, ada, one, 0),
            lambda one: update_note(home.library, ada, one, "x", 1, None),
            lambda one: update_tags(home.library, ada, one, ["x"], 1),
            lambda one: delete_item(home.library, ada, one, 1),
            lambda one: restore(home.library, ada, one),
            lambda one: purge(home.library, ada, one),
            lambda one: revisions(home.library, ada, one),
            lambda one: revert(home.library, ada, one, 1),
        ):
            with pytest.raises(NotFound) as refused:
                ask(wanted)
            told.append((refused.value.code, refused.value.detail, set(refused.value.data)))
    assert told[:10] == told[10:]
    assert home.item(item_id).version == 1


def test_nothing_of_anothers_is_counted(home: Home, ada: Caller) -> None:
    before = (quota(home.library, ada), status(home.library, ada))
    item_id = home.save("[[Link]] " * 100, "Hidden")
    home.save("Text", "Hidden too")
    save_link(home.library, home.owner, an_id(), "https://example.org/")
    delete_item(home.library, home.owner, item_id, 1)
    assert (quota(home.library, ada), status(home.library, ada)) == before
    assert list_trash(home.library, ada, 10) == []
    assert len(list_trash(home.library, home.owner, 10)) == 1


def test_anothers_id_and_address_may_be_used_and_tell_nothing(home: Home, ada: Caller) -> None:
    item_id = home.save("Text", "Hidden")
    link_id = an_id()
    save_link(home.library, home.owner, link_id, "https://example.org/a")
    assert not save_note(home.library, ada, item_id, "Other", None).replayed
    saved = save_link(home.library, ada, link_id, "https://example.org/a")
    assert (saved.replayed, saved.already_exists) == (False, False)
    assert home.read(item_id, ada).body == "Other"
    assert home.read(item_id).body == "Text"
    update_note(home.library, ada, item_id, "Changed", 1, None)
    delete_item(home.library, ada, item_id, 2)
    assert (home.read(item_id).body, home.read(item_id).item.version) == ("Text", 1)


def test_the_same_words_in_another_space_do_not_change_a_ranking(home: Home, ada: Caller) -> None:
    home.save("halyard halyard rope", "A", ada)
    home.save("halyard spinnaker", "B", ada)
    before = home.found("halyard spinnaker", ada)
    for number in range(30):
        home.save("halyard " * 5 + "spinnaker", f"{number}")
    assert home.found("halyard spinnaker", ada) == before


def test_an_audit_shows_what_happened_in_ones_own_spaces(home: Home, ada: Caller) -> None:
    home.save("Text", "Hidden")
    item_id = home.save("Text", "Hers", ada)
    record(home.library, [(ada, read_entry(home.library, ada, "get_item", item_id, "ok"))])
    assert sorted(entry.tool for entry in recent(home.library, ada, 10)) == ["get_item", "save_note"]
    assert {entry.account_id for entry in recent(home.library, ada, 10)} == {ada.account_id}
