"""Which sections are scored for a query, when not all that hold its words can be?"""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from vademecum.storage.index.candidates import Plan, plan_all, plan_any
from vademecum.text.terms import Term

RARE, RARER, COMMON, UNKNOWN = (Term((word,)) for word in ("rare", "rarer", "common", "unknown"))


def test_rare_terms_bring_sections_in_and_common_ones_add_to_the_score() -> None:
    plan = plan_any({COMMON: 500, RARE: 60, RARER: 30, UNKNOWN: 0}, budget=100)
    assert plan == Plan(any_of=(RARER, RARE), additions=(COMMON,))
    assert plan is not None
    assert plan.scored == (RARER, RARE, COMMON)


def test_the_rarest_come_in_as_far_as_the_budget_goes() -> None:
    assert plan_any({RARE: 80, RARER: 30}, budget=100) == Plan(any_of=(RARER,), additions=(RARE,))


def test_where_all_are_common_the_newest_are_looked_at() -> None:
    assert plan_any({COMMON: 500, RARE: 300}, budget=100) == Plan(any_of=(RARE, COMMON), newest=100)


def test_words_that_stand_nowhere_need_no_search() -> None:
    assert plan_any({UNKNOWN: 0}, 10) is None
    assert plan_any({}, 10) is None


def test_all_of_several_terms_are_taken_plain_within_the_budget() -> None:
    plan = plan_all((COMMON, RARE), 60, {COMMON: 500, RARE: 60, RARER: 30, UNKNOWN: 0}, budget=100)
    assert plan == Plan(required=(COMMON, RARE), additions=(RARER,))
    assert plan_all((COMMON,), 500, {COMMON: 500}, budget=100) == Plan(required=(COMMON,), newest=100)
    assert plan_all((UNKNOWN,), 0, {UNKNOWN: 0}, 10) is None


@given(st.lists(st.integers(0, 1000), max_size=8), st.integers(1, 500))
def test_no_more_than_the_budget_is_expected_to_be_scored(frequencies: list[int], budget: int) -> None:
    terms = {Term((str(place),)): frequency for place, frequency in enumerate(frequencies)}
    plan = plan_any(terms, budget)
    if plan is None:
        assert not any(frequencies)
    else:
        assert plan.newest == budget or sum(terms[term] for term in plan.any_of) <= budget
        assert set(plan.scored) == {term for term, frequency in terms.items() if frequency}
