"""How is everything kept in a PostgreSQL database?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime

import psycopg
from psycopg_pool import ConnectionPool

from vademecum.model.errors import Busy, ProviderUnavailable
from vademecum.model.times import stamp
from vademecum.ports.storage import Transaction
from vademecum.storage.dialect import Database
from vademecum.storage.index.frequencies import FrequencyCache
from vademecum.storage.index.section_cache import SectionCache
from vademecum.storage.migrate import apply, pending
from vademecum.storage.postgres_connection import (
    READ,
    WRITE,
    Connection,
    PostgresConnection,
    rows_by_name,
    translated,
)
from vademecum.storage.postgres_index import PostgresIndex
from vademecum.storage.sql.tables import tables

BUSY_SECONDS = 10.0
CONNECTIONS = 8
CONNECT_SECONDS = 10

_STATEMENT_SECONDS = 300  # purging a large space takes its time
_MIGRATION_LOCK = 0x76616465  # any number that nothing else in the database locks
_TAKE_LOCK = "SELECT pg_advisory_xact_lock(:key) AS taken"

_INVALID_INDEXES = """
SELECT indexrelid::regclass::text AS name FROM pg_index
JOIN pg_class ON pg_class.oid = pg_index.indrelid
WHERE NOT indisvalid AND relnamespace = CAST(current_schema() AS regnamespace) ORDER BY 1
"""
_CHECKSUM_FAILURES = """
SELECT COALESCE(checksum_failures, 0) AS amount FROM pg_stat_database WHERE datname = current_database()
"""


def pending_postgres(url: str) -> list[str]:
    """The names of the schema steps that the database lacks; writes nothing.

    Raises IncompatibleLibrary for a library of a newer or another version, ProviderUnavailable when the
    server does not answer.
    """
    with _connected(url) as connection:
        connection.begin(READ)
        with _ended(connection):
            return [migration.name for migration in pending(connection)]


def open_postgres(
    url: str, *, busy_seconds: float = BUSY_SECONDS, connections: int = CONNECTIONS
) -> PostgresStorage:
    """The library in the database, which is brought to the newest schema.

    Safe beside other starters and running servers; `busy_seconds` is how long a transaction waits for a
    connection or a lock before it is refused. Raises what `pending_postgres` raises.
    """
    migrated = _migrate(url) if pending_postgres(url) else []
    return PostgresStorage(url, migrated, busy_seconds, connections)


def _migrate(url: str) -> list[str]:
    with _connected(url) as connection:

        @contextmanager
        def alone() -> Iterator[Database]:
            connection.begin(WRITE)
            with _ended(connection):
                connection.one(_TAKE_LOCK, key=_MIGRATION_LOCK)
                yield connection

        return [migration.name for migration in apply(alone, stamp(datetime.now(UTC)))]


@contextmanager
def _connected(url: str) -> Iterator[PostgresConnection]:
    try:
        connection: Connection = psycopg.connect(
            url, autocommit=True, connect_timeout=CONNECT_SECONDS, row_factory=rows_by_name
        )
    except psycopg.OperationalError as error:
        raise ProviderUnavailable("The database does not answer.") from error
    with connection:
        yield PostgresConnection(connection)


@contextmanager
def _ended(connection: PostgresConnection) -> Iterator[None]:
    """Commits the begun transaction, or leaves no trace of it when anything goes wrong."""
    try:
        yield
        connection.commit()
    except BaseException:
        connection.rollback()
        raise


class PostgresStorage:
    """A database that several processes share; writers of one space take turns, others do not wait.

    Whoever begins a change holds the counter of the space until the commit, so that nothing that others
    write in the space comes in between, and no transaction has to be tried again.
    """

    def __init__(self, url: str, migrated: Sequence[str], busy_seconds: float, connections: int) -> None:
        self._migrated = tuple(migrated)
        self._busy_seconds = busy_seconds
        self._most = connections
        self._frequencies = FrequencyCache()
        self._sections = SectionCache()
        self._pool: ConnectionPool[Connection] = ConnectionPool(
            url,
            kwargs={
                "autocommit": True,
                "connect_timeout": CONNECT_SECONDS,
                "row_factory": rows_by_name,
            },
            min_size=1,
            max_size=connections,
            timeout=busy_seconds,
            configure=self._configure,
            open=True,
        )

    def _configure(self, connection: Connection) -> None:
        """What was acknowledged lasts, whatever the server's own setting; nothing waits for ever."""
        for name, value in (
            ("synchronous_commit", "on"),
            ("lock_timeout", f"{round(self._busy_seconds * 1000)}ms"),
            ("statement_timeout", f"{_STATEMENT_SECONDS}s"),
            ("idle_in_transaction_session_timeout", f"{_STATEMENT_SECONDS}s"),
        ):
            connection.execute("SELECT set_config(%s, %s, false)", (name, value))

    @property
    def migrated(self) -> Sequence[str]:
        """The names of the schema steps that opening it took."""
        return self._migrated

    @contextmanager
    def read(self) -> Iterator[Transaction]:
        """One consistent state of everything. Raises Busy."""
        with self._transaction(READ) as database:
            yield tables(database, PostgresIndex(database, self._frequencies, self._sections))

    @contextmanager
    def write(self) -> Iterator[Transaction]:
        """Everything is kept durably when the context is left normally, nothing when by an exception.

        Raises StorageFull; Busy when no turn came within the time limit or the server went away.
        """
        with self._transaction(WRITE) as database:
            yield tables(database, PostgresIndex(database, self._frequencies, SectionCache(0)))

    @contextmanager
    def _transaction(self, statement: str) -> Iterator[PostgresConnection]:
        connection, database = self._begun(statement)
        try:
            with _ended(database):
                yield database
        finally:
            self._pool.putconn(connection)

    def _begun(self, statement: str) -> tuple[Connection, PostgresConnection]:
        """A connection in a new transaction; those that a restart of the server has cut are passed over."""
        for _ in range(self._most + 1):
            with translated():
                connection = self._pool.getconn()
            database = PostgresConnection(connection)
            try:
                database.begin(statement)
            except BaseException as error:
                self._pool.putconn(connection)
                if not (isinstance(error, Busy) and database.is_lost):
                    raise
            else:
                return connection, database
        raise Busy

    def change_mark(self) -> object | None:
        """None: only a question to the server could tell."""
        return None

    def integrity_problems(self) -> list[str]:
        """What the database itself knows to be wrong, empty when sound."""
        with self._transaction(READ) as database:
            invalid = [f"index {row['name']} is not valid" for row in database.all(_INVALID_INDEXES)]
            failures = database.one(_CHECKSUM_FAILURES)
        if failures is not None and failures["amount"]:
            invalid.append(f"{failures['amount']} pages did not match their checksum")
        return invalid

    def close(self) -> None:
        """Let go of all connections; nothing begins after that."""
        self._pool.close()
