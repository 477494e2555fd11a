"""Which sections have all their vectors of a model?"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from vademecum.ports.index import ChunkKey
from vademecum.storage.dialect import Database
from vademecum.storage.index.spaces import IndexedSpaces

_COUNT = """
INSERT INTO index_model (space_id, model, complete) VALUES (:space_id, :model, :number)
ON CONFLICT (space_id, model) DO UPDATE SET complete = index_model.complete + excluded.complete
"""
_FORGET_MARKS = """
DELETE FROM chunk_complete WHERE model = :model AND space_id = :space_id
"""
_FORGET_COUNT = "DELETE FROM index_model WHERE model = :model AND space_id = :space_id"
_COMPLETE = "SELECT complete FROM index_model WHERE space_id = :space_id AND model = :model"
_WITHOUT = """
SELECT chunk_id FROM chunk WHERE space_id = :space_id AND NOT EXISTS (
    SELECT 1 FROM chunk_complete
    WHERE chunk_complete.space_id = chunk.space_id AND chunk_complete.chunk_id = chunk.chunk_id
    AND chunk_complete.model = :model)
"""
_WITHOUT_NEWEST = f"{_WITHOUT} ORDER BY chunk_id DESC LIMIT :limit"
_WITHOUT_OF_ITEM = f"{_WITHOUT} AND item_id = :item_id ORDER BY chunk_id DESC LIMIT :limit"


class Completeness:
    """The marks of sections, with their number for each space and model."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def mark(self, marks: Iterable[tuple[str, ChunkKey]]) -> None:
        """Mark sections as complete for a model; those that are gone are passed over."""
        grouped: dict[tuple[str, str], list[int]] = defaultdict(list)
        for model, (space_id, chunk_id) in marks:
            grouped[space_id, model].append(chunk_id)
        opened = self._database.dialect.list_rows("chunks", "chunk_id BIGINT")
        sql = f"""
        INSERT INTO chunk_complete (space_id, chunk_id, model)
        SELECT space_id, chunk_id, :model FROM chunk WHERE space_id = :space_id AND chunk_id IN {opened}
        ON CONFLICT DO NOTHING
        """
        for (space_id, model), chunk_ids in grouped.items():
            number = self._database.run(sql, space_id=space_id, model=model, chunks=chunk_ids)
            if number:
                self._database.run(_COUNT, space_id=space_id, model=model, number=number)

    def uncount(self, space_id: str, chunk_ids: Sequence[int]) -> None:
        """No longer count sections that are about to go."""
        opened = self._database.dialect.list_rows("chunks", "chunk_id BIGINT")
        sql = f"""
        SELECT model, COUNT(*) AS number FROM chunk_complete
        WHERE space_id = :space_id AND chunk_id IN {opened} GROUP BY model
        """
        for row in self._database.all(sql, space_id=space_id, chunks=list(chunk_ids)):
            self._database.run(_COUNT, space_id=space_id, model=row["model"], number=-row["number"])

    def forget(self, space_id: str, model: str) -> None:
        """No section of the space is complete for the model any more."""
        self._database.run(_FORGET_MARKS, space_id=space_id, model=model)
        self._database.run(_FORGET_COUNT, space_id=space_id, model=model)

    def share(self, model: str, spaces: Sequence[str]) -> float:
        """The share of complete sections, 1.0 where there is none at all."""
        known = IndexedSpaces(self._database).find(spaces)
        chunks = sum(space.chunks for space in known)
        return sum(self._number(model, space.space_id) for space in known) / chunks if chunks else 1.0

    def without(
        self, model: str, spaces: Sequence[str], limit: int, item_id: str | None = None
    ) -> list[ChunkKey]:
        """Sections that are not complete, newest first; of the item alone when one is given."""
        sql = _WITHOUT_NEWEST if item_id is None else _WITHOUT_OF_ITEM
        found: list[ChunkKey] = []
        for space in IndexedSpaces(self._database).find(spaces):
            if self._number(model, space.space_id) < space.chunks:
                rows = self._database.all(
                    sql, space_id=space.space_id, model=model, item_id=item_id, limit=limit
                )
                found += [(space.space_id, row["chunk_id"]) for row in rows]
        return sorted(found, key=lambda key: key[1], reverse=True)[:limit]

    def _number(self, model: str, space_id: str) -> int:
        row = self._database.one(_COMPLETE, space_id=space_id, model=model)
        return 0 if row is None else int(row["complete"])
