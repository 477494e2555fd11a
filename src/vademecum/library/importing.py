"""How do files of another program become items, once, and again when they changed?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from vademecum.library.changing import begin_change
from vademecum.library.context import Library
from vademecum.library.indexing import PreparedIndex, prepare
from vademecum.library.naming import Reservations, place_beside
from vademecum.library.note_blocks import keep_blocks, parted
from vademecum.library.saving import check_room
from vademecum.library.writing import Write, add_documents, replace_document
from vademecum.model.access import Caller
from vademecum.model.ids import content_hash, new_id
from vademecum.model.items import NO_LAYERS, Birth, Blob, Document, Kind, Layers, State, new_document
from vademecum.model.revisions import Action, ActorKind
from vademecum.ports.places import StoredBlock
from vademecum.ports.storage import ImportedFile, Transaction


class ImportOutcome(StrEnum):
    """What became of one file; together they add up to all that were looked at."""

    ADDED = "added"
    UPDATED = "updated"
    UNCHANGED = "unchanged"
    CHANGED = "changed"  # the file changed, and updating was not asked for
    EDITED_HERE = "edited-here"  # file and item both changed since the import: the item is left as it is


_TAKEN = (ImportOutcome.ADDED, ImportOutcome.UPDATED)


@dataclass(frozen=True, slots=True)
class Incoming:
    """One file as an importer read it. `path` is its place within the imported source, `folder` the one it
    gets in the library; `file_hash` is that of its bytes; `created_at` a stamp, None for now.
    """

    path: str
    file_hash: str
    folder: tuple[str, ...]
    file_name: str
    title: str
    kind: Kind = Kind.NOTE
    layers: Layers = NO_LAYERS
    frontmatter: str = ""
    tags: tuple[str, ...] = ()
    created_at: str | None = None
    source_url: str | None = None
    blob: Blob | None = None
    pinned: bool = False
    archived: bool = False


@dataclass(frozen=True, slots=True)
class ImportRun:
    """An import under way: into which space, what names its source, whether changed files are taken; all its
    changes belong to one session, by which they can be found together.
    """

    caller: Caller
    space_id: str
    source: str
    session_id: str
    update: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to become of a file, decided before anything is written."""

    incoming: Incoming
    outcome: ImportOutcome
    known: ImportedFile | None
    prepared: PreparedIndex
    blocks: tuple[StoredBlock, ...] = ()


def known_files(library: Library, run: ImportRun) -> dict[str, ImportedFile]:
    """What earlier imports of the same source made, by path."""
    with library.storage.read() as tx:
        return tx.imports.known(run.space_id, run.source)


def plan(library: Library, run: ImportRun, incoming: Incoming, known: ImportedFile | None) -> Plan:
    """What is to become of a file, with its index prepared while its text has just been parsed.

    Running an import again changes nothing; `update` takes changed files only (operations).
    """
    outcome = _outcome(run, incoming, known)
    if outcome in (ImportOutcome.UNCHANGED, ImportOutcome.CHANGED):
        return Plan(incoming, outcome, known, PreparedIndex())
    state, blocks = parted(state_of(incoming))
    incoming = replace(incoming, layers=state.layers)
    return Plan(incoming, outcome, known, prepare(library, state, embed_now=False), blocks)


def _outcome(run: ImportRun, incoming: Incoming, known: ImportedFile | None) -> ImportOutcome:
    if known is None:
        return ImportOutcome.ADDED
    if known.content_hash == incoming.file_hash:
        return ImportOutcome.UNCHANGED
    return ImportOutcome.UPDATED if run.update else ImportOutcome.CHANGED


def import_batch(library: Library, run: ImportRun, plans: Sequence[Plan]) -> list[ImportOutcome]:
    """Carry out the plans in one transaction and tell what became of each, in order.

    Vectors are left to jobs; keywords are there when this returns. Raises StorageFull, NotPermitted.
    """
    caller = replace(run.caller, actor_kind=ActorKind.IMPORT, session_id=run.session_id)
    with library.storage.write() as tx:
        check_room(library, tx, caller)
        change = begin_change(library, tx, caller, run.space_id, "import")
        write = Write(caller, change, Action.CREATE, PreparedIndex())
        for each in plans:
            if each.incoming.blob is not None and each.outcome in _TAKEN:
                tx.blobs.add(run.space_id, each.incoming.blob)
        added = [each for each in plans if each.outcome is ImportOutcome.ADDED]
        if added:
            _add(library, tx, run, added, write)
        return [_outcome_of(tx, run, each, write) for each in plans]


def _outcome_of(tx: Transaction, run: ImportRun, each: Plan, write: Write) -> ImportOutcome:
    if each.outcome is ImportOutcome.UPDATED and each.known is not None:
        return _update(tx, run, each, (each.known, replace(write, prepared=each.prepared)))
    return each.outcome


def _add(library: Library, tx: Transaction, run: ImportRun, added: Sequence[Plan], write: Write) -> None:
    change, reserved = write.change, Reservations()
    new: list[tuple[Document, PreparedIndex]] = []
    for each in added:
        work = (state_of(each.incoming), each.incoming.folder)
        state = place_beside(library, tx, change, reserved, work)
        at = each.incoming.created_at or change.made_at
        birth = Birth(run.space_id, new_id(), at, first_hash_of(state))
        new.append((new_document(birth, state), each.prepared))
    add_documents(tx, write, new)
    for each, (document, _) in zip(added, new, strict=True):
        keep_blocks(tx, document.item, document.layers.authored or "", each.blocks)
    tx.imports.add(
        [
            _imported(run, each.incoming, document.item.item_id, 1)
            for each, (document, _) in zip(added, new, strict=True)
        ]
    )


def _update(tx: Transaction, run: ImportRun, each: Plan, work: tuple[ImportedFile, Write]) -> ImportOutcome:
    known, write = work
    incoming = each.incoming
    before = tx.items.load(run.space_id, known.item_id)
    if before is None or before.item.trashed:
        return ImportOutcome.EDITED_HERE  # a person took it away; an import does not bring it back
    if before.item.version != known.item_version:
        return ImportOutcome.EDITED_HERE
    now = before.state
    state = replace(state_of(incoming), folder_id=now.folder_id, file_name=now.file_name)
    after = replace_document(tx, replace(write, action=Action.UPDATE), before, state)
    keep_blocks(tx, after.item, state.layers.authored or "", each.blocks)
    tx.imports.replace(_imported(run, incoming, known.item_id, after.item.version))
    return ImportOutcome.UPDATED


def state_of(incoming: Incoming) -> State:
    """The state that an incoming file has as an item, its folder left open."""
    return State(
        title=incoming.title,
        kind=incoming.kind,
        layers=incoming.layers,
        tags=incoming.tags,
        file_name=incoming.file_name,
        frontmatter=incoming.frontmatter,
        source_url=incoming.source_url,
        blob=incoming.blob.content_hash if incoming.blob else None,
        pinned=incoming.pinned,
        archived=incoming.archived,
    )


def first_hash_of(state: State) -> str:
    """What names the content of an item that came from a file (`Birth.first_hash`)."""
    return state.blob or content_hash(state.layers.authored or "")


def _imported(run: ImportRun, incoming: Incoming, item_id: str, version: int) -> ImportedFile:
    return ImportedFile(run.space_id, run.source, incoming.path, incoming.file_hash, item_id, version)


def same_place(incoming: Incoming, into: tuple[str, ...]) -> Incoming:
    """The incoming file, below the folder that the import goes into."""
    return replace(incoming, folder=(*into, *incoming.folder))
