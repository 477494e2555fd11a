"""Do hits by words and by meaning come in the order that was measured to be best?"""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vademecum.text.fusion import Evidence, Weights, WordHit, fuse

KEYS = st.integers(min_value=0, max_value=12)
SHARES = st.floats(min_value=0, max_value=1)
NEARNESS = st.dictionaries(
    KEYS, st.integers(min_value=-1_000, max_value=1_000).map(lambda number: number / 1_000)
)
SAMPLE = st.lists(SHARES, max_size=8)
EVIDENCE: st.SearchStrategy[Evidence[int]] = st.builds(
    Evidence,
    near=NEARNESS,
    second=st.none() | NEARNESS,
    samples=st.none() | st.tuples(SAMPLE, SAMPLE),
    words=st.dictionaries(
        KEYS, st.builds(WordHit, score=st.floats(min_value=0, max_value=50), coverage=SHARES)
    ),
    exact=st.frozensets(KEYS, max_size=3),
)


def order(evidence: Evidence[str], weights: Weights | None = None) -> str:
    """The one-letter keys of the answer, best first."""
    return "".join(ranked.key for ranked in fuse(evidence, weights))


def near(keys: str) -> dict[str, float]:
    """Nearness that falls from key to key."""
    return {key: 0.9 - 0.1 * place for place, key in enumerate(keys)}


@given(EVIDENCE)
def test_every_candidate_is_ranked_once(evidence: Evidence[int]) -> None:
    keys = [ranked.key for ranked in fuse(evidence)]
    assert sorted(keys) == sorted({*evidence.near, *evidence.words, *evidence.exact})


@given(EVIDENCE)
def test_scores_fall_from_place_to_place_within_their_bounds(evidence: Evidence[int]) -> None:
    scores = [ranked.score for ranked in fuse(evidence)]
    assert all(0 < score < 1 for score in scores[1:])
    assert all(before > after for before, after in pairwise(scores))


@given(EVIDENCE)
def test_exact_wins_stand_before_all(evidence: Evidence[int]) -> None:
    keys = [ranked.key for ranked in fuse(evidence)]
    assert set(keys[: len(evidence.exact)]) == evidence.exact


@given(EVIDENCE)
def test_the_same_evidence_gives_the_same_answer(evidence: Evidence[int]) -> None:
    assert fuse(evidence) == fuse(evidence)


@given(EVIDENCE)
def test_behind_exact_wins_and_two_places_the_vectors_order_the_answer(evidence: Evidence[int]) -> None:
    plain = Evidence(near=evidence.near, words=evidence.words, exact=evidence.exact)
    keys = [
        ranked.key for ranked in fuse(plain) if ranked.key in plain.near and ranked.key not in plain.exact
    ]
    values = [plain.near[key] for key in keys[2:]]
    assert values == sorted(values, reverse=True)


def test_vectors_alone_order_by_nearness() -> None:
    assert order(Evidence(near=near("abc"))) == "abc"


def test_words_alone_order_by_what_they_cover() -> None:
    words = {"a": WordHit(2.0, 0.2), "b": WordHit(6.0, 0.6), "c": WordHit(4.0, 0.4)}
    assert order(Evidence(words=words)) == "bca"


def test_hits_that_cover_the_question_take_the_first_two_places_only() -> None:
    words = {"e": WordHit(9.0, 0.9), "c": WordHit(9.0, 0.9), "b": WordHit(8.0, 0.8)}
    assert order(Evidence(near=near("abcde"), words=words)) == "cbade"


def test_a_hit_by_words_far_from_the_meaning_does_not_take_the_second_place() -> None:
    words = {"e": WordHit(5.0, 0.5)}
    assert order(Evidence(near=near("abcde"), words=words)) == "abcde"


def test_stray_words_lead_nothing() -> None:
    words = {"d": WordHit(3.0, 0.3), "x": WordHit(3.4, 0.34)}
    assert order(Evidence(near=near("abcd"), words=words)) == "abcdx"


def test_hits_by_words_alone_follow_those_by_meaning() -> None:
    words = {"x": WordHit(1.0, 0.1), "y": WordHit(2.0, 0.2)}
    assert order(Evidence(near=near("ab"), words=words)) == "abyx"


def test_of_several_that_could_lead_the_one_with_the_best_sum_does() -> None:
    words = {"b": WordHit(5.0, 0.5), "d": WordHit(5.0, 0.5)}
    assert order(Evidence(near=near("abcd"), words=words)).startswith("b")


def test_exact_wins_are_ordered_by_both_among_themselves() -> None:
    evidence = Evidence(near=near("abcd"), words={"d": WordHit(9.0, 0.9)}, exact=frozenset("cd"))
    assert order(evidence) == "dcab"


def test_the_second_model_moves_what_it_knows_better() -> None:
    second = {"a": 0.1, "b": 0.2, "c": 0.9}
    assert order(Evidence(near=near("abc"), second=second)) == "acb"


def test_nearness_counts_by_how_it_stands_out_among_what_each_model_listed() -> None:
    one, two = {"a": 0.9, "b": 0.8}, {"a": 0.1, "b": 0.2}
    narrow, wide = (0.8, 0.9, 0.85), (0.9, 0.2, -0.8)
    assert order(Evidence(near=one, second=two, samples=(narrow, wide))) == "ab"
    assert order(Evidence(near=one, second=two, samples=(wide, narrow))) == "ba"


def test_the_names_count_for_each_model() -> None:
    assert order(Evidence(near=near("abcd"), second=near("abcd"), named=frozenset("c"))) == "cabd"


def test_what_holds_all_names_of_the_question_comes_before_what_is_a_little_nearer() -> None:
    assert order(Evidence(near=near("abcd"), named=frozenset("c"))) == "cabd"
    assert order(Evidence(near=near("abcd"), named=frozenset("cd"))) == "cadb"
    assert order(Evidence(near=near("abc"), named=frozenset("abc"))) == "abc"
    assert order(Evidence(near=near("ab"), named=frozenset("x"))) == "ab"


@pytest.mark.parametrize("equal", [0.0, 0.5])
def test_equal_nearness_of_all_divides_by_nothing(equal: float) -> None:
    assert sorted(order(Evidence(near={"a": equal, "b": equal}))) == ["a", "b"]


def test_nothing_found_gives_no_answer() -> None:
    nothing: Evidence[str] = Evidence()
    assert fuse(nothing) == []
