"""Is the schema brought to the newest once, whole, and only forwards?"""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.storage.opening import (
    SQLITE,
    change_rows,
    migrate,
    open_at,
    path_of,
    query,
    started_together,
)
from vademecum.model.errors import IncompatibleLibrary
from vademecum.storage import migrate as steps
from vademecum.storage.dialect import POSTGRES
from vademecum.storage.dialect import SQLITE as SQLITE_DIALECT
from vademecum.storage.migrate import Migration, all_migrations
from vademecum.storage.postgres import pending_postgres
from vademecum.storage.sqlite import pending_sqlite

EVERY_NAME = [migration.name for migration in all_migrations()]
APPLIED = "SELECT number, name, checksum FROM schema_migration ORDER BY number"

GOOD = Migration(1, "good", "CREATE TABLE good (name TEXT NOT NULL PRIMARY KEY);")
BAD = Migration(
    2, "bad", "CREATE TABLE bad (name TEXT NOT NULL PRIMARY KEY);\nINSERT INTO nowhere VALUES (1);"
)


def pending(url: str) -> list[str]:
    return pending_sqlite(path_of(url)) if url.startswith(SQLITE) else pending_postgres(url)


def test_the_steps_are_numbered_from_one_without_a_gap() -> None:
    assert [migration.number for migration in all_migrations()] == list(range(1, len(EVERY_NAME) + 1))


def test_opening_an_empty_database_takes_every_step_and_notes_it(database_url: str) -> None:
    assert pending(database_url) == EVERY_NAME
    storage = open_at(database_url)
    assert storage.migrated == tuple(EVERY_NAME)
    storage.close()
    noted = [(migration.number, migration.name, migration.checksum) for migration in all_migrations()]
    assert query(database_url, APPLIED) == noted


def test_opening_a_migrated_database_takes_no_step(library_url: str) -> None:
    before = query(library_url, "SELECT * FROM schema_migration")
    assert pending(library_url) == []
    storage = open_at(library_url)
    assert storage.migrated == ()
    storage.close()
    assert query(library_url, "SELECT * FROM schema_migration") == before


def test_asking_what_is_pending_writes_nothing(sqlite_url: str) -> None:
    path = path_of(sqlite_url)
    assert pending(sqlite_url) == EVERY_NAME
    assert not path.exists()
    migrate(sqlite_url)
    before = path.read_bytes()
    assert pending(sqlite_url) == []
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.glob(f"{path.name}*")] == [path.name]


def test_of_several_starters_each_step_is_taken_by_one(database_url: str) -> None:
    def start() -> Sequence[str]:
        storage = open_at(database_url)
        storage.close()
        return storage.migrated

    taken = [name for names in started_together(4, start) for name in names]
    assert sorted(taken) == sorted(EVERY_NAME)


@pytest.mark.parametrize(
    "written",
    [
        "INSERT INTO schema_migration (number, name, checksum, applied_at) VALUES (999, 'later', 'x', 'y')",
        "UPDATE schema_migration SET checksum = 'other' WHERE number = 1",
        "UPDATE schema_migration SET number = 77 WHERE number = 1",
    ],
)
def test_a_library_of_another_version_is_refused_and_left_alone(library_url: str, written: str) -> None:
    change_rows(library_url, written)
    before = query(library_url, APPLIED)
    for attempt in (pending, open_at):
        with pytest.raises(IncompatibleLibrary):
            attempt(library_url)
    assert query(library_url, APPLIED) == before


def test_a_step_that_fails_leaves_no_trace_and_those_before_it_stay(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(steps, "all_migrations", lambda: [GOOD, BAD])
    with pytest.raises(Exception, match="nowhere"):
        open_at(database_url)
    assert query(database_url, APPLIED) == [(1, "good", GOOD.checksum)]
    assert query(database_url, "SELECT name FROM good") == []
    with pytest.raises(Exception, match="bad"):
        query(database_url, "SELECT name FROM bad")


def test_a_step_is_cut_into_statements_for_each_database() -> None:
    text = """
-- A comment; with 'quotes' and TEXT.
CREATE TABLE a (b TEXT, c BYTES DEFAULT 'x;TEXT''y') WITHOUT ROWID;
-- only: sqlite
CREATE TRIGGER t AFTER DELETE ON a BEGIN
    INSERT INTO d VALUES (1);
    DELETE FROM e;
END;
-- end
-- only: postgres
CREATE FUNCTION f() RETURNS TEXT AS $$ SELECT 'TEXT;'; $$;
-- end
CREATE INDEX B ON a (b);
"""
    step = Migration(1, "x", text)
    trigger = (
        "CREATE TRIGGER t AFTER DELETE ON a BEGIN\n    INSERT INTO d VALUES (1);\n    DELETE FROM e;\nEND"
    )
    assert list(step.statements(SQLITE_DIALECT)) == [
        "CREATE TABLE a (b TEXT, c BLOB DEFAULT 'x;TEXT''y') WITHOUT ROWID",
        trigger,
        "CREATE INDEX B ON a (b)",
    ]
    assert list(step.statements(POSTGRES)) == [
        "CREATE TABLE a (b TEXT COLLATE \"C\", c BYTEA DEFAULT 'x;TEXT''y')",
        "CREATE FUNCTION f() RETURNS TEXT COLLATE \"C\" AS $$ SELECT 'TEXT;'; $$",
        "CREATE INDEX B ON a (b)",
    ]


def test_line_ends_make_no_other_step() -> None:
    windows = Migration(1, "good", GOOD.text.replace("\n", "\r\n").replace("\r\n", "\n"))
    assert windows.checksum == GOOD.checksum
    assert Migration(1, "good", GOOD.text + " ").checksum != GOOD.checksum
