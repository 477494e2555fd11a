"""Does a key open what it was minted for, and nothing once it has ended?"""

from __future__ import annotations

from typing import Any

import pytest

from tests.library.home import Home
from tests.storage.opening import query
from vademecum.library.connecting import (
    KeyRequest,
    change_key,
    create_account,
    ensure_owner,
    identify,
    list_accounts,
    list_keys,
    mint_key,
    person,
    reset_password,
    revoke_key,
)
from vademecum.library.spaces import create_space
from vademecum.model.access import AgentKey, Tier, ToolSet
from vademecum.model.errors import AlreadyExists, CredentialRefused, InvalidInput, NotFound, NotPermitted
from vademecum.model.passwords import is_password
from vademecum.model.revisions import ActorKind


def mint(
    home: Home, tier: str = "full", tool_set: ToolSet = ToolSet.LIBRARY, **more: Any
) -> tuple[AgentKey, str]:
    return mint_key(home.library, home.owner, KeyRequest("A key", tool_set, tier, **more))


def opens(home: Home, secret: str, tool_set: ToolSet = ToolSet.LIBRARY) -> bool:
    try:
        identify(home.library, secret, tool_set, None)
    except CredentialRefused:
        return False
    return True


@pytest.mark.parametrize("tier", list(Tier))
def test_a_key_makes_a_caller_of_its_tier_in_the_personal_space(home: Home, tier: Tier) -> None:
    key, secret = mint(home, tier.value)
    caller = identify(home.library, secret, ToolSet.LIBRARY, "a client")
    told = (caller.account_id, caller.actor_kind, caller.tier, caller.spaces, caller.credential_id)
    assert told == (home.owner.account_id, ActorKind.KEY, tier, home.owner.spaces, key.key_id)
    assert caller.client_name == "a client"


def test_only_the_hash_of_a_secret_is_kept(home: Home) -> None:
    key, secret = mint(home)
    assert secret.startswith(key.shown)
    assert len(secret) - len(key.shown) >= 32
    assert secret not in repr(list_keys(home.library, home.owner))
    tables = ("agent_key", "audit", "change", "installation")
    stored = repr([query(home.url, f"SELECT * FROM {table}") for table in tables])
    assert key.shown in stored
    assert secret[len(key.shown) :] not in stored


def test_two_keys_never_share_a_secret(sqlite_home: Home) -> None:
    secrets = {mint(sqlite_home)[1] for _ in range(50)}
    assert len(secrets) == 50


def test_a_revoked_key_fails_at_its_next_use_and_revoking_twice_changes_nothing(home: Home) -> None:
    key, secret = mint(home)
    other = mint(home)[1]
    assert opens(home, secret)
    revoked = revoke_key(home.library, home.owner, key.key_id)
    assert revoked.revoked_at == home.library.now()
    assert not opens(home, secret)
    home.clock.pass_by(days=1)
    assert revoke_key(home.library, home.owner, key.shown) == revoked
    assert opens(home, other)


def test_an_expired_key_fails(home: Home) -> None:
    _, secret = mint(home, expires_days=2)
    home.clock.pass_by(days=2, seconds=-1)
    assert opens(home, secret)
    home.clock.pass_by(seconds=1)
    assert not opens(home, secret)


@pytest.mark.parametrize("days", [0, -1, 3651])
def test_a_life_of_days_that_cannot_be_is_refused(sqlite_home: Home, days: int) -> None:
    with pytest.raises(InvalidInput) as refused:
        mint(sqlite_home, expires_days=days)
    assert refused.value.field == "expires"


def test_a_key_belongs_to_one_tool_set(home: Home) -> None:
    _, library_key = mint(home)
    _, gateway_key = mint(home, "write", ToolSet.GATEWAY)
    assert opens(home, library_key)
    assert not opens(home, library_key, ToolSet.GATEWAY)
    assert not opens(home, library_key, ToolSet.VAULT)
    assert not opens(home, gateway_key)
    assert opens(home, gateway_key, ToolSet.GATEWAY)


@pytest.mark.parametrize(
    "key", ["", "x", "vade_library_", "Bearer x", "vade_library_" + "a" * 43, "é" * 60, "\0" * 60]
)
def test_what_is_no_key_of_ours_opens_nothing(home: Home, key: str) -> None:
    assert not opens(home, key)


@pytest.mark.parametrize(("tool_set", "tier"), [("library", "write"), ("gateway", "full"), ("library", "")])
def test_each_tool_set_has_tiers_of_its_own(sqlite_home: Home, tool_set: str, tier: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        mint(sqlite_home, tier, ToolSet(tool_set))
    assert refused.value.field == "tier"


@pytest.mark.parametrize("name", ["", "  ", "x" * 101, "a\x00b", "a\x1b[31m"])
def test_a_key_needs_a_printable_name(sqlite_home: Home, name: str) -> None:
    with pytest.raises(InvalidInput):
        mint_key(sqlite_home.library, sqlite_home.owner, KeyRequest(name, ToolSet.LIBRARY, "full"))


def test_a_key_reaches_the_spaces_it_names_in_their_order(home: Home) -> None:
    ids = {slug: create_space(home.library, home.owner, slug, None).space_id for slug in ("work", "play")}
    _, secret = mint(home, spaces=("play", "me", "work"))
    spaces = identify(home.library, secret, ToolSet.LIBRARY, None).spaces
    assert spaces == (ids["play"], home.owner.spaces[0], ids["work"])
    with pytest.raises(NotFound):
        mint(home, spaces=("work", "nowhere"))


def test_a_library_key_is_fixed_for_its_life(home: Home) -> None:
    key, secret = mint(home, "read_only")
    request = KeyRequest("Other", ToolSet.GATEWAY, "write")
    with pytest.raises(NotPermitted):
        change_key(home.library, home.owner, key.key_id, request)
    assert identify(home.library, secret, ToolSet.LIBRARY, None).tier is Tier.READ_ONLY


def test_a_gateway_key_changes_from_its_next_request(home: Home) -> None:
    key, _ = mint(home, "read", ToolSet.GATEWAY, expires_days=1)
    create_space(home.library, home.owner, "work", None)
    changed = change_key(
        home.library, home.owner, key.key_id, KeyRequest("", ToolSet.GATEWAY, "write", ("work",), 30)
    )
    assert (changed.name, changed.tier, len(changed.spaces)) == ("A key", "write", 1)
    assert list_keys(home.library, home.owner) == [changed]
    assert str(changed.expires_at) > str(key.expires_at)
    for days in (0, -1, 3651):
        with pytest.raises(InvalidInput):
            change_key(home.library, home.owner, key.key_id, KeyRequest("", ToolSet.GATEWAY, "", (), days))
    with pytest.raises(InvalidInput):
        change_key(home.library, home.owner, key.key_id, KeyRequest("", ToolSet.GATEWAY, "full"))


def test_keys_of_others_are_neither_seen_nor_touched(home: Home) -> None:
    key, secret = mint(home)
    ada = home.somebody("ada")
    assert list_keys(home.library, ada) == []
    with pytest.raises(NotFound):
        revoke_key(home.library, ada, key.key_id)
    with pytest.raises(NotFound):
        revoke_key(home.library, home.owner, "unknown")
    with pytest.raises(NotFound):
        change_key(home.library, ada, key.key_id, KeyRequest("", ToolSet.GATEWAY, "read"))
    assert opens(home, secret)


def test_keys_are_listed_newest_first_revoked_ones_too(home: Home) -> None:
    first, _ = mint(home)
    home.clock.pass_by(minutes=1)
    second, _ = mint(home)
    revoke_key(home.library, home.owner, first.key_id)
    found = list_keys(home.library, home.owner)
    assert [(key.key_id, key.revoked_at is None) for key in found] == [
        (second.key_id, True),
        (first.key_id, False),
    ]


def test_the_use_of_a_key_is_noted_with_what_it_wrote(home: Home) -> None:
    agent = home.agent()
    home.clock.pass_by(hours=1)
    home.save("Text", caller=agent)
    (key,) = list_keys(home.library, home.owner)
    assert key.last_used_at == home.library.now()


def test_the_first_owner_is_made_once(home: Home) -> None:
    owner = ensure_owner(home.library)
    assert ensure_owner(home.library) == owner
    assert (owner.name, owner.is_owner, owner.password_hash) == ("me", True, None)
    assert [account.name for account in list_accounts(home.library)] == ["me"]
    assert person(home.library, "me") == person(home.library, None) == home.owner_again()
    with pytest.raises(NotFound):
        person(home.library, "nobody")


def test_a_person_reaches_their_own_space_first_then_those_they_share(home: Home) -> None:
    work = create_space(home.library, home.owner, "a-work", None)
    caller = person(home.library, None)
    assert caller.spaces == (home.owner.spaces[0], work.space_id)
    assert (caller.actor_kind, caller.tier) == (ActorKind.PERSON, Tier.FULL)


def test_an_account_has_a_personal_space_of_its_name(home: Home) -> None:
    account = create_account(home.library, "Ada-L", password="correct horse", is_owner=False)
    with home.library.storage.read() as tx:
        space = tx.access.personal_space(account.account_id)
    assert space is not None
    assert (space.slug, space.name) == ("ada-l", "Ada-L")
    assert is_password("correct horse", str(account.password_hash))
    assert not is_password("wrong horse", str(account.password_hash))
    assert "correct horse" not in repr(account) + str(account.password_hash)
    assert str(account.password_hash) not in repr(account)


@pytest.mark.parametrize("name", ["", "a b", "a/b", "..", "x" * 101, "a\x00", "@me", "ａｄａ"])
def test_a_name_that_is_no_handle_is_refused(sqlite_home: Home, name: str) -> None:
    with pytest.raises(InvalidInput):
        create_account(sqlite_home.library, name, password=None, is_owner=False)
    assert len(list_accounts(sqlite_home.library)) == 1


def test_a_taken_name_leaves_nothing_half_made(home: Home) -> None:
    create_space(home.library, home.owner, "ada", None)
    for taken in ("ada", "me"):
        with pytest.raises(AlreadyExists):
            create_account(home.library, taken, password=None, is_owner=False)
    assert [account.name for account in list_accounts(home.library)] == ["me"]


def test_a_password_is_changed_and_taken_away(home: Home) -> None:
    create_account(home.library, "ada", password="first secret", is_owner=False)
    reset_password(home.library, "ada", "zweites Geheimnis: %é:")
    account = next(one for one in list_accounts(home.library) if one.name == "ada")
    assert is_password("zweites Geheimnis: %é:", str(account.password_hash))
    reset_password(home.library, "ada", None)
    assert next(one for one in list_accounts(home.library) if one.name == "ada").password_hash is None
    with pytest.raises(NotFound):
        reset_password(home.library, "nobody", "long enough")
    for wrong in ("short", "x" * 1025):
        with pytest.raises(InvalidInput):
            reset_password(home.library, "ada", wrong)
