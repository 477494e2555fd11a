"""How does one connection to a SQLite file answer statements, and what do its errors mean?"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from types import TracebackType
from urllib.parse import quote

from vademecum.model.errors import Busy, IncompatibleLibrary, InvalidInput, StorageFull, StoredDataDamaged
from vademecum.storage.dialect import SQLITE, Dialect, Row, as_json

# What SQLite says when a file system has no room, a quota is used up or a file may not grow.
_NO_ROOM = frozenset(
    {
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR_WRITE,
        sqlite3.SQLITE_IOERR_FSYNC,
        sqlite3.SQLITE_IOERR_TRUNCATE,
        sqlite3.SQLITE_IOERR_SHMSIZE,
    }
)
_LOCKED = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL})
_LISTS = frozenset((list, tuple))
_DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})

# Idle memory counts: pages are cached per connection, and the file is not mapped.
_SETTINGS = (
    "PRAGMA synchronous = FULL",
    "PRAGMA fullfsync = ON",
    "PRAGMA foreign_keys = ON",
    "PRAGMA trusted_schema = OFF",
    "PRAGMA temp_store = MEMORY",
    "PRAGMA mmap_size = 0",
    "PRAGMA wal_autocheckpoint = 1000",
    "PRAGMA journal_size_limit = 67108864",
)
_STATEMENTS_KEPT = 256


class ChangeMark:
    """Tells within microseconds whether anybody has committed to the file since it was asked before."""

    def __init__(self, path: Path) -> None:
        self._connection = sqlite3.connect(
            f"file:{quote(str(path.absolute()))}?mode=ro", uri=True, timeout=0, check_same_thread=False
        )

    def now(self) -> int | None:
        """A number that changes with every commit of another connection; None while the file is locked."""
        try:
            row = self._connection.execute("PRAGMA data_version").fetchone()
        except sqlite3.Error:
            return None
        return int(row[0])

    def close(self) -> None:
        """Give the file back."""
        self._connection.close()


class SqliteConnection:
    """A connection as a Database; it answers only between `begin` and the end of that transaction.

    Not for two threads at once: whoever holds it, holds it alone.
    """

    def __init__(self, path: Path, *, writes: bool, busy_seconds: float, cache_kib: int) -> None:
        self._is_open = False
        with translated():
            self._connection = sqlite3.connect(
                f"file:{quote(str(path.absolute()))}?mode=rw",
                uri=True,
                timeout=busy_seconds,
                isolation_level=None,
                check_same_thread=False,
                cached_statements=_STATEMENTS_KEPT,
            )
        self._connection.row_factory = sqlite3.Row
        settings = [*_SETTINGS, f"PRAGMA cache_size = -{cache_kib}"]
        try:
            self._keep_a_log()
            self._set(*settings, *([] if writes else ["PRAGMA query_only = ON"]))
        except BaseException:
            self._connection.close()
            raise

    def _keep_a_log(self) -> None:
        """Readers go on beside a writer only with a write-ahead log, which not every file system can hold."""
        with translated():
            (mode,) = self._connection.execute("PRAGMA journal_mode = WAL").fetchone()
        if mode != "wal":
            raise IncompatibleLibrary("The library lies where SQLite cannot keep a write-ahead log.")

    def _set(self, *settings: str) -> None:
        with translated():
            for setting in settings:
                self._connection.execute(setting).close()

    def begin(self, mode: str) -> None:
        """Start a transaction: DEFERRED to read, IMMEDIATE to write. Raises Busy when that is locked."""
        with translated():
            self._connection.execute(f"BEGIN {mode}").close()
        self._is_open = True

    def commit(self) -> None:
        """End the transaction so that it lasts; raises what went wrong, and then nothing is kept."""
        with translated():
            self._connection.execute("COMMIT").close()
        self._is_open = False

    def rollback(self) -> None:
        """End the transaction without a trace; on a full disk SQLite has done so itself already."""
        self._is_open = False
        if self._connection.in_transaction:
            with translated():
                self._connection.execute("ROLLBACK").close()

    def close(self) -> None:
        """Give the file back; the last to do so moves the write-ahead log into it."""
        self._is_open = False
        self._connection.close()

    def leave_waiting_to_others(self) -> None:
        """From now on a lock of another process is told at once as Busy, and a commit does not wait for the
        disk; whoever writes sees to both.
        """
        self._set("PRAGMA busy_timeout = 0", "PRAGMA synchronous = NORMAL")

    @property
    def changes(self) -> int:
        """How many rows this connection has changed so far."""
        return self._connection.total_changes

    @property
    def dialect(self) -> Dialect:
        return SQLITE

    def all(self, sql: str, **parameters: object) -> list[Row]:
        with translated(), closing(self._execute(sql, parameters)) as cursor:
            return cursor.fetchall()

    def each(self, sql: str, **parameters: object) -> Iterator[Row]:
        with translated(), closing(self._execute(sql, parameters)) as cursor:
            yield from cursor

    def one(self, sql: str, **parameters: object) -> Row | None:
        with translated(), closing(self._execute(sql, parameters)) as cursor:
            row: Row | None = cursor.fetchone()
            return row

    def run(self, sql: str, **parameters: object) -> int:
        with translated(), closing(self._execute(sql, parameters)) as cursor:
            return cursor.rowcount

    def run_many(self, sql: str, rows: Sequence[Mapping[str, object]]) -> int:
        self._check_open()
        bound = [_bound(row) for row in rows]
        # A cursor that is not closed here would be by whoever lets go of it last, perhaps another thread.
        with translated(), closing(self._connection.executemany(sql, bound)) as cursor:
            return cursor.rowcount

    def _execute(self, sql: str, parameters: Mapping[str, object]) -> sqlite3.Cursor:
        self._check_open()
        return self._connection.execute(sql, _bound(parameters))

    def _check_open(self) -> None:
        if not self._is_open:
            raise RuntimeError("the transaction is over")


def _bound(parameters: Mapping[str, object]) -> Mapping[str, object]:
    if _LISTS.isdisjoint(map(type, parameters.values())):
        return parameters
    return {
        name: as_json(given, _without_nul) if isinstance(given, list | tuple) else given
        for name, given in parameters.items()
    }


def _without_nul(text: str) -> str:
    """SQLite ends a text of a JSON list at NUL, so there NUL becomes what no key holds."""
    return text.replace("\0", "\ufffe")


class _Translated:
    """What `translated` does; around every statement a generator would cost as much as the statement."""

    __slots__ = ()

    def __enter__(self) -> None:
        return None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(error, UnicodeEncodeError):
            raise InvalidInput("text", f"character {error.start} is a lone surrogate") from error
        if isinstance(error, sqlite3.Error):
            _refuse(error)


_TRANSLATED = _Translated()


def translated() -> _Translated:
    """Tells what SQLite says as a refusal where a caller can do something about it."""
    return _TRANSLATED


def _refuse(error: sqlite3.Error) -> None:
    code: int = getattr(error, "sqlite_errorcode", 0)
    if code in _NO_ROOM:
        raise StorageFull from error
    if code & 0xFF in _LOCKED:
        raise Busy from error
    if code & 0xFF in _DAMAGED:
        raise StoredDataDamaged from error
