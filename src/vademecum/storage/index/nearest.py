"""Which chunks are nearest to a query among rows in memory?"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from itertools import repeat

import numpy as np
from numpy.typing import NDArray

from vademecum.ports.index import VectorMatch
from vademecum.storage.index.kernel import Bytes, Kernel, Similarities, cosines
from vademecum.storage.index.vector_rows import RowsView

GATHERED_SHARE = (
    10  # below one row in ten the allowed ones are gathered, else all are scanned and some masked
)
_PARTS_OF_CHUNK = 4  # a guess at how many parts of a chunk are near when one is


@dataclass(frozen=True, slots=True)
class Narrowing:
    """What a search of one space looks at: the items when given, the layer when given."""

    items: Collection[str] | None = None
    layer: str | None = None


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is looked for: the vector, at most `limit` chunks, in the state after the change `sequence`.

    Chunks of `without` are passed over, and those that are less similar than `least`.
    """

    space_id: str
    vector: Bytes
    narrowing: Narrowing
    limit: int
    sequence: int
    without: Collection[int] = ()
    least: float | None = None


def nearest_rows(view: RowsView, wanted: Wanted, kernel: Kernel = cosines) -> list[VectorMatch]:
    """The nearest chunks, each once by its best part, nearest first, equals by chunk id; exact."""
    allowed = _allowed(view, wanted)
    places = np.flatnonzero(allowed)
    if not len(places) or wanted.limit < 1:
        return []
    if len(places) == len(allowed):
        found, chunks, parts = kernel(wanted.vector, view.vectors), view.chunks, view.parts
    else:
        found, chunks, parts = (
            _similarities(view, wanted, places, kernel),
            view.chunks[places],
            view.parts[places],
        )
    if wanted.least is not None:
        # In double precision, as whoever asks will compare them.
        near = np.flatnonzero(found >= np.float64(wanted.least))
        places, found, chunks, parts = places[near], found[near], chunks[near], parts[near]
    best = _best(found, chunks, parts, wanted.limit)
    chosen = places[best]
    return [
        *map(
            VectorMatch,
            repeat(wanted.space_id),
            chunks[best].tolist(),
            map(view.item_ids.__getitem__, view.items[chosen].tolist()),
            parts[best].tolist(),
            found[best].tolist(),
        )
    ]


def _similarities(view: RowsView, wanted: Wanted, places: NDArray[np.intp], kernel: Kernel) -> Similarities:
    if len(places) * GATHERED_SHARE < len(view.chunks):
        return kernel(wanted.vector, view.vectors[places])
    return kernel(wanted.vector, view.vectors)[places]


def _allowed(view: RowsView, wanted: Wanted) -> NDArray[np.bool_]:
    allowed = view.alive(wanted.sequence)
    if wanted.without:
        passed_over = np.fromiter(wanted.without, dtype=np.int64, count=len(wanted.without))
        allowed &= ~np.isin(view.chunks, passed_over)
    narrowing = wanted.narrowing
    if narrowing.items is not None:
        numbers = (view.item_numbers.get(item_id) for item_id in narrowing.items)
        is_allowed = np.zeros(len(view.item_ids) + 1, dtype=np.bool_)
        is_allowed[[number for number in numbers if number is not None and number < len(is_allowed)]] = True
        allowed &= is_allowed[view.items]
    if narrowing.layer is not None:
        names = view.layer_names
        allowed &= view.layers == (names.index(narrowing.layer) if narrowing.layer in names else len(names))
    return allowed


def _best(
    found: Similarities, chunks: NDArray[np.int64], parts: NDArray[np.int32], limit: int
) -> NDArray[np.intp]:
    """The places of the best part of each of the best chunks, in order."""
    enough = min(len(found), limit * _PARTS_OF_CHUNK)
    while True:
        if enough < len(found):
            least = np.partition(found, len(found) - enough)[len(found) - enough]
            places = np.flatnonzero(found >= least)
        else:
            places = np.arange(len(found))
        ordered = places[np.lexsort((parts[places], chunks[places], -found[places]))]
        _, firsts = np.unique(chunks[ordered], return_index=True)
        if len(firsts) >= limit or len(places) == len(found):
            return ordered[np.sort(firsts)[:limit]]
        enough = min(len(found), enough * _PARTS_OF_CHUNK)


def merged(matches: list[VectorMatch], limit: int) -> list[VectorMatch]:
    """The nearest of several spaces, given space by space, in one order."""
    if len({match.space_id for match in matches}) > 1:
        matches = sorted(matches, key=lambda match: (-match.similarity, match.chunk_id, match.space_id))
    return matches[:limit]
