"""What does the library ask of keyword and vector search, inside a transaction?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from vademecum.model.items import Layer
from vademecum.model.search import IndexedChunk
from vademecum.text.queries import Query

HEAD_PART = 0  # the vector of title, headings and tags; parts from 1 are windows of the section's text
ChunkKey = tuple[str, int]  # space id, chunk id


@dataclass(frozen=True, slots=True)
class NewVector:
    """A vector of a chunk about to be stored: which model made it, for which part."""

    model: str
    part: int
    vector: bytes


@dataclass(frozen=True, slots=True)
class NewChunk:
    """A section to be indexed. `head_tokens` and `body_tokens` are `text.tokens.index_text` of head and text.

    `complete` names the models of which `vectors` holds every part, so that the chunk is marked complete.
    """

    layer: Layer
    ordinal: int
    heading_path: tuple[str, ...]
    start: int
    text: str
    head: str
    head_tokens: str
    body_tokens: str
    tokenizer_version: int
    script: str
    pages: tuple[int, int] | None = None
    vectors: tuple[NewVector, ...] = ()
    complete: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Scope:
    """Where a search looks: in these spaces, and only in `allowed` items and `layer` where given."""

    spaces: tuple[str, ...]
    allowed: frozenset[tuple[str, str]] | None = None
    layer: Layer | None = None


@dataclass(frozen=True, slots=True)
class KeywordMatch:
    """A chunk that holds terms of the query. `score` is BM25 (higher is better); `coverage` is that score
    divided by the most that the query could score (search 1.3).
    """

    space_id: str
    chunk_id: int
    item_id: str
    score: float
    coverage: float


class VectorMatch(NamedTuple):
    """A chunk near the query: cosine similarity of its best part. There are hundreds for each search, so they
    are cheap to make.
    """

    space_id: str
    chunk_id: int
    item_id: str
    part: int
    similarity: float


class Postings(Protocol):
    """Answers whether the keyword index holds exactly these tokens for a chunk, each at its place."""

    def __call__(self, chunk: IndexedChunk, head_tokens: str, body_tokens: str) -> bool: ...


class Index(Protocol):
    """Keyword postings and vectors of all chunks; they commit and roll back with the items."""

    def replace(self, space_id: str, item_id: str, item_version: int, chunks: Sequence[NewChunk]) -> None:
        """Take out everything indexed of the item and index these chunks instead (none: take out only)."""

    def replace_all(self, space_id: str, chunks: Mapping[str, tuple[int, Sequence[NewChunk]]]) -> None:
        """As `replace` for items, by id, each with its version, all by few statements."""

    def add_all(self, space_id: str, chunks: Mapping[str, Sequence[NewChunk]]) -> None:
        """Index the chunks of items, by id, in their first versions; nothing of them was indexed before."""

    def keyword(self, query: Query, scope: Scope, limit: int) -> list[KeywordMatch]:
        """The best chunks under a candidate budget, best first (search 2.2)."""

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
        """The nearest chunks, each once, nearest first; exact, filters before the scan (search 3). Where a
        `least` similarity is given, none is farther.

        Heads (part 0) and windows of the text are compared with vectors of their own kind, so a scan looks at
        the heads alone or at the windows alone.
        """

    def similarities(
        self, model: str, vector: bytes, chunks: Sequence[ChunkKey], *, heads: bool
    ) -> dict[ChunkKey, float]:
        """Best similarity of each of the chunks over its head or its windows; chunks without are left out."""

    def containing(
        self, words: Sequence[Sequence[str]], scope: Scope, limit: int, offset: int
    ) -> list[tuple[str, str]]:
        """Items (space id, item id), newest saved first, in which each token sequence of `words` stands
        somewhere; a sequence stands adjacent and in order within one chunk or is cut by a chunk's end.
        """

    def chunks(self, keys: Sequence[ChunkKey]) -> dict[ChunkKey, IndexedChunk]: ...
    def chunks_of(self, space_id: str, item_id: str) -> list[IndexedChunk]:
        """By layer and ordinal."""

    def postings(self, space_id: str, /) -> Postings:
        """What the keyword index itself holds of a space, to be asked chunk by chunk (for doctor)."""

    def add_vectors(self, space_id: str, chunk_id: int, vectors: Sequence[NewVector]) -> bool:
        """False, and nothing stored, when the chunk is gone by now."""

    def chunks_without(
        self, model: str, spaces: Sequence[str], limit: int, item_id: str | None = None
    ) -> list[IndexedChunk]:
        """Chunks not marked complete for the model, newest first; of the item alone when one is given."""

    def is_complete(self, model: str, space_id: str, item_id: str) -> bool:
        """Whether every chunk of the item is marked complete for the model."""

    def mark_complete(self, model: str, chunks: Sequence[ChunkKey]) -> None:
        """All parts of these chunks have their vectors of the model."""

    def vector_share(self, model: str, spaces: Sequence[str]) -> float:
        """The share of chunks that are complete for the model, 1.0 where there is no chunk."""

    def forget_vectors(self, model: str, spaces: Sequence[str]) -> None: ...
    def counts(self, spaces: Sequence[str]) -> dict[str, int]:
        """chunks, vectors."""
