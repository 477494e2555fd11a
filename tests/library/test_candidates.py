"""What speaks for an item when its words and its vectors are both weak, and what do names say?"""

from __future__ import annotations

import pytest

from tests.library.fakes import WordEmbedder
from tests.library.home import Home
from vademecum.library.candidates import Asked, Candidates, gather
from vademecum.ports.index import KeywordMatch, Scope, VectorMatch
from vademecum.text.queries import parse_query

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


@pytest.mark.parametrize(
    ("question", "named"), [("道具 Docker compose", {"both"}), ("Docker compose", set()), ("道具", set())]
)
def test_those_that_hold_all_names_of_a_question_in_another_script_are_known(
    home: Home, question: str, named: set[str]
) -> None:
    embedder = WordEmbedder(floor=0.01)
    embedding = home.with_ports(embedder=embedder)
    for title, text in (("both", "docker with compose"), ("one", "docker alone"), ("none", "道具")):
        embedding.save(text, title)
    vectors = embedder.embed_query(question)
    assert vectors is not None
    asked = Asked(embedder.name, embedder.nearness, vectors)
    with home.library.storage.read() as tx:
        found = gather(tx, parse_query(question), Scope(home.owner.spaces, None, None), asked)
        items = tx.items.find_all(sorted(found.named))
    assert {item.title for item in items.values()} == named


def test_words_lower_what_counts_and_never_raise_it() -> None:
    found = Candidates()
    assert (found.least(0.4), found.least(-0.4)) == (0.4, -0.4)
    found.of(("space", "item"))
    assert (found.least(0.4), found.least(-0.4)) == (0.2, -0.4)
