"""What do the tables of a database look like, in words that both databases share?"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import groupby

from tests.storage.opening import SQLITE, query

Columns = tuple[str, ...]

_POSTGRES_COLUMNS = """
SELECT table_name, column_name, data_type, is_nullable = 'NO' FROM information_schema.columns
WHERE table_schema = 'public' ORDER BY table_name, ordinal_position
"""
_POSTGRES_KEYS = """
SELECT relation.relname, pg_get_constraintdef(key.oid) FROM pg_constraint AS key
JOIN pg_class AS relation ON relation.oid = key.conrelid
WHERE key.contype IN ('p', 'u', 'f') AND relation.relnamespace = 'public'::regnamespace
"""
_POSTGRES_INDEXES = """
SELECT tablename, indexname, indexdef FROM pg_indexes
WHERE schemaname = 'public' AND indexname NOT IN (SELECT conname FROM pg_constraint)
"""
_SQLITE_TABLES = "SELECT name FROM sqlite_master WHERE type = 'table' AND substr(name, 1, 7) <> 'sqlite_'"
_SQLITE_INDEXES = "SELECT tbl_name, name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL"

_CONSTRAINT = re.compile(r"(PRIMARY KEY|UNIQUE|FOREIGN KEY) \(([^)]*)\)(?: REFERENCES (\w+)\(([^)]*)\))?")
_UNIQUE_INDEX = re.compile(r"CREATE UNIQUE INDEX .*?\((\w+)")


@dataclass(frozen=True, slots=True)
class Table:
    """One table: its columns with type and whether they must be filled, its keys and its indexes' names.

    `unique` holds the first column of every unique key; `foreign` own columns, other table, its columns.
    """

    columns: tuple[tuple[str, str, bool], ...]
    primary: Columns
    unique: frozenset[str]
    foreign: frozenset[tuple[Columns, str, Columns]]
    indexes: frozenset[str]


def schema_of(url: str) -> dict[str, Table]:
    """All tables by name."""
    return _sqlite_schema(url) if url.startswith(SQLITE) else _postgres_schema(url)


def _sqlite_schema(url: str) -> dict[str, Table]:
    indexes = query(url, _SQLITE_INDEXES)
    tables = {}
    for (name,) in query(url, _SQLITE_TABLES):
        columns = query(url, f"SELECT name, lower(type), \"notnull\", pk FROM pragma_table_info('{name}')")
        own = query(url, f"SELECT name FROM pragma_index_list('{name}') WHERE \"unique\" AND origin <> 'c'")
        keys = [query(url, f"SELECT name FROM pragma_index_info('{key}') ORDER BY seqno") for (key,) in own]
        unique = {key[0][0] for key in keys}
        unique |= {
            found[1] for table, _, sql in indexes if table == name and (found := _UNIQUE_INDEX.match(sql))
        }
        tables[name] = Table(
            columns=tuple((column, kind, bool(required)) for column, kind, required, _ in columns),
            primary=tuple(column for _, column in sorted((pk, column) for column, _, _, pk in columns if pk)),
            unique=frozenset(unique | {column for column, _, _, pk in columns if pk == 1}),
            foreign=_sqlite_foreign_keys(url, name),
            indexes=frozenset(index for table, index, _ in indexes if table == name),
        )
    return tables


def _sqlite_foreign_keys(url: str, table: str) -> frozenset[tuple[Columns, str, Columns]]:
    rows = query(
        url, f'SELECT id, "table", "from", "to" FROM pragma_foreign_key_list(\'{table}\') ORDER BY id, seq'
    )
    keys = [list(group) for _, group in groupby(rows, key=lambda row: row[0])]
    return frozenset((tuple(row[2] for row in key), key[0][1], tuple(row[3] for row in key)) for key in keys)


def _postgres_schema(url: str) -> dict[str, Table]:
    columns, keys, indexes = (
        query(url, sql) for sql in (_POSTGRES_COLUMNS, _POSTGRES_KEYS, _POSTGRES_INDEXES)
    )
    tables = {}
    for name in {row[0] for row in columns}:
        own = [found.groups() for table, text in keys if table == name and (found := _CONSTRAINT.match(text))]
        unique = {_names(columns_of)[0] for kind, columns_of, *_ in own if kind != "FOREIGN KEY"}
        unique |= {
            found[1] for table, _, sql in indexes if table == name and (found := _UNIQUE_INDEX.match(sql))
        }
        tables[name] = Table(
            columns=tuple((c, _type(kind), required) for t, c, kind, required in columns if t == name),
            primary=next(_names(columns_of) for kind, columns_of, *_ in own if kind == "PRIMARY KEY"),
            unique=frozenset(unique),
            foreign=frozenset(
                (_names(mine), target, _names(theirs)) for kind, mine, target, theirs in own if target
            ),
            indexes=frozenset(index for table, index, _ in indexes if table == name),
        )
    return tables


def _names(columns: str) -> Columns:
    return tuple(columns.split(", "))


def _type(kind: str) -> str:
    return "blob" if kind == "bytea" else kind
