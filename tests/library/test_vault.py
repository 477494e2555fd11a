"""Who is let into the vault, and what may they do there?"""

from __future__ import annotations

import pytest

from tests.library.home import Home
from vademecum.library.connecting import KeyRequest, change_key, identify, list_keys, revoke_key
from vademecum.library.editing import update_tags
from vademecum.library.history import revisions
from vademecum.library.spaces import archive_space, create_space, purge_space, remove_member, set_member
from vademecum.library.vault import (
    identify_vault,
    is_published,
    is_token,
    new_token,
    open_space,
    read_vault,
    set_switch,
    vault_problems,
)
from vademecum.model.access import Caller, Tier, ToolSet
from vademecum.model.errors import CredentialRefused, NotFound, NotPermitted
from vademecum.model.items import Role
from vademecum.model.revisions import ActorKind
from vademecum.model.vault import Switch, Switches


def published(home: Home) -> str:
    """The token of a vault that is open to read."""
    set_switch(home.library, Switch.PUBLISH, on=True)
    return new_token(home.library)


def caller(home: Home, token: str) -> Caller:
    return identify_vault(home.library, token, "an agent")


def test_at_first_everything_is_off_and_the_personal_space_is_the_open_one(home: Home) -> None:
    vault = read_vault(home.library)
    assert (vault.switches, vault.space and vault.space.space_id) == (Switches(), home.owner.spaces[0])
    assert not is_published(home.library)


@pytest.mark.parametrize(
    ("write", "move", "tier"),
    [
        (False, False, Tier.READ_ONLY),
        (True, False, Tier.EDIT),
        (False, True, Tier.READ_ONLY),
        (True, True, Tier.FULL),
    ],
)
def test_the_switches_give_the_tier_and_moving_needs_writing(
    home: Home, write: bool, move: bool, tier: Tier
) -> None:
    token = published(home)
    set_switch(home.library, Switch.WRITE, on=write)
    set_switch(home.library, Switch.MOVE, on=move)
    assert caller(home, token).tier is tier


def test_the_token_stands_for_the_first_owner_in_the_open_space_alone(home: Home) -> None:
    create_space(home.library, home.owner, "work", "Work")
    found = caller(home, published(home))
    assert (found.account_id, found.spaces) == (home.owner.account_id, home.owner.spaces[:1])
    assert (found.actor_kind, found.client_name) == (ActorKind.VAULT, "an agent")


def test_a_switch_turned_off_is_off_at_the_next_call(home: Home) -> None:
    token = published(home)
    set_switch(home.library, Switch.WRITE, on=True)
    assert caller(home, token).tier is Tier.EDIT
    set_switch(home.library, Switch.WRITE, on=False)
    assert caller(home, token).tier is Tier.READ_ONLY
    set_switch(home.library, Switch.PUBLISH, on=False)
    with pytest.raises(CredentialRefused):
        caller(home, token)


def test_only_the_newest_token_is_let_in_and_all_tokens_are_one_connection(home: Home) -> None:
    first = published(home)
    connection = caller(home, first).credential_id
    second = new_token(home.library)
    assert (is_token(home.library, first), is_token(home.library, second)) == (False, True)
    with pytest.raises(CredentialRefused):
        caller(home, first)
    assert caller(home, second).credential_id == connection


@pytest.mark.parametrize("secret", ["", "nonsense", "vade_vault_", "vade_vault_" + "A" * 43, "絵" * 40])
def test_nothing_else_is_let_in(home: Home, secret: str) -> None:
    published(home)
    assert not is_token(home.library, secret)
    with pytest.raises(CredentialRefused):
        caller(home, secret)


def test_without_a_token_nothing_is_let_in(home: Home) -> None:
    set_switch(home.library, Switch.PUBLISH, on=True)
    with pytest.raises(CredentialRefused):
        caller(home, "vade_vault_" + "A" * 43)


def test_a_credential_of_one_set_is_unknown_to_the_others(home: Home) -> None:
    token = published(home)
    _, key = home.installation.minted()
    with pytest.raises(CredentialRefused):
        caller(home, key)
    for tool_set in (ToolSet.LIBRARY, ToolSet.GATEWAY):
        with pytest.raises(CredentialRefused):
            identify(home.library, token, tool_set, None)


def test_the_token_is_no_agent_key(home: Home) -> None:
    connection = caller(home, published(home)).credential_id
    assert connection is not None
    assert list_keys(home.library, home.owner) == []
    with pytest.raises(NotFound):
        revoke_key(home.library, home.owner, connection)
    with pytest.raises(NotFound):
        change_key(home.library, home.owner, connection, KeyRequest("x", ToolSet.GATEWAY, "read"))


def test_another_space_is_open_from_the_next_call_on(home: Home) -> None:
    token = published(home)
    space = create_space(home.library, home.owner, "work", "Work")
    assert open_space(home.library, "work").space == space
    assert caller(home, token).spaces == (space.space_id,)
    open_space(home.library, "me")
    assert caller(home, token).spaces == home.owner.spaces[:1]


def test_a_space_where_the_owner_may_not_write_is_refused(home: Home) -> None:
    ada = home.somebody("ada")
    create_space(home.library, ada, "hers", "Hers")
    for slug in ("hers", "nowhere", "ada"):
        with pytest.raises(NotFound):
            open_space(home.library, slug)
    set_member(home.library, ada, "hers", "me", Role.READER)
    with pytest.raises(NotPermitted):
        open_space(home.library, "hers")
    create_space(home.library, home.owner, "old", "Old")
    archive_space(home.library, home.owner, "old")
    with pytest.raises(NotPermitted):
        open_space(home.library, "old")
    open_one = read_vault(home.library).space
    assert open_one is not None
    assert open_one.slug == "me"


@pytest.mark.parametrize("end", ["archived", "purged", "left"])
def test_no_other_space_takes_the_place_of_one_that_is_gone(home: Home, end: str) -> None:
    token = published(home)
    ada = home.somebody("ada")
    create_space(home.library, ada, "ours", "Ours")
    set_member(home.library, ada, "ours", "me", Role.EDITOR)
    open_space(home.library, "ours")
    if end == "left":
        remove_member(home.library, ada, "ours", "me")
    else:
        archive_space(home.library, ada, "ours")
        if end == "purged":
            purge_space(home.library, ada, "ours")
    with pytest.raises(CredentialRefused):
        caller(home, token)
    assert read_vault(home.library).space is None
    assert [problem.is_damage for problem in vault_problems(home.library)] == [False]


def test_where_the_owner_has_become_a_reader_nothing_is_written(home: Home) -> None:
    token = published(home)
    set_switch(home.library, Switch.WRITE, on=True)
    ada = home.somebody("ada")
    create_space(home.library, ada, "ours", "Ours")
    set_member(home.library, ada, "ours", "me", Role.EDITOR)
    open_space(home.library, "ours")
    agent = caller(home, token)
    note = home.save("x", caller=agent)
    set_member(home.library, ada, "ours", "me", Role.READER)
    with pytest.raises(NotPermitted):
        update_tags(home.library, caller(home, token), note, ["tea"], 1)


def test_what_the_vault_writes_names_it_and_calls_without_a_long_gap_are_one_session(home: Home) -> None:
    token = published(home)
    set_switch(home.library, Switch.WRITE, on=True)
    note = home.save("First", caller=caller(home, token))
    token = new_token(home.library)
    update_tags(home.library, caller(home, token), note, ["tea"], 1)
    home.clock.pass_by(minutes=31)
    update_tags(home.library, caller(home, token), note, ["rope"], 2)
    changes = [entry.change for entry in revisions(home.library, home.owner, note)]
    assert {change.actor_kind for change in changes} == {ActorKind.VAULT}
    last, middle, first = [change.session_id for change in changes]
    assert (first == middle, middle == last) == (True, False)


def test_moving_without_writing_is_told_as_no_damage(home: Home) -> None:
    assert list(vault_problems(home.library)) == []
    set_switch(home.library, Switch.MOVE, on=True)
    assert [(found.subject, found.is_damage) for found in vault_problems(home.library)] == [("move", False)]
