"""Which items hold every one of some wordings, newest first?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from vademecum.ports.index import Scope
from vademecum.storage.dialect import Database
from vademecum.storage.index.candidates import BUDGET
from vademecum.storage.index.chunk_rows import ChunkRows
from vademecum.storage.index.cut_wordings import Cut, cuts
from vademecum.storage.index.fields import Field, fields_of
from vademecum.storage.index.spaces import IndexedSpace, IndexedSpaces
from vademecum.text.terms import Term

_PAGE = 200  # items that are asked at once whether they hold a common word
_SECTIONS_OF_PAGE = 100_000
_CUTS_MOST = 1_000  # sections that may begin with the rest of a wording

_ItemKey = tuple[str, str]


class LiteralEngine(Protocol):
    """What finds sections by their postings, on either database and within one space."""

    def frequency(self, space: IndexedSpace, terms: Sequence[Term]) -> int:
        """In how many sections all the terms stand."""
        ...

    def items(self, field: Field, term: Term, limit: int) -> set[str]:
        """The items of the newest `limit` sections that hold the term."""
        ...

    def beginning(self, field: Field, term: Term, limit: int) -> list[int]:
        """The newest sections whose text begins with the term."""
        ...


@dataclass(frozen=True, slots=True)
class _Open:
    """A field with the common terms that its items have yet to be asked for."""

    field: Field
    common: tuple[Term, ...]


class LiteralSearch:
    """Takes the items of the rarest wording and keeps those that hold the others.

    Where even the rarest stands in more sections than the budget, the newest of them count.
    """

    def __init__(self, database: Database, engine: LiteralEngine) -> None:
        self._database = database
        self._engine = engine
        self._rows = ChunkRows(database)
        self._spaces = IndexedSpaces(database)

    def search(self, words: Sequence[Sequence[str]], scope: Scope, limit: int, offset: int) -> list[_ItemKey]:
        """See ports.index.Index.containing."""
        terms = [_term(tokens) for tokens in dict.fromkeys(map(tuple, words)) if tokens]
        if not terms or limit < 1:
            return []
        spaces = self._spaces.find(scope.spaces)
        opened: dict[str, _Open] = {}
        dated: list[tuple[str, str, str]] = []
        for field in fields_of(self._rows, spaces, scope):
            items, common = self._holding_rare(field, terms)
            opened[field.space.space_id] = _Open(field, common)
            dated += self._dated(field.space.space_id, items)
        newest = [(space_id, item_id) for _, item_id, space_id in sorted(dated, reverse=True)]
        found: list[_ItemKey] = []
        for page in _pages(newest):
            holding = self._holding_common(page, opened)
            found += [key for key in page if key in holding]
            if len(found) >= offset + limit:
                break
        return found[offset : offset + limit]

    def _holding_rare(self, field: Field, terms: Sequence[Term]) -> tuple[set[str], tuple[Term, ...]]:
        """Items that hold the rarest term and every other that is rare, and the terms that are left."""
        frequencies = {term: self._engine.frequency(field.space, [term]) for term in terms}
        rarest, *others = sorted(terms, key=frequencies.__getitem__)
        items = self._items(field, rarest)
        rare = [term for term in others if frequencies[term] <= BUDGET]
        for term in rare:
            if items:
                items &= self._items(field, term)
        return items, tuple(term for term in others if term not in rare)

    def _holding_common(self, page: Sequence[_ItemKey], opened: dict[str, _Open]) -> set[_ItemKey]:
        holding: set[_ItemKey] = set()
        for space_id, part in opened.items():
            items = {item_id for key_space, item_id in page if key_space == space_id}
            for term in part.common:
                if items:
                    layer = part.field.narrowing.layer
                    numbers = self._rows.of_items(space_id, items, layer, _SECTIONS_OF_PAGE)
                    asked = replace(part.field, gathered=tuple(sorted(numbers)))
                    items &= self._engine.items(asked, term, _SECTIONS_OF_PAGE)
            holding |= {(space_id, item_id) for item_id in items}
        return holding

    def _items(self, field: Field, term: Term) -> set[str]:
        items = self._engine.items(field, term, BUDGET)
        for cut in cuts(term):
            items |= self._items_with_cut(field, cut)
        return items

    def _items_with_cut(self, field: Field, cut: Cut) -> set[str]:
        """Items where one section ends with the first part of a wording and the next begins with the rest."""
        followers = self._engine.beginning(field, cut.rest, _CUTS_MOST)
        space_id = field.space.space_id
        return {
            section.item_id
            for section in self._rows.tokens(space_id, self._rows.before(space_id, followers))
            if cut.ends(section.tokens.body)
        }

    def _dated(self, space_id: str, items: set[str]) -> list[tuple[str, str, str]]:
        opened = self._database.dialect.list_rows("items")
        sql = f"SELECT item_id, created_at FROM item WHERE space_id = :space_id AND item_id IN {opened}"
        rows = self._database.all(sql, space_id=space_id, items=sorted(items)) if items else []
        return [(row["created_at"], row["item_id"], space_id) for row in rows]


def _term(tokens: Sequence[str]) -> Term:
    """The tokens side by side; a single one beyond ASCII may be the beginning of a pair of characters."""
    return Term(tuple(tokens), prefix=len(tokens) == 1 and not tokens[0].isascii())


def _pages(keys: Sequence[_ItemKey]) -> Iterator[Sequence[_ItemKey]]:
    for start in range(0, len(keys), _PAGE):
        yield keys[start : start + _PAGE]
