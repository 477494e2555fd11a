"""Which vectors of one model and space are held in memory, and since which change does each count?

Rows are only ever appended, and the only thing that changes in one is the change by which it ended. So a
search reads on in the rows that it was given while another thread appends, and each sees the state of its own
transaction.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vademecum.storage.index.kernel import Bytes, as_rows

ENDLESS = np.iinfo(np.int64).max
_FIRST_CAPACITY = 256
_DEAD_SHARE = 4  # rows are packed anew when more than a quarter has ended
_DEAD_LEAST = 1_000


class VectorRow(NamedTuple):
    """A stored vector with what a search filters by. `sequence` is the change that brought it."""

    chunk_id: int
    part: int
    sequence: int
    vector: bytes
    item_id: str
    layer: str


@dataclass(frozen=True, slots=True)
class RowsView:
    """The rows as one search sees them. `items` are numbers into `item_ids`, `layers` into `layer_names`."""

    vectors: Bytes
    chunks: NDArray[np.int64]
    parts: NDArray[np.int32]
    items: NDArray[np.int32]
    layers: NDArray[np.uint8]
    born: NDArray[np.int64]
    died: NDArray[np.int64]
    item_ids: Sequence[str]
    item_numbers: dict[str, int]
    layer_names: Sequence[str]

    def alive(self, sequence: int) -> NDArray[np.bool_]:
        """Which rows counted after the change `sequence`."""
        return (self.born <= sequence) & (self.died > sequence)


class VectorRows:
    """A table of vectors of one length. One thread changes it at a time, any number read its views."""

    def __init__(self, rows: Sequence[VectorRow] = ()) -> None:
        self._count = 0
        self._dead = 0
        self._item_ids: list[str] = []
        self._item_numbers: dict[str, int] = {}
        self._layer_names: list[str] = []
        self._arrays = _Arrays.empty(_FIRST_CAPACITY, len(rows[0].vector) if rows else 0)
        self.append(rows)

    @property
    def size(self) -> int:
        """The bytes that the rows take."""
        ids = 150 * len(self._item_ids)  # a short text, its place in the list and in the dictionary
        return self._count * self._arrays.row_size + ids

    @property
    def count(self) -> int:
        return self._count

    def append(self, rows: Sequence[VectorRow]) -> None:
        """Add rows at the end."""
        if not rows:
            return
        if not self._count:
            self._arrays = _Arrays.empty(max(_FIRST_CAPACITY, len(rows)), len(rows[0].vector))
        end = self._count + len(rows)
        if end > self._arrays.capacity:
            self._arrays = self._arrays.grown(max(end, self._arrays.capacity * 3 // 2), self._count)
        chunks, parts, born, vectors, items, layers = zip(*rows, strict=True)
        arrays, place = self._arrays, slice(self._count, end)
        arrays.vectors[place] = as_rows(vectors)
        arrays.chunks[place] = chunks
        arrays.parts[place] = parts
        arrays.items[place] = self._item_numbers_of(items)
        arrays.layers[place] = self._layer_numbers_of(layers)
        arrays.born[place] = born
        arrays.died[place] = ENDLESS
        self._count = end

    def update(self, changed: dict[int, int], rows: Iterable[VectorRow]) -> bool:
        """Bring the chunks of `changed` (chunk id, last change) to the state of `rows` (all of theirs).

        Whether earlier states are lost, because rows that had ended were packed away.
        """
        fresh = {(row.chunk_id, row.part, row.sequence): row for row in rows}
        chunks, died = self._arrays.chunks[: self._count], self._arrays.died[: self._count]
        wanted = np.fromiter(changed, dtype=np.int64, count=len(changed))
        for place in np.flatnonzero(np.isin(chunks, wanted) & (died == ENDLESS)).tolist():
            chunk_id = int(chunks[place])
            key = (chunk_id, int(self._arrays.parts[place]), int(self._arrays.born[place]))
            if fresh.pop(key, None) is None:
                died[place] = changed[chunk_id]
                self._dead += 1
        self.append(list(fresh.values()))
        if self._dead <= _DEAD_LEAST or self._dead * _DEAD_SHARE <= self._count:
            return False
        self._pack()
        return True

    def view(self) -> RowsView:
        """The rows as they are now; later changes do not show in it, other than by their sequence."""
        arrays, end = self._arrays, self._count
        return RowsView(
            vectors=arrays.vectors[:end],
            chunks=arrays.chunks[:end],
            parts=arrays.parts[:end],
            items=arrays.items[:end],
            layers=arrays.layers[:end],
            born=arrays.born[:end],
            died=arrays.died[:end],
            item_ids=self._item_ids,
            item_numbers=self._item_numbers,
            layer_names=self._layer_names,
        )

    def _pack(self) -> None:
        kept = np.flatnonzero(self._arrays.died[: self._count] == ENDLESS)
        self._arrays = self._arrays.only(kept)
        self._count, self._dead = len(kept), 0

    def _item_numbers_of(self, items: Sequence[str]) -> list[int]:
        numbers = self._item_numbers
        for item_id in dict.fromkeys(items):
            if item_id not in numbers:
                # The list first: whoever finds the number finds the item too.
                self._item_ids.append(item_id)
                numbers[item_id] = len(self._item_ids) - 1
        return [numbers[item_id] for item_id in items]

    def _layer_numbers_of(self, layers: Sequence[str]) -> list[int]:
        self._layer_names += [layer for layer in dict.fromkeys(layers) if layer not in self._layer_names]
        numbers = {layer: number for number, layer in enumerate(self._layer_names)}
        return [numbers[layer] for layer in layers]


@dataclass(frozen=True, slots=True)
class _Arrays:
    vectors: Bytes
    chunks: NDArray[np.int64]
    parts: NDArray[np.int32]
    items: NDArray[np.int32]
    layers: NDArray[np.uint8]
    born: NDArray[np.int64]
    died: NDArray[np.int64]

    @classmethod
    def empty(cls, capacity: int, dimension: int) -> _Arrays:
        return cls(
            vectors=np.empty((capacity, dimension), dtype=np.int8),
            chunks=np.empty(capacity, dtype=np.int64),
            parts=np.empty(capacity, dtype=np.int32),
            items=np.empty(capacity, dtype=np.int32),
            layers=np.empty(capacity, dtype=np.uint8),
            born=np.empty(capacity, dtype=np.int64),
            died=np.empty(capacity, dtype=np.int64),
        )

    @property
    def capacity(self) -> int:
        return len(self.chunks)

    @property
    def row_size(self) -> int:
        return sum(array.itemsize for array in self.all[1:]) + int(self.vectors.shape[1])

    def grown(self, capacity: int, count: int) -> _Arrays:
        larger = _Arrays.empty(capacity, self.vectors.shape[1])
        for old, new in zip(self.all, larger.all, strict=True):
            new[:count] = old[:count]
        return larger

    def only(self, places: NDArray[np.intp]) -> _Arrays:
        return _Arrays(
            vectors=self.vectors[places],
            chunks=self.chunks[places],
            parts=self.parts[places],
            items=self.items[places],
            layers=self.layers[places],
            born=self.born[places],
            died=self.died[places],
        )

    @property
    def all(self) -> tuple[NDArray[np.generic], ...]:
        return (self.vectors, self.chunks, self.parts, self.items, self.layers, self.born, self.died)
