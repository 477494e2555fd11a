"""Does the model that comes with the installation find what is meant, across languages?"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.databases import SqliteDatabases
from tests.library.home import Home, a_home
from tests.providers.trilingual import LANGUAGES, NOTES
from tests.storage.opening import migrate
from vademecum.library.editing import update_tags
from vademecum.library.searching import SearchRequest, search
from vademecum.providers.opening import open_embedder


@pytest.fixture(scope="module")
def library(
    sqlite_source: SqliteDatabases, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[str, Home]]:
    """For each language a library that holds the notes in that language alone."""
    embedder = open_embedder()
    homes = {
        language: a_home(sqlite_source.fresh(migrate), tmp_path_factory.mktemp(language), embedder=embedder)
        for language in LANGUAGES
    }
    for language, home in homes.items():
        for note in NOTES[language]:
            home.save(note.body, note.title)
    yield homes
    for home in homes.values():
        home.library.storage.close()


def test_a_question_in_any_language_finds_the_note_among_the_first_five(library: dict[str, Home]) -> None:
    # S17
    shares = {
        (asked, written): _share_found(library[written], asked, written)
        for asked in LANGUAGES
        for written in LANGUAGES
    }
    assert [pair for pair, share in shares.items() if share < 0.8] == []
    assert sum(shares.values()) / len(shares) >= 0.9


def _share_found(home: Home, asked: str, written: str) -> float:
    pairs = list(zip(NOTES[asked], NOTES[written], strict=True))
    return sum(wanted.title in home.found(note.question) for note, wanted in pairs) / len(pairs)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_question_in_the_notes_own_language_finds_it_first(library: dict[str, Home], language: str) -> None:
    first = [library[language].found(note.question, limit=1) == [note.title] for note in NOTES[language]]
    assert sum(first) >= 0.9 * len(first)


@pytest.mark.parametrize("nonsense", ["qwxzv plorf mrgl", "asdf ghjkl qwer uiop", "龘靐齉爩龗"])
def test_nonsense_finds_nothing(library: dict[str, Home], nonsense: str) -> None:
    for home in library.values():
        answer = search(home.library, home.owner, SearchRequest(nonsense))
        assert (answer.results, answer.vector_search_applied) == ((), True)


def test_what_is_meant_is_found_through_a_heading_or_a_tag(library: dict[str, Home]) -> None:
    home = library["en"]
    home.save("Nothing of it.\n\n## How to repair a bicycle tyre\n\nSee there.", "Monday")
    item_id = home.save("Nothing of that.", "Tuesday")
    update_tags(home.library, home.owner, item_id, ["gardening and vegetables"], 1)
    assert "Monday" in home.found("fixing a flat wheel of my bike")
    assert "Tuesday" in home.found("growing tomatoes and beans in the garden")


def test_a_query_of_the_greatest_length_is_answered(library: dict[str, Home]) -> None:
    # The encoder's own cost has no bound; a query has.
    home = library["zh"]
    assert len(home.found("茶" * 2000)) <= 5
    assert len(home.found("tea " * 500)) <= 5
