"""What speaks for an item when its words and its vectors are both weak?"""

from __future__ import annotations

from vademecum.library.candidates import Candidates
from vademecum.ports.index import KeywordMatch, VectorMatch

FLOOR, BONUS = 0.2, 0.05


def near(found: Candidates) -> dict[str, float | None]:
    return {
        one.key[1]: None if one.near is None else round(one.near, 3)
        for one in sorted(found.every(), key=lambda one: one.key)
    }


def test_under_the_floor_a_vector_places_only_what_the_words_found() -> None:
    found = Candidates()
    found.add_words([KeywordMatch("s", 1, "words", 1.0, 0.1), KeywordMatch("s", 4, "far", 0.5, 0.1)])
    windows = [("near", 3, 0.3), ("words", 2, 0.12), ("neither", 5, 0.12), ("far", 4, 0.09)]
    found.add_windows(
        [VectorMatch("s", number, item, 1, similarity) for item, number, similarity in windows], FLOOR, BONUS
    )
    assert near(found) == {"far": None, "near": 0.35, "words": 0.17}


def test_a_window_under_the_floor_is_not_the_section_that_is_shown() -> None:
    found = Candidates()
    found.add_words([KeywordMatch("s", 1, "words", 1.0, 0.1)])
    found.add_windows([VectorMatch("s", 2, "words", 1, 0.12)], FLOOR, BONUS)
    assert found.of(("s", "words")).chunk_shown(gate=0.35) == ("s", 1)


def test_heads_are_taken_in_by_the_same_rule() -> None:
    found = Candidates()
    found.add_words([KeywordMatch("s", 1, "words", 1.0, 0.1)])
    found.add_heads([VectorMatch("s", 1, "words", 0, 0.15), VectorMatch("s", 2, "neither", 0, 0.15)], FLOOR)
    assert near(found) == {"words": 0.15}
