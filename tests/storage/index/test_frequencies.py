"""In how many sections does a term stand, without counting a common one each time?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from vademecum.storage.index import frequencies
from vademecum.storage.index.frequencies import FrequencyCache
from vademecum.storage.index.spaces import IndexedSpace
from vademecum.text.terms import Term

SPACE = IndexedSpace("space-1", "1·", chunks=10_000, tokens=0, last_sequence=500, changes_since=0)
TERM = Term(("otter",))


class Counter:
    """Answers a number and remembers how often it was asked."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.asked = 0

    def __call__(self, _space: IndexedSpace, _terms: Sequence[Term]) -> int:
        self.asked += 1
        return self.number


def test_a_common_term_is_counted_once() -> None:
    cache, count = FrequencyCache(), Counter(6_000)
    assert [cache.frequency(SPACE, [TERM], count) for _ in range(3)] == [6_000] * 3
    assert count.asked == 1


def test_a_rare_term_is_counted_each_time() -> None:
    cache, count = FrequencyCache(), Counter(7)
    assert [cache.frequency(SPACE, [TERM], count) for _ in range(3)] == [7] * 3
    assert count.asked == 3


def test_spaces_and_combinations_of_terms_are_told_apart() -> None:
    cache, count = FrequencyCache(), Counter(6_000)
    cache.frequency(SPACE, [TERM], count)
    cache.frequency(replace(SPACE, code="2·"), [TERM], count)
    cache.frequency(SPACE, [TERM, Term(("salmon",))], count)
    cache.frequency(SPACE, [Term(("otter",), prefix=True)], count)
    assert count.asked == 4


def test_a_space_that_has_changed_much_is_counted_anew() -> None:
    cache, count = FrequencyCache(), Counter(6_000)
    cache.frequency(SPACE, [TERM], count)
    cache.frequency(replace(SPACE, chunks=10_100, last_sequence=520), [TERM], count)
    assert count.asked == 1
    cache.frequency(replace(SPACE, chunks=10_300), [TERM], count)
    assert count.asked == 2
    assert cache.frequency(replace(SPACE, chunks=10_300, last_sequence=900), [TERM], count) == 6_000
    assert count.asked == 3


def test_no_more_sections_hold_a_term_than_there_are() -> None:
    cache, count = FrequencyCache(), Counter(10_000)
    cache.frequency(SPACE, [TERM], count)
    assert cache.frequency(replace(SPACE, chunks=9_900), [TERM], count) == 9_900


def test_what_was_asked_longest_ago_is_forgotten() -> None:
    cache, count = FrequencyCache(), Counter(6_000)
    for number in range(frequencies._MOST + 1):
        cache.frequency(SPACE, [Term((str(number),))], count)
    cache.frequency(SPACE, [Term((str(frequencies._MOST),))], count)
    assert count.asked == frequencies._MOST + 1
    cache.frequency(SPACE, [Term(("0",))], count)
    assert count.asked == frequencies._MOST + 2
