"""How does the folder on disk follow the library, and the library the folder?"""

from __future__ import annotations

import fcntl
import logging
import os
import threading
import time
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from vademecum.library.connecting import first_owner
from vademecum.library.context import Library
from vademecum.library.outside import outside_caller
from vademecum.mirror import folders, inward, outward
from vademecum.mirror.comparing import compare
from vademecum.mirror.disk import Disk, EditedOutside
from vademecum.mirror.identity import Identity, read_identity, write_identity
from vademecum.mirror.seen import Snapshot
from vademecum.mirror.standing import Pace, Standing
from vademecum.model.items import Space
from vademecum.ports.storage import Transaction

_log = logging.getLogger("vademecum.mirror")
_LOCK = "mirror.lock"
_WATCHED = Pace()
_FOLDERS_APART = 20  # to look at more of them one by one takes longer than to look at everything


class MirrorUnavailable(Exception):
    """The folder cannot be followed now; nothing was taken for a deletion. The message says why."""


@dataclass(slots=True)
class Mirror:
    """The folder `root` beside a library; what it has to remember lies in the folder `inner`.

    Only one process at a time holds it, and only one thread calls it.
    """

    library: Library
    root: Path
    inner: Path
    pace: Pace = _WATCHED
    stopped: threading.Event = field(default_factory=threading.Event)
    _standings: dict[str, Standing] = field(default_factory=dict)
    _identity: Identity | None = None
    _lock: int | None = None

    def hold(self) -> bool:
        """Be the process that has the mirror; False while another has it."""
        if self._lock is None:
            number = os.open(self.inner / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(number)
                return False
            self._lock = number
        return True

    def let_go(self) -> None:
        """Leave the mirror to another process."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None
            self._standings = {}

    def step(self, touched: Collection[str] | None = None) -> bool:
        """Look at all that is on disk, take in what changed, and write what the library changed; whether
        something has to be looked at again soon, since it is being written or was refused. Where `touched`
        names what something was done to, by paths below the root, only that is looked at.

        Raises MirrorUnavailable while the folder is not there, is another, or cannot be read, and Refusal
        where the library cannot be written.
        """
        try:
            standings = self._prepared()
            for standing in standings:
                standing.unsettled = False
                self._take_in(standing, touched)
                self._write(standing)
        except OSError as error:
            raise MirrorUnavailable(f"{self.root}: {error.strerror}") from error
        return any(standing.unsettled for standing in standings)

    def write(self) -> bool:
        """Write what the library changed, without looking at the rest of the disk; as `step` otherwise."""
        if self._identity is None or any(one.sequence is None for one in self._standings.values()):
            return self.step()
        try:
            standings = self._prepared()
            for standing in standings:
                self._write(standing)
        except OSError as error:
            raise MirrorUnavailable(f"{self.root}: {error.strerror}") from error
        return any(standing.unsettled for standing in standings)

    def _write(self, standing: Standing) -> None:
        outward.learn(standing)
        outward.bring_out(standing, self._apart(standing))

    def troubles(self) -> dict[str, str]:
        """What could not be taken in or written, by path or item, with the reason."""
        found: dict[str, str] = {}
        for standing in self._standings.values():
            found |= standing.not_in | standing.not_out
        return found

    @property
    def number(self) -> str | None:
        """What tells the folder from another in its place, None where there is none."""
        return Disk(self.root).number()

    def standings(self, identity: Identity) -> list[Standing]:
        """What is known of every space, read and nothing else, for whoever knows that the folder is this."""
        self._identity = identity
        with self.library.storage.read() as tx:
            spaces, top = list(_mirrored_spaces(tx)), _top_space(tx)
        return [self._standing(space, is_top=space.space_id == top) for space in spaces]

    def _prepared(self) -> list[Standing]:
        with self.library.storage.read() as tx:
            spaces = {space.space_id: space for space in _mirrored_spaces(tx)}
            slugs = [space.slug for space in tx.access.spaces()]
            top = _top_space(tx)
        self._recognise(slugs)
        for space_id in [one for one in self._standings if one not in spaces]:
            del self._standings[space_id]
        for space_id, space in spaces.items():
            if space_id not in self._standings:
                self._standings[space_id] = self._standing(space, is_top=space_id == top)
        return [self._standings[space_id] for space_id in spaces]

    def _standing(self, space: Space, *, is_top: bool) -> Standing:
        disk = Disk(self.root, () if is_top else (f"@{space.slug}",))
        with self.library.storage.read() as tx:
            standing = Standing(self.library, space, outside_caller(tx, space), disk, self.pace, self.stopped)
            standing.load(tx)
        return standing

    def _apart(self, standing: Standing) -> frozenset[str]:
        return self._identity.apart(standing.disk) if self._identity else frozenset()

    def _recognise(self, slugs: list[str]) -> None:
        known = self._identity or read_identity(self.inner)
        folder = str(self.root.absolute())
        if known is None or known.folder != folder:
            self._begin(folder, slugs)
            return
        number = self.number
        if number != known.number:
            self._standings = {}  # what was verified was another folder
            self._identity = None
            if number is None or not self._is_familiar():
                raise MirrorUnavailable(
                    f"{self.root} is not the folder that was mirrored: it was replaced or is not mounted"
                )
            known = Identity(folder, number, known.slugs)
        current = known.with_slugs(slugs)
        if current != read_identity(self.inner) or self._identity is None:
            write_identity(self.inner, current)
        self._identity = current

    def _begin(self, folder: str, slugs: list[str]) -> None:
        """The first time for this folder: nothing that was known of another holds."""
        self.root.mkdir(parents=True, exist_ok=True)
        with self.library.storage.write() as tx:
            for space in tx.access.spaces():
                for file in tx.mirror.files(space.space_id):
                    tx.mirror.remove_file(space.space_id, file.path)
                for known in tx.mirror.folders(space.space_id):
                    tx.mirror.remove_folder(space.space_id, known.folder_id)
        self._standings = {}
        identity = Identity(folder, self.number or "").with_slugs(slugs)
        write_identity(self.inner, identity)
        self._identity = identity

    def _is_familiar(self) -> bool:
        """Whether most of the files that are known lie there: a folder that was copied back, not another."""
        with self.library.storage.read() as tx:
            top = _top_space(tx)
            known = [file.path for file in tx.mirror.files(top)] if top else []
        seen = Disk(self.root).look()
        return 2 * sum(path in seen.files for path in known) > len(known)

    def _take_in(self, standing: Standing, touched: Collection[str] | None) -> None:
        seen = self._look(standing, touched)
        standing.seen = seen
        if seen is None:
            return
        if touched is None:
            _forget_purged(standing)
        standing.not_in = dict(seen.unreadable)
        for path in seen.unfinished:
            standing.disk.discard(path)
        for path in [path for path in standing.checked if path not in seen.files]:
            del standing.checked[path]
        folders.bring_in_moves(standing, seen)
        inward.bring_in(standing, compare(standing, seen, time.monotonic()))
        folders.bring_in_rest(standing, seen)

    def _look(self, standing: Standing, touched: Collection[str] | None) -> Snapshot | None:
        if standing.disk.within and standing.disk.number() is None:
            if standing.files:
                standing.not_in = {standing.disk.within[0]: "the folder of this space is gone"}
                return None
            return Snapshot()
        folders_touched = standing.to_look_at(touched or ())
        if touched is None or standing.seen is None or len(folders_touched) > _FOLDERS_APART:
            return standing.disk.look(self._apart(standing))
        standing.disk.look_again(folders_touched, standing.seen, self._apart(standing))
        return standing.seen


def _mirrored_spaces(tx: Transaction) -> Iterator[Space]:
    """The spaces that have a folder: all that are open."""
    return (space for space in tx.access.spaces() if space.archived_at is None)


def _top_space(tx: Transaction) -> str | None:
    """The first owner's personal space lies at the top (operations, Data folder)."""
    owner = first_owner(tx)
    personal = tx.access.personal_space(owner.account_id) if owner else None
    return personal.space_id if personal else None


def _forget_purged(standing: Standing) -> None:
    """Take away the files of items that were ended for good; one edited since stays, as a new note."""
    with standing.library.storage.read() as tx:
        kept = {file.path for file in tx.mirror.files(standing.space_id)}
    for path, file in list(standing.files.items()):
        if path not in kept:
            standing.drop(path)
            standing.checked.pop(path, None)
            try:
                standing.disk.remove(path, file.content_hash)
            except EditedOutside:
                _log.info("%s was edited after its note was ended: it becomes a new one", path)
