"""How are sections indexed and found in PostgreSQL?"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from vademecum.model.search import IndexedChunk
from vademecum.ports.index import ChunkKey, KeywordMatch, Postings, Scope, VectorMatch
from vademecum.storage.dialect import Database
from vademecum.storage.index.bm25 import Tokens
from vademecum.storage.index.fields import narrowings
from vademecum.storage.index.frequencies import FrequencyCache
from vademecum.storage.index.halfvec_scan import HalfvecScan
from vademecum.storage.index.keyword import KeywordSearch
from vademecum.storage.index.literal import LiteralSearch
from vademecum.storage.index.nearest import merged
from vademecum.storage.index.ranked_search import RankedSearch
from vademecum.storage.index.section_cache import SectionCache
from vademecum.storage.index.table import IndexTable
from vademecum.storage.index.tsvector import TsvectorPostings, postings
from vademecum.storage.index.tsvector_search import TsvectorSearch
from vademecum.text.queries import Query

_POSTED = """
SELECT postings = CAST(:postings AS tsvector) AS same FROM chunk_posting
WHERE space_id = :space_id AND chunk_id = :chunk_id
"""


class PostgresIndex(IndexTable):
    """The index of a transaction: postings in a tsvector, vectors by pgvector (ports.index.Index)."""

    def __init__(self, database: Database, frequencies: FrequencyCache, sections: SectionCache) -> None:
        super().__init__(database, TsvectorPostings(database))
        unranked = TsvectorSearch(database, frequencies)
        self._keyword = KeywordSearch(database, RankedSearch(database, unranked), sections)
        self._literal = LiteralSearch(database, unranked)

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
            scan = HalfvecScan(self._database, space, model, heads)
            matches = scan.nearest(vector, narrowed[space.space_id], limit)
            found += [match for match in matches if least is None or match.similarity >= least]
        return merged(found, limit)

    def similarities(
        self, model: str, vector: bytes, chunks: Sequence[ChunkKey], *, heads: bool
    ) -> dict[ChunkKey, float]:
        numbers: dict[str, list[int]] = defaultdict(list)
        for space_id, chunk_id in chunks:
            numbers[space_id].append(chunk_id)
        found: dict[ChunkKey, float] = {}
        for space in self._spaces.find(list(numbers)):
            scan = HalfvecScan(self._database, space, model, heads)
            best = scan.similarities(vector, numbers[space.space_id])
            found |= {(space.space_id, number): similarity for number, similarity in best.items()}
        return found

    def postings(self, _: str) -> Postings:
        return self._has_tokens

    def _has_tokens(self, chunk: IndexedChunk, head_tokens: str, body_tokens: str) -> bool:
        space = self._spaces.find_one(chunk.space_id)
        stored = self._rows.tokens(chunk.space_id, [chunk.chunk_id])
        wanted = Tokens(head_tokens, body_tokens)
        if space is None or [section.tokens for section in stored] != [wanted]:
            return False
        posted = postings(space, wanted)
        row = self._database.one(_POSTED, postings=posted, space_id=chunk.space_id, chunk_id=chunk.chunk_id)
        return row is not None and bool(row["same"])
