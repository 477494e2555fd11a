"""How is everything kept in one SQLite file?"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from threading import BoundedSemaphore
from time import monotonic, sleep

from vademecum.model.errors import Busy, StoredDataDamaged
from vademecum.model.times import stamp
from vademecum.ports.storage import Transaction
from vademecum.storage.dialect import Database
from vademecum.storage.index.frequencies import FrequencyCache
from vademecum.storage.index.section_cache import SectionCache
from vademecum.storage.log_sync import LogSync
from vademecum.storage.migrate import all_migrations, apply, pending
from vademecum.storage.sql.tables import Tables, tables
from vademecum.storage.sqlite_connection import ChangeMark, SqliteConnection
from vademecum.storage.sqlite_index import SqliteIndex
from vademecum.storage.turns import Turns
from vademecum.storage.vector_scan import VectorCache

BUSY_SECONDS = 10.0
READERS = 4
PROBLEMS_MOST = 20  # how many findings of the database's own check are told

_WRITER_CACHE_KIB, _READER_CACHE_KIB = 8192, 2048
_RETRY_SECONDS = 0.002
_LOOK = "PRAGMA schema_version"
_FOREIGN_KEYS = """
SELECT "table" AS child, parent, COUNT(*) AS amount FROM pragma_foreign_key_check GROUP BY 1, 2 ORDER BY 1, 2
"""


def pending_sqlite(path: Path) -> list[str]:
    """The names of the schema steps that the file lacks, all of them where there is no file; writes nothing.

    Raises IncompatibleLibrary for a library of a newer or another version.
    """
    if not path.exists() or path.stat().st_size == 0:
        return [migration.name for migration in all_migrations()]
    connection = SqliteConnection(path, writes=False, busy_seconds=BUSY_SECONDS, cache_kib=_READER_CACHE_KIB)
    try:
        connection.begin("DEFERRED")
        with _ended(connection):
            return [migration.name for migration in pending(connection)]
    finally:
        connection.close()


def open_sqlite(path: Path, *, busy_seconds: float = BUSY_SECONDS, readers: int = READERS) -> SqliteStorage:
    """The library in the file, which is made if missing and brought to the newest schema.

    Safe beside another starter and beside a running server; `busy_seconds` is how long a transaction waits
    for its turn before it is refused. Raises IncompatibleLibrary for a library of a newer or another version.
    """
    migrated = _migrate(path) if pending_sqlite(path) else []
    return SqliteStorage(path, migrated, busy_seconds, readers)


def _migrate(path: Path) -> list[str]:
    # Only its owner may read a library; the write-ahead log takes over these rights.
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    connection = SqliteConnection(path, writes=True, busy_seconds=BUSY_SECONDS, cache_kib=_WRITER_CACHE_KIB)

    @contextmanager
    def alone() -> Iterator[Database]:
        connection.begin("IMMEDIATE")
        with _ended(connection):
            yield connection

    try:
        return [migration.name for migration in apply(alone, stamp(datetime.now(UTC)))]
    finally:
        connection.close()


@contextmanager
def _ended(connection: SqliteConnection) -> Iterator[None]:
    """Commits the begun transaction, or leaves no trace of it when anything goes wrong."""
    try:
        yield
        connection.commit()
    except BaseException:
        connection.rollback()
        raise


@dataclass(frozen=True, slots=True)
class _Opened:
    """A connection with the tables over it."""

    connection: SqliteConnection
    tables: Tables


class SqliteStorage:
    """One file: one writer at a time, in the order of asking, beside several readers who never wait for it.

    Other processes may work on the file too; the command line does, beside a running server.
    """

    def __init__(self, path: Path, migrated: Sequence[str], busy_seconds: float, readers: int) -> None:
        self._path = path
        self._migrated = tuple(migrated)
        self._busy_seconds = busy_seconds
        self._vectors = VectorCache()
        self._frequencies = FrequencyCache()
        self._sections = SectionCache()
        self._turns = Turns()
        self._log = LogSync(path.with_name(f"{path.name}-wal"))
        self._mark = ChangeMark(path)
        self._writer: _Opened | None = None
        self._readers = BoundedSemaphore(readers)
        self._idle: list[_Opened] = []
        self._is_closed = False

    @property
    def migrated(self) -> Sequence[str]:
        """The names of the schema steps that opening it took."""
        return self._migrated

    @contextmanager
    def read(self) -> Iterator[Transaction]:
        """One consistent state of everything. Raises Busy."""
        with self._reading() as opened:
            yield opened.tables

    @contextmanager
    def _reading(self) -> Iterator[_Opened]:
        if not self._readers.acquire(timeout=self._busy_seconds):
            raise Busy
        try:
            opened = self._begun_reader()
            commits = self._log.begun
            try:
                with _ended(opened.connection):
                    yield opened
            finally:
                self._idle.append(opened)
                if self._is_closed:
                    self._close_idle()
        finally:
            self._readers.release()
        # What was seen may be told, so it has to last too; mostly it does by now.
        self._log.await_durable(commits)

    def _begun_reader(self) -> _Opened:
        self._check_open()
        try:
            opened = self._idle.pop()
        except IndexError:
            opened = self._open(writes=False)
        try:
            opened.connection.begin("DEFERRED")
            opened.connection.one(_LOOK)  # from here on the view stays
        except BaseException:
            opened.connection.close()
            raise
        return opened

    @contextmanager
    def write(self) -> Iterator[Transaction]:
        """Everything is kept durably when the context is left normally, nothing when by an exception.

        Raises StorageFull, or Busy when no turn came within the time limit.
        """
        deadline = monotonic() + self._busy_seconds
        if not self._turns.take(self._busy_seconds):
            raise Busy
        try:
            self._check_open()
            self._log.check()
            if self._writer is None:
                self._writer = self._open(writes=True)
            connection = self._writer.connection
            self._begin(connection, deadline)
            with self._ended_writing(connection):
                yield self._writer.tables
            commits = self._log.begun
        finally:
            self._turns.give()
        self._log.await_durable(commits)

    @contextmanager
    def _ended_writing(self, connection: SqliteConnection) -> Iterator[None]:
        """As `_ended`; the log is told of the commit unless nothing was changed."""
        changes = connection.changes
        try:
            yield
            with self._log.committing() if connection.changes != changes else nullcontext():
                connection.commit()
        except BaseException:
            connection.rollback()
            raise

    def _begin(self, connection: SqliteConnection, deadline: float) -> None:
        """Start writing as soon as no other process does.

        Asking often beats SQLite's own waiting, whose long pauses miss the gaps that a busy process leaves.
        """
        while True:
            try:
                connection.begin("IMMEDIATE")
            except Busy:
                if monotonic() > deadline:
                    raise
                sleep(_RETRY_SECONDS)
            else:
                return

    def _open(self, *, writes: bool) -> _Opened:
        cache = _WRITER_CACHE_KIB if writes else _READER_CACHE_KIB
        connection = SqliteConnection(
            self._path, writes=writes, busy_seconds=self._busy_seconds, cache_kib=cache
        )
        if writes:
            connection.leave_waiting_to_others()
        sections = SectionCache(0) if writes else self._sections  # a number that is rolled back comes again
        index = SqliteIndex(connection, self._vectors, self._frequencies, sections)
        return _Opened(connection, tables(connection, index))

    def _check_open(self) -> None:
        if self._is_closed:
            raise RuntimeError("the storage is closed")

    def change_mark(self) -> object | None:
        """The number of the file's changes, as far as it can be told at once."""
        return self._mark.now()

    def integrity_problems(self) -> list[str]:
        """What the database's own check finds wrong, at most a few dozen findings, empty when sound."""
        try:
            with self._reading() as opened:
                found = opened.connection.all(f"PRAGMA integrity_check({PROBLEMS_MOST})")
                foreign = opened.connection.all(_FOREIGN_KEYS)
        except StoredDataDamaged as error:
            return [str(error.__cause__)]
        texts = [str(next(iter(dict(row).values()))) for row in found]
        rows = [f"{row['amount']} rows of {row['child']} name no row of {row['parent']}" for row in foreign]
        return [text for text in texts if text != "ok"] + rows

    def close(self) -> None:
        """Give the file back; what is running ends first, and nothing begins after that.

        Raises what the disk failed with, if it did, and Busy when a writer does not come to an end.
        """
        if not self._turns.take(self._busy_seconds):
            raise Busy
        self._is_closed = True
        try:
            self._log.close()
        finally:
            if self._writer is not None:
                self._writer.connection.close()
                self._writer = None
            self._close_idle()
            self._mark.close()
            self._turns.give()

    def _close_idle(self) -> None:
        while self._idle:
            self._idle.pop().connection.close()
