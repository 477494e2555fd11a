"""How does one connection to PostgreSQL answer statements, and what do its errors mean?"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import psycopg
from psycopg import errors
from psycopg.pq import TransactionStatus

from vademecum.model.errors import Busy, InvalidInput, StorageFull, StoredDataDamaged
from vademecum.storage.dialect import POSTGRES, Dialect, Row, as_json, for_psycopg

Connection = psycopg.Connection[dict[str, Any]]

READ = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
WRITE = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"

# A waiting or lost statement may be tried again; whoever asked is told so.
_PASSING = (
    errors.LockNotAvailable,
    errors.DeadlockDetected,
    errors.SerializationFailure,
    errors.QueryCanceled,
    psycopg.OperationalError,
    psycopg.InterfaceError,
)
_ESCAPED = re.compile("\x1a(.)", re.DOTALL)


def spelt(text: str) -> str:
    """The text without NUL, which PostgreSQL cannot hold: SUBSTITUTE and `0`, and SUBSTITUTE doubled."""
    return text.replace("\x1a", "\x1a\x1a").replace("\0", "\x1a0")


def read_back(text: str) -> str:
    """The text that `spelt` wrote."""
    return _ESCAPED.sub(lambda found: "\0" if found[1] == "0" else found[1], text)


def rows_by_name(cursor: psycopg.Cursor[Any]) -> Callable[[Sequence[Any]], dict[str, Any]]:
    """A row factory of psycopg that gives dictionaries, with every text as it was."""
    names = [column.name for column in cursor.description or ()]

    def row(values: Sequence[Any]) -> dict[str, Any]:
        return {
            name: read_back(value) if isinstance(value, str) and "\x1a" in value else value
            for name, value in zip(names, values, strict=True)
        }

    return row


class PostgresConnection:
    """A connection as a Database; it answers only between `begin` and the end of that transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._is_open = False

    def begin(self, statement: str) -> None:
        """Start a transaction with READ or WRITE."""
        with translated():
            self._connection.execute(statement.encode())
        self._is_open = True

    def commit(self) -> None:
        """End the transaction so that it lasts; raises what went wrong."""
        with translated():
            self._connection.execute("COMMIT")
        self._is_open = False

    def rollback(self) -> None:
        """End the transaction without a trace; a connection that is lost has left none."""
        self._is_open = False
        idle = (TransactionStatus.IDLE, TransactionStatus.UNKNOWN)
        if not self._connection.closed and self._connection.info.transaction_status not in idle:
            with translated():
                self._connection.execute("ROLLBACK")

    @property
    def is_lost(self) -> bool:
        """Whether the server is gone, or has let go of this connection."""
        return self._connection.closed

    @property
    def dialect(self) -> Dialect:
        return POSTGRES

    def all(self, sql: str, **parameters: object) -> list[Row]:
        rows: list[Row] = [*self._executed(sql, parameters).fetchall()]
        return rows

    def each(self, sql: str, **parameters: object) -> Iterator[Row]:
        self._check_open()
        with translated(), self._connection.cursor("each") as cursor:
            yield from cursor.execute(for_psycopg(sql).encode(), _bound(parameters))

    def one(self, sql: str, **parameters: object) -> Row | None:
        return self._executed(sql, parameters).fetchone()

    def run(self, sql: str, **parameters: object) -> int:
        return self._executed(sql, parameters).rowcount

    def run_many(self, sql: str, rows: Sequence[Mapping[str, object]]) -> int:
        if len(rows) == 1:
            return self._executed(sql, rows[0]).rowcount
        self._check_open()
        with translated(), self._connection.cursor() as cursor:
            cursor.executemany(for_psycopg(sql).encode(), [_bound(row) for row in rows])
            return cursor.rowcount

    def _executed(self, sql: str, parameters: Mapping[str, object]) -> psycopg.Cursor[dict[str, Any]]:
        self._check_open()
        with translated():
            return self._connection.execute(for_psycopg(sql).encode(), _bound(parameters))

    def _check_open(self) -> None:
        if not self._is_open:
            raise RuntimeError("the transaction is over")


def _bound(parameters: Mapping[str, object]) -> dict[str, object]:
    return {name: _value(given) for name, given in parameters.items()}


def _value(given: object) -> object:
    if isinstance(given, str):
        return spelt(given) if "\0" in given or "\x1a" in given else given
    return as_json(given, spelt) if isinstance(given, list | tuple) else given


@contextmanager
def translated() -> Iterator[None]:
    """Tells what PostgreSQL says as a refusal where a caller can do something about it."""
    try:
        yield
    except UnicodeEncodeError as error:
        raise InvalidInput("text", f"character {error.start} is a lone surrogate") from error
    except errors.DiskFull as error:
        raise StorageFull from error
    except (errors.DataCorrupted, errors.IndexCorrupted) as error:
        raise StoredDataDamaged from error
    except _PASSING as error:
        raise Busy from error
