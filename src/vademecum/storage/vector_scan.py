"""Which chunks of a SQLite library are nearest to a vector?"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from vademecum.ports.index import HEAD_PART
from vademecum.storage.dialect import Database, Row
from vademecum.storage.index.kernel import as_row, as_rows, cosines
from vademecum.storage.index.nearest import Narrowing, NearRow, Wanted, nearest_rows
from vademecum.storage.index.spaces import IndexedSpace
from vademecum.storage.index.vector_changes import EVERY_CHUNK, VectorChanges
from vademecum.storage.index.vector_rows import ENDLESS, RowsView, VectorRow, VectorRows

MEMORY_LIMIT = 1024 * 1024 * 1024  # bytes of vectors kept, over all spaces and models
_PAGE = 8_192  # rows read at once

_CHUNKS = "SELECT chunk_id, item_id, layer FROM chunk WHERE space_id = :space_id"
_CHUNKS_OF = f"{_CHUNKS} AND chunk_id IN (SELECT value FROM json_each(:chunks))"
_VECTORS = """
SELECT chunk_id, part, sequence, vector FROM chunk_vector
WHERE space_id = :space_id AND model = :model AND LENGTH(vector) = :dimension
"""
_VECTORS_OF = f"{_VECTORS} AND chunk_id IN (SELECT value FROM json_each(:chunks))"
_VECTORS_AFTER = f"""
{_VECTORS} AND (chunk_id, part) > (:after_chunk, :after_part) ORDER BY chunk_id, part LIMIT :limit
"""


@dataclass(frozen=True, slots=True)
class StoredVectors:
    """The vectors of one model and length in one space, as one transaction sees them."""

    database: Database
    space: IndexedSpace
    model: str
    dimension: int

    def pages(self) -> Iterator[list[VectorRow]]:
        """All of them, by chunk id, some thousands at a time."""
        chunks = self._chunks(self.database.all(_CHUNKS, space_id=self.space.space_id))
        chunk_id, part = 0, -1
        while page := self.database.all(
            _VECTORS_AFTER, **self._which(), after_chunk=chunk_id, after_part=part, limit=_PAGE
        ):
            yield self._rows(page, chunks)
            chunk_id, part = page[-1]["chunk_id"], page[-1]["part"]

    def of_chunks(self, chunk_ids: Sequence[int]) -> list[VectorRow]:
        """Those of the chunks."""
        found = self.database.all(_CHUNKS_OF, space_id=self.space.space_id, chunks=list(chunk_ids))
        rows = self.database.all(_VECTORS_OF, **self._which(), chunks=list(chunk_ids))
        return self._rows(rows, self._chunks(found))

    def changed_since(self, sequence: int) -> dict[int, int]:
        """The chunks whose vectors came or went, each with its last change."""
        return VectorChanges(self.database).since(self.space, sequence)

    def _which(self) -> dict[str, object]:
        return {"space_id": self.space.space_id, "model": self.model, "dimension": self.dimension}

    @staticmethod
    def _chunks(rows: Sequence[Row]) -> dict[int, tuple[str, str]]:
        return {row["chunk_id"]: (row["item_id"], row["layer"]) for row in rows}

    @staticmethod
    def _rows(rows: Sequence[Row], chunks: dict[int, tuple[str, str]]) -> list[VectorRow]:
        return [
            VectorRow(row["chunk_id"], row["part"], row["sequence"], row["vector"], *chunks[row["chunk_id"]])
            for row in rows
        ]


@dataclass(frozen=True, slots=True)
class Question:
    """Which chunks are looked for: near the vector by their heads or by their windows."""

    vector: bytes
    heads: bool
    narrowing: Narrowing
    limit: int

    def at(self, sequence: int) -> Wanted:
        """The same of the state after the change `sequence`."""
        return Wanted(as_row(self.vector), self.narrowing, self.limit, sequence)


class _Rows:
    """The vectors of heads and of windows, apart: a search looks at one of both."""

    def __init__(self) -> None:
        self.heads, self.windows = VectorRows(), VectorRows()

    def append(self, rows: Sequence[VectorRow]) -> None:
        self.heads.append([row for row in rows if row.part == HEAD_PART])
        self.windows.append([row for row in rows if row.part != HEAD_PART])

    def update(self, changed: dict[int, int], rows: Sequence[VectorRow]) -> None:
        self.heads.update(changed, [row for row in rows if row.part == HEAD_PART])
        self.windows.update(changed, [row for row in rows if row.part != HEAD_PART])

    def view(self, question: Question) -> RowsView:
        return (self.heads if question.heads else self.windows).view()

    @property
    def size(self) -> int:
        return self.heads.size + self.windows.size


@dataclass(slots=True)
class _Held:
    """The rows of one space, model and length, and the last change that they show."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    rows: _Rows | None = None
    sequence: int = -1
    refused_at: int | None = None  # so many chunks were too many for the memory limit

    @property
    def size(self) -> int:
        return self.rows.size if self.rows else 0


class VectorCache:
    """What a process remembers of stored vectors. Each search sees exactly what its transaction sees.

    The vectors of a space are read at the first search and then follow the changes that were committed since,
    in whichever process. Where they would take more than the memory limit each search reads them anew.
    """

    def __init__(self, memory_limit: int = MEMORY_LIMIT) -> None:
        self._memory_limit = memory_limit
        self._lock = threading.Lock()
        self._held: OrderedDict[tuple[str, str, int], _Held] = OrderedDict()

    @property
    def size(self) -> int:
        """The bytes that are held."""
        with self._lock:
            return sum(held.size for held in self._held.values())

    def nearest(self, stored: StoredVectors, question: Question) -> list[NearRow]:
        """The nearest chunks of the space as they were committed, nearest first, equals by chunk id."""
        view = self._view(stored, question)
        if view is None:
            return nearest_in_pages(stored, question)
        return nearest_rows(view, question.at(stored.space.last_sequence))

    def _view(self, stored: StoredVectors, question: Question) -> RowsView | None:
        key = (stored.space.code, stored.model, stored.dimension)
        with self._lock:
            held = self._held.setdefault(key, _Held())
            self._held.move_to_end(key)
        with held.lock:
            self._follow(held, stored)
            view = held.rows.view(question) if held.rows else None
        self._shrink(key)
        return view

    def _follow(self, held: _Held, stored: StoredVectors) -> None:
        space = stored.space
        if held.refused_at is not None and space.chunks >= held.refused_at:
            return
        if held.rows is None or held.sequence < space.changes_since:
            self._load(held, stored)
        elif held.sequence < space.last_sequence:
            changed = stored.changed_since(held.sequence)
            if EVERY_CHUNK in changed:
                self._load(held, stored)
            else:
                held.rows.update(changed, stored.of_chunks(list(changed)))
                held.sequence = space.last_sequence

    def _load(self, held: _Held, stored: StoredVectors) -> None:
        rows = _Rows()
        held.rows, held.refused_at = None, None
        for page in stored.pages():
            rows.append(page)
            if rows.size > self._memory_limit:
                held.refused_at = stored.space.chunks
                return
        held.rows, held.sequence = rows, stored.space.last_sequence

    def _shrink(self, used: tuple[str, str, int]) -> None:
        """Forget what was used longest ago until the rest is within the limit."""
        with self._lock:
            excess = sum(held.size for held in self._held.values()) - self._memory_limit
            for key in [key for key in self._held if key != used]:
                if excess <= 0:
                    return
                excess -= self._held.pop(key).size


def nearest_in_pages(stored: StoredVectors, question: Question) -> list[NearRow]:
    """The same as the transaction sees it, also what is not committed, with no more than a page in memory."""
    best: dict[int, NearRow] = {}
    for page in stored.pages():
        rows = _Rows()
        rows.append(page)
        for row in nearest_rows(rows.view(question), question.at(ENDLESS - 1)):
            known = best.get(row.chunk_id)
            if known is None or (row.similarity, -row.part) > (known.similarity, -known.part):
                best[row.chunk_id] = row
        ordered = sorted(best.values(), key=lambda row: (-row.similarity, row.chunk_id))
        best = {row.chunk_id: row for row in ordered[: question.limit]}
    return list(best.values())


def best_similarities(
    stored: StoredVectors, vector: bytes, chunk_ids: Sequence[int], *, heads: bool
) -> dict[int, float]:
    """The similarity of each of the chunks by its head or its best window; chunks without are left out."""
    rows = [row for row in stored.of_chunks(chunk_ids) if (row.part == HEAD_PART) == heads]
    found: dict[int, float] = {}
    if rows:
        for row, similarity in zip(
            rows, cosines(as_row(vector), as_rows([row.vector for row in rows])), strict=True
        ):
            found[row.chunk_id] = max(float(similarity), found.get(row.chunk_id, -1.0))
    return found
