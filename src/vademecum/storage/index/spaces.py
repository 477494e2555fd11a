"""What is known of each space's index at once?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from vademecum.model.errors import StoredDataDamaged
from vademecum.storage.dialect import Database

_COLUMNS = "space_id, code, chunks, tokens, last_sequence, changes_since"
_OPEN = """
INSERT INTO index_space (space_id, code, chunks, tokens, last_sequence, changes_since)
VALUES (:space_id, :code, 0, 0, 0, 0) ON CONFLICT DO NOTHING
"""
_FIND = f"SELECT {_COLUMNS} FROM index_space WHERE space_id = :space_id"
_STEP = "UPDATE index_space SET last_sequence = last_sequence + 1 WHERE space_id = :space_id"
_LOCK = "UPDATE index_space SET last_sequence = last_sequence WHERE space_id = :space_id"
_COUNT = """
UPDATE index_space SET chunks = chunks + :chunks, tokens = tokens + :tokens WHERE space_id = :space_id
"""


@dataclass(frozen=True, slots=True)
class IndexedSpace:
    """A space with its totals.

    `code` leads its tokens; `last_sequence` counts the changes of its index, of which those after
    `changes_since` are on record.
    """

    space_id: str
    code: str
    chunks: int
    tokens: int
    last_sequence: int
    changes_since: int


class IndexedSpaces:
    """The table of them."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def find(self, spaces: Sequence[str]) -> list[IndexedSpace]:
        """Those of the spaces in which something was indexed, by id."""
        opened = self._database.dialect.list_rows("spaces")
        sql = f"SELECT {_COLUMNS} FROM index_space WHERE space_id IN {opened} ORDER BY space_id"
        return [IndexedSpace(**dict(row)) for row in self._database.all(sql, spaces=list(spaces))]

    def find_one(self, space_id: str) -> IndexedSpace | None:
        """The space, None where nothing was ever indexed."""
        row = self._database.one(_FIND, space_id=space_id)
        return None if row is None else IndexedSpace(**dict(row))

    def add(self, space_id: str, code: str) -> None:
        """Begin a space that is not there yet."""
        self._database.run(_OPEN, space_id=space_id, code=code)

    def step(self, space_id: str) -> IndexedSpace:
        """The space after one more change. Until the commit nobody else changes the space's index.

        Raises StoredDataDamaged for a space that was not begun.
        """
        # Read after it is written, not by RETURNING: for that SQLite writes out all postings of the
        # transaction so far, which for an import of many files takes a tenth of the time.
        self._database.run(_STEP, space_id=space_id)
        space = self.find_one(space_id)
        if space is None:
            raise StoredDataDamaged("The index does not know the space.")
        return space

    def lock(self, spaces: Iterable[str]) -> None:
        """Let nobody else change the index of the spaces until the commit: what is found there stays."""
        for space_id in sorted(set(spaces)):
            self._database.run(_LOCK, space_id=space_id)

    def count(self, space_id: str, chunks: int, tokens: int) -> None:
        """Add to the totals."""
        self._database.run(_COUNT, space_id=space_id, chunks=chunks, tokens=tokens)
