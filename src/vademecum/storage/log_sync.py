"""When has what was committed reached the disk, and how do many writers share one wait for it?"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Condition

from vademecum.model.errors import StorageFull, StoredDataDamaged
from vademecum.storage.disk import NO_ROOM, make_durable


class LogSync:
    """Makes commits durable by flushing the write-ahead log after them, outside the writer's turn.

    Flushing takes as long as hundreds of small writes. Whoever waits for it meanwhile is served by the next
    flush, one for all of them; so many writers get on nearly as fast as the processor lets them.
    """

    def __init__(self, log: Path) -> None:
        self._log = log
        self._number: int | None = None
        self._changed = Condition()
        self._begun = 0
        self._committed = 0
        self._durable = 0
        self._is_flushing = False
        self._failure: OSError | None = None

    @contextmanager
    def committing(self) -> Iterator[None]:
        """Around a commit. Commits follow each other; what they wrote may be seen before they are durable."""
        with self._changed:
            self._begun += 1
        try:
            yield
        finally:
            with self._changed:
                self._committed = self._begun

    @property
    def begun(self) -> int:
        """How many commits have at least begun, so that others may see them; what `await_durable` takes."""
        return self._begun

    def await_durable(self, commits: int) -> None:
        """Return once that many commits are on the disk.

        Raises StorageFull or StoredDataDamaged when the disk does not take them; after that nothing is
        called durable any more, because nobody knows what the disk holds.
        """
        with self._changed:
            while self._durable < commits:
                self.check()
                if self._is_flushing:
                    self._changed.wait()
                else:
                    self._flush()

    def _flush(self) -> None:
        """Flush without holding the lock, so that others can commit meanwhile."""
        reached, flushed, failure = self._committed, False, self._failure
        self._is_flushing = True
        self._changed.release()
        try:
            self._flush_log()
            flushed = True
        except OSError as error:
            failure = error
        finally:
            self._changed.acquire()
            self._is_flushing = False
            self._failure = failure
            self._durable = reached if flushed else self._durable
            self._changed.notify_all()

    def _flush_log(self) -> None:
        # The file stays the same one while a connection is open, and SQLite puts no lock on it that
        # closing this number could release.
        if self._number is None:
            self._number = os.open(self._log, os.O_RDWR)
        make_durable(self._number)

    def check(self) -> None:
        """Raise what `await_durable` would raise once the disk has failed."""
        if self._failure is not None:
            full = self._failure.errno in NO_ROOM
            raise (StorageFull if full else StoredDataDamaged) from self._failure

    def close(self) -> None:
        """Make durable what was committed and let go of the log; raises as `await_durable` does."""
        try:
            self.await_durable(self._begun)
        finally:
            with self._changed:
                if self._number is not None:
                    os.close(self._number)
                    self._number = None
