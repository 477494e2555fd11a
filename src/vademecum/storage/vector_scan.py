"""Which chunks of a SQLite library are nearest to a vector?"""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass, field

from vademecum.storage.index.kernel import as_row
from vademecum.storage.index.nearest import Narrowing, NearRow, Wanted, nearest_rows
from vademecum.storage.index.stored_vectors import StoredVectors
from vademecum.storage.index.vector_changes import EVERY_CHUNK
from vademecum.storage.index.vector_rows import ENDLESS, RowsView, VectorRows

MEMORY_LIMIT = 1024 * 1024 * 1024  # bytes of vectors kept, over all spaces and models


@dataclass(frozen=True, slots=True)
class Question:
    """Which chunks are looked for."""

    vector: bytes
    narrowing: Narrowing
    limit: int

    def at(self, sequence: int) -> Wanted:
        """The same of the state after the change `sequence`."""
        return Wanted(as_row(self.vector), self.narrowing, self.limit, sequence)


@dataclass(slots=True)
class _Held:
    """Rows in memory, and the last change that they show."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    rows: VectorRows | None = None
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
        self._held: OrderedDict[tuple[str, str, bool, int], _Held] = OrderedDict()

    @property
    def size(self) -> int:
        """The bytes that are held."""
        with self._lock:
            return sum(held.size for held in self._held.values())

    def nearest(self, stored: StoredVectors, question: Question) -> list[NearRow]:
        """The nearest of the committed vectors, nearest first, equals by chunk id."""
        view = self._view(stored)
        if view is None:
            return nearest_in_pages(stored, question)
        return nearest_rows(view, question.at(stored.space.last_sequence))

    def _view(self, stored: StoredVectors) -> RowsView | None:
        with self._lock:
            held = self._held.setdefault(stored.key, _Held())
            self._held.move_to_end(stored.key)
        with held.lock:
            self._follow(held, stored)
            view = held.rows.view() if held.rows else None
        self._shrink()
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
        rows = VectorRows()
        held.rows, held.refused_at = None, None
        for page in stored.pages():
            rows.append(page)
            if rows.size > self._memory_limit:
                held.refused_at = stored.space.chunks
                return
        held.rows, held.sequence = rows, stored.space.last_sequence

    def _shrink(self) -> None:
        """Forget what was used longest ago until the rest is within the limit; the last used stays."""
        with self._lock:
            excess = sum(held.size for held in self._held.values()) - self._memory_limit
            while excess > 0 and len(self._held) > 1:
                _, held = self._held.popitem(last=False)
                excess -= held.size


def nearest_in_pages(stored: StoredVectors, question: Question) -> list[NearRow]:
    """The same of what the transaction sees, committed or not, with no more than a page in memory."""
    best: dict[int, NearRow] = {}
    wanted = question.at(ENDLESS - 1)
    for page in stored.pages():
        for row in nearest_rows(VectorRows(page).view(), wanted):
            known = best.get(row.chunk_id)
            if known is None or (row.similarity, -row.part) > (known.similarity, -known.part):
                best[row.chunk_id] = row
        ordered = sorted(best.values(), key=lambda row: (-row.similarity, row.chunk_id))
        best = {row.chunk_id: row for row in ordered[: question.limit]}
    return list(best.values())
