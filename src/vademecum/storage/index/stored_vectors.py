"""Which vectors does a SQLite library hold, as one transaction sees them?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from vademecum.storage.dialect import Database, Row
from vademecum.storage.index.kernel import as_row, as_rows, cosines
from vademecum.storage.index.spaces import IndexedSpace
from vademecum.storage.index.vector_changes import VectorChanges
from vademecum.storage.index.vector_rows import VectorRow

_PAGE = 8_192  # rows read at once

_VECTORS = """
SELECT stored.chunk_id, part, sequence, vector, item_id, layer FROM chunk_vector AS stored
JOIN chunk ON chunk.space_id = stored.space_id AND chunk.chunk_id = stored.chunk_id
WHERE stored.space_id = :space_id AND model = :model AND (part = 0) = :heads AND LENGTH(vector) = :dimension
"""
_OF_CHUNKS = f"{_VECTORS} AND stored.chunk_id IN (SELECT value FROM json_each(:chunks))"
_AFTER = f"""
{_VECTORS} AND (stored.chunk_id, part) > (:after_chunk, :after_part)
ORDER BY stored.chunk_id, part LIMIT :limit
"""


@dataclass(frozen=True, slots=True)
class StoredVectors:
    """The vectors of heads or of windows, of one model and length, in one space."""

    database: Database
    space: IndexedSpace
    model: str
    heads: bool
    dimension: int

    @property
    def key(self) -> tuple[str, str, bool, int]:
        """What tells them from all other vectors of the library."""
        return self.space.code, self.model, self.heads, self.dimension

    def pages(self) -> Iterator[list[VectorRow]]:
        """All of them, by chunk id, some thousands at a time."""
        after = (0, -1)
        while page := self._rows(_AFTER, after_chunk=after[0], after_part=after[1], limit=_PAGE):
            yield page
            after = page[-1].chunk_id, page[-1].part

    def of_chunks(self, chunk_ids: Sequence[int]) -> list[VectorRow]:
        """Those of the chunks."""
        return self._rows(_OF_CHUNKS, chunks=list(chunk_ids))

    def similarities(self, vector: bytes, chunk_ids: Sequence[int]) -> dict[int, float]:
        """The similarity of each of the chunks by its best part; chunks without are left out."""
        rows = self.of_chunks(chunk_ids)
        found: dict[int, float] = {}
        if rows:
            values = cosines(as_row(vector), as_rows([row.vector for row in rows])).tolist()
            for row, value in zip(rows, values, strict=True):
                found[row.chunk_id] = max(value, found.get(row.chunk_id, -1.0))
        return found

    def changed_since(self, sequence: int) -> dict[int, int]:
        """The chunks whose vectors came or went, each with its last change."""
        return VectorChanges(self.database).since(self.space, sequence)

    def _rows(self, sql: str, **parameters: object) -> list[VectorRow]:
        rows = self.database.all(
            sql,
            space_id=self.space.space_id,
            model=self.model,
            heads=int(self.heads),
            dimension=self.dimension,
            **parameters,
        )
        return [_vector_row(row) for row in rows]


def _vector_row(row: Row) -> VectorRow:
    return VectorRow(
        row["chunk_id"], row["part"], row["sequence"], row["vector"], row["item_id"], row["layer"]
    )
