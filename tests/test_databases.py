"""Do the databases that tests are given hold what their makers promise?"""

from __future__ import annotations

import sqlite3
from contextlib import closing

import psycopg
from psycopg.rows import scalar_row

from tests.conftest import DatabaseKind
from tests.databases import Databases

SQLITE = "sqlite:///"
TABLE = "CREATE TABLE thing (name TEXT)"
LOOK = "SELECT name FROM thing"


def prepare(url: str) -> None:
    """Leaves a table with one row."""
    _execute(url, TABLE)
    _execute(url, "INSERT INTO thing VALUES ('first')")


def test_a_fresh_database_is_empty(database_kind: DatabaseKind, database_url: str) -> None:
    tables = {
        "sqlite": "SELECT name FROM sqlite_master",
        "postgres": "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'",
    }
    assert _query(database_url, tables[database_kind]) == []


def test_each_prepared_database_is_a_copy_of_its_own(databases: Databases) -> None:
    changed, untouched = databases.fresh(prepare), databases.fresh(prepare)
    _execute(changed, "INSERT INTO thing VALUES ('second')")
    assert _query(changed, LOOK) == ["first", "second"]
    assert _query(untouched, LOOK) == ["first"]
    assert _query(databases.fresh(prepare), LOOK) == ["first"]


def test_postgres_compares_vectors(postgres_url: str) -> None:
    _execute(postgres_url, "CREATE EXTENSION vector")
    assert _query(postgres_url, "SELECT '[1,2]'::vector <-> '[1,5]'::vector") == [3.0]


def test_postgres_ranks_text_by_bm25(postgres_url: str) -> None:
    _execute(postgres_url, "CREATE EXTENSION pg_textsearch")
    _execute(postgres_url, TABLE)
    _execute(postgres_url, "INSERT INTO thing VALUES ('a grey cat'), ('a dog'), ('cat cat cat')")
    _execute(postgres_url, "CREATE INDEX by_words ON thing USING bm25 (name) WITH (text_config = 'simple')")
    ranked = "SELECT name FROM thing ORDER BY name <@> to_bm25query('cat', 'by_words') LIMIT 2"
    assert _query(postgres_url, ranked) == ["cat cat cat", "a grey cat"]


def _execute(url: str, statement: str) -> None:
    if url.startswith(SQLITE):
        with closing(sqlite3.connect(url.removeprefix(SQLITE))) as connection, connection:
            connection.execute(statement)
    else:
        with psycopg.connect(url) as database:
            database.execute(statement.encode())


def _query(url: str, statement: str) -> list[object]:
    if url.startswith(SQLITE):
        with closing(sqlite3.connect(url.removeprefix(SQLITE))) as connection:
            return [value for (value,) in connection.execute(statement)]
    with psycopg.connect(url, row_factory=scalar_row) as database:
        return database.execute(statement.encode()).fetchall()
