"""How are files kept on disk, named by their content?"""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

from vademecum.model.errors import NotPermitted, StoredDataDamaged, TooLarge
from vademecum.storage.disk import full_disk_told, make_durable, make_folder_durable

_HASH = re.compile(r"[0-9a-f]{64}")
_PIECE = 1024 * 1024  # bytes copied at once
_UNFINISHED = "unfinished"
_LOCK = "lock"


class BlobFolder:
    """A folder of files, spread over subfolders by the head of their hash; content is kept once.

    A file is there whole or not at all: it is written under another name, made durable, then renamed. Only
    the owner of the process may read it. Several processes may share the folder.
    """

    def __init__(self, folder: Path) -> None:
        """Makes the folder if missing, and takes away what a crash left half written."""
        self._folder = folder
        self._unfinished = folder / _UNFINISHED
        with full_disk_told():
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._unfinished.mkdir(mode=0o700, exist_ok=True)
        for left in self._unfinished.iterdir():
            _remove_unless_in_use(left)

    @contextmanager
    def storing(self) -> Iterator[None]:
        """No process removes a file until this is left, nor does another thread. Many may store at once."""
        with self._lock() as number:
            fcntl.flock(number, fcntl.LOCK_SH)
            yield

    @contextmanager
    def removing(self) -> Iterator[bool]:
        """Nobody stores until this is left; False, without waiting, while somebody does."""
        with self._lock() as number:
            yield _is_locked(number)

    @contextmanager
    def _lock(self) -> Iterator[int]:
        """The lock's file, which a kill lets go too."""
        with full_disk_told():
            number = os.open(self._folder / _LOCK, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            yield number
        finally:
            os.close(number)

    def put(self, content: bytes) -> str:
        """Keep the content and return its hash; the same content is kept once. Raises StorageFull."""
        name = hashlib.sha256(content).hexdigest()
        if self._holds(name, len(content)):
            return name
        return self.put_file(BytesIO(content), len(content))[0]

    def put_file(self, source: BinaryIO, most: int) -> tuple[str, int]:
        """Keep a stream of at most `most` bytes without holding it in memory; its hash and size.

        Raises TooLarge (`file`) for a longer one and StorageFull; then nothing is kept.
        """
        with full_disk_told(), self._new_file() as (handle, path):
            digest, size = hashlib.sha256(), 0
            while piece := source.read(_PIECE):
                size += len(piece)
                if size > most:
                    raise TooLarge("file", most, "bytes")
                digest.update(piece)
                handle.write(piece)
            name = digest.hexdigest()
            if not self._holds(name, size):
                handle.flush()
                make_durable(handle.fileno())
                self._rename(path, self._path(name))
        return name, size

    @contextmanager
    def _new_file(self) -> Iterator[tuple[BinaryIO, Path]]:
        """A file to be written, locked so that nobody takes it for a leftover, and gone in the end."""
        while True:
            number, text = tempfile.mkstemp(dir=self._unfinished)
            path = Path(text)
            with os.fdopen(number, "wb") as handle:
                fcntl.flock(handle, fcntl.LOCK_EX)
                if not path.exists():
                    continue  # another process took it for a leftover before the lock
                try:
                    yield handle, path
                finally:
                    path.unlink(missing_ok=True)
                return

    def _rename(self, path: Path, target: Path) -> None:
        if not target.parent.is_dir():
            target.parent.mkdir(mode=0o700, exist_ok=True)
            make_folder_durable(self._folder)
        path.replace(target)
        make_folder_durable(target.parent)

    def open(self, content_hash: str) -> BinaryIO:
        """The content as a stream; raises StoredDataDamaged when it is not there."""
        try:
            return self._path(content_hash).open("rb")
        except FileNotFoundError as error:
            raise StoredDataDamaged(f"The file {content_hash} is missing.") from error

    def has(self, content_hash: str) -> bool:
        """Whether the content is there."""
        return self._path(content_hash).is_file()

    def remove(self, content_hash: str) -> None:
        """Take the content away; nothing is done when it is not there.

        Raises NotPermitted when it cannot be taken away.
        """
        path = self._path(content_hash)
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            reason = os.strerror(error.errno) if error.errno else str(error)
            raise NotPermitted(
                f"The file {path} cannot be removed: {reason}.",
                advice="Give yourself the right to write there; the next time something is purged it goes.",
            ) from error

    def names(self) -> Iterator[str]:
        """The hashes of all that is there, folder by folder."""
        for folder in self._folder.glob("[0-9a-f][0-9a-f]"):
            with os.scandir(folder) as found:
                yield from (each.name for each in found if _HASH.fullmatch(each.name))

    def _holds(self, name: str, size: int) -> bool:
        path = self._path(name)
        return path.is_file() and path.stat().st_size == size

    def _path(self, content_hash: str) -> Path:
        if _HASH.fullmatch(content_hash) is None:
            raise StoredDataDamaged(f"{content_hash[:64]!r} names no file.")
        return self._folder / content_hash[:2] / content_hash


def _is_locked(number: int) -> bool:
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _remove_unless_in_use(path: Path) -> None:
    try:
        with path.open("rb") as handle:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            path.unlink()
    except (BlockingIOError, FileNotFoundError):
        return  # somebody writes it, or has just finished
