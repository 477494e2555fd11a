"""Which few words of SQL differ between the two databases, and what can be asked of an open transaction?"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, Protocol

_LITERAL_OR_NAME = re.compile(r"('(?:[^']|'')*')|(?<![:\w]):([a-z_][a-z0-9_]*)")


class Row(Protocol):
    """One row of an answer, read by column name; `dict(row)` copies it."""

    def __getitem__(self, column: str, /) -> Any: ...
    def keys(self) -> Iterable[str]: ...


@dataclass(frozen=True, slots=True)
class Dialect:
    """What a statement must know of the database it is for."""

    name: Literal["sqlite", "postgres"]

    @property
    def skip_locked(self) -> str:
        """What ends a query for a row to be taken: rows that another transaction takes are passed over.

        Empty on SQLite, where only one transaction writes.
        """
        return "" if self.name == "sqlite" else "FOR UPDATE SKIP LOCKED"

    def list_rows(self, parameter: str, *columns: str) -> str:
        """A parenthesised query over the list that is bound to `parameter`, for IN or FROM.

        Each of `columns` is a name and a type ("space_id TEXT", "chunk_id BIGINT"); one column reads a list
        of values, several read a list of lists. The default is one column `value TEXT`.
        """
        named = [column.split() for column in columns or ("value TEXT",)]
        whole = len(named) == 1
        fields = ", ".join(
            f"CAST({self._field(place, whole=whole)} AS {kind}) AS {name}"
            for place, (name, kind) in enumerate(named)
        )
        if self.name == "sqlite":
            return f"(SELECT {fields} FROM json_each(:{parameter}) AS opened)"
        return f"(SELECT {fields} FROM json_array_elements(CAST(:{parameter} AS json)) AS opened(entry))"

    def _field(self, place: int, *, whole: bool) -> str:
        if self.name == "sqlite":
            return "opened.value" if whole else f"json_extract(opened.value, '$[{place}]')"
        return "opened.entry #>> '{}'" if whole else f"opened.entry ->> {place}"


SQLITE = Dialect("sqlite")
POSTGRES = Dialect("postgres")


class Database(Protocol):
    """One open transaction on either database.

    Statements are constants with `:name` parameters; a list or tuple given as a parameter arrives as JSON,
    which `dialect.list_rows` opens. A text that holds a lone surrogate is refused as InvalidInput (`text`).
    """

    @property
    def dialect(self) -> Dialect: ...
    def all(self, sql: str, **parameters: object) -> list[Row]:
        """All rows of the answer."""
        ...

    def each(self, sql: str, **parameters: object) -> Iterator[Row]:
        """The rows of an answer that may be larger than memory, one after another."""
        ...

    def one(self, sql: str, **parameters: object) -> Row | None:
        """The first row of the answer, None when it has none."""
        ...

    def run(self, sql: str, **parameters: object) -> int:
        """The number of rows that the statement changed."""
        ...

    def run_many(self, sql: str, rows: Sequence[Mapping[str, object]]) -> int:
        """The number of rows changed by the statement over all the parameter rows."""
        ...


@lru_cache(maxsize=1024)
def for_psycopg(sql: str) -> str:
    """The statement with `:name` as `%(name)s` and every `%` kept literal; quoted texts are left alone."""

    def named(match: re.Match[str]) -> str:
        literal, name = match.groups()
        return literal or f"%({name})s"

    return _LITERAL_OR_NAME.sub(named, sql.replace("%", "%%"))


def as_json(values: Sequence[object], spelt: Callable[[str], str]) -> str:
    """The list as the JSON text in which it travels to `list_rows`.

    `spelt` writes a text that holds NUL or SUBSTITUTE, which not every database takes as they are.
    """
    text = json.dumps(values, ensure_ascii=False, separators=(",", ":"))
    if "\\u0000" not in text and "\\u001a" not in text:
        return text
    return json.dumps(_respelt(values, spelt), ensure_ascii=False, separators=(",", ":"))


def _respelt(value: object, spelt: Callable[[str], str]) -> object:
    if isinstance(value, str):
        return spelt(value)
    return [_respelt(part, spelt) for part in value] if isinstance(value, list | tuple) else value
