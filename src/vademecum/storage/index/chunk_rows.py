"""How do sections stand in their tables, and how are they read back?"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from vademecum.model.items import Layer
from vademecum.model.search import IndexedChunk
from vademecum.ports.index import ChunkKey
from vademecum.storage.dialect import Database, Row
from vademecum.storage.index.bm25 import Tokens
from vademecum.storage.sql.packing import unpack

_LAYER_ORDER = {layer.value: place for place, layer in enumerate(Layer)}

_COLUMNS = """
chunk.space_id, chunk.chunk_id, chunk.item_id, chunk.item_version, chunk.layer, chunk.ordinal,
chunk.start_offset, chunk.page_from, chunk.page_to, chunk.script, chunk.tokenizer_version,
content.heading_path, content.head_length, content.text_encoding, content.text_size, content.text_content
"""
_CONTENT = """
JOIN chunk_content AS content ON content.space_id = chunk.space_id AND content.chunk_id = chunk.chunk_id
"""
_OF_ITEM = f"""
SELECT {_COLUMNS} FROM chunk {_CONTENT} WHERE chunk.space_id = :space_id AND chunk.item_id = :item_id
"""
_TOKENS = """
SELECT chunk.chunk_id, chunk.item_id, content.tokens_encoding, content.tokens_size, content.tokens_content
"""
_TOKENS_OF_ITEM = f"""
{_TOKENS} FROM chunk {_CONTENT} WHERE chunk.space_id = :space_id AND chunk.item_id = :item_id
ORDER BY chunk.chunk_id
"""


@dataclass(frozen=True, slots=True)
class StoredTokens:
    """The tokens of a section as they were given to the keyword index."""

    chunk_id: int
    item_id: str
    tokens: Tokens


class ChunkRows:
    """The tables of sections, to read."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def find(self, keys: Sequence[ChunkKey]) -> dict[ChunkKey, IndexedChunk]:
        """Those of the sections that are there."""
        opened = self._database.dialect.list_rows("keys", "space_id TEXT", "chunk_id BIGINT")
        sql = f"""
        SELECT {_COLUMNS} FROM {opened} AS wanted
        JOIN chunk ON chunk.space_id = wanted.space_id AND chunk.chunk_id = wanted.chunk_id {_CONTENT}
        """
        rows = self._database.all(sql, keys=[list(key) for key in keys]) if keys else []
        return {(row["space_id"], row["chunk_id"]): chunk_from(row) for row in rows}

    def of_item(self, space_id: str, item_id: str) -> list[IndexedChunk]:
        """The sections of an item by layer and ordinal."""
        rows = self._database.all(_OF_ITEM, space_id=space_id, item_id=item_id)
        return [chunk_from(row) for row in sorted(rows, key=place_of)]

    def tokens(self, space_id: str, chunk_ids: Sequence[int]) -> list[StoredTokens]:
        """The tokens of those of the sections that are there."""
        opened = self._database.dialect.list_rows("chunks", "chunk_id BIGINT")
        sql = f"""
        {_TOKENS} FROM chunk {_CONTENT} WHERE chunk.space_id = :space_id AND chunk.chunk_id IN {opened}
        """
        rows = self._database.all(sql, space_id=space_id, chunks=list(chunk_ids))
        return [_tokens_from(row) for row in rows]

    def tokens_of_item(self, space_id: str, item_id: str) -> list[StoredTokens]:
        """The tokens of all sections of an item, by section number."""
        rows = self._database.all(_TOKENS_OF_ITEM, space_id=space_id, item_id=item_id)
        return [_tokens_from(row) for row in rows]

    def of_items(self, space_id: str, items: Iterable[str], layer: str | None, limit: int) -> list[int]:
        """Numbers of sections of the items, of the layer when given; at most `limit`, in no order."""
        opened = self._database.dialect.list_rows("items")
        of_layer = "" if layer is None else "AND layer = :layer"
        sql = f"""
        SELECT chunk_id FROM chunk WHERE space_id = :space_id AND item_id IN {opened} {of_layer} LIMIT :limit
        """
        rows = self._database.all(sql, space_id=space_id, items=list(items), layer=layer, limit=limit)
        return [row["chunk_id"] for row in rows]

    def before(self, space_id: str, chunk_ids: Sequence[int]) -> list[int]:
        """The sections that stand right before those, in the same layer of the same item."""
        opened = self._database.dialect.list_rows("chunks", "chunk_id BIGINT")
        sql = f"""
        SELECT former.chunk_id FROM chunk AS latter
        JOIN chunk AS former ON former.space_id = latter.space_id AND former.item_id = latter.item_id
            AND former.layer = latter.layer AND former.ordinal = latter.ordinal - 1
        WHERE latter.space_id = :space_id AND latter.chunk_id IN {opened}
        """
        rows = self._database.all(sql, space_id=space_id, chunks=list(chunk_ids)) if chunk_ids else []
        return [row["chunk_id"] for row in rows]


def chunk_from(row: Row) -> IndexedChunk:
    """The section that a row holds."""
    whole = unpack(row["text_encoding"], row["text_size"], row["text_content"])
    pages = None if row["page_from"] is None else (row["page_from"], row["page_to"])
    return IndexedChunk(
        space_id=row["space_id"],
        chunk_id=row["chunk_id"],
        item_id=row["item_id"],
        item_version=row["item_version"],
        layer=Layer(row["layer"]),
        ordinal=row["ordinal"],
        heading_path=tuple(json.loads(row["heading_path"])),
        start=row["start_offset"],
        text=whole[row["head_length"] :],
        head=whole[: row["head_length"]],
        script=row["script"],
        tokenizer_version=row["tokenizer_version"],
        pages=pages,
    )


def place_of(row: Row) -> tuple[int, int, int]:
    """Where the section of a row stands in its item: by layer, then by ordinal."""
    return _LAYER_ORDER[row["layer"]], row["ordinal"], row["chunk_id"]


def _tokens_from(row: Row) -> StoredTokens:
    head, _, body = unpack(row["tokens_encoding"], row["tokens_size"], row["tokens_content"]).partition("\n")
    return StoredTokens(row["chunk_id"], row["item_id"], Tokens(head, body))
