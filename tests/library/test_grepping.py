"""Does a search by pattern see exactly what is shown of notes, and count all of it?"""

from __future__ import annotations

from typing import Any

import pytest

from tests.library.home import Home
from tests.library.vault import put, put_file
from tests.storage.opening import change_rows
from vademecum.library.grepping import GrepAnswer, GrepRequest, grep
from vademecum.library.saving import save_note
from vademecum.model.errors import InvalidInput, NotFound
from vademecum.model.items import Kind


@pytest.fixture
def vault(home: Home) -> Home:
    """Notes with and without frontmatter, and a file that holds the same words."""
    put(home, "Tea/Sencha.md", "Steamed.\n\nleaf one\r\nleaf two\n", frontmatter="---\norigin: Uji\n---\n")
    put(home, "Tea/Oolong.md", "leaf three")
    put(home, "Coffee.md", "bean")
    put_file(home, "leaf.txt", b"leaf", Kind.FILE)
    return home


def asked(home: Home, pattern: str, **more: Any) -> GrepAnswer:
    return grep(home.library, home.owner, GrepRequest(pattern, **more))


def lines(answer: GrepAnswer) -> list[tuple[str, int, str]]:
    return [(match.path, match.line, match.text) for match in answer.matches]


def test_lines_are_numbered_as_they_are_shown(vault: Home) -> None:
    answer = asked(vault, "leaf")
    assert lines(answer) == [
        ("Tea/Oolong.md", 4, "leaf three"),
        ("Tea/Sencha.md", 7, "leaf one"),
        ("Tea/Sencha.md", 8, "leaf two"),
    ]
    assert (answer.lines, answer.counts, answer.skipped) == (
        3,
        (("Tea/Oolong.md", 1), ("Tea/Sencha.md", 2)),
        0,
    )


def test_the_frontmatter_that_is_shown_is_searched_too(vault: Home) -> None:
    assert [path for path, _, _ in lines(asked(vault, "origin: Uji"))] == ["Tea/Sencha.md"]
    assert asked(vault, "^type: Note$", is_expression=True).lines == 3
    assert asked(vault, "^---$", is_expression=True).lines == 6


def test_what_is_not_shown_is_not_found(home: Home) -> None:
    put(home, "a.md", "body", title="Hidden", frontmatter="---\ntitle: Hidden\nkept: 1\n---\n")
    assert asked(home, "Hidden").lines == 0
    assert asked(home, "kept").lines == 1


def test_lines_around_a_match_are_given_as_far_as_there_are_any(vault: Home) -> None:
    (match,) = asked(vault, "leaf one", context=2).matches
    assert (match.before, match.after) == (("Steamed.", ""), ("leaf two",))


def test_the_limit_cuts_what_is_given_and_not_what_is_counted(vault: Home) -> None:
    answer = asked(vault, "leaf", limit=2)
    assert (len(answer.matches), answer.lines, len(answer.counts)) == (2, 3, 2)


def test_of_many_notes_the_first_by_path_are_shown_and_all_are_counted(home: Home) -> None:
    for number in (5, 3, 9, 1, 7, 2, 8):
        put(home, f"{number}.md", "leaf\nleaf")
    answer = asked(home, "leaf", limit=3)
    assert lines(answer) == [("1.md", 4, "leaf"), ("1.md", 5, "leaf"), ("2.md", 4, "leaf")]
    assert (answer.lines, [path for path, _ in answer.counts]) == (
        14,
        [f"{n}.md" for n in (1, 2, 3, 5, 7, 8, 9)],
    )


def test_case_counts_unless_it_is_to_be_ignored(vault: Home) -> None:
    assert asked(vault, "STEAMED").lines == 0
    assert asked(vault, "STEAMED", ignore_case=True).lines == 1


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("", {"Tea/Sencha.md", "Tea/Oolong.md"}),
        ("tea", {"Tea/Sencha.md", "Tea/Oolong.md"}),
        ("Tea/Sencha.md", {"Tea/Sencha.md"}),
        ("**/S*.md", {"Tea/Sencha.md"}),
        ("*.md", set()),
        ("nothing/**", set()),
    ],
)
def test_a_folder_a_note_or_a_glob_says_where_to_look(vault: Home, path: str, found: set[str]) -> None:
    assert {path for path, _ in asked(vault, "leaf", path=path).counts} == found


@pytest.mark.parametrize(
    ("path", "refusal"),
    [("nothing", NotFound), ("leaf.txt", InvalidInput), ("../**", InvalidInput), ("/x", InvalidInput)],
)
def test_a_path_that_names_no_notes_is_refused(vault: Home, path: str, refusal: type[Exception]) -> None:
    with pytest.raises(refusal):
        asked(vault, "leaf", path=path)


def test_a_note_that_cannot_be_read_is_counted_as_skipped(vault: Home) -> None:
    change_rows(vault.url, f"UPDATE text SET size = 1 WHERE content = x'{b'leaf three'.hex()}'")
    answer = asked(vault, "leaf")
    assert (answer.lines, answer.skipped) == (2, 1)


def test_notes_of_others_are_not_searched(vault: Home) -> None:
    other = vault.somebody()
    save_note(vault.library, other, "4c7bb7f0-1f0e-4a3b-9a55-0f3ad7f6a001", "leaf of others", None)
    assert asked(vault, "of others").lines == 0
    assert grep(vault.library, other, GrepRequest("leaf")).lines == 1
