"""How does what another program did to the files on disk become part of the library?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from vademecum.library.changing import audit_change, begin_change
from vademecum.library.context import Library
from vademecum.library.importing import first_hash_of
from vademecum.library.indexing import PreparedIndex, prepare
from vademecum.library.naming import ensure_folder, free_file_name
from vademecum.library.note_blocks import keep_blocks, parted
from vademecum.library.places import is_empty, tree_of
from vademecum.library.saving import check_room
from vademecum.library.writing import Write, add_document, replace_document
from vademecum.model.access import Caller, Tier
from vademecum.model.errors import NotFound
from vademecum.model.ids import new_id
from vademecum.model.items import Account, Birth, Blob, Document, Folder, Role, Space, State, new_document
from vademecum.model.names import name_key
from vademecum.model.revisions import Action, ActorKind, Change
from vademecum.ports.places import MirrorFile, StoredBlock
from vademecum.ports.storage import Transaction

TOOL = "outside editor"  # design 2.1


@dataclass(frozen=True, slots=True)
class Facts:
    """A file as it was seen on disk; `path` is relative to the space's folder, with `/`."""

    path: str
    content_hash: str
    size: int
    modified_nanoseconds: int
    file_number: str

    def row(self, space_id: str, item_id: str, version: int) -> MirrorFile:
        """That the file shows that version of the item."""
        return MirrorFile(
            space_id,
            self.path,
            item_id,
            version,
            self.content_hash,
            self.size,
            self.modified_nanoseconds,
            self.file_number,
        )


@dataclass(frozen=True, slots=True)
class OutsideEdit:
    """One file's part in what another program did.

    `before` is the item as it was read, None for a new one; `state` what it becomes, None where it stays as
    it is. `folder` names the folder that it then lies in, None for the one it lies in. `seen` is the file
    that shows it from now on, None where there is none (yet); `shown` the version that the file shows, None
    for the one written here. `left` is the path at which no file shows it any more. A file name that
    `is_free` does not hold for gets a number where another item bears it.
    """

    before: Document | None
    state: State | None = None
    action: Action = Action.UPDATE
    folder: tuple[str, ...] | None = None
    is_free: bool = True
    created_at: str | None = None
    blob: Blob | None = None
    seen: Facts | None = None
    shown: int | None = None
    left: str | None = None


def outside_caller(tx: Transaction, space: Space) -> Caller:
    """In whose name outside edits of a space are made: its person's, else its first owner's."""
    owner = space.personal_of or next(
        (account.account_id for account, role in tx.access.members(space.space_id) if role is Role.OWNER), ""
    )
    account: Account | None = tx.access.account(owner)
    zone = account.zone if account else "UTC"
    return Caller(owner, ActorKind.OUTSIDE, Tier.FULL, (space.space_id,), zone=zone)


def take_in(library: Library, caller: Caller, edits: Sequence[OutsideEdit]) -> list[MirrorFile | None]:
    """Make the edits in one transaction, as one change; the file that now shows each item, where one does.

    Keywords are there when this returns, vectors follow from a job. Raises VersionConflict or NotFound when
    an item is no longer as it was read, StorageFull; then nothing is written.
    """
    space_id = caller.spaces[0]
    ready = [_ready(library, edit) for edit in edits]
    writes = any(edit.state is not None for edit in edits)
    with library.storage.write() as tx:
        change = None
        if writes:
            check_room(library, tx, caller)
            change = begin_change(library, tx, caller, space_id, TOOL)
        for edit in edits:
            known = tx.mirror.file_at(space_id, edit.left) if edit.left is not None else None
            if known is not None and edit.before is not None and known.item_id == edit.before.item.item_id:
                tx.mirror.remove_file(space_id, known.path)
        return [_take_one(library, tx, (caller, change), each) for each in ready]


@dataclass(frozen=True, slots=True)
class _Ready:
    """An edit whose texts are as they are kept, without the data of their blocks, which stand in the file."""

    edit: OutsideEdit
    prepared: PreparedIndex
    blocks: tuple[StoredBlock, ...]


def _ready(library: Library, edit: OutsideEdit) -> _Ready:
    if edit.state is None:
        return _Ready(edit, PreparedIndex(), ())
    state, blocks = parted(edit.state)
    before = edit.before
    if before is not None:
        before = replace(before, layers=parted(before.state)[0].layers)
    return _Ready(replace(edit, state=state, before=before), prepare(library, state, embed_now=False), blocks)


def _take_one(
    library: Library,
    tx: Transaction,
    by: tuple[Caller, Change | None],
    ready: _Ready,
) -> MirrorFile | None:
    caller, change = by
    edit = ready.edit
    space_id = caller.spaces[0]
    document = edit.before
    if edit.state is not None and change is not None:
        if edit.blob is not None:
            tx.blobs.add(space_id, edit.blob)
        state = _placed(library, tx, change, edit, edit.state)
        write = Write(caller, change, edit.action, ready.prepared)
        if document is None:
            document = _added(tx, write, edit, state)
        else:
            document = replace_document(tx, write, document, state)
        keep_blocks(tx, document.item, state.layers.authored or "", ready.blocks)
    if edit.seen is None or document is None:
        return None
    row = edit.seen.row(space_id, document.item.item_id, edit.shown or document.item.version)
    if tx.items.find(space_id, row.item_id) is None:
        raise NotFound(id=row.item_id)  # purged since it was read
    tx.mirror.put_file(row)
    return row


def _placed(library: Library, tx: Transaction, change: Change, edit: OutsideEdit, state: State) -> State:
    if edit.folder is not None:
        state = replace(state, folder_id=ensure_folder(library, tx, change, edit.folder))
    if edit.is_free:
        return state
    return replace(state, file_name=free_file_name(tx, change.space_id, state.folder_id, state.file_name))


def _added(tx: Transaction, write: Write, edit: OutsideEdit, state: State) -> Document:
    made_at = edit.created_at or write.change.made_at
    document = new_document(Birth(write.change.space_id, new_id(), made_at, first_hash_of(state)), state)
    add_document(tx, write, document)
    return document


@dataclass(frozen=True, slots=True)
class FolderEdit:
    """What another program did to a folder: it lies at the path now, or is gone where that is None.

    `folder_id` is None for a new one. `files` are the files that show items below it, as they lie now, with
    the paths that they had.
    """

    folder_id: str | None
    path: tuple[str, ...] | None
    files: tuple[tuple[str, MirrorFile], ...] = ()


def take_in_folder(library: Library, caller: Caller, edit: FolderEdit) -> bool:
    """Make, move or remove the folder; False, and nothing done, where the tree does not allow it.

    A moved folder keeps its id (decisions, Folders). One that still holds something is not removed.
    """
    try:
        with library.storage.write() as tx:
            change = begin_change(library, tx, caller, caller.spaces[0], TOOL)
            if edit.folder_id is None:
                ensure_folder(library, tx, change, edit.path or ())
            elif edit.path is None:
                _remove_folder(tx, change, edit.folder_id)
            else:
                _move_folder(library, tx, change, edit.folder_id, edit.path)
            audit_change(tx, caller, change, None)
            for old, _ in edit.files:
                tx.mirror.remove_file(change.space_id, old)
            for _, file in edit.files:
                tx.mirror.put_file(file)
    except _NotAllowed:
        return False
    return True


class _NotAllowed(Exception):
    """The tree does not allow it; the transaction must leave no trace."""


def _folder(tx: Transaction, space_id: str, folder_id: str) -> Folder:
    folder = tx.folders.find(space_id, folder_id)
    if folder is None or folder.removed_at is not None:
        raise _NotAllowed
    return folder


def _move_folder(
    library: Library, tx: Transaction, change: Change, folder_id: str, path: tuple[str, ...]
) -> None:
    folder = _folder(tx, change.space_id, folder_id)
    parent_id = ensure_folder(library, tx, change, path[:-1])
    if not tree_of(tx, change.space_id).may_hold(parent_id, folder_id):
        raise _NotAllowed
    moved = replace(folder, parent_id=parent_id, name=path[-1])
    if not tx.folders.move(moved, name_key(moved.name), change):
        raise _NotAllowed


def _remove_folder(tx: Transaction, change: Change, folder_id: str) -> None:
    folder = _folder(tx, change.space_id, folder_id)
    if not is_empty(tx, tree_of(tx, change.space_id), folder):
        raise _NotAllowed
    tx.folders.remove(folder, change)
