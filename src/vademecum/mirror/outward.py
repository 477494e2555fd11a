"""How do changes of the library come to the folder on disk?"""

from __future__ import annotations

import logging
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from vademecum.library.file_texts import content_hash_of, has_text_file, note_text
from vademecum.library.note_blocks import document_on_disk
from vademecum.library.places import Tree, tree_of
from vademecum.mirror import folders
from vademecum.mirror.disk import EditedOutside
from vademecum.mirror.inward import state_shown
from vademecum.mirror.seen import names_of
from vademecum.mirror.standing import Standing
from vademecum.model.errors import StoredDataDamaged
from vademecum.model.items import Document, ItemClass, State
from vademecum.model.names import name_key, next_free_name, split_suffix
from vademecum.model.outside_files import is_left_out
from vademecum.ports.places import MirrorFile
from vademecum.ports.storage import Transaction

_log = logging.getLogger("vademecum.mirror")
_ITEMS_AT_ONCE = 64
_PIECE = 1024 * 1024
_STEM_KEPT = 50  # characters, so that the name of what steps aside is not too long


def learn(standing: Standing) -> None:
    """Take up what the library wrote since the last time; at first, all that is not on disk as it is."""
    with standing.library.storage.read() as tx:
        last = tx.revisions.last_sequence(standing.space_id)
        if standing.sequence is None:
            standing.owed |= set(_behind(standing, tx))
            standing.owed_folders |= {folder.folder_id for folder in tx.folders.list(standing.space_id)}
            standing.owed_folders |= set(standing.folders)
        elif last > standing.sequence:
            written = tx.revisions.written_since(standing.space_id, standing.sequence)
            standing.owed |= set(written.items)
            standing.owed_folders |= set(written.folders)
            last = written.sequence
    standing.sequence = last


def _behind(standing: Standing, tx: Transaction) -> Iterator[str]:
    placed, tree = tx.places.within(standing.space_id, None), tree_of(tx, standing.space_id)
    for one in placed:
        row = standing.file_of(one.item_id)
        path = tree.path_of(one.folder_id, one.file_name)
        if row is None or row.item_version != one.version or row.path != path:
            yield one.item_id
    yield from standing.items.keys() - {one.item_id for one in placed}


def bring_out(standing: Standing, apart: frozenset[str]) -> None:
    """Write what is owed, in batches; what cannot be written now stays owed and is told.

    `apart` names folders at the top of the disk that are other spaces'.
    """
    if not standing.owed and not standing.owed_folders:
        return
    with standing.library.storage.read() as tx:
        tree = tree_of(tx, standing.space_id)
    try:
        folders.bring_out(standing, tree)
    except OSError as error:
        standing.not_out[error.filename or "folders"] = error.strerror or str(error)
        standing.unsettled = True
    # Files that go elsewhere first, so that what is new finds their places free.
    waiting = iter(sorted(standing.owed, key=lambda item_id: (item_id not in standing.items, item_id)))
    while not standing.stopped.is_set() and (some := list(islice(waiting, _ITEMS_AT_ONCE))):
        _bring_out_some(standing, tree, some, apart)
    folders.clear_away(standing)


def _bring_out_some(standing: Standing, tree: Tree, ids: Sequence[str], apart: frozenset[str]) -> None:
    touched: set[str] = set()
    for item_id in _unlike(standing, tree, ids):
        try:
            with standing.library.storage.read() as tx:
                document = document_on_disk(tx, standing.space_id, item_id)
                row = standing.file_of(item_id)
                base = state_shown(tx, row, document) if row and document else None
            if _bring_out_one(standing, tree, (item_id, document, row, base), (touched, apart)):
                standing.owed.discard(item_id)
                standing.not_out.pop(item_id, None)
        except EditedOutside:
            if row := standing.file_of(item_id):
                standing.checked.pop(row.path, None)
            standing.not_out[item_id] = "waits for what was changed outside to come in"
            standing.unsettled = True
        except StoredDataDamaged as refusal:
            standing.not_out[item_id] = refusal.detail
            standing.owed.discard(item_id)
        except OSError as error:
            standing.not_out[item_id] = f"cannot be written: {error.strerror}"
            standing.unsettled = True
    _note(standing, touched)


def _unlike(standing: Standing, tree: Tree, ids: Sequence[str]) -> list[str]:
    """Those of the items that are not on disk as they are, told without reading their texts."""
    with standing.library.storage.read() as tx:
        found = tx.items.find_all([(standing.space_id, item_id) for item_id in ids])
    alike: set[str] = set()
    for item_id in ids:
        item, row = found.get((standing.space_id, item_id)), standing.file_of(item_id)
        if item is None or item.trashed or row is None or len(standing.items[item_id]) > 1:
            continue
        path = tree.path_of(item.folder_id, item.file_name)
        if (row.item_version, row.path) == (item.version, path):
            alike.add(item_id)
    standing.owed -= alike
    return [item_id for item_id in ids if item_id not in alike]


def _note(standing: Standing, touched: set[str]) -> None:
    """Keep what the paths show now. The library has no row of an item that was purged since it was read."""
    if not touched:
        return
    rows = [row for path in touched if (row := standing.files.get(path))]
    with standing.library.storage.write() as tx:
        kept = [row for row in rows if tx.items.find(row.space_id, row.item_id) is not None]
        standing.keep_rows(tx, touched, kept)


def _bring_out_one(
    standing: Standing,
    tree: Tree,
    what: tuple[str, Document | None, MirrorFile | None, State | None],
    into: tuple[set[str], frozenset[str]],
) -> bool:
    """False where it has to wait for another."""
    _, document, row, base = what
    touched, apart = into
    if document is None or document.item.trashed or document.item.item_class is not ItemClass.USER_DOCUMENT:
        if row is not None:
            standing.disk.remove(row.path, row.content_hash)
            _left(standing, touched, row.path)
        return True
    names = (*tree.names_of(document.item.folder_id), document.item.file_name)
    if is_left_out(names) or names[0] in apart:
        return True
    if row is not None and base is not None and _is_elsewhere(row, document, base, names):
        row = _move(standing, row, names, touched)
        if row is None:
            return False
    return _write(standing, document, (row, base), names, touched)


def _left(standing: Standing, touched: set[str], path: str) -> None:
    touched.add(path)
    standing.drop(path)
    standing.checked.pop(path, None)


def _is_elsewhere(row: MirrorFile, document: Document, base: State, names: tuple[str, ...]) -> bool:
    """Whether the file is not where the library has it. Names that differ in case or composition alone are
    the same, as long as nobody gave the item another.
    """
    wanted = "/".join(names)
    if row.path == wanted:
        return False
    if [name_key(name) for name in names_of(row.path)] != [name_key(name) for name in names]:
        return True
    item = document.item
    return (item.file_name, item.folder_id) != (base.file_name, base.folder_id)


def _move(
    standing: Standing, row: MirrorFile, names: tuple[str, ...], touched: set[str]
) -> MirrorFile | None:
    """The file at its new place, under a number where that is taken; None where another has to go first."""
    path = "/".join(names)
    occupant = standing.files.get(path)
    if occupant is not None and occupant.item_id in standing.owed and occupant.item_id != row.item_id:
        _step_aside(standing, occupant, touched)
    if not standing.disk.move(row.path, path):
        path = _free_path(standing, path, row)
        if path == row.path or not standing.disk.move(row.path, path):
            return row if path == row.path else None
    signature = standing.checked.get(row.path)
    _left(standing, touched, row.path)
    moved = replace(row, path=path)
    standing.put(moved)
    touched.add(moved.path)
    if signature is None:
        standing.unsettled = True
    return moved


def _step_aside(standing: Standing, occupant: MirrorFile, touched: set[str]) -> None:
    """Of two files that changed names one goes somewhere else first."""
    *folder, name = names_of(occupant.path)
    stem, suffix = split_suffix(name)
    aside = "/".join((*folder, f"{stem[:_STEM_KEPT]} {uuid.uuid4().hex[:8]}{suffix}"))
    if standing.disk.move(occupant.path, aside):
        _left(standing, touched, occupant.path)
        moved = replace(occupant, path=aside)
        standing.put(moved)
        touched.add(moved.path)


def _free_path(standing: Standing, path: str, own: MirrorFile | None) -> str:
    folder, _, name = path.rpartition("/")
    others = (file.path.rpartition("/") for file in standing.files.values() if file != own)
    taken = {name_key(other) for within, _, other in others if within == folder}
    free = next_free_name(name, taken | {name_key(name)})
    return f"{folder}/{free}" if folder else free


def _write(
    standing: Standing,
    document: Document,
    was: tuple[MirrorFile | None, State | None],
    names: tuple[str, ...],
    touched: set[str],
) -> bool:
    row, base = was
    item, state = document.item, document.state
    wanted = content_hash_of(state, item.created_at)
    if wanted is None:
        return True
    if row is not None and base is not None:
        if row.item_version == item.version:
            return True
        # A file that says the same as before is not touched, however it says it (operations, Data folder).
        if content_hash_of(base, item.created_at) == wanted or row.content_hash == wanted:
            _noted(standing, touched, replace(row, item_version=item.version))
            return True
    path = row.path if row is not None else _path_for(standing, "/".join(names))
    facts, signature = standing.disk.write(
        path, _content(standing, document), row.content_hash if row else None
    )
    _noted(standing, touched, facts.row(item.space_id, item.item_id, item.version))
    standing.remember(facts.path, signature)
    return True


def _path_for(standing: Standing, path: str) -> str:
    return _free_path(standing, path, None) if path in standing.files else path


def _noted(standing: Standing, touched: set[str], row: MirrorFile) -> None:
    standing.put(row)
    touched.add(row.path)


def _content(standing: Standing, document: Document) -> Iterator[bytes]:
    state = document.state
    if has_text_file(state) or state.blob is None:
        yield note_text(state, document.item.created_at).encode()
        return
    with standing.library.blobs.open(state.blob) as stream:
        while piece := stream.read(_PIECE):
            yield piece
