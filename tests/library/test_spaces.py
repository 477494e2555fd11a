"""Are spaces shared with whom they are meant to be, and with no one else?"""

from __future__ import annotations

import pytest

from tests.faces.installation import Installation
from tests.library.fakes import Breaking, Killed
from tests.library.home import Home, an_id
from vademecum.library.checking import examine
from vademecum.library.connecting import identify, list_accounts, person
from vademecum.library.saving import save_link, save_note
from vademecum.library.spaces import (
    archive_space,
    create_space,
    list_spaces,
    members,
    purge_space,
    remove_member,
    restore_space,
    set_member,
    writable_space,
)
from vademecum.library.trash import PURGED_AT_ONCE
from vademecum.model.access import ToolSet
from vademecum.model.errors import AlreadyExists, CredentialRefused, InvalidInput, NotFound, NotPermitted
from vademecum.model.items import Role


def slugs(home: Home) -> list[tuple[str, Role]]:
    return [(space.slug, role) for space, role in list_spaces(home.library, home.owner)]


def test_a_new_space_belongs_to_who_made_it_and_to_no_one_else(home: Home) -> None:
    ada = home.somebody("ada")
    space = create_space(home.library, home.owner, "work", "Our work")
    assert (space.slug, space.name, space.personal_of) == ("work", "Our work", None)
    assert slugs(home) == [("me", Role.OWNER), ("work", Role.OWNER)]
    assert [space.slug for space, _ in list_spaces(home.library, ada)] == ["ada"]
    assert [(one.name, role) for one, role in members(home.library, home.owner, "work")] == [
        ("me", Role.OWNER)
    ]
    for refused in (
        lambda: members(home.library, ada, "work"),
        lambda: archive_space(home.library, ada, "work"),
        lambda: set_member(home.library, ada, "work", "ada", Role.OWNER),
        lambda: writable_space(home.library, ada, "work"),
    ):
        with pytest.raises(NotFound):
            refused()


@pytest.mark.parametrize("slug", ["", "Work", "a b", "a/b", "-a", "a--b", "x" * 65, "..", "@a"])
def test_a_space_has_a_short_name_in_lower_case(sqlite_home: Home, slug: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        create_space(sqlite_home.library, sqlite_home.owner, slug, "Name")
    assert refused.value.field == "slug"


@pytest.mark.parametrize("slug", ["work", "a-b-2", "仕事", "été"])
def test_short_names_of_every_script_are_taken(sqlite_home: Home, slug: str) -> None:
    assert create_space(sqlite_home.library, sqlite_home.owner, slug, None).name == slug


def test_a_name_is_taken_once_for_all_people(home: Home) -> None:
    home.somebody("ada")
    create_space(home.library, home.owner, "work", None)
    for slug in ("work", "ada", "me"):
        with pytest.raises(AlreadyExists):
            create_space(home.library, home.owner, slug, None)


def test_members_read_or_write_by_their_role_from_their_next_request(home: Home) -> None:
    create_space(home.library, home.owner, "work", None)
    ada = home.somebody("ada")
    owner = home.owner_again()
    item_id = home.save("halyard", "Ours", home.agent(of=owner, spaces=("work",)))
    with pytest.raises(NotFound):
        home.agent(of=ada, spaces=("work",))
    set_member(home.library, owner, "work", "ada", Role.READER)
    reader = home.agent(of=ada, spaces=("work",))
    assert home.read(item_id, reader).body == "halyard"
    with pytest.raises(NotPermitted):
        save_note(home.library, reader, an_id(), "x", None)
    set_member(home.library, owner, "work", "ada", Role.EDITOR)
    editor = home.agent(of=ada, spaces=("work",))
    home.save("spinnaker", "Hers", editor)
    assert home.listed(home.owner_again()) == ["Hers", "Ours"]
    with pytest.raises(NotPermitted):
        set_member(home.library, ada, "work", "ada", Role.OWNER)
    remove_member(home.library, owner, "work", "ada")
    with pytest.raises(NotFound):
        home.agent(of=ada, spaces=("work",))


def test_a_key_of_someone_who_was_shut_out_opens_nothing(home: Home) -> None:
    create_space(home.library, home.owner, "work", None)
    ada = home.somebody("ada")
    owner = home.owner_again()
    set_member(home.library, owner, "work", "ada", Role.EDITOR)
    secret = Installation(home.library, home.clock, ada).key("full", spaces=("work",))
    assert identify(home.library, secret, ToolSet.LIBRARY, None).account_id == ada.account_id
    remove_member(home.library, owner, "work", "ada")
    with pytest.raises(CredentialRefused):
        identify(home.library, secret, ToolSet.LIBRARY, None)


def test_a_space_keeps_an_owner(home: Home) -> None:
    create_space(home.library, home.owner, "work", None)
    home.somebody("ada")
    owner = home.owner_again()
    with pytest.raises(NotPermitted):
        remove_member(home.library, owner, "work", "me")
    with pytest.raises(NotPermitted):
        set_member(home.library, owner, "work", "me", Role.READER)
    set_member(home.library, owner, "work", "ada", Role.OWNER)
    set_member(home.library, owner, "work", "me", Role.READER)
    assert slugs(home) == [("me", Role.OWNER), ("work", Role.READER)]


def test_unknown_people_and_spaces_are_not_found(home: Home) -> None:
    create_space(home.library, home.owner, "work", None)
    owner = home.owner_again()
    home.somebody("ada")
    for refused in (
        lambda: set_member(home.library, owner, "work", "nobody", Role.READER),
        lambda: remove_member(home.library, owner, "work", "nobody"),
        lambda: remove_member(home.library, owner, "work", "ada"),
        lambda: members(home.library, owner, "nowhere"),
        lambda: archive_space(home.library, owner, "nowhere"),
        lambda: purge_space(home.library, owner, "nowhere"),
        lambda: writable_space(home.library, owner, "nowhere"),
    ):
        with pytest.raises(NotFound):
            refused()


def test_an_archived_space_is_closed_loses_nothing_and_opens_again(home: Home) -> None:
    create_space(home.library, home.owner, "work", None)
    owner = home.owner_again()
    home.save("halyard", "Ours", home.agent(of=owner, spaces=("work",)))
    archive_space(home.library, owner, "work")
    assert home.listed(home.owner_again()) == home.found("halyard", home.owner_again()) == []
    with pytest.raises(CredentialRefused):
        home.agent(of=owner, spaces=("work",))
    restore_space(home.library, owner, "work")
    assert home.listed(home.owner_again()) == ["Ours"]


def test_only_an_archived_space_is_purged_and_then_wholly(home: Home) -> None:
    create_space(home.library, home.owner, "work", None)
    owner = home.owner_again()
    home.save("kept", "Kept")
    agent = home.agent(of=owner, spaces=("work",))
    home.save("halyard [[Ghost]]", "Ours", agent)
    save_link(home.library, agent, an_id(), "https://example.org/")
    with pytest.raises(NotPermitted):
        purge_space(home.library, owner, "work")
    archive_space(home.library, owner, "work")
    space = purge_space(home.library, owner, "work")
    assert slugs(home) == [("me", Role.OWNER)]
    with home.library.storage.read() as tx:
        assert tx.items.every_id(space.space_id) == []
        assert tx.index.counts([space.space_id]) == {"chunks": 0, "vectors": 0}
        assert tx.links.count(space.space_id) == 0
    assert home.waiting() == {}
    assert home.listed() == ["Kept"]
    assert create_space(home.library, home.owner, "work", None).space_id != space.space_id


def test_a_purge_that_was_broken_off_left_whole_items_and_is_taken_up_again(home: Home) -> None:
    create_space(home.library, home.owner, "work", None)
    owner = home.owner_again()
    plain = home.with_ports(embedder=None)
    agent = home.agent(of=owner, spaces=("work",))
    amount = 2 * PURGED_AT_ONCE + 5
    for number in range(amount):
        plain.save(f"halyard [[Ghost {number}]]", "Ours", agent)
    archive_space(home.library, owner, "work")
    breaking = Breaking(home.library.storage, left=2)
    with pytest.raises(Killed):
        purge_space(home.with_ports(storage=breaking).library, owner, "work")
    assert list(examine(home.library)) == []
    with home.library.storage.read() as tx:
        (space_id,) = {space.space_id for space in tx.access.spaces()} - set(home.owner.spaces)
        assert len(tx.items.every_id(space_id)) == amount - 2 * PURGED_AT_ONCE
        assert tx.links.count(space_id) == amount - 2 * PURGED_AT_ONCE
    purge_space(home.library, owner, "work")
    assert slugs(home) == [("me", Role.OWNER)]
    assert list(examine(home.library)) == []


def test_a_space_that_is_opened_again_while_it_is_purged_keeps_what_it_still_has(home: Home) -> None:
    create_space(home.library, home.owner, "work", None)
    owner = home.owner_again()
    plain = home.with_ports(embedder=None)
    for _ in range(PURGED_AT_ONCE + 1):
        plain.save("halyard", "Ours", home.agent(of=owner, spaces=("work",)))
    archive_space(home.library, owner, "work")
    with pytest.raises(Killed):
        purge_space(home.with_ports(storage=Breaking(home.library.storage, left=1)).library, owner, "work")
    restore_space(home.library, owner, "work")
    with pytest.raises(NotPermitted):
        purge_space(home.library, owner, "work")
    assert home.listed(home.owner_again()) == ["Ours"]
    assert list(examine(home.library)) == []


def test_a_personal_space_cannot_be_archived_or_purged(home: Home) -> None:
    with pytest.raises(NotPermitted):
        archive_space(home.library, home.owner, "me")
    with pytest.raises(NotPermitted):
        purge_space(home.library, home.owner, "me")


def test_a_save_goes_into_the_first_space_of_a_key_and_its_reads_reach_all(home: Home) -> None:
    create_space(home.library, home.owner, "work", None)
    create_space(home.library, home.owner, "play", None)
    owner = home.owner_again()
    both = home.agent(of=owner, spaces=("play", "work"))
    only_work = home.agent(of=owner, spaces=("work",))
    home.save("halyard", "from work", only_work)
    home.save("halyard", "from both", both)
    assert home.listed(both) == ["from both", "from work"]
    assert home.listed(only_work) == ["from work"]
    assert home.listed(home.agent(of=owner)) == []


def test_a_readers_import_or_save_is_refused_by_the_space_itself(home: Home) -> None:
    create_space(home.library, home.owner, "work", None)
    ada = home.somebody("ada")
    set_member(home.library, home.owner_again(), "work", "ada", Role.READER)
    again = person(home.library, "ada")
    with pytest.raises(NotPermitted):
        writable_space(home.library, again, "work")
    assert writable_space(home.library, again, None) == ada.spaces[0]
    assert len(list_accounts(home.library)) == 2
