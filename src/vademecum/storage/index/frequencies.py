"""In how many sections does a term stand, without counting a common one each time?"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from vademecum.storage.index.spaces import IndexedSpace
from vademecum.text.terms import Term

_MOST = 8_192  # terms remembered
_COMMON_LEAST = 500  # sections; to count a rarer term takes no time
_COMMON_SHARE = 200  # one section in so many
_DRIFT_SHARE = 50  # counted anew when the space has changed by one part in so many

Count = Callable[[IndexedSpace, Sequence[Term]], int]
_Key = tuple[str, tuple[Term, ...]]


@dataclass(frozen=True, slots=True)
class _Known:
    frequency: int
    chunks: int
    sequence: int


class FrequencyCache:
    """What a process remembers of common terms; counting one walks through all its postings (search 2.2)."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: OrderedDict[_Key, _Known] = OrderedDict()

    def frequency(self, space: IndexedSpace, terms: Sequence[Term], count: Count) -> int:
        """The number of sections that hold all terms, by `count` unless it is known well enough."""
        key = (space.code, tuple(terms))
        with self._lock:
            known = self._known.get(key)
            if known is not None and _is_fresh(known, space):
                self._known.move_to_end(key)
                return min(known.frequency, space.chunks)
        frequency = count(space, terms)
        if frequency >= max(_COMMON_LEAST, space.chunks // _COMMON_SHARE):
            with self._lock:
                self._known[key] = _Known(frequency, space.chunks, space.last_sequence)
                while len(self._known) > _MOST:
                    self._known.popitem(last=False)
        return frequency


def _is_fresh(known: _Known, space: IndexedSpace) -> bool:
    drift = max(abs(space.chunks - known.chunks), abs(space.last_sequence - known.sequence))
    return drift * _DRIFT_SHARE <= known.chunks
