"""What was an item before, and how does it become so again?"""

from __future__ import annotations

from dataclasses import replace

from vademecum.library.context import Library
from vademecum.library.editing import write_state
from vademecum.library.resolving import find_item, load_document
from vademecum.model.access import Caller
from vademecum.model.errors import NotFound
from vademecum.model.revisions import Action, Revision


def revisions(library: Library, caller: Caller, item_id: str) -> list[Revision]:
    """Every stored state of an item, trashed or not, newest first."""
    with library.storage.read() as tx:
        item = find_item(tx, caller, item_id, trashed=True)
        return tx.revisions.list(item.space_id, item.item_id)


def revert(library: Library, caller: Caller, item_id: str, version: int) -> int:
    """Make the state of an earlier version the newest one, as a revision of its own; its version.

    Title, texts, tags, frontmatter and flags come back; the item keeps the folder where it lies now, and
    its being in the trash or not (only `restore` takes it out). Raises NotFound for an unknown version.
    """
    with library.storage.read() as tx:
        before = load_document(tx, caller, item_id, trashed=True)
        revision = tx.revisions.find(before.item.space_id, before.item.item_id, version)
        if revision is None:
            raise NotFound(
                f"There is no version {version} of that item.",
                advice="Look at its history for the versions that it has.",
                id=before.item.item_id,
            )
    now, then = before.state, revision.state
    name = then.file_name if then.title != now.title else now.file_name
    state = replace(then, folder_id=now.folder_id, trashed=now.trashed, file_name=name)
    return write_state(library, caller, before, state, ("revert", Action.REVERT)).item.version
