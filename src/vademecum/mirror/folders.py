"""How do the folders on disk and those of the library follow each other?"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator

from vademecum.library.outside import FolderEdit, take_in_folder
from vademecum.library.places import Tree, path_of, tree_of
from vademecum.mirror.seen import Snapshot, is_below, names_of
from vademecum.mirror.standing import Standing
from vademecum.model.outside_files import is_beyond_tools, is_folder_left_out
from vademecum.ports.places import MirrorFolder


def bring_in_moves(standing: Standing, seen: Snapshot) -> None:
    """Give each folder that another program moved or renamed its new place; it keeps its id, and what is in
    it its versions (decisions, Folders).
    """
    gone = [folder for folder in standing.folders.values() if _is_gone(seen, folder.path)]
    known = {folder.path for folder in standing.folders.values()} - {folder.path for folder in gone}
    arrived = [path for path in seen.folders if path not in known]
    for old in sorted(gone, key=lambda folder: folder.path.count("/")):
        folder = standing.folders[old.folder_id]
        if folder.path != old.path:
            continue  # it went with the one that it lies in
        path = next(_moved_to(standing, seen, folder, arrived), None)
        if path is not None:
            _move(standing, folder, path)
            arrived = [one for one in arrived if one != path and not is_below(one, path)]


def _is_gone(seen: Snapshot, path: str) -> bool:
    return path not in seen.folders and not seen.may_hide(path)


def _moved_to(
    standing: Standing, seen: Snapshot, folder: MirrorFolder, arrived: Iterable[str]
) -> Iterator[str]:
    """Where the folder may be now: the same one, else one with most of its files under the same names."""
    files = [
        (path.removeprefix(folder.path), file.size)
        for path, file in standing.files.items()
        if is_below(path, folder.path)
    ]
    paths = list(arrived)
    for path in paths:
        # The number of a folder that is no more may be given to a new one: some of it must be in there.
        if seen.folders[path] == folder.file_number and (
            not files or any(path + name in seen.files for name, _ in files)
        ):
            yield path
    for path in paths:
        same = [name for name, size in files if (one := seen.files.get(path + name)) and one.size == size]
        if files and 2 * len(same) > len(files):
            yield path


def _move(standing: Standing, folder: MirrorFolder, path: str) -> None:
    files = tuple(standing.renamed(folder.path, path))
    with standing.library.storage.read() as tx:
        here = path_of(tx, standing.space_id, folder.folder_id)
    if here == folder.path:
        edit = FolderEdit(folder.folder_id, names_of(path), files)
        if not take_in_folder(standing.library, standing.caller, edit):
            return  # its files are taken one by one, as moved
    else:  # it was moved here too, and will be brought to where it is here
        with standing.library.storage.write() as tx:
            standing.keep_rows(tx, [old for old, _ in files], [file for _, file in files])
        standing.owed_folders.add(folder.folder_id)
    standing.rename_folder(folder.path, path)


def bring_in_rest(standing: Standing, seen: Snapshot) -> None:
    """Make the empty folders that appeared, remove the ones that are gone with all that was in them, and
    know all others by where they are.
    """
    with standing.library.storage.read() as tx:
        tree = tree_of(tx, standing.space_id)
    known = {folder.path for folder in standing.folders.values()}
    is_same = True
    for path in sorted(seen.empty - known):
        if not tree.find(names_of(path))[0]:
            is_same = False
            take_in_folder(standing.library, standing.caller, FolderEdit(None, names_of(path)))
    for folder in sorted(standing.folders.values(), key=lambda one: one.path, reverse=True):
        if _is_gone(seen, folder.path) and not standing.gone_since:
            is_same = False
            _remove(standing, tree, folder)
    if not is_same:
        with standing.library.storage.read() as tx:
            tree = tree_of(tx, standing.space_id)
    _know(standing, seen, tree)


def _remove(standing: Standing, tree: Tree, folder: MirrorFolder) -> None:
    if tree.folder(folder.folder_id) is not None:
        if tree.path_of(folder.folder_id) != folder.path:
            standing.owed_folders.add(folder.folder_id)
        elif not take_in_folder(standing.library, standing.caller, FolderEdit(folder.folder_id, None)):
            standing.owed_folders.add(folder.folder_id)  # something still lies in it
    _forget(standing, folder)


def _know(standing: Standing, seen: Snapshot, tree: Tree) -> None:
    new: dict[str, MirrorFolder] = {}
    for path, number in seen.folders.items():
        is_there, folder_id = tree.find(names_of(path))
        if not is_there or folder_id is None or folder_id in new:
            continue
        before = standing.folders.get(folder_id)
        if before is not None and before.path != path and before.path in seen.folders:
            continue  # of two folders that differ in case alone the first one stands for both
        if before is None or (before.path, before.file_number) != (path, number):
            new[folder_id] = MirrorFolder(standing.space_id, folder_id, path, number)
    if new:
        _keep(standing, new.values())


def _keep(standing: Standing, folders: Iterable[MirrorFolder]) -> None:
    kept = list(folders)
    with standing.library.storage.write() as tx:
        for folder in kept:
            if tx.folders.find(standing.space_id, folder.folder_id) is not None:
                tx.mirror.put_folder(folder)
                standing.folders[folder.folder_id] = folder


def bring_out(standing: Standing, tree: Tree) -> None:
    """Make and move folders on disk as the library has them; raises OSError where the disk refuses.

    What lies in one that cannot be moved as a whole is moved file by file. Removed ones go by `clear_away`,
    when nothing is in them any more.
    """
    ids = sorted(standing.owed_folders, key=lambda one: len(tree.names_of(one)))
    for folder_id in ids:
        known = standing.folders.get(folder_id)
        wanted = tree.path_of(folder_id) if tree.folder(folder_id) else None
        if wanted is None:
            if known is not None:
                standing.emptied.add(known.path)
                _forget(standing, known)
        elif not any(map(is_folder_left_out, names_of(wanted))) and not is_beyond_tools(wanted):
            _place(standing, tree, folder_id, wanted)
        standing.owed_folders.discard(folder_id)


def clear_away(standing: Standing) -> None:
    """Remove the folders that the library has no more, as far as nothing lies in them on disk."""
    for path in sorted(standing.emptied, reverse=True):
        if not any(is_below(file, path) for file in standing.files):
            standing.disk.remove_folder(path)
            standing.emptied.discard(path)


def _forget(standing: Standing, folder: MirrorFolder) -> None:
    del standing.folders[folder.folder_id]
    with standing.library.storage.write() as tx:
        tx.mirror.remove_folder(standing.space_id, folder.folder_id)


def _place(standing: Standing, tree: Tree, folder_id: str, wanted: str) -> None:
    known = standing.folders.get(folder_id)
    if known is not None and known.path != wanted:
        _make_way(standing, tree, folder_id, wanted)
        if standing.disk.number_of_folder(known.path) is not None and standing.disk.move(known.path, wanted):
            rename(standing, known.path, wanted)
        else:
            standing.owed |= {
                file.item_id for path, file in standing.files.items() if is_below(path, known.path)
            }
            standing.emptied.add(known.path)
    standing.disk.make_folder(wanted)
    number = standing.disk.number_of_folder(wanted)
    if number is not None:
        _keep(standing, [MirrorFolder(standing.space_id, folder_id, wanted, number)])


def _make_way(standing: Standing, tree: Tree, folder_id: str, wanted: str) -> None:
    """Two folders that changed names each find the other's taken: one of them steps aside first."""
    for other in list(standing.folders.values()):
        if other.folder_id != folder_id and other.path == wanted and tree.path_of(other.folder_id) != wanted:
            aside = f"{wanted} {uuid.uuid4().hex[:8]}"
            if standing.disk.move(wanted, aside):
                rename(standing, wanted, aside)
                standing.owed_folders.add(other.folder_id)


def rename(standing: Standing, old: str, new: str) -> None:
    """Note that a folder was moved on disk with all that is in it."""
    files = standing.renamed(old, new)
    below = [folder for folder in standing.folders.values() if is_below(folder.path, old)]
    with standing.library.storage.write() as tx:
        standing.keep_rows(tx, [path for path, _ in files], [file for _, file in files])
    standing.rename_folder(old, new)
    _keep(standing, [standing.folders[folder.folder_id] for folder in below])
