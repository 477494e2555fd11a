"""Which space is open to the agent beside the person, and what may it do there?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from hmac import compare_digest

from vademecum.library.checking import Problem
from vademecum.library.connecting import ensure_owner, first_owner, no_space
from vademecum.library.context import Library
from vademecum.model.access import AgentKey, Caller, ToolSet
from vademecum.model.errors import CredentialRefused, NotPermitted
from vademecum.model.ids import KEY_PREFIX_LENGTH, is_key_shaped, key_hash, new_id, new_key
from vademecum.model.items import Account, Role, Space
from vademecum.model.revisions import ActorKind
from vademecum.model.vault import Switch, Switches
from vademecum.ports.storage import Transaction

_ON, _OFF = "on", "off"
_OPEN_SPACE = "vault.open"


@dataclass(frozen=True, slots=True)
class Vault:
    """How the switches stand and which space is open: None when the one that was opened is gone, archived or
    no longer the owner's.
    """

    switches: Switches
    space: Space | None
    role: Role | None = None


def read_vault(library: Library) -> Vault:
    """The vault as it stands now; it belongs to the first owner (decisions, Vault), and shows no space before
    there is one.
    """
    with library.storage.read() as tx:
        return _vault(tx, first_owner(tx))


def is_published(library: Library) -> bool:
    """Whether the listener is to be open: asked again and again, so it reads one row alone."""
    with library.storage.read() as tx:
        return tx.installation.get(_name(Switch.PUBLISH)) == _ON


def set_switch(library: Library, switch: Switch, *, on: bool) -> Vault:
    """Turn a switch; every call that comes later is judged by it (contracts 3.5)."""
    owner = ensure_owner(library)
    with library.storage.write() as tx:
        tx.installation.put(_name(switch), _ON if on else _OFF)
        return _vault(tx, owner)


def open_space(library: Library, slug: str) -> Vault:
    """Show the vault's connection another space, from its next call on.

    Raises NotFound for a space that is not among the first owner's, and NotPermitted for one where they only
    read and for an archived one (decisions, Vault).
    """
    owner = ensure_owner(library)
    with library.storage.write() as tx:
        for space, role in tx.access.spaces_of(owner.account_id):
            if space.slug == slug:
                _check_may_open(space, role)
                tx.installation.put(_OPEN_SPACE, space.space_id)
                return _vault(tx, owner)
    raise no_space(slug)


def _check_may_open(space: Space, role: Role) -> None:
    if role is Role.READER:
        raise NotPermitted(f"{space.slug!r} cannot be the vault: the first owner may only read there.")
    if space.archived_at is not None:
        raise NotPermitted(
            f"{space.slug!r} is archived.", advice=f"`vade spaces restore {space.slug}` opens it again."
        )


def new_token(library: Library) -> str:
    """The vault's only token, which is told this once; the one before it fails at its next request.

    It is one connection for good, whatever its token, so that its sessions and history go on.
    """
    owner = ensure_owner(library)
    token = new_key(ToolSet.VAULT.value)
    with library.storage.write() as tx:
        known = _connection(tx, owner)
        if known is None:
            tx.access.add_key(_new_connection(library, owner, token))
        else:
            tx.access.renew_key(known.key_id, key_hash(token), token[:KEY_PREFIX_LENGTH])
    return token


def _new_connection(library: Library, owner: Account, token: str) -> AgentKey:
    return AgentKey(
        key_id=new_id(),
        account_id=owner.account_id,
        tool_set=ToolSet.VAULT,
        tier="switches",  # which are judged at every call; nothing is fixed in the row
        name="vault",
        key_hash=key_hash(token),
        shown=token[:KEY_PREFIX_LENGTH],
        spaces=(),
        created_at=library.now(),
    )


def is_token(library: Library, token: str) -> bool:
    """Whether the token is the one in force."""
    with library.storage.read() as tx:
        owner = first_owner(tx)
        return owner is not None and _opened_by(tx, owner, token) is not None


def identify_vault(library: Library, secret: str, client_name: str | None) -> Caller:
    """The caller behind the vault's token, with what the switches allow and the open space as they are now.

    Raises CredentialRefused alike for every other secret, while the vault is not published, and when no space
    is open. The time it takes tells nothing of the token.
    """
    with library.storage.read() as tx:
        owner = first_owner(tx)
        connection = None if owner is None else _opened_by(tx, owner, secret)
        if owner is None or connection is None:
            raise CredentialRefused
        vault = _vault(tx, owner)
    if not vault.switches.publish or vault.space is None:
        raise CredentialRefused
    space_id = vault.space.space_id
    return Caller(
        account_id=owner.account_id,
        actor_kind=ActorKind.VAULT,
        tier=vault.switches.tier,
        spaces=(space_id,),
        credential_id=connection.key_id,
        client_name=client_name,
        zone=owner.zone,
        read_only=frozenset({space_id}) if vault.role is Role.READER else frozenset(),
    )


def _opened_by(tx: Transaction, owner: Account, secret: str) -> AgentKey | None:
    connection = _connection(tx, owner)
    if connection is None or not is_key_shaped(secret):
        return None
    return connection if compare_digest(connection.key_hash, key_hash(secret)) else None


def _connection(tx: Transaction, owner: Account) -> AgentKey | None:
    keys = tx.access.keys(owner.account_id)
    return next((key for key in keys if key.tool_set is ToolSet.VAULT), None)


def _vault(tx: Transaction, owner: Account | None) -> Vault:
    switches = Switches(**{switch.value: tx.installation.get(_name(switch)) == _ON for switch in Switch})
    if owner is None:
        return Vault(switches, None)
    chosen = tx.installation.get(_OPEN_SPACE)
    for space, role in tx.access.spaces_of(owner.account_id):
        is_open = space.personal_of == owner.account_id if chosen is None else space.space_id == chosen
        if is_open and not space.archived_at:
            return Vault(switches, space, role)
    return Vault(switches, None)


def _name(switch: Switch) -> str:
    return f"vault.{switch.value}"


def vault_problems(library: Library) -> Iterator[Problem]:
    """What keeps a published vault from being used as the person meant; none of it is damage."""
    vault = read_vault(library)
    if vault.switches.publish and vault.space is None:
        yield Problem(
            "vault",
            "open space",
            "The space that was open is gone.",
            "Open one: vade vault open SPACE",
            False,
        )
    if vault.switches.move and not vault.switches.write:
        yield Problem(
            "vault", "move", "Moving is on, but needs writing too.", "Turn it on: vade vault write on", False
        )
