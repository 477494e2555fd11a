"""Which steps bring a database to the newest schema, and has somebody taken them?"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from importlib import resources

from vademecum.model.errors import IncompatibleLibrary
from vademecum.storage import migrations
from vademecum.storage.dialect import Database, Dialect

_FILE = re.compile(r"(\d{4})_([a-z0-9_]+)\.sql")
_SECTION = re.compile(r"^-- only: (sqlite|postgres)\n(.*?)^-- end$\n?", re.MULTILINE | re.DOTALL)
_COMMENT = re.compile(r"^\s*--.*$\n?", re.MULTILINE)
# A statement ends at a semicolon outside of quotes and of the body of a trigger.
_STATEMENT = re.compile(
    r"((?:[^;'$B]|'(?:[^']|'')*'|\$\$.*?\$\$|\bBEGIN\n.*?^END\b|[$B])+);", re.DOTALL | re.MULTILINE
)
_WORD = re.compile(r"'(?:[^']|'')*'|\$\$.*?\$\$|\bWITHOUT ROWID\b|\b[A-Z]+\b", re.DOTALL)

# TEXT compares byte by byte on SQLite; on PostgreSQL it does so when told to.
_WORDS = {
    "sqlite": {"BYTES": "BLOB"},
    "postgres": {"BYTES": "BYTEA", "TEXT": 'TEXT COLLATE "C"', "WITHOUT ROWID": ""},
}

_TABLE = """
CREATE TABLE schema_migration (
    number INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL, applied_at TEXT NOT NULL)
"""
_HAS_TABLE = {
    "sqlite": "SELECT 1 AS found FROM sqlite_master WHERE type = 'table' AND name = 'schema_migration'",
    "postgres": "SELECT 1 AS found WHERE to_regclass('schema_migration') IS NOT NULL",
}
# A file that holds something else is not ours to fill; on a server others may have tables beside ours.
_IS_FOREIGN = {
    "sqlite": "SELECT 1 AS found FROM sqlite_master LIMIT 1",
    "postgres": "SELECT 1 AS found WHERE 1 = 0",
}
_APPLIED = "SELECT number, name, checksum FROM schema_migration ORDER BY number"
_NOTE = """
INSERT INTO schema_migration (number, name, checksum, applied_at)
VALUES (:number, :name, :checksum, :applied_at)
"""

# A transaction that no other starter shares: BEGIN IMMEDIATE or a lock of its own.
Alone = Callable[[], AbstractContextManager[Database]]


@dataclass(frozen=True, slots=True)
class Migration:
    """One step forward; its checksum tells whether a database took this very step."""

    number: int
    name: str
    text: str

    @property
    def checksum(self) -> str:
        return hashlib.sha256(self.text.encode()).hexdigest()

    def statements(self, dialect: Dialect) -> Iterator[str]:
        """Its statements as the database takes them, one at a time."""
        text = _SECTION.sub(lambda found: found[2] if found[1] == dialect.name else "", self.text)
        for found in _STATEMENT.finditer(_COMMENT.sub("", text)):
            yield _translated(found[1], dialect)


def _translated(statement: str, dialect: Dialect) -> str:
    words = _WORDS[dialect.name]
    return _WORD.sub(lambda word: words.get(word[0], word[0]), statement).strip()


def all_migrations() -> list[Migration]:
    """Every step that this version knows, in order, numbered from 1 without a gap."""
    found = [
        Migration(int(name[1]), name[2], file.read_text(encoding="utf-8").replace("\r\n", "\n"))
        for file in resources.files(migrations).iterdir()
        if (name := _FILE.fullmatch(file.name))
    ]
    return sorted(found, key=lambda migration: migration.number)


def pending(database: Database) -> list[Migration]:
    """The steps that the database has not taken, empty for one of this version.

    Raises IncompatibleLibrary for a database that a newer version wrote, that took a step which differs, or
    that is a file of another program.
    """
    known = all_migrations()
    if database.one(_HAS_TABLE[database.dialect.name]) is None:
        if database.one(_IS_FOREIGN[database.dialect.name]) is not None:
            raise IncompatibleLibrary("This database holds something else than a library.")
        return known
    applied = database.all(_APPLIED)
    if len(applied) > len(known):
        raise IncompatibleLibrary("A newer version wrote this library.", number=applied[-1]["number"])
    for row, migration in zip(applied, known, strict=False):
        if (row["number"], row["checksum"]) != (migration.number, migration.checksum):
            raise IncompatibleLibrary("Another version wrote this library.", number=row["number"])
    return known[len(applied) :]


def apply(alone: Alone, now: str) -> list[Migration]:
    """Take the steps that are missing, each in a transaction of its own, and return those taken here.

    Of two that start at once one waits and finds nothing left to do. `now` is the stamp to be noted.
    Raises IncompatibleLibrary as `pending` does.
    """
    taken: list[Migration] = []
    while True:
        with alone() as database:
            missing = pending(database)
            if not missing:
                return taken
            _take(database, missing[0], now)
        taken.append(missing[0])


def _take(database: Database, migration: Migration, now: str) -> None:
    if database.one(_HAS_TABLE[database.dialect.name]) is None:
        database.run(_translated(_TABLE, database.dialect))
    for statement in migration.statements(database.dialect):
        database.run(statement)
    database.run(
        _NOTE, number=migration.number, name=migration.name, checksum=migration.checksum, applied_at=now
    )
