"""How are sections found by their postings in SQLite?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from vademecum.storage.dialect import Database, Row
from vademecum.storage.index.candidates import BUDGET, Plan
from vademecum.storage.index.fields import Field
from vademecum.storage.index.frequencies import FrequencyCache
from vademecum.storage.index.keyword import Rarity
from vademecum.storage.index.spaces import IndexedSpace
from vademecum.text.terms import Term

_COUNT = "SELECT COUNT(*) AS number FROM chunk_fts WHERE chunk_fts MATCH :wanted"

# Only sections whose size is known are ordered: at postings of others, which damage leaves, the order fails.
# The order is the table's own and only chooses whom to score: its averages are those of the whole library.
_POSTINGS = """
FROM chunk_fts AS posting CROSS JOIN chunk_fts_docsize AS size ON size.id = posting.rowid
"""
_SECTIONS = """
CROSS JOIN chunk ON chunk.space_id = :space_id AND chunk.chunk_id = posting.rowid
"""
_MATCHING = " WHERE posting.chunk_fts MATCH :wanted AND posting.rowid >= :lowest"
_IN_LAYER = " AND chunk.layer = :layer"
_OF_ITEMS = " AND chunk.item_id IN (SELECT value FROM json_each(:items))"
_GATHERED = " AND +posting.rowid IN (SELECT value FROM json_each(:gathered))"
_BEST = " ORDER BY bm25(chunk_fts, 3.0, 1.0), posting.rowid DESC LIMIT :limit"
_NEWEST = " ORDER BY posting.rowid DESC LIMIT :limit"
_LOWEST = " ORDER BY posting.rowid DESC LIMIT 1 OFFSET :newer"


class FtsSearch:
    """Sections by the full-text table of SQLite."""

    budget = BUDGET

    def __init__(self, database: Database, frequencies: FrequencyCache) -> None:
        self._database = database
        self._frequencies = frequencies

    def frequency(self, space: IndexedSpace, terms: Sequence[Term]) -> int:
        return self._frequencies.frequency(space, terms, self._count)

    def best(self, field: Field, plan: Plan, _rarity: Rarity, limit: int, /) -> list[int]:
        wanted = _plan_expression(field.space.code, plan)
        lowest = 0 if plan.newest is None else self._lowest(field, wanted, plan.newest)
        rows = self._matching(field, wanted, _BEST, lowest=lowest, limit=limit)
        return [row["chunk_id"] for row in rows]

    def items(self, field: Field, term: Term, limit: int) -> set[str]:
        wanted = expression(field.space.code, term)
        rows = self._matching(field, wanted, _NEWEST, with_items=True, limit=limit)
        return {row["item_id"] for row in rows}

    def beginning(self, field: Field, term: Term, limit: int) -> list[int]:
        wanted = f"body : ^ {expression(field.space.code, term)}"
        return [row["chunk_id"] for row in self._matching(field, wanted, _NEWEST, limit=limit)]

    def _lowest(self, field: Field, wanted: str, number: int) -> int:
        """The least of the newest matches, 0 when there are not so many."""
        row = next(iter(self._matching(field, wanted, _LOWEST, newer=number - 1)), None)
        return 0 if row is None else int(row["chunk_id"])

    def _count(self, space: IndexedSpace, terms: Sequence[Term]) -> int:
        wanted = " AND ".join(expression(space.code, term) for term in terms)
        row = self._database.one(_COUNT, wanted=wanted)
        return 0 if row is None else int(row["number"])

    def _matching(
        self, field: Field, wanted: str, order: str, *, with_items: bool = False, **parameters: int
    ) -> list[Row]:
        narrowing, gathered = field.narrowing, field.gathered
        where = _GATHERED if gathered is not None else ""
        if gathered is None:
            where += _IN_LAYER if narrowing.layer else ""
            where += _OF_ITEMS if narrowing.items is not None else ""
        needs_sections = with_items or (gathered is None and bool(where))
        columns = "SELECT posting.rowid AS chunk_id" + (", chunk.item_id" if with_items else "")
        return self._database.all(
            columns + _POSTINGS + (_SECTIONS if needs_sections else "") + _MATCHING + where + order,
            space_id=field.space.space_id,
            wanted=wanted,
            layer=narrowing.layer,
            items=list(narrowing.items or ()),
            gathered=list(gathered or ()),
            **{"lowest": 0} | parameters,
        )


def _plan_expression(code: str, plan: Plan) -> str:
    needed = [expression(code, term) for term in plan.required]
    if plan.any_of:
        needed.append(_any(code, plan.any_of))
    if plan.additions:
        needed.append(_any(code, plan.scored))
    return " AND ".join(needed)


def _any(code: str, terms: Iterable[Term]) -> str:
    return "(" + " OR ".join(expression(code, term) for term in terms) + ")"


def expression(code: str, term: Term) -> str:
    """The term in the words of the table; a token holds neither quotation marks nor spaces."""
    tokens = " ".join(code + token for token in term.tokens)
    return f'"{tokens}" *' if term.prefix else f'"{tokens}"'
