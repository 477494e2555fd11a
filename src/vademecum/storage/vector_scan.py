"""Which chunks of a SQLite library are nearest to a vector?"""

from __future__ import annotations

import threading
from collections import OrderedDict, deque
from collections.abc import Collection
from dataclasses import dataclass, field

from vademecum.ports.index import VectorMatch
from vademecum.storage.index.kernel import as_row
from vademecum.storage.index.nearest import Narrowing, Wanted, nearest_rows
from vademecum.storage.index.stored_vectors import StoredVectors
from vademecum.storage.index.vector_changes import EVERY_CHUNK
from vademecum.storage.index.vector_rows import ENDLESS, RowsView, VectorRows

MEMORY_LIMIT = 1024 * 1024 * 1024  # bytes of vectors kept, over all spaces and models
_STATES = 64  # earlier ones that a search can still start from


@dataclass(frozen=True, slots=True)
class Question:
    """Which chunks are looked for: those at least as near as `least`, if that is given."""

    space_id: str
    vector: bytes
    narrowing: Narrowing
    limit: int
    least: float | None = None

    def at(self, sequence: int, without: Collection[int] = ()) -> Wanted:
        """The same of the state after the change `sequence`, apart from some chunks."""
        vector = as_row(self.vector)
        return Wanted(self.space_id, vector, self.narrowing, self.limit, sequence, without, self.least)


@dataclass(slots=True)
class _Held:
    """Rows in memory, and the changes after which they are known exactly, in order."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    rows: VectorRows | None = None
    states: deque[int] = field(default_factory=lambda: deque(maxlen=_STATES))
    refused_at: int | None = None  # so many chunks were too many for the memory limit

    @property
    def size(self) -> int:
        return self.rows.size if self.rows else 0

    def state_at(self, sequence: int) -> int | None:
        """The last known state that is not later."""
        return next((state for state in reversed(self.states) if state <= sequence), None)


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

    def nearest(self, stored: StoredVectors, question: Question, *, committed: bool) -> list[VectorMatch]:
        """The nearest chunks of the space, nearest first, equals by chunk id.

        What a transaction has changed and not `committed` is found by it, and not remembered.
        """
        with self._lock:
            held = self._held.setdefault(stored.key, _Held())
            self._held.move_to_end(stored.key)
        with held.lock:
            if committed:
                self._follow(held, stored)
            state = held.state_at(stored.space.last_sequence)
            view = held.rows.view() if held.rows else None
        self._shrink()
        if view is None or state is None or state < stored.space.changes_since:
            return nearest_in_pages(stored, question)
        return _nearest_since(view, state, stored, question)

    def _follow(self, held: _Held, stored: StoredVectors) -> None:
        space = stored.space
        if held.refused_at is not None and space.chunks >= held.refused_at:
            return
        if held.rows is None or held.states[-1] < space.changes_since:
            self._load(held, stored)
        elif held.states[-1] < space.last_sequence:
            changed = stored.changed_since(held.states[-1])
            if EVERY_CHUNK in changed:
                self._load(held, stored)
                return
            if held.rows.update(changed, stored.of_chunks(list(changed))):
                held.states.clear()
            held.states.append(space.last_sequence)

    def _load(self, held: _Held, stored: StoredVectors) -> None:
        rows = VectorRows()
        held.rows, held.refused_at = None, None
        held.states.clear()
        for page in stored.pages():
            rows.append(page)
            if rows.size > self._memory_limit:
                held.refused_at = stored.space.chunks
                return
        held.rows = rows
        held.states.append(stored.space.last_sequence)

    def _shrink(self) -> None:
        """Forget what was used longest ago until the rest is within the limit; the last used stays."""
        with self._lock:
            excess = sum(held.size for held in self._held.values()) - self._memory_limit
            while excess > 0 and len(self._held) > 1:
                _, held = self._held.popitem(last=False)
                excess -= held.size


def _nearest_since(
    view: RowsView, state: int, stored: StoredVectors, question: Question
) -> list[VectorMatch]:
    """Out of rows that are known at an earlier state, and what the transaction sees to have changed since."""
    changed = {} if state == stored.space.last_sequence else stored.changed_since(state)
    if EVERY_CHUNK in changed:
        return nearest_in_pages(stored, question)
    found = nearest_rows(view, question.at(state, without=changed))
    if changed:
        fresh = VectorRows(stored.of_chunks(list(changed))).view()
        found += nearest_rows(fresh, question.at(ENDLESS - 1))
        found.sort(key=lambda row: (-row.similarity, row.chunk_id))
    return found[: question.limit]


def nearest_in_pages(stored: StoredVectors, question: Question) -> list[VectorMatch]:
    """The same as the transaction sees it, with no more than a page in memory."""
    best: dict[int, VectorMatch] = {}
    wanted = question.at(ENDLESS - 1)
    for page in stored.pages():
        for row in nearest_rows(VectorRows(page).view(), wanted):
            known = best.get(row.chunk_id)
            if known is None or (row.similarity, -row.part) > (known.similarity, -known.part):
                best[row.chunk_id] = row
        ordered = sorted(best.values(), key=lambda row: (-row.similarity, row.chunk_id))
        best = {row.chunk_id: row for row in ordered[: question.limit]}
    return list(best.values())
