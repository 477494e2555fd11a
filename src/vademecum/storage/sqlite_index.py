"""How are sections indexed and found in SQLite?"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from vademecum.model.search import IndexedChunk
from vademecum.ports.index import ChunkKey, KeywordMatch, Postings, Scope, VectorMatch
from vademecum.storage.dialect import Database
from vademecum.storage.index.bm25 import Tokens
from vademecum.storage.index.fields import narrowings
from vademecum.storage.index.frequencies import FrequencyCache
from vademecum.storage.index.fts import FtsPostings
from vademecum.storage.index.fts_check import PostingSums
from vademecum.storage.index.fts_search import FtsSearch
from vademecum.storage.index.keyword import KeywordSearch
from vademecum.storage.index.literal import LiteralSearch
from vademecum.storage.index.nearest import merged
from vademecum.storage.index.section_cache import SectionCache
from vademecum.storage.index.stored_vectors import StoredVectors
from vademecum.storage.index.table import IndexTable
from vademecum.storage.vector_scan import Question, VectorCache
from vademecum.text.queries import Query

_IS_READER = "PRAGMA query_only"


class SqliteIndex(IndexTable):
    """The index of a connection: postings in a full-text table, vectors in memory (ports.index.Index)."""

    def __init__(
        self, database: Database, vectors: VectorCache, frequencies: FrequencyCache, sections: SectionCache
    ) -> None:
        super().__init__(database, FtsPostings(database))
        engine = FtsSearch(database, frequencies)
        self._keyword = KeywordSearch(database, engine, sections)
        self._literal = LiteralSearch(database, engine)
        self._vectors = vectors

    def keyword(self, query: Query, scope: Scope, limit: int) -> list[KeywordMatch]:
        return self._keyword.search(query, scope, limit)

    def containing(
        self, words: Sequence[Sequence[str]], scope: Scope, limit: int, offset: int
    ) -> list[tuple[str, str]]:
        return self._literal.search(words, scope, limit, offset)

    def nearest(
        self,
        model: str,
        vector: bytes,
        scope: Scope,
        limit: int,
        *,
        heads: bool,
        least: float | None = None,
    ) -> list[VectorMatch]:
        narrowed = narrowings(scope)
        found: list[VectorMatch] = []
        for space in self._spaces.find(list(narrowed)):
            stored = StoredVectors(self._database, space, model, heads, len(vector))
            question = Question(space.space_id, vector, narrowed[space.space_id], limit, least)
            found += self._vectors.nearest(stored, question, committed=self._reads_only())
        return merged(found, limit)

    def similarities(
        self, model: str, vector: bytes, chunks: Sequence[ChunkKey], *, heads: bool
    ) -> dict[ChunkKey, float]:
        numbers: dict[str, list[int]] = defaultdict(list)
        for space_id, chunk_id in chunks:
            numbers[space_id].append(chunk_id)
        found: dict[ChunkKey, float] = {}
        for space in self._spaces.find(list(numbers)):
            stored = StoredVectors(self._database, space, model, heads, len(vector))
            best = stored.similarities(vector, numbers[space.space_id])
            found |= {(space.space_id, number): similarity for number, similarity in best.items()}
        return found

    def postings(self, space_id: str) -> Postings:
        space = self._spaces.find_one(space_id)
        sums = PostingSums(self._database, space) if space else None

        def are(chunk: IndexedChunk, head_tokens: str, body_tokens: str) -> bool:
            wanted = Tokens(head_tokens, body_tokens)
            stored = self._rows.tokens(chunk.space_id, [chunk.chunk_id])
            kept = [section.tokens for section in stored] == [wanted]
            return kept and sums is not None and sums.are(chunk.chunk_id, wanted)

        return are

    def _reads_only(self) -> bool:
        """Whether all that the transaction sees was committed: whether its connection only reads."""
        row = self._database.one(_IS_READER)
        return row is not None and bool(row["query_only"])
