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

_MATCH = """
posting.space_id = :space_id AND posting.postings @@ CAST(:wanted AS tsquery)
"""
_COUNT = f"SELECT COUNT(*) AS number FROM chunk_posting AS posting WHERE {_MATCH}"
# Asked of each match: joined, the planner may take the sections first and look for the words in every one.
_OF_SECTION = """
(SELECT chunk.{} FROM chunk WHERE chunk.space_id = posting.space_id AND chunk.chunk_id = posting.chunk_id)
"""
_WEIGHTS = "CAST('{0.3,0.3,0.3,1}' AS real[])"  # the last one is that of the head


class TsvectorSearch:
    """Sections by the inverted index of PostgreSQL."""

    budget = 8_000  # to rank one takes three times as long as in SQLite

    def __init__(self, database: Database, frequencies: FrequencyCache) -> None:
        self._database = database
        self._frequencies = frequencies

    def frequency(self, space: IndexedSpace, terms: Sequence[Term]) -> int:
        return self._frequencies.frequency(space, terms, self._count)

    def best(self, field: Field, plan: Plan, rarity: Rarity, limit: int, /) -> list[int]:
        terms = [[expression(field.space.code, term), rarity(term)] for term in plan.scored]
        opened = self._database.dialect.list_rows("terms", "query TEXT", "rarity FLOAT")
        matching = f"FROM chunk_posting AS posting {self._narrowed(field)}"
        latest = f"""
        AND posting.chunk_id >= (SELECT MIN(chunk_id) FROM (
            SELECT posting.chunk_id {matching} ORDER BY posting.chunk_id DESC LIMIT :newest) AS latest)
        """
        sql = f"""
        WITH term AS MATERIALIZED (SELECT CAST(query AS tsquery) AS query, rarity FROM {opened} AS given)
        SELECT posting.chunk_id {matching} {"" if plan.newest is None else latest}
        ORDER BY (SELECT SUM(rarity * ts_rank({_WEIGHTS}, posting.postings, query)) FROM term) DESC,
            posting.chunk_id DESC LIMIT :limit
        """
        wanted = _plan_expression(field.space.code, plan)
        rows = self._matching(field, wanted, sql, newest=plan.newest, limit=limit, terms=terms)
        return [row["chunk_id"] for row in rows]

    def items(self, field: Field, term: Term, limit: int) -> set[str]:
        rows = self._newest(field, expression(field.space.code, term), limit)
        return {row["item_id"] for row in rows}

    def beginning(self, field: Field, term: Term, limit: int) -> list[int]:
        wanted = expression(field.space.code, Term((START, *term.tokens), term.prefix))
        return [row["chunk_id"] for row in self._newest(field, wanted, limit)]

    def _newest(self, field: Field, wanted: str, limit: int) -> list[Row]:
        sql = f"""
        SELECT posting.chunk_id, {_OF_SECTION.format("item_id")} AS item_id
        FROM chunk_posting AS posting {self._narrowed(field)}
        ORDER BY posting.chunk_id DESC LIMIT :limit
        """
        return self._matching(field, wanted, sql, limit=limit)

    def _count(self, space: IndexedSpace, terms: Sequence[Term]) -> int:
        wanted = " & ".join(expression(space.code, term) for term in terms)
        row = self._database.one(_COUNT, space_id=space.space_id, wanted=wanted)
        return 0 if row is None else int(row["number"])

    def _narrowed(self, field: Field) -> str:
        """What a statement says of postings besides: which of them match in the field."""
        opened = self._database.dialect.list_rows
        if field.gathered is not None:
            return f"WHERE {_MATCH} AND posting.chunk_id IN {opened('gathered', 'chunk_id BIGINT')}"
        of_layer = f" AND {_OF_SECTION.format('layer')} = :layer" if field.narrowing.layer else ""
        narrows_items = field.narrowing.items is not None
        of_items = f" AND {_OF_SECTION.format('item_id')} IN {opened('items')}" if narrows_items else ""
        return f"WHERE {_MATCH}{of_layer}{of_items}"

    def _matching(self, field: Field, wanted: str, sql: str, **parameters: object) -> list[Row]:
        return self._database.all(
            sql,
            space_id=field.space.space_id,
            wanted=wanted,
            layer=field.narrowing.layer,
            items=list(field.narrowing.items or ()),
            gathered=list(field.gathered or ()),
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
