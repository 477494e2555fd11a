"""Are notes and sheets of a vault found by their words?"""

from __future__ import annotations

import pytest

from tests.library.home import Home
from tests.library.vault import put, put_file
from vademecum.library.finding import NoteSearch, search_notes
from vademecum.library.saving import save_note
from vademecum.model.errors import InvalidInput, TooLarge
from vademecum.model.items import Kind


@pytest.fixture
def vault(home: Home) -> Home:
    """Notes in three languages, one of them tagged, and a file that is no note."""
    put(home, "Tea/Sencha.md", "Leaves are steamed. 蒸した茶葉", tags=("Japan/Tea",))
    put(home, "Tea/Oolong.md", "Leaves are rolled. 乌龙茶")
    put(home, "Coffee.md", "Beans are roasted.", tags=("roast",))
    put_file(home, "leaves.txt", b"leaves", Kind.FILE)
    return home


def found(home: Home, query: str, tags: tuple[str, ...] = ()) -> list[str]:
    request = NoteSearch(query, tags)
    return [one.listed.path for one in search_notes(home.library, home.owner, request)[0]]


def test_titles_bodies_and_tags_are_searched_and_the_match_is_shown(vault: Home) -> None:
    assert found(vault, "sencha") == ["Tea/Sencha.md"]
    assert found(vault, "roast") == ["Coffee.md"]
    assert found(vault, "烏龍") == ["Tea/Oolong.md"]
    (one,), truncated = search_notes(vault.library, vault.owner, NoteSearch("steamed"))
    assert ("steamed" in one.snippet, one.listed.folder, truncated) == (True, "Tea", False)


def test_only_words_count_and_nonsense_finds_nothing(vault: Home) -> None:
    assert found(vault, "qwxzv") == []


def test_all_tags_must_be_carried_by_themselves_or_below(vault: Home) -> None:
    assert found(vault, "leaves", tags=("#japan",)) == ["Tea/Sencha.md"]
    assert found(vault, "leaves", tags=("japan", "roast")) == []


def test_what_the_limit_cuts_is_told(vault: Home) -> None:
    one, cut = search_notes(vault.library, vault.owner, NoteSearch("leaves", limit=1))
    both, whole = search_notes(vault.library, vault.owner, NoteSearch("leaves", limit=2))
    assert (len(one), cut, len(both), whole) == (1, True, 2, False)


def test_a_long_note_does_not_take_the_room_of_others(home: Home) -> None:
    put(home, "Long.md", "\n\n".join(f"# Kumquat {number}\n\nkumquat kumquat" for number in range(30)))
    for number in range(3):
        put(home, f"Short {number}.md", "Once there was a kumquat among many other fruits of the garden.")
    some, cut = search_notes(home.library, home.owner, NoteSearch("kumquat", limit=2))
    every, whole = search_notes(home.library, home.owner, NoteSearch("kumquat", limit=4))
    assert (len(some), cut, len(every), whole) == (2, True, 4, False)


def test_files_and_notes_of_others_are_not_found(vault: Home) -> None:
    assert set(found(vault, "leaves")) == {"Tea/Sencha.md", "Tea/Oolong.md"}
    other = vault.somebody()
    save_note(vault.library, other, "4c7bb7f0-1f0e-4a3b-9a55-0f3ad7f6a001", "leaves of others", None)
    assert set(found(vault, "leaves")) == {"Tea/Sencha.md", "Tea/Oolong.md"}


@pytest.mark.parametrize(("query", "refusal"), [("  ", InvalidInput), ("x" * 2001, TooLarge)])
def test_a_query_must_be_there_and_of_a_length(
    vault: Home, query: str, refusal: type[InvalidInput | TooLarge]
) -> None:
    with pytest.raises(refusal, match="query"):
        found(vault, query)
