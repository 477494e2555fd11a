"""How does an item go into the trash, come back, and end?"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta

from vademecum.library.capturing import is_waiting, queue_capture
from vademecum.library.context import Library
from vademecum.library.editing import write_state
from vademecum.library.released import remove_released_files
from vademecum.library.resolving import find_item, load_document
from vademecum.model.access import Caller, Tier, require, require_writable
from vademecum.model.errors import NotFound, VersionConflict
from vademecum.model.items import Item
from vademecum.model.revisions import Action, check_version
from vademecum.model.times import moment, stamp
from vademecum.ports.storage import Transaction

PURGED_AT_ONCE = 20  # items in one transaction


@dataclass(frozen=True, slots=True)
class Deleted:
    """What became of a delete: `version` is that of the trashed item (contracts 2.4.9)."""

    item_id: str
    version: int
    already_deleted: bool


def delete_item(library: Library, caller: Caller, item_id: str, expected_version: int) -> Deleted:
    """Move an item to the trash, with all its history; one that lies there already counts as deleted,
    whatever version is named, so that a retry is safe (contracts 2.4.9).

    Raises TierDenied, NotFound, and VersionConflict with nothing written.
    """
    require(caller, Tier.FULL)
    with library.storage.read() as tx:
        before = load_document(tx, caller, item_id, trashed=True)
    if before.item.trashed:
        return Deleted(before.item.item_id, before.item.version, already_deleted=True)
    check_version(expected_version, before.item.version)
    state = replace(before.state, trashed=True)
    try:
        after = write_state(library, caller, before, state, ("delete_item", Action.TRASH))
    except VersionConflict:
        return _deleted_meanwhile(library, caller, item_id)
    return Deleted(after.item.item_id, after.item.version, already_deleted=False)


def _deleted_meanwhile(library: Library, caller: Caller, item_id: str) -> Deleted:
    with library.storage.read() as tx:
        item = find_item(tx, caller, item_id, trashed=True)
    if not item.trashed:
        raise VersionConflict(currentVersion=item.version)
    return Deleted(item.item_id, item.version, already_deleted=True)


def list_trash(library: Library, caller: Caller, limit: int) -> list[Item]:
    """What lies in the trash of the caller's spaces, the last trashed first."""
    with library.storage.read() as tx:
        return tx.items.trashed(caller.spaces, limit)


def restore(library: Library, caller: Caller, item_id: str) -> Item:
    """Bring an item back to its place, under a numbered file name when its own is taken by now; a capture
    that the trash cut short is queued again.

    Only for a person (design 2.7). Raises NotFound when it is not in the trash.
    """
    with library.storage.read() as tx:
        before = load_document(tx, caller, item_id, trashed=True)
        if not before.item.trashed:
            raise _not_in_trash(before.item)
    state = replace(before.state, trashed=False)

    def capture_again(tx: Transaction) -> None:
        if is_waiting(before.item):
            queue_capture(tx, before.item, caller.account_id, None, library.now())

    return write_state(library, caller, before, state, ("restore", Action.RESTORE), capture_again).item


def _not_in_trash(item: Item) -> NotFound:
    return NotFound("That item is not in the trash.", advice="List what is in the trash.", id=item.item_id)


def purge(library: Library, caller: Caller, item_id: str) -> None:
    """End a trashed item for good, with its history and its files. Only for a person.

    Raises NotFound unless it is in the trash, and NotPermitted in a space that the account may only read, or
    when the item is gone and its file cannot be removed.
    """
    with library.storage.write() as tx:
        found = find_item(tx, caller, item_id, trashed=True)
        require_writable(caller, found.space_id)
        item = tx.items.hold(found.space_id, found.item_id)
        if item is None or not item.trashed:
            raise _not_in_trash(found)
        tx.items.purge(item.space_id, item.item_id)
    remove_released_files(library)


def purge_expired(library: Library, days: int) -> int:
    """End what has lain in the trash for more than `days` days, in every space; how many. 0 days: never.

    It goes in many short transactions, so that others write in between; an item goes whole or not at all.
    Files that an earlier purge could not remove yet are removed too.
    """
    ended = _purge_older(library, days) if days > 0 else 0
    remove_released_files(library)
    return ended


def _purge_older(library: Library, days: int) -> int:
    limit = stamp(moment(library.now()) - timedelta(days=days))
    with library.storage.read() as tx:
        spaces = [space.space_id for space in tx.access.spaces()]
    ended = 0
    for space_id in spaces:
        while count := _purge_some(library, space_id, limit):
            ended += count
    return ended


def _purge_some(library: Library, space_id: str, limit: str) -> int:
    with library.storage.write() as tx:
        items = tx.items.trashed_before((space_id,), limit, PURGED_AT_ONCE)
        for item in items:
            held = tx.items.hold(space_id, item.item_id)
            if held is not None and held.trashed:  # somebody may just have restored it
                tx.items.purge(space_id, item.item_id)
        return len(items)
