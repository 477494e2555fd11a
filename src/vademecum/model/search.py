"""What can be asked of the library, and what does an answer carry?"""

from __future__ import annotations

from dataclasses import dataclass

from vademecum.model.items import Item, Kind, Layer

QUERY_LIMIT = 2000
SEARCH_DEFAULT, LIST_DEFAULT, RESULTS_MOST = 5, 10, 50


@dataclass(frozen=True, slots=True)
class Filters:
    """What narrows a search or list. `tags` are keys of `model.tags`, all of which an item must carry.

    `created` is a half-open range of stamps on the time of saving. `layer` is the one that the match
    stands in (search) or that the item has (list). Archived items leave lists only when `archived` is False,
    and attachments without text, which nothing finds, only when `bare_files` is False.
    """

    tags: tuple[str, ...] = ()
    created: tuple[str, str] | None = None
    layer: Layer | None = None
    kinds: tuple[Kind, ...] = ()
    archived: bool = True
    bare_files: bool = True

    @property
    def narrows_items(self) -> bool:
        """Whether the filters select among items, apart from the layer of the match."""
        return bool(self.tags or self.created or self.kinds or not self.archived)


@dataclass(frozen=True, slots=True)
class ChunkReference:
    """The section in which a match stands (contracts 2.5); an edit of the item makes it void."""

    ordinal: int
    heading_path: tuple[str, ...]
    pages: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """One item of an answer: its best section, the text that shows the match, and where in the text.

    `highlights` are ranges of code points within `snippet`. `layer` is the one in which the match stands.
    """

    item: Item
    score: float
    snippet: str
    highlights: tuple[tuple[int, int], ...]
    layer: Layer | None
    chunk: ChunkReference | None


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    """A ranked answer and how it was ranked: degraded is told, never hidden (design 8)."""

    results: tuple[Found, ...]
    vector_search_applied: bool
    rerank_applied: bool


@dataclass(frozen=True, slots=True)
class IndexedChunk:
    """A section as indexed. `text` is exactly what was indexed, `head` the title, headings and tags."""

    space_id: str
    chunk_id: int
    item_id: str
    item_version: int
    layer: Layer
    ordinal: int
    heading_path: tuple[str, ...]
    start: int
    text: str
    head: str
    script: str
    tokenizer_version: int
    pages: tuple[int, int] | None = None
