"""Which tokens of sections does a process remember, so as not to read them each time?"""

from __future__ import annotations

import sys
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from vademecum.storage.index.bm25 import Countable, countable
from vademecum.storage.index.chunk_rows import StoredTokens

MEMORY_LIMIT = 16 * 1024 * 1024  # bytes; some 5,000 sections
_ROOM = 500  # bytes that a section takes besides its text

Read = Callable[[str, Sequence[int]], list[StoredTokens]]


@dataclass(frozen=True, slots=True)
class Section:
    """A section of which the words can be counted."""

    chunk_id: int
    item_id: str
    tokens: Countable

    @property
    def size(self) -> int:
        """About how many bytes it takes."""
        return sys.getsizeof(self.tokens.head) + sys.getsizeof(self.tokens.whole) + _ROOM


class SectionCache:
    """The sections that were scored last, up to so many bytes; with none it remembers nothing.

    What a section holds never changes and its number is given to no other, but a number that was not
    committed may be given again. So only what a transaction that reads has found may come in here.
    """

    def __init__(self, memory_limit: int = MEMORY_LIMIT) -> None:
        self._memory_limit = memory_limit
        self._lock = threading.Lock()
        self._size = 0
        self._known: OrderedDict[tuple[str, int], Section] = OrderedDict()

    @property
    def size(self) -> int:
        """About how many bytes are held."""
        return self._size

    def sections(self, space_id: str, chunk_ids: Sequence[int], read: Read) -> list[Section]:
        """Those of the sections that are there, in no order, by `read` unless they are known.

        For sections that the transaction sees: what another has removed since is still known.
        """
        with self._lock:
            known = [self._used((space_id, number)) for number in chunk_ids]
        found = [section for section in known if section is not None]
        missing = [number for number, section in zip(chunk_ids, known, strict=True) if section is None]
        if missing:
            fresh = [
                Section(stored.chunk_id, stored.item_id, countable(stored.tokens))
                for stored in read(space_id, missing)
            ]
            self._keep(space_id, fresh)
            found += fresh
        return found

    def _used(self, key: tuple[str, int]) -> Section | None:
        section = self._known.get(key)
        if section is not None:
            self._known.move_to_end(key)
        return section

    def _keep(self, space_id: str, sections: Sequence[Section]) -> None:
        with self._lock:
            for section in sections:
                key = (space_id, section.chunk_id)
                if key not in self._known:
                    self._known[key] = section
                    self._size += section.size
            while self._size > self._memory_limit:
                _, forgotten = self._known.popitem(last=False)
                self._size -= forgotten.size
