"""How are files of the mirrored folder read and written so that nothing outside it and no edit is touched?"""

from __future__ import annotations

import errno
import hashlib
import os
import stat
import uuid
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from vademecum.library.outside import Facts
from vademecum.mirror.exchanging import exchange
from vademecum.mirror.seen import Signature, Snapshot, names_of, signature_of
from vademecum.mirror.walking import FOLDER_FLAGS, look, look_again
from vademecum.model.outside_files import UNFINISHED_PREFIX, UNFINISHED_SUFFIX

# A pipe would keep a reader waiting for a writer.
_READ_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_WRITE_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_PIECE = 1024 * 1024
_RIGHTS = 0o644


class EditedOutside(Exception):
    """The file is not as it was last seen: what stands there comes into the library first."""


class Disk:
    """One folder of the mirror. Paths are relative to it; each is walked down from it without following a
    link, so that nothing outside is reached. Every method raises OSError where the disk refuses.
    """

    def __init__(self, root: Path, within: tuple[str, ...] = ()) -> None:
        """`root` is as the settings name it and may be a link; what is `within` it may not."""
        self._root = root
        self.within = within

    def number(self) -> str | None:
        """What tells the folder itself from another in its place; None where there is none."""
        return self.number_of_folder("")

    def look(self, apart: Collection[str] = ()) -> Snapshot:
        """What lies in it (`walking.look`)."""
        with self._folder(()) as root:
            return look(root, apart)

    def look_again(self, paths: Iterable[str], seen: Snapshot, apart: Collection[str] = ()) -> None:
        """Take up what changed directly in the folders at the paths (`walking.look_again`)."""
        for path in sorted(paths):
            if path and path not in seen.folders:
                continue  # the folder in which it lay or will lie tells of it
            with _allowing(errno.ENOENT, errno.ENOTDIR, errno.ELOOP), self._folder(names_of(path)) as inside:
                look_again(inside, path, seen, apart if not path else ())

    @contextmanager
    def _folder(self, names: tuple[str, ...], *, make: bool = False) -> Iterator[int]:
        number = os.open(self._root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            for name in (*self.within, *names):
                if make:
                    with _allowing(errno.EEXIST):
                        os.mkdir(name, dir_fd=number)
                inner = os.open(name, FOLDER_FLAGS, dir_fd=number)
                os.close(number)
                number = inner
            yield number
        finally:
            os.close(number)

    @contextmanager
    def open(self, path: str) -> Iterator[tuple[BinaryIO, Signature]]:
        """The file as a stream, with its signature. Raises OSError for what is no ordinary file."""
        *folder, name = names_of(path)
        with self._folder(tuple(folder)) as inside:
            number = os.open(name, _READ_FLAGS, dir_fd=inside)
        with os.fdopen(number, "rb") as stream:
            found = os.fstat(number)
            if not stat.S_ISREG(found.st_mode):
                raise OSError(errno.EINVAL, "no ordinary file", path)
            yield stream, signature_of(found)

    def facts(self, path: str) -> tuple[Facts, Signature]:
        """The file's content, as its hash, and its signature."""
        with self.open(path) as (stream, signature):
            return _facts(path, _hash(stream), signature), signature

    def number_of_folder(self, path: str) -> str | None:
        """What tells the folder at the path from another; None where there is none."""
        try:
            with self._folder(names_of(path)) as inside:
                return str(os.fstat(inside).st_ino)
        except FileNotFoundError:
            return None

    def write(self, path: str, content: Iterable[bytes], expected: str | None) -> tuple[Facts, Signature]:
        """Put the content at the path, all of it or nothing; what stood there had the hash `expected`, None
        where nothing did. Raises EditedOutside, with nothing changed, where it has not.
        """
        *folder, name = names_of(path)
        unfinished = f"{UNFINISHED_PREFIX}{uuid.uuid4().hex}{UNFINISHED_SUFFIX}"
        with self._folder(tuple(folder), make=True) as inside:
            try:
                content_hash = _write_new(inside, unfinished, content, _rights(inside, name))
                if expected is None:
                    _put_where_nothing_is(inside, unfinished, name)
                else:
                    _put_instead(inside, unfinished, name, expected)
            finally:
                with _allowing(errno.ENOENT):
                    os.unlink(unfinished, dir_fd=inside)
            os.fsync(inside)
            found = os.stat(name, dir_fd=inside, follow_symlinks=False)
        signature = signature_of(found)
        return _facts(path, content_hash, signature), signature

    def remove(self, path: str, expected: str) -> None:
        """Take the file away; nothing is done where there is none. Raises EditedOutside, with the file still
        there, where its content has another hash than `expected`.
        """
        *folder, name = names_of(path)
        unfinished = f"{UNFINISHED_PREFIX}{uuid.uuid4().hex}{UNFINISHED_SUFFIX}"
        with _allowing(errno.ENOENT), self._folder(tuple(folder)) as inside:
            _check(inside, name, expected)
            os.rename(name, unfinished, src_dir_fd=inside, dst_dir_fd=inside)
            try:
                _check(inside, unfinished, expected)  # it may have been changed a moment ago
            except EditedOutside:
                _put_back(inside, unfinished, name)
                raise
            os.unlink(unfinished, dir_fd=inside)
            os.fsync(inside)

    def move(self, old: str, new: str) -> bool:
        """Give a file or folder another path; False, and nothing done, where something else is there.

        A path that differs from the old one in case alone is its own on some file systems.
        """
        *old_folder, old_name = names_of(old)
        *new_folder, new_name = names_of(new)
        with (
            self._folder(tuple(old_folder)) as source,
            self._folder(tuple(new_folder), make=True) as target,
        ):
            number = _number(source, old_name)
            if _number(target, new_name) not in (None, number):
                return False
            os.rename(old_name, new_name, src_dir_fd=source, dst_dir_fd=target)
            os.fsync(target)
            os.fsync(source)
        return True

    def make_folder(self, path: str) -> None:
        """Make the folder with all that is missing above it."""
        with self._folder(names_of(path), make=True):
            return

    def remove_folder(self, path: str) -> None:
        """Take the folder away if nothing is in it."""
        *folder, name = names_of(path)
        with (
            _allowing(errno.ENOENT, errno.ENOTEMPTY, errno.EEXIST, errno.ENOTDIR),
            self._folder(tuple(folder)) as inside,
        ):
            os.rmdir(name, dir_fd=inside)

    def discard(self, path: str) -> None:
        """Take away what a kill left half written."""
        *folder, name = names_of(path)
        with _allowing(errno.ENOENT), self._folder(tuple(folder)) as inside:
            os.unlink(name, dir_fd=inside)


@contextmanager
def _allowing(*numbers: int) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno not in numbers:
            raise


def _hash(stream: BinaryIO) -> str:
    digest = hashlib.sha256()
    while piece := stream.read(_PIECE):
        digest.update(piece)
    return digest.hexdigest()


def _facts(path: str, content_hash: str, signature: Signature) -> Facts:
    return Facts(path, content_hash, signature.size, signature.modified, signature.number)


def _rights(inside: int, name: str) -> int:
    """Those of the file that is replaced, for a person may have set them."""
    try:
        return stat.S_IMODE(os.stat(name, dir_fd=inside, follow_symlinks=False).st_mode) & 0o777
    except FileNotFoundError:
        return _RIGHTS


def _write_new(inside: int, name: str, content: Iterable[bytes], rights: int) -> str:
    digest = hashlib.sha256()
    number = os.open(name, _WRITE_FLAGS, rights, dir_fd=inside)
    with os.fdopen(number, "wb") as stream:
        for piece in content:
            digest.update(piece)
            stream.write(piece)
        stream.flush()
        # The row that tells of it is committed later: a power cut must not leave an empty file behind it.
        os.fsync(number)
    return digest.hexdigest()


def _check(inside: int, name: str, expected: str) -> None:
    number = os.open(name, _READ_FLAGS, dir_fd=inside)
    with os.fdopen(number, "rb") as stream:
        if not stat.S_ISREG(os.fstat(number).st_mode) or _hash(stream) != expected:
            raise EditedOutside(name)


def _put_where_nothing_is(inside: int, unfinished: str, name: str) -> None:
    """A link, unlike a rename, never takes the place of what came there meanwhile."""
    try:
        os.link(unfinished, name, src_dir_fd=inside, dst_dir_fd=inside, follow_symlinks=False)
    except FileExistsError as error:
        raise EditedOutside(name) from error
    except OSError as error:
        if error.errno not in (errno.EPERM, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK):
            raise
        _rename_where_nothing_is(inside, unfinished, name)  # a file system without links


def _put_back(inside: int, unfinished: str, name: str) -> None:
    try:
        _put_where_nothing_is(inside, unfinished, name)
    except EditedOutside:  # another came in its place: both stay, under names that are seen
        os.rename(unfinished, f"{uuid.uuid4().hex[:8]} {name}", src_dir_fd=inside, dst_dir_fd=inside)
    with _allowing(errno.ENOENT):
        os.unlink(unfinished, dir_fd=inside)


def _rename_where_nothing_is(inside: int, unfinished: str, name: str) -> None:
    if _number(inside, name) is not None:
        raise EditedOutside(name)
    os.rename(unfinished, name, src_dir_fd=inside, dst_dir_fd=inside)


def _number(inside: int, name: str) -> int | None:
    """What tells the file or folder of that name from others, None where there is none."""
    try:
        return os.stat(name, dir_fd=inside, follow_symlinks=False).st_ino
    except FileNotFoundError:
        return None


def _put_instead(inside: int, unfinished: str, name: str, expected: str) -> None:
    """Both change places and then the old one is looked at, so that no edit gets lost in between."""
    try:
        _check(inside, name, expected)
        if exchange(inside, unfinished, name):
            try:
                _check(inside, unfinished, expected)
            except EditedOutside:
                exchange(inside, unfinished, name)
                raise
        else:
            os.replace(unfinished, name, src_dir_fd=inside, dst_dir_fd=inside)
    except FileNotFoundError as error:
        raise EditedOutside(name) from error
