"""How well does a section answer a query, by the words that both hold?"""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vademecum.storage.index.bm25 import MOST_OF_A_TERM, Bm25, Countable, Tokens, countable, holds_all
from vademecum.text.terms import Term

OTTER, SALMON = Term(("otter",)), Term(("salmon",))
WORDS = st.sampled_from(["a", "b", "c", "ab"])


def lists(head: str = "", body: str = "") -> Countable:
    return countable(Tokens(head.strip(), body.strip()))


def test_the_score_is_bm25_with_heads_counted_three_times() -> None:
    scoring = Bm25(chunks=10, tokens=60, frequencies={OTTER: 2, SALMON: 1})
    rarity = {2: math.log(1 + 8.5 / 2.5), 1: math.log(1 + 9.5 / 1.5)}
    bound = 1.2 * (0.25 + 0.75 * 6 / 6)
    expected = rarity[2] * 5 * 2.2 / (5 + bound) + rarity[1] * 1 * 2.2 / (1 + bound)
    assert scoring.score(lists("otter x", "otter otter salmon y")) == pytest.approx(expected)


def test_the_most_is_passed_by_no_number_of_occurrences() -> None:
    scoring = Bm25(chunks=10, tokens=10_000, frequencies={OTTER: 2, Term(("zebra",)): 0})
    expected = MOST_OF_A_TERM * (math.log(1 + 8.5 / 2.5) + math.log(1 + 9.5 / 1.5))
    assert scoring.most == pytest.approx(expected)
    assert scoring.coverage(scoring.score(lists("otter " * 500))) < 1 / 2


def test_a_term_that_is_everywhere_still_counts_a_little() -> None:
    scoring = Bm25(chunks=1, tokens=1, frequencies={OTTER: 1})
    assert scoring.score(lists(body="otter")) > 0
    assert Bm25(chunks=1, tokens=1, frequencies={OTTER: 7}).rarity(OTTER) == scoring.rarity(OTTER)


def test_nothing_asked_covers_nothing() -> None:
    assert Bm25(chunks=1, tokens=1, frequencies={}).coverage(0.0) == 0.0


@pytest.mark.parametrize(
    ("term", "body", "count"),
    [
        (Term(("a", "b")), "a b a b", 2),
        (Term(("a", "b")), "a c b", 0),
        (Term(("a", "a")), "a a a", 2),
        (Term(("a",), prefix=True), "ab a b abc", 3),
        (Term(("b", "a"), prefix=True), "b ab b b a b", 2),
        (Term(("b", "a")), "b ab b", 0),
        (Term(("a", "b", "c")), "a b", 0),
    ],
)
def test_a_term_stands_side_by_side_and_a_prefix_begins_the_last(term: Term, body: str, count: int) -> None:
    scoring = Bm25(chunks=100, tokens=100 * len(body.split()), frequencies={term: 1})
    expected = scoring.rarity(term) * count * 2.2 / (count + 1.2) if count else 0.0
    assert scoring.score(lists(body=body)) == pytest.approx(expected)
    assert holds_all(lists(body=body), [term]) is (count > 0)


def test_a_phrase_does_not_cross_from_head_to_text() -> None:
    assert not holds_all(lists("a", "b"), [Term(("a", "b"))])
    assert holds_all(lists("a", "b"), [Term(("a",)), Term(("b",))])


@given(st.lists(WORDS, max_size=12), st.lists(WORDS, min_size=1, max_size=3), st.booleans())
def test_counting_agrees_with_trying_every_place(body: list[str], wanted: list[str], prefix: bool) -> None:
    term = Term(tuple(wanted), prefix)
    windows = [body[start : start + len(wanted)] for start in range(len(body) - len(wanted) + 1)]
    fits = [
        window[:-1] == wanted[:-1]
        and (window[-1].startswith(wanted[-1]) if prefix else window[-1] == wanted[-1])
        for window in windows
    ]
    assert holds_all(lists(body=" ".join(body)), [term]) is any(fits)
    scoring = Bm25(chunks=9, tokens=9 * max(len(body), 1), frequencies={term: 1})
    expected = scoring.rarity(term) * sum(fits) * 2.2 / (sum(fits) + 1.2)
    if body:
        assert scoring.score(lists(body=" ".join(body))) == pytest.approx(expected)
