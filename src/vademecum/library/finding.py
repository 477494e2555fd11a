"""Which notes and sheets of a vault hold the words that are looked for?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from vademecum.library.candidates import Candidates, exact_wins, is_searched
from vademecum.library.context import Library
from vademecum.library.listing import Listed
from vademecum.library.places import is_note, is_sheet, tree_of
from vademecum.model.access import Caller
from vademecum.model.errors import InvalidInput, TooLarge
from vademecum.model.items import Item
from vademecum.model.search import QUERY_LIMIT, Filters, IndexedChunk
from vademecum.model.tags import tag_key
from vademecum.ports.index import ChunkKey, Scope
from vademecum.ports.storage import ItemKey, Transaction
from vademecum.text.fusion import Evidence, fuse
from vademecum.text.queries import Query, parse_query
from vademecum.text.snippets import snippet

# Sections looked at for each note wanted, which is found by the best of its own: many where long notes, or
# files that are not listed, take the room of others.
_FEW, _MANY = 3, 12


@dataclass(frozen=True, slots=True)
class NoteSearch:
    """What to look for (contracts 3.4.1): all of `tags` must be carried; archived ones only if asked for."""

    query: str
    tags: Sequence[str] = ()
    archived: bool = False
    limit: int = 20


@dataclass(frozen=True, slots=True)
class FoundNote:
    """A note or sheet with the text that shows the match."""

    listed: Listed
    snippet: str


def search_notes(library: Library, caller: Caller, request: NoteSearch) -> tuple[list[FoundNote], bool]:
    """Notes and sheets that hold the words, best first, at most `limit`, and whether there may be more.

    By words alone (decisions, Vault): title, headings, body and tags. Raises InvalidInput and TooLarge
    (`query`).
    """
    query = _parsed(request.query)
    space_id = caller.spaces[0]
    with library.storage.read() as tx:
        tree = tree_of(tx, space_id)
        found, shown, is_cut = _found(tx, space_id, query, request)
        chunks = _chunks(tx, found, shown[: request.limit])
    results = [
        FoundNote(
            Listed(item, tree.path_of(item.folder_id, item.file_name), tree.path_of(item.folder_id)),
            snippet(_text_of(item, chunks), query).text,
        )
        for item in shown[: request.limit]
    ]
    return results, is_cut


def _parsed(text: str) -> Query:
    wanted = text.strip()
    if not wanted:
        raise InvalidInput("query", "a word or question is needed")
    if len(wanted) > QUERY_LIMIT:
        raise TooLarge("query", QUERY_LIMIT)
    return parse_query(wanted)


def _found(
    tx: Transaction, space_id: str, query: Query, request: NoteSearch
) -> tuple[Candidates, list[Item], bool]:
    """What was found, what of it the vault shows, one more than wanted if there is, and whether that, or the
    number of sections looked at, cuts something off.
    """
    found, shown, is_cut = _looked_at(tx, space_id, query, (request, _FEW))
    if is_cut and len(shown) <= request.limit:
        return _looked_at(tx, space_id, query, (request, _MANY))
    return found, shown, is_cut


def _looked_at(
    tx: Transaction, space_id: str, query: Query, asked: tuple[NoteSearch, int]
) -> tuple[Candidates, list[Item], bool]:
    """The same, where so many sections are looked at for each note wanted."""
    request, for_each = asked
    sections = for_each * (request.limit + 1)
    found, ranked, is_full = _ranked(tx, space_id, query, (request, sections))
    shown = list(islice(_visible(tx, ranked, request), request.limit + 1))
    return found, shown, len(shown) > request.limit or is_full


def _ranked(
    tx: Transaction, space_id: str, query: Query, asked: tuple[NoteSearch, int]
) -> tuple[Candidates, list[ItemKey], bool]:
    """Items by their best section, of so many sections, and whether there were as many."""
    request, sections = asked
    filters = Filters(
        tags=tuple(key for tag in request.tags if (key := tag_key(tag))), archived=request.archived
    )
    # Archived notes are few, so that they are passed over afterwards, unless the tags select anyway.
    allowed = tx.items.matching([space_id], filters) if filters.tags else None
    scope = Scope((space_id,), allowed, None)
    found = Candidates()
    matches = tx.index.keyword(query, scope, sections)
    found.add_words(matches)
    exact = exact_wins(tx, query, scope, found)
    words = {one.key: one.words for one in found.every() if one.words is not None}
    return found, [one.key for one in fuse(Evidence(words=words, exact=exact))], len(matches) == sections


def _visible(tx: Transaction, ranked: Sequence[ItemKey], request: NoteSearch) -> Iterator[Item]:
    """Those that a vault shows in such a list, in their order."""
    items = tx.items.find_all(ranked)
    for key in ranked:
        item = items.get(key)
        if item is None or not is_searched(item) or (item.archived and not request.archived):
            continue
        if is_note(item.file_name) or is_sheet(item.file_name):
            yield item


def _chunks(tx: Transaction, found: Candidates, items: Sequence[Item]) -> dict[str, IndexedChunk]:
    """The section of each item in which the words stand, by item."""
    wanted: list[ChunkKey] = [
        chunk for item in items if (chunk := found.of((item.space_id, item.item_id)).word_chunk) is not None
    ]
    return {chunk.item_id: chunk for chunk in tx.index.chunks(wanted).values()}


def _text_of(item: Item, chunks: dict[str, IndexedChunk]) -> str:
    chunk = chunks.get(item.item_id)
    return item.excerpt if chunk is None else chunk.text
