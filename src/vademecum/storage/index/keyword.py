"""Which sections answer a query best by the words that they hold?"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from vademecum.ports.index import KeywordMatch, Scope
from vademecum.storage.dialect import Database
from vademecum.storage.index.bm25 import Bm25, holds_all
from vademecum.storage.index.candidates import Plan, plan_all, plan_any
from vademecum.storage.index.chunk_rows import ChunkRows
from vademecum.storage.index.fields import Field, fields_of
from vademecum.storage.index.section_cache import Section, SectionCache
from vademecum.storage.index.spaces import IndexedSpace, IndexedSpaces
from vademecum.text.queries import Query
from vademecum.text.terms import Term

Rarity = Callable[[Term], float]

_SPARE = 25  # sections scored exactly beyond those wanted: the database's own order is not quite ours


class KeywordEngine(Protocol):
    """What finds sections by their postings, on either database and within one space."""

    @property
    def budget(self) -> int:
        """How many sections it may rank for a query."""
        ...

    def frequency(self, space: IndexedSpace, terms: Sequence[Term]) -> int:
        """In how many sections all the terms stand; of a common term it may be a little out of date."""
        ...

    def best(self, field: Field, plan: Plan, rarity: Rarity, limit: int, /) -> list[int]:
        """The sections that the plan asks for, about the best `limit` of them, newest first among equals."""
        ...


@dataclass(frozen=True, slots=True)
class _Found:
    space_id: str
    section: Section
    score: float
    holds_literal: bool


class KeywordSearch:
    """Finds candidates by an engine within the budget, then scores them exactly.

    The exact score depends on the spaces that are searched alone, so that nothing can be learnt from it about
    others (docs/decisions/keyword-search.md).
    """

    def __init__(self, database: Database, engine: KeywordEngine, sections: SectionCache) -> None:
        self._rows = ChunkRows(database)
        self._spaces = IndexedSpaces(database)
        self._engine = engine
        self._sections = sections

    def search(self, query: Query, scope: Scope, limit: int) -> list[KeywordMatch]:
        """See ports.index.Index.keyword. Sections with a literal of it are never left out for others."""
        spaces = [space for space in self._spaces.find(scope.spaces) if space.chunks]
        if not spaces or not query.terms or limit < 1:
            return []
        scoring = Bm25(
            chunks=sum(space.chunks for space in spaces),
            tokens=sum(space.tokens for space in spaces),
            frequencies={term: self._frequency(spaces, [term]) for term in query.terms},
        )
        fields = fields_of(self._rows, spaces, scope)
        plans = self._plans(query, scoring, fields, limit + _SPARE)
        looked_at = sum(field.chunks for field in fields)
        found: list[_Found] = []
        for field in fields:
            shared = [_share_of(plan, field.chunks / looked_at) for plan in plans]
            found += self._in_field(field, shared, query, scoring, limit)
        found = [match for match in found if match.score > 0 or match.holds_literal]
        kept = sorted(found, key=lambda match: (not match.holds_literal, *_rank(match)))[:limit]
        return [_match(scoring, match) for match in sorted(kept, key=_rank)]

    def _frequency(self, spaces: Sequence[IndexedSpace], terms: Sequence[Term]) -> int:
        return sum(self._engine.frequency(space, terms) for space in spaces)

    def _plans(self, query: Query, scoring: Bm25, fields: Sequence[Field], depth: int) -> list[Plan]:
        spaces = [field.space for field in fields]
        share = sum(field.chunks for field in fields) / scoring.chunks
        frequencies = _expected(scoring.frequencies, share)
        plans = [plan_any(frequencies, self._engine.budget)]
        if sum(frequencies.values()) > depth:
            for literal in query.literals:
                together = math.ceil(self._frequency(spaces, literal.terms) * share)
                plans.append(plan_all(literal.terms, together, frequencies, self._engine.budget))
            # The database's order may prefer many of its words to the few places where a wording stands.
            wordings = [term for term in frequencies if len(term.tokens) > 1 and frequencies[term] <= depth]
            plans += [plan_all([term], frequencies[term], frequencies, depth) for term in wordings]
        return [plan for plan in plans if plan is not None]

    def _in_field(
        self, field: Field, plans: Sequence[Plan], query: Query, scoring: Bm25, limit: int
    ) -> list[_Found]:
        depth = limit + _SPARE
        numbers = {
            number for plan in plans for number in self._engine.best(field, plan, scoring.rarity, depth)
        }
        if not numbers:
            return []
        literals = [literal.terms for literal in query.literals]
        return [
            _Found(
                space_id=field.space.space_id,
                section=section,
                score=scoring.score(section.tokens),
                holds_literal=any(holds_all(section.tokens, terms) for terms in literals),
            )
            for section in self._sections.sections(field.space.space_id, sorted(numbers), self._rows.tokens)
        ]


def _expected(frequencies: Mapping[Term, int], share: float) -> dict[Term, int]:
    """How often the terms stand in the part of the library that is looked at."""
    return {term: math.ceil(frequency * share) for term, frequency in frequencies.items()}


def _share_of(plan: Plan, share: float) -> Plan:
    """The plan with so much of its budget."""
    return plan if plan.newest is None else replace(plan, newest=math.ceil(plan.newest * share))


def _rank(match: _Found) -> tuple[float, int, str]:
    return -match.score, match.section.chunk_id, match.space_id


def _match(scoring: Bm25, match: _Found) -> KeywordMatch:
    return KeywordMatch(
        space_id=match.space_id,
        chunk_id=match.section.chunk_id,
        item_id=match.section.item_id,
        score=match.score,
        coverage=scoring.coverage(match.score),
    )
