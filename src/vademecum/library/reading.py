"""How is an item read, in windows or sections, and how are items listed?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from vademecum.library.context import Library
from vademecum.library.literal import items_with_words
from vademecum.library.places import tree_of
from vademecum.library.resolving import load_document
from vademecum.model.access import Caller
from vademecum.model.errors import InvalidInput, TooLarge
from vademecum.model.items import PROVENANCES, Document, Item, Layer, layer_of
from vademecum.model.search import LIST_DEFAULT, QUERY_LIMIT, RESULTS_MOST, Filters
from vademecum.model.times import range_bounds
from vademecum.ports.storage import ItemKey, Transaction
from vademecum.text.chunks import cut
from vademecum.text.windows import window

WINDOW_DEFAULT, WINDOW_MOST, RADIUS_MOST = 8_000, 20_000, 3  # contracts 2.4.3


@dataclass(frozen=True, slots=True)
class Reading:
    """A part of an item's body. `start`, `total` and `next_start` count code points; `ordinals` are the
    sections served, None when it was read by window.
    """

    item: Item
    content: str
    start: int
    total: int
    next_start: int | None
    ordinals: tuple[int, ...] | None = None


def document(library: Library, caller: Caller, item_id: str) -> Document:
    """The whole item. Raises NotFound."""
    with library.storage.read() as tx:
        return load_document(tx, caller, item_id)


def read_window(
    library: Library, caller: Caller, item_id: str, start: int = 0, length: int = WINDOW_DEFAULT
) -> Reading:
    """The part of the body that begins at `start`, at most 20,000 code points of it (contracts 2.4.3).

    Raises NotFound, and InvalidInput for a negative start or a length under one.
    """
    if start < 0:
        raise InvalidInput("windowStart", "0 or more is needed")
    if length < 1:
        raise InvalidInput("windowLength", "1 or more is needed")
    found = document(library, caller, item_id)
    part = window(found.body, start, min(length, WINDOW_MOST))
    return Reading(found.item, part.text, part.start, part.total, part.next_start)


def read_chunks(library: Library, caller: Caller, item_id: str, chunk: int, radius: int = 1) -> Reading:
    """The section with the ordinal `chunk` and up to `radius` neighbours on each side (contracts 2.4.3).

    Raises NotFound, and InvalidInput for a radius outside 0 to 3 or an ordinal that the item has not (an
    edit makes earlier chunk references void).
    """
    if not 0 <= radius <= RADIUS_MOST:
        raise InvalidInput("chunkRadius", f"0 to {RADIUS_MOST} is needed")
    with library.storage.read() as tx:
        found = load_document(tx, caller, item_id)
        bounds = _section_bounds(tx, found)
    if not 0 <= chunk < len(bounds):
        raise InvalidInput(
            "chunk", f"the item has the sections 0 to {len(bounds) - 1}; search again for a new one"
        )
    ordinals = tuple(range(max(0, chunk - radius), min(len(bounds), chunk + radius + 1)))
    start, end = bounds[ordinals[0]][0], bounds[ordinals[-1]][1]
    return Reading(found.item, found.body[start:end], start, len(found.body), None, ordinals)


def _section_bounds(tx: Transaction, found: Document) -> list[tuple[int, int]]:
    """The sections as they were indexed, so that ordinals of search results fit; cut now where none are."""
    item = found.item
    stored = [
        chunk for chunk in tx.index.chunks_of(item.space_id, item.item_id) if chunk.layer is item.body_layer
    ]
    if stored:
        return [(chunk.start, chunk.start + len(chunk.text)) for chunk in stored]
    markdown = item.body_layer is not Layer.RECOGNIZED
    return [(piece.start, piece.end) for piece in cut(found.body, markdown=markdown)] or [(0, 0)]


def paths(library: Library, items: Sequence[Item]) -> dict[ItemKey, str]:
    """Where each item lies in its space: its folders and its file name, as in `Tea/Green.md`."""
    with library.storage.read() as tx:
        trees = {space_id: tree_of(tx, space_id) for space_id in {item.space_id for item in items}}
    return {
        (item.space_id, item.item_id): trees[item.space_id].path_of(item.folder_id, item.file_name)
        for item in items
    }


@dataclass(frozen=True, slots=True)
class ListRequest:
    """What to list: both or neither of start and end; `keyword` is a literal AND over the full text."""

    start: str | None = None
    end: str | None = None
    provenance: str = "any"
    keyword: str | None = None
    limit: int = LIST_DEFAULT


def list_items(library: Library, caller: Caller, request: ListRequest) -> list[Item]:
    """Items newest first, at most fifty (contracts 2.4.2). Raises InvalidInput naming the field."""
    filters = Filters(
        created=range_bounds(request.start, request.end, zone_of(caller)),
        layer=layer_of(check_provenance(request.provenance)),
        archived=False,
        bare_files=False,
    )
    limit = check_limit(request.limit)
    keyword = (request.keyword or "").strip()
    if len(keyword) > QUERY_LIMIT:
        raise TooLarge("keyword", QUERY_LIMIT)
    with library.storage.read() as tx:
        if keyword:
            return items_with_words(tx, caller.spaces, filters, keyword, limit)
        return tx.items.list_recent(caller.spaces, filters, limit)


def check_limit(limit: int) -> int:
    """A limit within its bounds: above the maximum it is clamped, 0 or less is refused (decisions)."""
    if limit < 1:
        raise InvalidInput("limit", "1 or more is needed")
    return min(limit, RESULTS_MOST)


def check_provenance(provenance: str) -> str:
    """The provenance when it is one that exists; raises InvalidInput otherwise."""
    if provenance not in PROVENANCES:
        raise InvalidInput("provenance", f"one of {', '.join(PROVENANCES)} is needed")
    return provenance


def zone_of(caller: Caller) -> tzinfo:
    """The time zone in which the caller's dates without one are meant (design 5)."""
    try:
        return ZoneInfo(caller.zone)
    except (ZoneInfoNotFoundError, ValueError) as error:
        raise InvalidInput("zone", f"the account's time zone {caller.zone!r} is not known here") from error
