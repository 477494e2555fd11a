"""What was an item before, and how does it become so again?"""

from __future__ import annotations

from dataclasses import replace

from vademecum.library.context import Library
from vademecum.library.editing import write_state
from vademecum.library.note_blocks import blocks_again
from vademecum.library.resolving import find_item, load_document
from vademecum.model.access import Caller
from vademecum.model.errors import NotFound
from vademecum.model.items import Item
from vademecum.model.revisions import Action, HistoryEntry, Revision
from vademecum.ports.storage import Transaction


def revisions(library: Library, caller: Caller, item_id: str) -> list[HistoryEntry]:
    """Every version of an item, trashed or not, newest first; `revision` gives the texts of one.

    Raises NotFound.
    """
    with library.storage.read() as tx:
        item = find_item(tx, caller, item_id, trashed=True)
        return tx.revisions.list(item.space_id, item.item_id)


def revision(library: Library, caller: Caller, item_id: str, version: int) -> Revision:
    """The whole state that one version stored. Raises NotFound for an unknown item or version."""
    with library.storage.read() as tx:
        return _revision(tx, find_item(tx, caller, item_id, trashed=True), version)


def _revision(tx: Transaction, item: Item, version: int) -> Revision:
    found = tx.revisions.find(item.space_id, item.item_id, version)
    if found is None:
        raise NotFound(
            f"There is no version {version} of that item.",
            advice="Look at its history for the versions that it has.",
            id=item.item_id,
        )
    return found


def revert(library: Library, caller: Caller, item_id: str, version: int) -> int:
    """Make the state of an earlier version the newest one, as a revision of its own; its version.

    Title, texts with their blocks, tags, frontmatter and flags come back; the item keeps the folder where it
    lies now, and its being in the trash or not (only `restore` takes it out). Raises NotFound for an unknown
    version.
    """
    with library.storage.read() as tx:
        before = load_document(tx, caller, item_id, trashed=True)
        then = _revision(tx, before.item, version).state
    now = before.state
    name = then.file_name if then.title != now.title else now.file_name
    state = replace(then, folder_id=now.folder_id, trashed=now.trashed, file_name=name)

    def also(tx: Transaction) -> None:
        item = replace(before.item, version=before.item.version + 1)
        blocks_again(tx, item, version)

    return write_state(library, caller, before, state, ("revert", Action.REVERT), also).item.version
