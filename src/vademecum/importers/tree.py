"""Which files lie in a folder, and which of them are left out?"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from vademecum.importers.plugin import Broken, Skipped, SourceFile
from vademecum.model.outside_files import SKIPPED_FOLDERS

_DEEPEST = 64


def readable(name: str) -> str:
    """A name on disk as text: bytes that are no UTF-8 stand as `%XX`, so that different names stay so."""
    return "".join(
        f"%{ord(character) - 0xDC00:02X}" if "\udc80" <= character <= "\udcff" else character
        for character in name
    )


def walk_tree(root: Path) -> Iterator[SourceFile | Skipped | Broken]:
    """Every file under the root in a steady order; a root that is a file stands for itself alone.

    Symbolic links are never followed, so that nothing outside the root comes in.
    """
    if root.is_file():
        yield _entry(root, readable(root.name))
        return
    yield from _walk(root, "", 0)


def _walk(folder: Path, prefix: str, depth: int) -> Iterator[SourceFile | Skipped | Broken]:
    try:
        names = sorted(entry.name for entry in folder.iterdir())
    except OSError as error:
        yield Broken(prefix or ".", f"the folder cannot be read: {error.strerror}")
        return
    for name in names:
        location, path = folder / name, prefix + readable(name)
        if location.is_symlink():
            yield Skipped(path, "symbolic link")
        elif not location.is_dir():
            yield _entry(location, path)
        elif name in SKIPPED_FOLDERS:
            yield Skipped(path, SKIPPED_FOLDERS[name], _count(location))
        elif depth >= _DEEPEST:
            yield Skipped(path, f"more than {_DEEPEST} folders deep", _count(location))
        else:
            yield from _walk(location, f"{path}/", depth + 1)


def _entry(location: Path, path: str) -> SourceFile | Skipped | Broken:
    try:
        found = location.stat()
    except OSError as error:
        return Broken(path, f"cannot be read: {error.strerror}")
    if not stat.S_ISREG(found.st_mode):
        return Skipped(path, "no ordinary file")
    return SourceFile(path, location, found.st_size, found.st_mtime)


def _count(folder: Path) -> int:
    return sum(len(files) for _, _, files in os.walk(folder))
