"""How are sections found by their postings in PostgreSQL?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from vademecum.storage.dialect import Database, Row
from vademecum.storage.index.candidates import Plan
from vademecum.storage.index.fields import Field
from vademecum.storage.index.frequencies import FrequencyCache
from vademecum.storage.index.keyword import Rarity
from vademecum.storage.index.spaces import IndexedSpace
from vademecum.storage.index.tsvector import START
from vademecum.text.terms import Term

_COUNT = """
SELECT COUNT(*) AS number FROM chunk WHERE space_id = :space_id AND postings @@ CAST(:wanted AS tsquery)
"""
_NEWEST = "SELECT chunk_id, item_id"
_NEWEST_ORDER = "ORDER BY chunk_id DESC LIMIT :limit"
_WEIGHTS = "CAST('{0.3,0.3,0.3,1}' AS real[])"  # the last one is that of the head


class TsvectorSearch:
    """Sections by the inverted index of PostgreSQL."""

    def __init__(self, database: Database, frequencies: FrequencyCache) -> None:
        self._database = database
        self._frequencies = frequencies

    def frequency(self, space: IndexedSpace, terms: Sequence[Term]) -> int:
        return self._frequencies.frequency(space, terms, self._count)

    def best(self, field: Field, plan: Plan, rarity: Rarity, limit: int, /) -> list[int]:
        terms = [[expression(field.space.code, term), rarity(term)] for term in plan.scored]
        opened = self._database.dialect.list_rows("terms", "query TEXT", "rarity FLOAT")
        select = f"""
        WITH term AS MATERIALIZED (SELECT CAST(query AS tsquery) AS query, rarity FROM {opened} AS given),
        candidate AS MATERIALIZED (SELECT chunk_id, postings"""
        order = f"""ORDER BY chunk_id DESC LIMIT :newest)
        SELECT chunk_id FROM candidate JOIN term ON candidate.postings @@ term.query GROUP BY chunk_id
        ORDER BY SUM(rarity * (0.5 + ts_rank({_WEIGHTS}, postings, query))) DESC, chunk_id DESC LIMIT :limit
        """
        wanted = _plan_expression(field.space.code, plan)
        rows = self._matching(field, wanted, (select, order), newest=plan.newest, limit=limit, terms=terms)
        return [row["chunk_id"] for row in rows]

    def items(self, field: Field, term: Term, limit: int) -> set[str]:
        rows = self._newest(field, expression(field.space.code, term), limit)
        return {row["item_id"] for row in rows}

    def beginning(self, field: Field, term: Term, limit: int) -> list[int]:
        wanted = expression(field.space.code, Term((START, *term.tokens), term.prefix))
        return [row["chunk_id"] for row in self._newest(field, wanted, limit)]

    def _newest(self, field: Field, wanted: str, limit: int) -> list[Row]:
        return self._matching(field, wanted, (_NEWEST, _NEWEST_ORDER), limit=limit)

    def _count(self, space: IndexedSpace, terms: Sequence[Term]) -> int:
        wanted = " & ".join(expression(space.code, term) for term in terms)
        row = self._database.one(_COUNT, space_id=space.space_id, wanted=wanted)
        return 0 if row is None else int(row["number"])

    def _matching(
        self, field: Field, wanted: str, around: tuple[str, str], **parameters: object
    ) -> list[Row]:
        """What a statement around the choice of sections gives: those of the field that match."""
        narrowing, gathered = field.narrowing, field.gathered
        where = "FROM chunk WHERE space_id = :space_id AND postings @@ CAST(:wanted AS tsquery)"
        opened = self._database.dialect.list_rows
        if gathered is not None:
            where += f" AND chunk_id IN {opened('gathered', 'chunk_id BIGINT')}"
        else:
            where += " AND layer = :layer" if narrowing.layer else ""
            where += "" if narrowing.items is None else f" AND item_id IN {opened('items')}"
        return self._database.all(
            f"{around[0]} {where} {around[1]}",
            space_id=field.space.space_id,
            wanted=wanted,
            layer=narrowing.layer,
            items=list(narrowing.items or ()),
            gathered=list(gathered or ()),
            **parameters,
        )


def _plan_expression(code: str, plan: Plan) -> str:
    """What brings a section in; what only adds to its score has no part in this."""
    needed = [expression(code, term) for term in plan.required]
    if plan.any_of:
        needed.append(_any(code, plan.any_of))
    return " & ".join(needed)


def _any(code: str, terms: Iterable[Term]) -> str:
    return "(" + " | ".join(expression(code, term) for term in terms) + ")"


def expression(code: str, term: Term) -> str:
    """The term in the words of the column; a token holds neither quotation marks nor spaces."""
    tokens = [f"'{code}{token}'" for token in term.tokens]
    if term.prefix:
        tokens[-1] += ":*"
    return f"({' <-> '.join(tokens)})"
