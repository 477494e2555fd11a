"""How does an item's index change, on either database?"""

from __future__ import annotations

import json
from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Protocol

from vademecum.ports.index import NewChunk, NewVector
from vademecum.storage.dialect import Database, Row
from vademecum.storage.index.bm25 import Tokens
from vademecum.storage.index.chunk_rows import ChunkRows, StoredTokens, place_of
from vademecum.storage.index.completeness import Completeness
from vademecum.storage.index.replacing import NewSection, Replacement, replacement
from vademecum.storage.index.spaces import IndexedSpace, IndexedSpaces
from vademecum.storage.sql.packing import pack

# What an edit elsewhere in the item can change.
_PLACE = ("item_version", "ordinal", "start_offset", "page_from", "page_to")
_KIND = ("layer", "script", "tokenizer_version")
_WORDS = (
    *("heading_path", "head_length", "text_encoding", "text_size", "text_content"),
    *("tokens_encoding", "tokens_size", "tokens_content"),
)

CHUNK_COLUMNS = ("space_id", "chunk_id", "item_id", *_PLACE, *_KIND)
CONTENT_COLUMNS = ("space_id", "chunk_id", *_WORDS)
_STORED_SECTIONS = f"""
SELECT chunk.chunk_id, item_id, item_version, ordinal, {", ".join((*_KIND, *_WORDS))} FROM chunk
JOIN chunk_content AS content ON content.space_id = chunk.space_id AND content.chunk_id = chunk.chunk_id
WHERE chunk.space_id = :space_id
"""
_STORED = f"{_STORED_SECTIONS} AND item_id = :item_id"
_MOVE = f"""
UPDATE chunk SET {", ".join(f"{column} = :{column}" for column in _PLACE)}
WHERE space_id = :space_id AND chunk_id = :chunk_id
"""
_ADD_CONTENT = f"""
INSERT INTO chunk_content ({", ".join(CONTENT_COLUMNS)})
VALUES ({", ".join(f":{column}" for column in CONTENT_COLUMNS)})
"""
_EXISTS = "SELECT 1 AS found FROM chunk WHERE space_id = :space_id AND chunk_id = :chunk_id"

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_AFTER_CODE = "\u00b7"  # no token begins with it


class Postings(Protocol):
    """What is written differently on each database."""

    def new_numbers(self, name: str, count: int) -> Sequence[int]:
        """So many numbers of the counter, ascending, that it never gave before."""
        ...

    def add(self, space: IndexedSpace, rows: Sequence[dict[str, object]], tokens: Sequence[Tokens]) -> None:
        """Store sections, given as rows of CHUNK_COLUMNS, with the postings of their tokens."""
        ...

    def remove(self, space: IndexedSpace, sections: Sequence[StoredTokens]) -> None:
        """Take sections out, with their postings, vectors and marks."""
        ...

    def renew(self, space: IndexedSpace, sections: Sequence[StoredTokens]) -> None:
        """Post the sections anew, in place of what is posted of them."""
        ...

    def put_vectors(self, space: IndexedSpace, vectors: Sequence[tuple[int, NewVector]]) -> None:
        """Store vectors of sections (by number) in place of earlier ones."""
        ...

    def forget_vectors(self, space: IndexedSpace, model: str) -> None:
        """Drop all vectors of the model."""
        ...


class IndexWriter:
    """Everything that changes the index of a space; it commits and rolls back with the transaction."""

    def __init__(self, database: Database, postings: Postings) -> None:
        self._database = database
        self._postings = postings
        self._spaces = IndexedSpaces(database)
        self._rows = ChunkRows(database)
        self._completeness = Completeness(database)

    def replace(self, space_id: str, item_id: str, item_version: int, chunks: Sequence[NewChunk]) -> None:
        """See ports.index.Index.replace. Sections that stay the same keep their numbers and their vectors.

        What a later version has brought stays: whoever comes with an earlier one, comes too late.
        """
        if not chunks and self._spaces.find_one(space_id) is None:
            return
        space = self._next(space_id)
        rows = self._database.all(_STORED, space_id=space_id, item_id=item_id)
        if chunks and any(row["item_version"] > item_version for row in rows):
            return
        change = _change(rows, chunks)
        self._take_out(space, change, item_id)
        self._move(space, [(item_version, change)])
        numbers = self._add(space, [(item_id, item_version, section) for section in change.fresh])
        self._complete(space, [*change.kept, *zip(numbers, change.fresh, strict=True)])

    def replace_all(self, space_id: str, chunks: Mapping[str, tuple[int, Sequence[NewChunk]]]) -> None:
        """See ports.index.Index.replace_all. Postings of items that stay as they are are not looked at."""
        space = self._next(space_id)
        opened = self._database.dialect.list_rows("items")
        sql = f"{_STORED_SECTIONS} AND item_id IN {opened}"
        stored: dict[str, list[Row]] = {item_id: [] for item_id in chunks}
        for row in self._database.all(sql, space_id=space_id, items=list(chunks)):
            stored[row["item_id"]].append(row)
        changes = {
            item_id: (version, _change(stored[item_id], of_item))
            for item_id, (version, of_item) in chunks.items()
            if all(row["item_version"] <= version for row in stored[item_id])
        }
        gone = [number for _, change in changes.values() for number in change.gone]
        if gone:
            self._remove(space, self._rows.tokens(space_id, gone))
        self._move(space, list(changes.values()))
        fresh = [
            (item_id, version, section)
            for item_id, (version, change) in changes.items()
            for section in change.fresh
        ]
        kept = [one for _, change in changes.values() for one in change.kept]
        numbers = self._add(space, fresh)
        self._complete(space, [*kept, *zip(numbers, (section for *_, section in fresh), strict=True)])

    def add_all(self, space_id: str, chunks: Mapping[str, Sequence[NewChunk]]) -> None:
        """See ports.index.Index.add_all."""
        fresh = [(item_id, 1, _section(chunk)) for item_id, of_item in chunks.items() for chunk in of_item]
        if fresh:
            space = self._next(space_id)
            numbers = self._add(space, fresh)
            self._complete(space, list(zip(numbers, [section for *_, section in fresh], strict=True)))

    def _complete(self, space: IndexedSpace, present: Sequence[tuple[int, NewSection]]) -> None:
        """Store the vectors that sections bring along, and which of them have all."""
        vectors = [(number, vector) for number, section in present for vector in section.chunk.vectors]
        if vectors:
            self._postings.put_vectors(space, vectors)
        self._completeness.mark(
            (model, (space.space_id, number))
            for number, section in present
            for model in section.chunk.complete
        )

    def add_vectors(self, space_id: str, chunk_id: int, vectors: Sequence[NewVector]) -> bool:
        """See ports.index.Index.add_vectors."""
        self._spaces.lock([space_id])
        if self._database.one(_EXISTS, space_id=space_id, chunk_id=chunk_id) is None:
            return False
        if vectors:
            space = self._spaces.step(space_id)
            self._postings.put_vectors(space, [(chunk_id, vector) for vector in vectors])
        return True

    def forget_vectors(self, model: str, spaces: Sequence[str]) -> None:
        """See ports.index.Index.forget_vectors."""
        for space in self._spaces.find(spaces):
            self._postings.forget_vectors(self._spaces.step(space.space_id), model)
            self._completeness.forget(space.space_id, model)

    def _next(self, space_id: str) -> IndexedSpace:
        if self._spaces.find_one(space_id) is None:
            (number,) = self._postings.new_numbers("space", 1)
            self._spaces.add(space_id, code_of(number))
        return self._spaces.step(space_id)

    def _take_out(self, space: IndexedSpace, change: Replacement, item_id: str) -> None:
        if change.fresh and not change.gone:
            return
        sections = self._rows.tokens_of_item(space.space_id, item_id)
        if not change.gone:
            # Nothing changed, as when an index is made anew: postings that are missing or wrong are mended.
            self._postings.renew(space, sections)
            return
        self._remove(space, [section for section in sections if section.chunk_id in set(change.gone)])

    def _remove(self, space: IndexedSpace, gone: Sequence[StoredTokens]) -> None:
        self._completeness.uncount(space.space_id, [section.chunk_id for section in gone])
        self._postings.remove(space, gone)
        self._spaces.count(space.space_id, -len(gone), -sum(section.tokens.length for section in gone))

    def _move(self, space: IndexedSpace, changes: Sequence[tuple[int, Replacement]]) -> None:
        rows = [
            {"space_id": space.space_id, "chunk_id": number, **_place(version, section.chunk)}
            for version, change in changes
            for number, section in change.kept
        ]
        if rows:
            self._database.run_many(_MOVE, rows)

    def _add(self, space: IndexedSpace, fresh: Sequence[tuple[str, int, NewSection]]) -> Sequence[int]:
        """Store sections, each of an item in a version; their numbers."""
        if not fresh:
            return ()
        numbers = self._postings.new_numbers("chunk", len(fresh))
        rows: list[dict[str, object]] = [
            {
                "space_id": space.space_id,
                "chunk_id": number,
                "item_id": item_id,
                **_place(version, section.chunk),
                **section.columns,
            }
            for number, (item_id, version, section) in zip(numbers, fresh, strict=True)
        ]
        tokens = [_tokens(section.chunk) for *_, section in fresh]
        self._postings.add(space, rows, tokens)
        self._database.run_many(_ADD_CONTENT, rows)
        self._spaces.count(space.space_id, len(rows), sum(section.length for section in tokens))
        return numbers


def _change(rows: Sequence[Row], chunks: Sequence[NewChunk]) -> Replacement:
    """What becomes of the stored sections of an item."""
    stored = [(row["chunk_id"], _content(row)) for row in sorted(rows, key=place_of)]
    return replacement(stored, [_section(chunk) for chunk in chunks])


def code_of(number: int) -> str:
    """The code that leads every token of the space with this number."""
    digits = ""
    while number:
        number, digit = divmod(number, len(_DIGITS))
        digits = _DIGITS[digit] + digits
    return digits + _AFTER_CODE


def _section(chunk: NewChunk) -> NewSection:
    text_size, text_encoding, text_content = pack(chunk.head + chunk.text)
    tokens_size, tokens_encoding, tokens_content = pack(f"{chunk.head_tokens}\n{chunk.body_tokens}")
    columns: dict[str, object] = {
        "layer": chunk.layer.value,
        "heading_path": json.dumps(chunk.heading_path, ensure_ascii=False),
        "script": chunk.script,
        "tokenizer_version": chunk.tokenizer_version,
        "head_length": len(chunk.head),
        "text_encoding": text_encoding,
        "text_size": text_size,
        "text_content": text_content,
        "tokens_encoding": tokens_encoding,
        "tokens_size": tokens_size,
        "tokens_content": tokens_content,
    }
    return NewSection(chunk, columns, _content(columns))


def _tokens(chunk: NewChunk) -> Tokens:
    return Tokens(chunk.head_tokens, chunk.body_tokens)


def _content(columns: Row | Mapping[str, Any]) -> Hashable:
    """What a section is; two that are equal in this are one section."""
    return tuple(columns[column] for column in (*_KIND, *_WORDS))


def _place(version: int, chunk: NewChunk) -> dict[str, object]:
    first, last = chunk.pages or (None, None)
    return {
        "item_version": version,
        "ordinal": chunk.ordinal,
        "start_offset": chunk.start,
        "page_from": first,
        "page_to": last,
    }
