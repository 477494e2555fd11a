"""Which chunks of a PostgreSQL library are nearest to a vector?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from vademecum.ports.index import VectorMatch
from vademecum.storage.dialect import Database, Row
from vademecum.storage.index.nearest import Narrowing
from vademecum.storage.index.spaces import IndexedSpace
from vademecum.storage.index.tsvector import halfvec

_PARTS_OF_CHUNK = 4  # a guess at how many parts of a chunk are near when one is

# A vector without length has no direction; the database says NaN, we say that it is far from everything.
_DISTANCE = "COALESCE(NULLIF(vector <=> CAST(:vector AS halfvec), 'NaN'), 1)"
_KIND = {True: "part = 0", False: "part > 0"}

GRAPH_FROM = 100_000  # sections of a space from which its graph is asked, where there is one (search 3)
_BEAM_LEAST, _BEAM_MOST = 100, 1_000  # rows that a walk through a graph keeps in view
_HAS_GRAPH = "SELECT to_regclass(vector_graph_name(:space_id, :model)) IS NOT NULL AS found"
_WIDEN = """
SELECT set_config('hnsw.ef_search', :beam, true), set_config('hnsw.iterative_scan', 'strict_order', true)
"""


@dataclass(frozen=True, slots=True)
class HalfvecScan:
    """The vectors of heads or of windows, of one model in one space."""

    database: Database
    space: IndexedSpace
    model: str
    heads: bool

    def nearest(self, vector: bytes, narrowing: Narrowing, limit: int) -> list[VectorMatch]:
        """The nearest chunks, each once by its best part, nearest first, equals by chunk id."""
        if limit < 1:
            return []
        wanted = limit if self.heads else limit * _PARTS_OF_CHUNK
        if narrowing == Narrowing() and self._has_graph():
            best = self._best_parts(self._rows_by_graph(vector, wanted))
            if len(best) >= limit:
                return best[:limit]
        while True:
            rows = self._rows(vector, narrowing, wanted)
            best = self._best_parts(rows)
            if len(best) >= limit or len(rows) < wanted:
                return best[:limit]
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

    def _has_graph(self) -> bool:
        if self.heads or self.space.chunks < GRAPH_FROM:
            return False
        row = self.database.one(_HAS_GRAPH, space_id=self.space.space_id, model=self.model)
        return row is not None and bool(row["found"])

    def _rows_by_graph(self, vector: bytes, limit: int) -> list[Row]:
        """About the nearest rows of the whole space. The types must be those that the graph was built for."""
        kind = f"halfvec({len(vector)})"
        distance = f"CAST(vector AS {kind}) <=> CAST(:vector AS {kind})"
        sql = f"""
        SELECT near.chunk_id, near.part, near.distance, chunk.item_id FROM (
            SELECT chunk_id, part, {distance} AS distance FROM chunk_vector
            WHERE space_id = :space_id AND model = :model AND part > 0 AND vector_dims(vector) = :dimension
            ORDER BY {distance} LIMIT :limit) AS near
        JOIN chunk ON chunk.space_id = :space_id AND chunk.chunk_id = near.chunk_id
        ORDER BY near.distance, near.chunk_id, near.part
        """
        self.database.one(_WIDEN, beam=str(min(max(limit, _BEAM_LEAST), _BEAM_MOST)))
        return self.database.all(sql, **self._which(vector), limit=limit)

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

    def _best_parts(self, rows: Sequence[Row]) -> list[VectorMatch]:
        """The first row of each chunk."""
        best: dict[int, Row] = {}
        for row in rows:
            best.setdefault(row["chunk_id"], row)
        return [self._match(row) for row in best.values()]

    def _match(self, row: Row) -> VectorMatch:
        return VectorMatch(
            self.space.space_id, row["chunk_id"], row["item_id"], row["part"], 1.0 - row["distance"]
        )
