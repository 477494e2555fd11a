"""How is a library copied before its schema changes, and how many such copies stay?"""

from __future__ import annotations

import fcntl
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path
from urllib.parse import quote

from vademecum.model.errors import NotPermitted
from vademecum.storage.disk import full_disk_told, make_durable, make_folder_durable
from vademecum.storage.sqlite_connection import translated

COPIES_KEPT = 3
_LOCK = "lock"
_UNFINISHED = ".unfinished"
_NAMES = "before-*.db"  # a copy that a person lays beside them under another name is left alone


@contextmanager
def copying_alone(folder: Path) -> Iterator[None]:
    """Of several starters one at a time looks whether to copy, copies, and migrates. Makes the folder.

    Raises StorageFull, and NotPermitted when the folder cannot be written.
    """
    with _refusals(folder):
        folder.mkdir(mode=0o700, exist_ok=True)
        number = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(number, fcntl.LOCK_EX)
        yield
    finally:
        os.close(number)


def copy_before(step: str, database: Path, folder: Path, now: datetime) -> Path:
    """A copy of the database as it is before the named step of its schema, taken beside whoever uses it.

    It is on the disk for good when this returns, whole or not at all, and only its owner may read it. The
    newest three stay. Raises StorageFull, and NotPermitted when the folder cannot be written.
    """
    target = folder / f"before-{step}-{now:%Y%m%dT%H%M%S%fZ}.db"
    unfinished = folder / f"{target.name}{_UNFINISHED}"
    with _refusals(folder):
        for left in folder.glob(f"*{_UNFINISHED}*"):
            left.unlink()
        number = os.open(unfinished, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            _copy(database, unfinished)
            make_durable(number)
            unfinished.replace(target)
        finally:
            os.close(number)
            unfinished.unlink(missing_ok=True)
        make_folder_durable(folder)
        for old in sorted(folder.glob(_NAMES), key=lambda path: path.stat().st_mtime_ns)[:-COPIES_KEPT]:
            old.unlink()
    return target


def _copy(database: Path, target: Path) -> None:
    with translated(), closing(_opened(database)) as source, closing(_opened(target)) as copy:
        copy.execute("PRAGMA synchronous = OFF")  # the whole file is made durable at once, afterwards
        source.backup(copy)


def _opened(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"file:{quote(str(path.absolute()))}?mode=rw", uri=True)


@contextmanager
def _refusals(folder: Path) -> Iterator[None]:
    try:
        with full_disk_told():
            yield
    except OSError as error:
        raise NotPermitted(
            f"No copy of the library can be kept in {folder}: {os.strerror(error.errno or 0)}."
            " Without one its database is not changed.",
            advice="Give yourself the right to write there, and start again.",
        ) from error
