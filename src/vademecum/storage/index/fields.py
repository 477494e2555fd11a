"""Where in the library does a search look, space by space?"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from vademecum.ports.index import Scope
from vademecum.storage.index.chunk_rows import ChunkRows
from vademecum.storage.index.nearest import GATHERED_SHARE, Narrowing
from vademecum.storage.index.spaces import IndexedSpace

_SECTIONS_OF_ITEM = 2  # a low guess
_GATHERED_ALWAYS = 200  # sections; gathering so few is cheaper than asking whether it pays


@dataclass(frozen=True, slots=True)
class Field:
    """A space with what narrows the search in it.

    `gathered` are the sections that are left, ascending, when the narrowing leaves few of them.
    """

    space: IndexedSpace
    narrowing: Narrowing
    gathered: tuple[int, ...] | None = None

    @property
    def chunks(self) -> int:
        """How many sections are looked at, at most."""
        return self.space.chunks if self.gathered is None else len(self.gathered)


def narrowings(scope: Scope) -> dict[str, Narrowing]:
    """What narrows the search in each space of the scope in which it may find anything."""
    layer = scope.layer.value if scope.layer else None
    if scope.allowed is None:
        return dict.fromkeys(scope.spaces, Narrowing(None, layer))
    items: dict[str, list[str]] = defaultdict(list)
    for space_id, item_id in scope.allowed:
        items[space_id].append(item_id)
    return {space_id: Narrowing(items[space_id], layer) for space_id in scope.spaces if space_id in items}


def fields_of(rows: ChunkRows, spaces: Sequence[IndexedSpace], scope: Scope) -> list[Field]:
    """The fields of a keyword search; those in which it would find nothing are left out."""
    narrowed = narrowings(scope)
    fields = [_field(rows, space, narrowed[space.space_id]) for space in spaces if space.space_id in narrowed]
    return [field for field in fields if field.chunks]


def _field(rows: ChunkRows, space: IndexedSpace, narrowing: Narrowing) -> Field:
    if narrowing.items is None:
        return Field(space, narrowing)
    most = max(space.chunks // GATHERED_SHARE, _GATHERED_ALWAYS)
    if len(narrowing.items) * _SECTIONS_OF_ITEM > most:
        return Field(space, narrowing)
    found = rows.of_items(space.space_id, narrowing.items, narrowing.layer, most + 1)
    return Field(space, narrowing, tuple(sorted(found)) if len(found) <= most else None)
