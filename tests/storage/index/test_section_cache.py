"""Which tokens of sections does a process remember, so as not to read them each time?"""

from __future__ import annotations

from collections.abc import Sequence

from vademecum.storage.index.bm25 import Tokens, countable
from vademecum.storage.index.chunk_rows import StoredTokens
from vademecum.storage.index.section_cache import Section, SectionCache


class Table:
    """Answers sections of one size, but for those that are gone, and remembers which were asked for."""

    def __init__(self, *gone: int) -> None:
        self.gone = gone
        self.asked: list[int] = []

    def __call__(self, space_id: str, chunk_ids: Sequence[int]) -> list[StoredTokens]:
        self.asked += chunk_ids
        return [
            StoredTokens(number, f"item-{number}", Tokens(space_id, f"word{number:09}"))
            for number in chunk_ids
            if number not in self.gone
        ]


def numbers(sections: Sequence[Section]) -> list[int]:
    return sorted(section.chunk_id for section in sections)


def test_a_section_is_read_once() -> None:
    cache, table = SectionCache(), Table()
    first = cache.sections("s1", [1, 2], table)
    assert numbers(cache.sections("s1", [1, 2, 3], table)) == [1, 2, 3]
    assert table.asked == [1, 2, 3]
    assert first[0] == Section(1, "item-1", countable(Tokens("s1", "word000000001")))


def test_spaces_are_told_apart() -> None:
    cache, table = SectionCache(), Table()
    (one,), (other,) = cache.sections("s1", [1], table), cache.sections("s2", [1], table)
    assert one.tokens != other.tokens
    assert table.asked == [1, 1]


def test_what_is_not_there_is_not_remembered() -> None:
    cache, table = SectionCache(), Table(2)
    assert numbers(cache.sections("s1", [1, 2], table)) == [1]
    table.gone = ()
    assert numbers(cache.sections("s1", [1, 2], table)) == [1, 2]


def test_no_more_is_held_than_the_limit_and_what_was_used_longest_ago_goes() -> None:
    table = Table()
    (one,) = SectionCache().sections("s1", [1], table)
    cache = SectionCache(3 * one.size)
    cache.sections("s1", [1, 2, 3], table)
    assert cache.size == 3 * one.size
    cache.sections("s1", [1, 4], table)
    assert cache.size == 3 * one.size
    table.asked.clear()
    assert numbers(cache.sections("s1", [1, 3, 4], table)) == [1, 3, 4]
    assert table.asked == []
    cache.sections("s1", [2], table)
    assert table.asked == [2]


def test_without_room_nothing_is_held() -> None:
    cache, table = SectionCache(0), Table()
    assert [numbers(cache.sections("s1", [1], table)) for _ in range(2)] == [[1], [1]]
    assert (cache.size, table.asked) == (0, [1, 1])
