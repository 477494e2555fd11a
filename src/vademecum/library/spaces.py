"""How are spaces made, shared and ended?"""

from __future__ import annotations

from vademecum.library.connecting import check_name, no_account, no_space
from vademecum.library.context import Library
from vademecum.library.released import remove_released_files
from vademecum.library.trash import PURGED_AT_ONCE
from vademecum.model.access import Caller, require_writable
from vademecum.model.errors import AlreadyExists, InvalidInput, NotFound, NotPermitted
from vademecum.model.ids import new_id
from vademecum.model.items import Account, Role, Space
from vademecum.model.names import slug as slug_of
from vademecum.ports.storage import Transaction

SLUG_LIMIT = 64
_RECORDS_AT_ONCE = 2_000  # rows of audit, and of changes, in one transaction


def create_space(library: Library, caller: Caller, slug: str, name: str | None) -> Space:
    """A new space owned by the caller's account. Raises InvalidInput, AlreadyExists."""
    if not slug or len(slug) > SLUG_LIMIT or slug_of(slug) != slug:
        raise InvalidInput(
            "slug", f"at most {SLUG_LIMIT} lower-case letters, digits and hyphens, such as work"
        )
    space = Space(new_id(), slug, check_name("name", name or slug), library.now())
    with library.storage.write() as tx:
        if not tx.access.add_space(space):
            raise AlreadyExists(f"The space {slug!r} exists already.", slug=slug)
        tx.access.set_member(space.space_id, caller.account_id, Role.OWNER)
    return space


def writable_space(library: Library, caller: Caller, slug: str | None) -> str:
    """The id of the named space, or of the caller's first. Raises NotFound, NotPermitted to a reader."""
    if slug is None:
        space_id = caller.spaces[0]
    else:
        with library.storage.read() as tx:
            space_id = _mine(tx, caller, slug)[0].space_id
    require_writable(caller, space_id)
    return space_id


def list_spaces(library: Library, caller: Caller) -> list[tuple[Space, Role]]:
    """The spaces that the caller's account is a member of, archived ones too."""
    with library.storage.read() as tx:
        return tx.access.spaces_of(caller.account_id)


def archive_space(library: Library, caller: Caller, slug: str) -> Space:
    """Close a space: nothing in it is lost, and no key reaches it. Raises NotFound, NotPermitted."""
    with library.storage.write() as tx:
        space = _owned(tx, caller, slug)
        if space.personal_of is not None:
            raise NotPermitted("A personal space cannot be archived.")
        tx.access.set_archived(space.space_id, library.now())
        return space


def restore_space(library: Library, caller: Caller, slug: str) -> Space:
    """Open an archived space again. Raises NotFound, NotPermitted."""
    with library.storage.write() as tx:
        space = _owned(tx, caller, slug)
        tx.access.set_archived(space.space_id, None)
        return space


def purge_space(library: Library, caller: Caller, slug: str) -> Space:
    """End an archived space and everything in it for good. Raises NotFound, NotPermitted.

    It goes in many short transactions, so that others write in between. An item goes whole or not at all;
    where it was broken off, the same call goes on.
    """
    with library.storage.read() as tx:
        space = _to_purge(tx, caller, slug)
        ids = tx.items.every_id(space.space_id)
    for first in range(0, len(ids), PURGED_AT_ONCE):
        with library.storage.write() as tx:
            _to_purge(tx, caller, slug)  # somebody may have opened it again
            for item_id in ids[first : first + PURGED_AT_ONCE]:
                tx.items.purge(space.space_id, item_id)
    while _purge_records(library, caller, slug):
        pass
    with library.storage.write() as tx:
        tx.access.purge_space(_to_purge(tx, caller, slug).space_id)
    remove_released_files(library)
    return space


def _purge_records(library: Library, caller: Caller, slug: str) -> bool:
    with library.storage.write() as tx:
        return tx.access.purge_records(_to_purge(tx, caller, slug).space_id, _RECORDS_AT_ONCE)


def _to_purge(tx: Transaction, caller: Caller, slug: str) -> Space:
    space = _owned(tx, caller, slug)
    if space.archived_at is None:
        raise NotPermitted("Only an archived space can be purged: archive it first.")
    return space


def members(library: Library, caller: Caller, slug: str) -> list[tuple[Account, Role]]:
    """Who may read or write a space. Raises NotFound."""
    with library.storage.read() as tx:
        return tx.access.members(_mine(tx, caller, slug)[0].space_id)


def set_member(library: Library, caller: Caller, slug: str, account_name: str, role: Role) -> None:
    """Let an account into a space, or change its role. Raises NotFound, NotPermitted."""
    with library.storage.write() as tx:
        space = _owned(tx, caller, slug)
        account = _account(tx, account_name)
        if role is not Role.OWNER:
            _keep_an_owner(tx, space, account)
        tx.access.set_member(space.space_id, account.account_id, role)


def remove_member(library: Library, caller: Caller, slug: str, account_name: str) -> None:
    """Shut an account out of a space, from its next request. Raises NotFound, NotPermitted."""
    with library.storage.write() as tx:
        space = _owned(tx, caller, slug)
        account = _account(tx, account_name)
        _keep_an_owner(tx, space, account)
        if not tx.access.remove_member(space.space_id, account.account_id):
            raise NotFound(
                f"{account_name!r} is no member of {slug!r}.",
                advice=f"`vade spaces members list {slug}` shows who is.",
            )


def _keep_an_owner(tx: Transaction, space: Space, leaving: Account) -> None:
    owners = [account.account_id for account, role in tx.access.members(space.space_id) if role is Role.OWNER]
    if owners == [leaving.account_id]:
        raise NotPermitted("A space keeps at least one owner.")


def _account(tx: Transaction, name: str) -> Account:
    account = tx.access.account_named(name)
    if account is None:
        raise no_account(name)
    return account


def _mine(tx: Transaction, caller: Caller, slug: str) -> tuple[Space, Role]:
    for space, role in tx.access.spaces_of(caller.account_id):
        if space.slug == slug:
            return space, role
    raise no_space(slug)


def _owned(tx: Transaction, caller: Caller, slug: str) -> Space:
    space, role = _mine(tx, caller, slug)
    if role is not Role.OWNER:
        raise NotPermitted("Only an owner of the space may do that.")
    return space
