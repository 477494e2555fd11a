"""Which files lie in the mirrored folder?"""

from __future__ import annotations

import os
import stat
from collections.abc import Collection

from vademecum.mirror.seen import Snapshot, signature_of
from vademecum.model.names import FOLDERS_DEEP
from vademecum.model.outside_files import is_beyond_tools, is_folder_left_out, is_passing, is_unfinished

FOLDER_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def look(root: int, apart: Collection[str] = ()) -> Snapshot:
    """Everything below the open folder; `apart` names folders at its top that belong to others.

    No symbolic link is followed. A folder that cannot be read is told, and hides what lies in it.
    """
    seen = Snapshot()
    _look(root, "", 0, (seen, apart))
    return seen


def look_again(folder: int, path: str, seen: Snapshot, apart: Collection[str] = ()) -> None:
    """Take up what changed directly in the open folder, which lies at the path, since `seen` was looked at;
    folders in it that are the same as before are not entered.
    """
    seen.forget_directly_in(path)
    try:
        with os.scandir(folder) as found:
            numbers = {entry.name: str(entry.inode()) for entry in found}
    except OSError as error:
        seen.unreadable[path] = error.strerror or "it cannot be read"
        return
    prefix = f"{path}/" if path else ""
    for one, number in seen.folders_in(path):
        if numbers.get(one.removeprefix(prefix)) != number:
            seen.forget_folder(one)
    _look(folder, prefix, len(prefix.split("/")) - 1, (seen, apart))


def _look(folder: int, prefix: str, depth: int, into: tuple[Snapshot, Collection[str]]) -> None:
    seen, apart = into
    try:
        with os.scandir(folder) as found:
            entries = sorted(found, key=lambda entry: entry.name)
    except OSError as error:
        seen.unreadable[prefix.rstrip("/")] = error.strerror or "it cannot be read"
        return
    if prefix and not entries:
        seen.empty.add(prefix.rstrip("/"))
    for entry in entries:
        if depth or entry.name not in apart:
            _look_at(folder, entry, prefix + entry.name, depth, into)


def _look_at(
    folder: int, entry: os.DirEntry[str], path: str, depth: int, into: tuple[Snapshot, Collection[str]]
) -> None:
    seen, _ = into
    try:
        found = entry.stat(follow_symlinks=False)
    except FileNotFoundError:
        return
    except OSError as error:
        seen.unreadable[path] = error.strerror or "it cannot be read"
        return
    if _is_foreign(entry.name):
        seen.left_out[os.fsencode(path).decode(errors="replace")] = "its name is no UTF-8"
    elif is_beyond_tools(path):
        seen.left_out[path] = "its name is one that no tool takes"
    elif stat.S_ISDIR(found.st_mode):
        if not is_folder_left_out(entry.name) and path not in seen.folders:
            _enter(folder, entry.name, path, depth, (into, found))
    elif is_unfinished(entry.name):
        seen.unfinished.append(path)
    else:
        _look_at_file(entry.name, path, found, seen)


def _look_at_file(name: str, path: str, found: os.stat_result, seen: Snapshot) -> None:
    if stat.S_ISLNK(found.st_mode):
        seen.left_out[path] = "symbolic link"
    elif not stat.S_ISREG(found.st_mode):
        seen.left_out[path] = "no ordinary file"
    elif not is_passing(name):
        seen.files[path] = signature_of(found)


def _enter(
    folder: int,
    name: str,
    path: str,
    depth: int,
    into: tuple[tuple[Snapshot, Collection[str]], os.stat_result],
) -> None:
    (seen, apart), found = into
    if depth >= FOLDERS_DEEP:
        seen.unreadable[path] = f"more than {FOLDERS_DEEP} folders deep"
        return
    seen.folders[path] = str(found.st_ino)
    try:
        inner = os.open(name, FOLDER_FLAGS, dir_fd=folder)
    except FileNotFoundError:
        del seen.folders[path]
        return
    except OSError as error:
        seen.unreadable[path] = error.strerror or "it cannot be read"
        return
    try:
        _look(inner, f"{path}/", depth + 1, (seen, apart))
    finally:
        os.close(inner)


def _is_foreign(name: str) -> bool:
    return not name.isascii() and any("\udc80" <= character <= "\udcff" for character in name)
