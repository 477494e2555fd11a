"""What can be done with an index in the same way on either database?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from vademecum.model.search import IndexedChunk
from vademecum.ports.index import ChunkKey, NewChunk, NewVector
from vademecum.storage.dialect import Database
from vademecum.storage.index.chunk_rows import ChunkRows
from vademecum.storage.index.completeness import Completeness
from vademecum.storage.index.spaces import IndexedSpaces
from vademecum.storage.index.writing import IndexWriter, Postings


class IndexTable:
    """The part of ports.index.Index that is about sections and their completeness."""

    def __init__(self, database: Database, postings: Postings) -> None:
        self._database = database
        self._spaces = IndexedSpaces(database)
        self._rows = ChunkRows(database)
        self._completeness = Completeness(database)
        self._writer = IndexWriter(database, postings)

    def replace(self, space_id: str, item_id: str, item_version: int, chunks: Sequence[NewChunk]) -> None:
        self._writer.replace(space_id, item_id, item_version, chunks)

    def replace_all(self, space_id: str, chunks: Mapping[str, tuple[int, Sequence[NewChunk]]]) -> None:
        self._writer.replace_all(space_id, chunks)

    def add_all(self, space_id: str, chunks: Mapping[str, Sequence[NewChunk]]) -> None:
        self._writer.add_all(space_id, chunks)

    def add_vectors(self, space_id: str, chunk_id: int, vectors: Sequence[NewVector]) -> bool:
        return self._writer.add_vectors(space_id, chunk_id, vectors)

    def mark_complete(self, model: str, chunks: Sequence[ChunkKey]) -> None:
        self._spaces.lock(space_id for space_id, _ in chunks)
        self._completeness.mark((model, key) for key in chunks)

    def forget_vectors(self, model: str, spaces: Sequence[str]) -> None:
        self._writer.forget_vectors(model, spaces)

    def chunks(self, keys: Sequence[ChunkKey]) -> dict[ChunkKey, IndexedChunk]:
        return self._rows.find(keys)

    def chunks_of(self, space_id: str, item_id: str) -> list[IndexedChunk]:
        return self._rows.of_item(space_id, item_id)

    def chunks_without(
        self, model: str, spaces: Sequence[str], limit: int, item_id: str | None = None
    ) -> list[IndexedChunk]:
        keys = self._completeness.without(model, spaces, limit, item_id)
        found = self._rows.find(keys)
        return [found[key] for key in keys]

    def is_complete(self, model: str, space_id: str, item_id: str) -> bool:
        return not self._completeness.without(model, [space_id], 1, item_id)

    def vector_share(self, model: str, spaces: Sequence[str]) -> float:
        return self._completeness.share(model, spaces)

    def counts(self, spaces: Sequence[str]) -> dict[str, int]:
        chunks = sum(space.chunks for space in self._spaces.find(spaces))
        opened = self._database.dialect.list_rows("spaces")
        sql = f"SELECT COUNT(*) AS number FROM chunk_vector WHERE space_id IN {opened}"
        row = self._database.one(sql, spaces=list(spaces))
        return {"chunks": chunks, "vectors": 0 if row is None else int(row["number"])}
