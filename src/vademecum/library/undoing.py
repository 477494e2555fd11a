"""How is what one change did taken back, as far as no one wrote after it?"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import StrEnum

from vademecum.library.capturing import is_waiting, queue_capture
from vademecum.library.changing import audit_change, begin_change
from vademecum.library.context import Library
from vademecum.library.indexing import PreparedIndex, prepare
from vademecum.library.naming import folder_again, place_renamed
from vademecum.library.note_blocks import blocks_again
from vademecum.library.places import is_empty, tree_of
from vademecum.library.writing import Write, replace_document
from vademecum.model.access import Caller
from vademecum.model.errors import NotFound, NotPermitted, VersionConflict
from vademecum.model.items import Document, Folder, State
from vademecum.model.names import name_key
from vademecum.model.revisions import Action, Change, FolderAction, FolderRevision, Revision
from vademecum.ports.storage import Transaction

# What is taken back by removing the folder: after the items in it, and the deepest first.
_PUT_THERE = (FolderAction.CREATE, FolderAction.REVIVE)


class WhyLeft(StrEnum):
    """Why something of a change was left as it is."""

    CHANGED_SINCE = "it was changed since"
    PURGED = "it was purged"
    NOT_EMPTY = "something lies in it by now"
    NAME_TAKEN = "its name is taken by now"
    PARENT_GONE = "the folder where it lay is gone"


class Subject(StrEnum):
    """What a change wrote."""

    ITEM = "item"
    FOLDER = "folder"


@dataclass(frozen=True, slots=True)
class Undone:
    """One item or folder of the change, with its title or name; `why` is None where it is as before."""

    subject: Subject
    subject_id: str
    name: str
    why: WhyLeft | None = None


@dataclass(frozen=True, slots=True)
class UndoReport:
    """The change that took the other back, None where there was nothing to take back, and what became of each
    item and folder that the other wrote.
    """

    change_id: str | None
    subjects: tuple[Undone, ...]

    @property
    def left(self) -> list[Undone]:
        """What was left as it is."""
        return [one for one in self.subjects if one.why is not None]


@dataclass(frozen=True, slots=True)
class _ItemPlan:
    """An item to be taken back from `now` to `state`, as it was before the first version of the change."""

    now: Document
    state: State
    prepared: PreparedIndex
    version_before: int


@dataclass(slots=True)
class _Work:
    """What is done within one transaction, and what is told of it."""

    library: Library
    tx: Transaction
    caller: Caller
    change: Change
    told: list[Undone] = field(default_factory=list)

    def tell(self, subject: Subject, subject_id: str, name: str, why: WhyLeft | None) -> None:
        self.told.append(Undone(subject, subject_id, name, why))


def undo_change(library: Library, caller: Caller, change_id: str) -> UndoReport:
    """Take back what a change wrote, item by item where the version is still the one that it made; all as one
    change, which can be undone in turn (decisions, Undo).

    What it made goes into the trash, what it deleted is restored, a folder it made is removed if it is empty,
    and one it moved goes back if it was not moved since. A title that goes stays a past title. Only for a
    person: raises NotPermitted for an agent, and NotFound where there is no such change.
    """
    if caller.credential_id is not None:
        raise NotPermitted("Only a person takes changes back.", advice="Ask the person to undo it.")
    with library.storage.read() as tx:
        undone = _change(tx, caller, change_id)
        revisions = tx.revisions.of_change(undone.space_id, undone.change_id)
        folders = tx.folders.of_change(undone.space_id, undone.change_id)
        plans, left = _plans(library, tx, revisions)
    if not plans and not folders:
        return UndoReport(None, tuple(left))
    with library.storage.write() as tx:
        change = begin_change(library, tx, caller, undone.space_id, "undo")
        work = _Work(library, tx, caller, change, left)
        by_depth = sorted(folders, key=lambda one: _depth(tx, one))
        _undo_folders(work, [one for one in by_depth if one.action not in _PUT_THERE])
        for plan in plans:
            _undo_item(work, plan)
        _undo_folders(work, [one for one in reversed(by_depth) if one.action in _PUT_THERE])
        return UndoReport(change.change_id, tuple(work.told))


def _change(tx: Transaction, caller: Caller, change_id: str) -> Change:
    wanted = change_id.strip().lower()
    for space_id in caller.spaces:
        found = tx.revisions.change(space_id, wanted)
        if found is not None:
            return found
    raise NotFound(
        "There is no such change in your spaces.",
        advice="`vade history ID` shows the id of the change that made each version; whole sessions of an"
        " agent cannot be undone yet.",
    )


def _plans(
    library: Library, tx: Transaction, revisions: Iterable[Revision]
) -> tuple[list[_ItemPlan], list[Undone]]:
    """What is to be done with each item of the change, and which are left alone."""
    written: dict[str, list[Revision]] = {}
    for revision in revisions:
        written.setdefault(revision.item_id, []).append(revision)
    plans: list[_ItemPlan] = []
    left: list[Undone] = []
    for item_id, of_item in written.items():
        first, last = of_item[0], of_item[-1]
        now = tx.items.load(first.space_id, item_id)
        if now is None or now.item.version != last.version:
            why = WhyLeft.PURGED if now is None else WhyLeft.CHANGED_SINCE
            left.append(Undone(Subject.ITEM, item_id, last.state.title, why))
            continue
        before = tx.revisions.find(first.space_id, item_id, first.version - 1)
        state = replace(now.state, trashed=True) if before is None else before.state
        plans.append(_ItemPlan(now, state, prepare(library, state, embed_now=False), first.version - 1))
    return plans, left


def _undo_item(work: _Work, plan: _ItemPlan) -> None:
    item = plan.now.item
    state = plan.state
    if not state.trashed:
        state = replace(state, folder_id=folder_again(work.tx, work.change, state.folder_id))
    placed = place_renamed(work.tx, work.change, plan.now, state)
    write = Write(work.caller, work.change, Action.UNDO, plan.prepared)
    try:
        after = replace_document(work.tx, write, plan.now, placed).item
    except VersionConflict:
        work.tell(Subject.ITEM, item.item_id, item.title, WhyLeft.CHANGED_SINCE)
        return
    except NotFound:
        work.tell(Subject.ITEM, item.item_id, item.title, WhyLeft.PURGED)
        return
    blocks_again(work.tx, after, plan.version_before)
    if item.trashed and not after.trashed and is_waiting(item):
        queue_capture(work.tx, after, work.caller.account_id, None, work.library.now())
    work.tell(Subject.ITEM, item.item_id, after.title, None)


def _undo_folders(work: _Work, revisions: Iterable[FolderRevision]) -> None:
    for revision in revisions:
        folder = work.tx.folders.find(revision.space_id, revision.folder_id)
        history = work.tx.folders.history(revision.space_id, revision.folder_id)
        if folder is None:
            continue
        why = _undo_folder(work, folder, history, revision)
        work.tell(Subject.FOLDER, folder.folder_id, folder.name, why)
        if why is None:
            audit_change(work.tx, work.caller, work.change, None)


def _depth(tx: Transaction, revision: FolderRevision) -> int:
    depth, parent_id = 0, revision.parent_id
    while parent_id is not None:
        parent = tx.folders.find(revision.space_id, parent_id)
        depth, parent_id = depth + 1, parent.parent_id if parent else None
    return depth


def _undo_folder(
    work: _Work, folder: Folder, history: list[FolderRevision], revision: FolderRevision
) -> WhyLeft | None:
    """Take the folder back to before that revision; why not, where it cannot be."""
    if history[-1].number != revision.number:
        return WhyLeft.CHANGED_SINCE
    tree = tree_of(work.tx, folder.space_id)
    if revision.action in _PUT_THERE:
        if not is_empty(work.tx, tree, folder):
            return WhyLeft.NOT_EMPTY
        work.tx.folders.remove(folder, work.change)
        return None
    before = history[revision.number - 2]
    back = replace(folder, parent_id=before.parent_id, name=before.name)
    if not tree.may_hold(before.parent_id, folder.folder_id):
        return WhyLeft.PARENT_GONE
    key = name_key(back.name)
    if revision.action is FolderAction.REMOVE:
        is_done = work.tx.folders.revive(back, key, work.change)
    else:
        is_done = work.tx.folders.move(back, key, work.change)
    return None if is_done else WhyLeft.NAME_TAKEN
