"""Which chunks of a PostgreSQL library are nearest to a vector?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from vademecum.storage.dialect import Database, Row
from vademecum.storage.index.nearest import Narrowing, NearRow
from vademecum.storage.index.spaces import IndexedSpace
from vademecum.storage.index.tsvector import halfvec

_PARTS_OF_CHUNK = 4  # a guess at how many parts of a chunk are near when one is

# A vector without length has no direction; the database says NaN, we say that it is far from everything.
_DISTANCE = "COALESCE(NULLIF(vector <=> CAST(:vector AS halfvec), 'NaN'), 1)"
_KIND = {True: "part = 0", False: "part > 0"}


@dataclass(frozen=True, slots=True)
class HalfvecScan:
    """The vectors of heads or of windows, of one model in one space."""

    database: Database
    space: IndexedSpace
    model: str
    heads: bool

    def nearest(self, vector: bytes, narrowing: Narrowing, limit: int) -> list[NearRow]:
        """The nearest chunks, each once by its best part, nearest first, equals by chunk id."""
        if limit < 1:
            return []
        wanted = limit if self.heads else limit * _PARTS_OF_CHUNK
        while True:
            rows = self._rows(vector, narrowing, wanted)
            best: dict[int, Row] = {}
            for row in rows:
                best.setdefault(row["chunk_id"], row)
            if len(best) >= limit or len(rows) < wanted:
                return [_near_row(row) for row in best.values()][:limit]
            wanted *= _PARTS_OF_CHUNK

    def similarities(self, vector: bytes, chunk_ids: Sequence[int]) -> dict[int, float]:
        """The similarity of each of the chunks by its best part; chunks without are left out."""
        opened = self.database.dialect.list_rows("chunks", "chunk_id BIGINT")
        sql = f"""
        SELECT chunk_id, MIN({_DISTANCE}) AS distance FROM chunk_vector
        WHERE space_id = :space_id AND model = :model AND {_KIND[self.heads]}
        AND vector_dims(vector) = :dimension AND chunk_id IN {opened} GROUP BY chunk_id
        """
        rows = self.database.all(sql, **self._which(vector), chunks=list(chunk_ids))
        return {row["chunk_id"]: 1.0 - row["distance"] for row in rows}

    def _rows(self, vector: bytes, narrowing: Narrowing, limit: int) -> list[Row]:
        sql = f"""
        SELECT near.chunk_id, near.part, near.distance, chunk.item_id FROM (
            SELECT chunk_id, part, {_DISTANCE} AS distance FROM chunk_vector
            WHERE space_id = :space_id AND model = :model AND {_KIND[self.heads]}
            AND vector_dims(vector) = :dimension {self._narrowed(narrowing)}
            ORDER BY distance, chunk_id, part LIMIT :limit) AS near
        JOIN chunk ON chunk.space_id = :space_id AND chunk.chunk_id = near.chunk_id
        ORDER BY near.distance, near.chunk_id, near.part
        """
        return self.database.all(
            sql,
            **self._which(vector),
            layer=narrowing.layer,
            items=list(narrowing.items or ()),
            limit=limit,
        )

    def _narrowed(self, narrowing: Narrowing) -> str:
        if narrowing.items is None and narrowing.layer is None:
            return ""
        of_layer = " AND layer = :layer" if narrowing.layer else ""
        of_items = (
            "" if narrowing.items is None else f" AND item_id IN {self.database.dialect.list_rows('items')}"
        )
        return f"AND chunk_id IN (SELECT chunk_id FROM chunk WHERE space_id = :space_id{of_layer}{of_items})"

    def _which(self, vector: bytes) -> dict[str, object]:
        return {
            "space_id": self.space.space_id,
            "model": self.model,
            "vector": halfvec(vector),
            "dimension": len(vector),
        }


def _near_row(row: Row) -> NearRow:
    return NearRow(row["chunk_id"], row["item_id"], row["part"], 1.0 - row["distance"])
