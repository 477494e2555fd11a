"""Who stands behind a key, and how are people and keys made?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from vademecum.library.context import Library
from vademecum.model.access import AgentKey, Caller, Tier, ToolSet, is_in_force, tier_of
from vademecum.model.errors import AlreadyExists, CredentialRefused, InvalidInput, NotFound, NotPermitted
from vademecum.model.ids import KEY_PREFIX_LENGTH, is_key_shaped, key_hash, new_id, new_key
from vademecum.model.items import Account, Role, Space
from vademecum.model.names import slug
from vademecum.model.passwords import hash_password
from vademecum.model.revisions import ActorKind
from vademecum.model.times import stamp
from vademecum.ports.storage import Transaction

OWNER_NAME = "me"
NAME_LIMIT = 100
LONGEST_LIFE_DAYS = 3650


@dataclass(frozen=True, slots=True)
class KeyRequest:
    """What a key is to be: `spaces` are slugs, empty for the account's personal space."""

    name: str
    tool_set: ToolSet
    tier: str
    spaces: Sequence[str] = ()
    expires_days: int | None = None


def identify(library: Library, key: str, tool_set: ToolSet, client_name: str | None) -> Caller:
    """The caller behind a key, looked up anew at each request, so that a revocation bites at the next one.

    Raises CredentialRefused alike for every key that is not in force for this tool set. The use is noted by
    the audit row of the call.
    """
    if not is_key_shaped(key):
        raise CredentialRefused
    now = library.now()
    with library.storage.read() as tx:
        found = tx.access.key_with_hash(key_hash(key))
        if found is None or found.tool_set is not tool_set or not is_in_force(found, now):
            raise CredentialRefused
        account = tx.access.account(found.account_id)
        roles = _open_spaces(tx, found.account_id)
        spaces = _reached(tx, found, roles)
    if account is None or not spaces:
        raise CredentialRefused
    return Caller(
        account_id=account.account_id,
        actor_kind=ActorKind.KEY,
        tier=Tier(found.tier) if tool_set is ToolSet.LIBRARY else Tier.READ_ONLY,
        spaces=spaces,
        credential_id=found.key_id,
        client_name=client_name,
        zone=account.zone,
        read_only=_only_read(roles),
    )


def _open_spaces(tx: Transaction, account_id: str) -> dict[str, Role]:
    return {space.space_id: role for space, role in tx.access.spaces_of(account_id) if not space.archived_at}


def _only_read(roles: dict[str, Role]) -> frozenset[str]:
    return frozenset(space_id for space_id, role in roles.items() if role is Role.READER)


def _reached(tx: Transaction, key: AgentKey, roles: dict[str, Role]) -> tuple[str, ...]:
    """The spaces a key opens now: those it names, as far as its account is still a member of them."""
    if key.spaces:
        return tuple(space_id for space_id in key.spaces if space_id in roles)
    personal = tx.access.personal_space(key.account_id)
    return (personal.space_id,) if personal else ()


def ensure_owner(library: Library) -> Account:
    """The first owner, made (`me`, no password, with a personal space) if there is none (operations)."""
    with library.storage.read() as tx:
        owner = first_owner(tx)
    if owner is not None:
        return owner
    with library.storage.write() as tx:
        return first_owner(tx) or _add_account(library, tx, OWNER_NAME, None, is_owner=True)


def first_owner(tx: Transaction) -> Account | None:
    """The owner who was there first, or None in a library that is new."""
    return next((account for account in tx.access.accounts() if account.is_owner), None)


def person(library: Library, account_name: str | None) -> Caller:
    """A person at the command line: the named account or the first owner, personal space first.

    Raises NotFound for an unknown name.
    """
    account = ensure_owner(library)
    with library.storage.read() as tx:
        if account_name is not None:
            named = tx.access.account_named(account_name)
            if named is None:
                raise no_account(account_name)
            account = named
        mine = [space for space, _ in tx.access.spaces_of(account.account_id) if not space.archived_at]
        read_only = _only_read(_open_spaces(tx, account.account_id))
    mine.sort(key=lambda space: (space.personal_of != account.account_id, space.created_at))
    spaces = tuple(space.space_id for space in mine)
    return Caller(
        account.account_id, ActorKind.PERSON, Tier.FULL, spaces, zone=account.zone, read_only=read_only
    )


def create_account(library: Library, name: str, *, password: str | None, is_owner: bool) -> Account:
    """A new person with a personal space of the same slug. Raises InvalidInput, AlreadyExists."""
    ensure_owner(library)
    with library.storage.write() as tx:
        return _add_account(library, tx, name, password, is_owner=is_owner)


def _add_account(
    library: Library, tx: Transaction, name: str, password: str | None, *, is_owner: bool
) -> Account:
    cleaned = check_name("name", name)
    personal_slug = slug(cleaned)
    if not personal_slug or personal_slug != cleaned.lower():
        raise InvalidInput("name", "letters, digits and hyphens only, such as ada or ada-l")
    secret = hash_password(password) if password else None
    account = Account(new_id(), cleaned, library.now(), is_owner, secret)
    space = Space(new_id(), personal_slug, cleaned, library.now(), personal_of=account.account_id)
    if not tx.access.add_account(account) or not tx.access.add_space(space):
        raise AlreadyExists(f"The name {cleaned!r} is taken.", name=cleaned)
    tx.access.set_member(space.space_id, account.account_id, Role.OWNER)
    return account


def list_accounts(library: Library) -> list[Account]:
    """All people, oldest first."""
    with library.storage.read() as tx:
        return tx.access.accounts()


def reset_password(library: Library, name: str, password: str | None) -> None:
    """Set or take away the password of an account. Raises NotFound, InvalidInput."""
    secret = hash_password(password) if password else None
    with library.storage.write() as tx:
        account = tx.access.account_named(name)
        if account is None:
            raise no_account(name)
        tx.access.set_password(account.account_id, secret)


def mint_key(library: Library, caller: Caller, request: KeyRequest) -> tuple[AgentKey, str]:
    """A new agent key and its secret, which is told this once and kept only as a hash.

    Raises InvalidInput, and NotFound for a space that the account is no member of.
    """
    tier = tier_of(request.tool_set, request.tier)
    now = library.clock.now()
    ends = _end_of_life(now, request.expires_days)
    secret = new_key(request.tool_set.value)
    with library.storage.write() as tx:
        key = AgentKey(
            key_id=new_id(),
            account_id=caller.account_id,
            tool_set=request.tool_set,
            tier=tier,
            name=check_name("name", request.name),
            key_hash=key_hash(secret),
            shown=secret[:KEY_PREFIX_LENGTH],
            spaces=tuple(_space_named(tx, caller, wanted).space_id for wanted in request.spaces),
            created_at=stamp(now),
            expires_at=ends,
        )
        tx.access.add_key(key)
    return key, secret


def _end_of_life(now: datetime, days: int | None) -> str | None:
    if days is None:
        return None
    if not 1 <= days <= LONGEST_LIFE_DAYS:
        raise InvalidInput("expires", f"1 to {LONGEST_LIFE_DAYS} days")
    return stamp(now + timedelta(days=days))


def _space_named(tx: Transaction, caller: Caller, wanted: str) -> Space:
    mine = {space.slug: space for space, _ in tx.access.spaces_of(caller.account_id)}
    if wanted not in mine:
        raise no_space(wanted)
    return mine[wanted]


def list_keys(library: Library, caller: Caller) -> list[AgentKey]:
    """The account's keys, newest first, revoked ones too."""
    with library.storage.read() as tx:
        keys = _minted(tx, caller)
    return sorted(keys, key=lambda key: (key.created_at, key.key_id), reverse=True)


def revoke_key(library: Library, caller: Caller, key_id: str) -> AgentKey:
    """End a key: it fails at its next request. Revoking twice changes nothing. Raises NotFound."""
    with library.storage.write() as tx:
        key = _own_key(tx, caller, key_id)
        if key.revoked_at is not None:
            return key
        revoked = replace(key, revoked_at=library.now())
        tx.access.replace_key(revoked)
        return revoked


def change_key(library: Library, caller: Caller, key_id: str, request: KeyRequest) -> AgentKey:
    """Give a gateway key another name, tier, set of spaces or end, from its next request (operations).

    A library key's tier and spaces are fixed for its life (seed): NotPermitted. Raises NotFound and
    InvalidInput.
    """
    with library.storage.write() as tx:
        key = _own_key(tx, caller, key_id)
        if key.tool_set is ToolSet.LIBRARY:
            raise NotPermitted("A library key is fixed for its life: revoke it and make another.")
        changed = replace(
            key,
            name=check_name("name", request.name or key.name),
            tier=tier_of(key.tool_set, request.tier or key.tier),
            spaces=tuple(_space_named(tx, caller, wanted).space_id for wanted in request.spaces)
            or key.spaces,
            expires_at=_end_of_life(library.clock.now(), request.expires_days) or key.expires_at,
        )
        tx.access.replace_key(changed)
        return changed


def _own_key(tx: Transaction, caller: Caller, key_id: str) -> AgentKey:
    found = [key for key in _minted(tx, caller) if key_id in (key.key_id, key.shown)]
    if not found:
        raise NotFound(
            "There is no such key of this account.", advice="`vade keys list` shows those there are."
        )
    return found[0]


def _minted(tx: Transaction, caller: Caller) -> list[AgentKey]:
    """The account's agent keys; the vault's connection is none, and has commands of its own."""
    return [key for key in tx.access.keys(caller.account_id) if key.tool_set is not ToolSet.VAULT]


def no_account(name: str) -> NotFound:
    """The refusal of a name that no account bears."""
    return NotFound(
        f"There is no account named {name!r}.", advice="`vade accounts list` shows those there are."
    )


def no_space(slug: str) -> NotFound:
    """The refusal of a space that the account is no member of, or that there is not: both look alike."""
    return NotFound(f"There is no space {slug!r} among yours.", advice="`vade spaces list` shows yours.")


def check_name(field: str, name: str) -> str:
    """A name of something, white space folded. Raises InvalidInput when empty or over 100 characters."""
    cleaned = " ".join(name.split())
    if not cleaned or len(cleaned) > NAME_LIMIT or not cleaned.isprintable():
        raise InvalidInput(field, f"1 to {NAME_LIMIT} printable characters are needed")
    return cleaned
