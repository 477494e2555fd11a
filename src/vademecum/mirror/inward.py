"""How does what another program did to files come into the library?"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import replace

from vademecum.library.file_texts import content_hash_of
from vademecum.library.importing import Incoming, state_of
from vademecum.library.note_blocks import document_on_disk, left_in_text, state_on_disk
from vademecum.library.outside import OutsideEdit, take_in
from vademecum.library.places import find_folder, is_note
from vademecum.library.reading import zone_of
from vademecum.library.reading_files import read_file, read_note
from vademecum.mirror.comparing import Findings, Found
from vademecum.mirror.merging import merge
from vademecum.mirror.seen import folder_of, names_of
from vademecum.mirror.standing import Standing
from vademecum.model.errors import Refusal, StorageFull
from vademecum.model.items import Document, State
from vademecum.model.names import name_key
from vademecum.model.revisions import Action
from vademecum.ports.places import MirrorFile
from vademecum.ports.storage import Transaction

_log = logging.getLogger("vademecum.mirror")
_FILES_AT_ONCE = 64
_BYTES_AT_ONCE = 2 * 1024 * 1024
_VERSIONS_TRIED = 50

Group = tuple[Sequence[OutsideEdit], Found | None]  # what one file leads to, and that file


def bring_in(standing: Standing, findings: Findings) -> None:
    """Make every outside edit a revision; one that is refused is told and tried again at the next look."""
    with standing.library.storage.write() as tx:
        standing.keep_rows(tx, (), findings.touched)
    for row in findings.touched:
        standing.put(row)
    work: list[tuple[MirrorFile | None, Found | None]] = [
        *findings.renamed,
        *findings.edited,
        *((None, found) for found in findings.arrived),
        *((row, None) for row in findings.gone),
    ]
    for some in _batches(work):
        if standing.stopped.is_set():
            return
        with standing.library.blobs.storing():
            _carry_out(standing, [group for row, found in some for group in _groups(standing, row, found)])


def _batches(
    work: Sequence[tuple[MirrorFile | None, Found | None]],
) -> Iterator[list[tuple[MirrorFile | None, Found | None]]]:
    batch: list[tuple[MirrorFile | None, Found | None]] = []
    size = 0
    for row, found in work:
        batch.append((row, found))
        size += found.facts.size if found else 0
        if len(batch) >= _FILES_AT_ONCE or size >= _BYTES_AT_ONCE:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _carry_out(standing: Standing, groups: Sequence[Group]) -> None:
    if not groups:
        return
    edits = [edit for group, _ in groups for edit in group]
    try:
        rows = take_in(standing.library, standing.caller, edits)
    except Refusal as refusal:
        if len(groups) > 1:  # one at fault blocks no other
            for group in groups:
                _carry_out(standing, [group])
            return
        path = groups[0][1].path if groups[0][1] else edits[0].left or ""
        standing.not_in[path] = f"{refusal.code}: {refusal.detail}"
        standing.unsettled = standing.unsettled or not isinstance(refusal, StorageFull)
        return
    _know(standing, edits, rows)
    for _, found in groups:
        if found is not None:
            standing.remember(found.path, found.signature)


def _know(standing: Standing, edits: Sequence[OutsideEdit], rows: Sequence[MirrorFile | None]) -> None:
    """Whether all of an item is in its file is seen when it is written: it is owed."""
    for edit in edits:
        if edit.left is not None:
            standing.drop(edit.left)
    for edit, row in zip(edits, rows, strict=True):
        if row is not None:
            standing.put(row)
            standing.owed.add(row.item_id)
        elif edit.before is not None:
            standing.owed.add(edit.before.item.item_id)


def _groups(standing: Standing, row: MirrorFile | None, found: Found | None) -> Iterator[Group]:
    """What one file's change leads to; nothing where it was changed again meanwhile."""
    with standing.library.storage.read() as tx:
        document = document_on_disk(tx, standing.space_id, row.item_id) if row else None
        base = state_shown(tx, row, document) if row and document else None
    incoming = _read(standing, found) if found else None
    if found is not None and incoming is None:
        standing.unsettled = True
        return
    if row is None or document is None or document.item.trashed or base is None:
        if row is not None:  # the item is gone, and with it what the file once showed
            yield [OutsideEdit(document, left=row.path)], None
        if found is not None and incoming is not None:
            yield [_new(standing, found, incoming)], found
    elif found is None or incoming is None:
        yield [_deleted(row, document, base)], None
    else:
        yield _changed(standing, (row, document, base), found, incoming), found


def state_shown(tx: Transaction, row: MirrorFile, document: Document) -> State | None:
    """The state of the item that its file shows; None where there is no such version."""
    if row.item_version == document.item.version:
        return document.state
    return state_on_disk(tx, document.item, row.item_version)


def _read(standing: Standing, found: Found) -> Incoming | None:
    """The file as an item, None where it is not what was found any more."""
    modified = found.facts.modified_nanoseconds / 1e9
    try:
        with standing.disk.open(found.path) as (stream, _):
            if is_note(found.path):
                content = stream.read(found.facts.size + 1)
                incoming, warnings = read_note(found.path, content, modified, zone_of(standing.caller))
                warnings += left_in_text(incoming.layers.authored or "")
            else:
                incoming, warnings = read_file(standing.library, found.path, stream, modified)
    except OSError:
        return None
    for warning in warnings:
        _log.info("%s: %s", found.path, warning)
    return incoming if incoming.file_hash == found.facts.content_hash else None


def _shown_version(standing: Standing, document: Document, after: int, content_hash: str) -> int | None:
    """The newest version after `after` that a file with that content shows: one that was written there
    before a kill cut short what notes it.
    """
    item = document.item
    with standing.library.storage.read() as tx:
        for version in range(item.version, max(after, item.version - _VERSIONS_TRIED), -1):
            state = state_on_disk(tx, item, version)
            if state and content_hash_of(state, item.created_at) == content_hash:
                return version
    return None


def _new(standing: Standing, found: Found, incoming: Incoming) -> OutsideEdit:
    """A file that nothing is known of: a new item, unless it shows one that is not known to be on disk."""
    twin = _claimant(standing, found.path)
    if twin is not None and twin.item.item_id not in standing.items:
        version = _shown_version(standing, twin, 0, found.facts.content_hash)
        if version is not None:
            return OutsideEdit(twin, seen=found.facts, shown=version)
    return OutsideEdit(
        None,
        state_of(incoming),
        Action.CREATE,
        folder=names_of(found.path)[:-1],
        is_free=twin is None,
        created_at=incoming.created_at,
        blob=incoming.blob,
        seen=found.facts,
    )


def _claimant(standing: Standing, path: str) -> Document | None:
    """The item that lies at the path in the library, while no file there shows it: it will be written there,
    unlike one whose file differs in case or composition alone.
    """
    names = names_of(path)
    with standing.library.storage.read() as tx:
        is_there, folder_id = find_folder(tx, standing.space_id, names[:-1])
        placed = tx.places.at(standing.space_id, folder_id, name_key(names[-1])) if is_there else None
        row = standing.file_of(placed.item_id) if placed else None
        if placed is None or (row is not None and name_key(row.path) == name_key(path)):
            return None
        return document_on_disk(tx, standing.space_id, placed.item_id)


def _deleted(row: MirrorFile, document: Document, base: State) -> OutsideEdit:
    at = document.item.created_at
    if content_hash_of(document.state, at) != content_hash_of(base, at):
        _log.warning("%s was deleted outside and changed here: it is written again", row.path)
        return OutsideEdit(document, left=row.path)
    return OutsideEdit(document, replace(document.state, trashed=True), Action.TRASH, left=row.path)


def _changed(
    standing: Standing, was: tuple[MirrorFile, Document, State], found: Found, incoming: Incoming
) -> list[OutsideEdit]:
    row, document, base = was
    is_renamed = found.path != row.path
    left = row.path if is_renamed else None
    if not is_renamed and document.item.version > row.item_version:
        version = _shown_version(standing, document, row.item_version, found.facts.content_hash)
        if version is not None:
            return [OutsideEdit(document, seen=found.facts, shown=version)]
    merged = merge(document, base, incoming, is_renamed=is_renamed, at=standing.library.now())
    is_moved = is_renamed and folder_of(row.path) != folder_of(found.path)
    moves = is_moved and document.state.folder_id == base.folder_id
    changes = merged.state != document.state or (moves and not _lies_in(standing, document, found.path))
    twin = _claimant(standing, found.path) if is_renamed else None
    edit = OutsideEdit(
        document,
        merged.state if changes else None,
        Action.MOVE if is_renamed and _texts(merged.state) == _texts(document.state) else Action.UPDATE,
        folder=names_of(found.path)[:-1] if moves else None,
        is_free=(twin is None or twin.item.item_id == document.item.item_id)
        and (not moves or merged.state.file_name == names_of(found.path)[-1]),
        blob=incoming.blob,
        seen=found.facts,
        shown=None
        if document.item.version == row.item_version and merged.beside is None
        else row.item_version,
        left=left,
    )
    if merged.beside is None:
        return [edit]
    _log.warning("%s was changed here and outside: the text from outside lies beside it", found.path)
    beside = OutsideEdit(None, merged.beside, Action.CREATE, is_free=False, blob=incoming.blob)
    return [edit, beside]


def _lies_in(standing: Standing, document: Document, path: str) -> bool:
    with standing.library.storage.read() as tx:
        is_there, folder_id = find_folder(tx, standing.space_id, names_of(path)[:-1])
    return is_there and folder_id == document.item.folder_id


def _texts(state: State) -> tuple[object, ...]:
    return state.layers, state.frontmatter, state.tags, state.blob
