"""How does the extension pg_textsearch find the best of many matches in PostgreSQL?"""

from __future__ import annotations

from collections.abc import Sequence

from vademecum.storage.dialect import Database
from vademecum.storage.index.candidates import Plan
from vademecum.storage.index.fields import Field
from vademecum.storage.index.keyword import Rarity
from vademecum.storage.index.spaces import IndexedSpace
from vademecum.storage.index.tsvector_search import TsvectorSearch
from vademecum.text.terms import Term

_HAS_INDEX = "SELECT to_regclass('chunk_by_rank') IS NOT NULL AS found"
_BEST = """
SELECT chunk_id FROM chunk_posting ORDER BY words <@> to_bm25query(:words, 'chunk_by_rank') LIMIT :limit
"""


class RankedSearch:
    """Sections by the extension where it can tell the best, and by the inverted index otherwise.

    The extension knows single words in whole spaces. As words are led by the code of their space, it finds
    those of one space alone. Where it finds fewer than were asked for, the inverted index has the last word.
    """

    def __init__(self, database: Database, unranked: TsvectorSearch) -> None:
        self._database = database
        self._unranked = unranked
        self._has_index: bool | None = None

    @property
    def budget(self) -> int:
        return self._unranked.budget

    def frequency(self, space: IndexedSpace, terms: Sequence[Term]) -> int:
        return self._unranked.frequency(space, terms)

    def best(self, field: Field, plan: Plan, rarity: Rarity, limit: int, /) -> list[int]:
        if not self._is_for(field, plan):
            return self._unranked.best(field, plan, rarity, limit)
        rows = self._database.all(_BEST, words=_words(field.space.code, plan), limit=limit)
        if len(rows) < limit:
            return self._unranked.best(field, plan, rarity, limit)
        return [row["chunk_id"] for row in rows]

    def _is_for(self, field: Field, plan: Plan) -> bool:
        narrowed = field.narrowing.items is not None or field.narrowing.layer is not None
        if narrowed or plan.required or any(term.prefix for term in plan.scored):
            return False
        if self._has_index is None:
            row = self._database.one(_HAS_INDEX)
            self._has_index = row is not None and bool(row["found"])
        return self._has_index


def _words(code: str, plan: Plan) -> str:
    """The tokens of the plan as the index holds them, each once."""
    tokens = dict.fromkeys(token for term in plan.scored for token in term.tokens)
    return " ".join("x" + f"{code}{token}".encode().hex() for token in tokens)
