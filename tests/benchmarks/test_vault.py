"""Is the vault that measurements are made on the same each time, and as it is described?"""

from __future__ import annotations

from itertools import islice
from pathlib import Path

from benchmarks.vault import background, notes, questions, write_vault


def test_a_vault_is_the_same_each_time_it_is_made() -> None:
    assert list(notes(30)) == list(notes(30))


def test_a_smaller_vault_is_the_beginning_of_a_larger_one() -> None:
    assert list(notes(20)) == list(notes(40))[:20]


def test_every_note_has_a_path_a_title_and_a_marker_of_its_own() -> None:
    made = list(notes(200))
    assert len({note.path for note in made}) == len({note.title for note in made}) == 200
    everything = "\n".join(note.text for note in made)
    assert all(everything.count(note.marker) == 1 for note in made)


def test_notes_are_in_three_languages() -> None:
    assert {note.path.split("/")[0] for note in notes(100)} == {"en", "ja", "zh"}


def test_links_lead_to_titles_of_earlier_notes() -> None:
    made = list(notes(60))
    for place, note in enumerate(made[1:], start=1):
        target = note.text.rpartition("[[")[2].partition("]]")[0]
        assert target in {earlier.title for earlier in made[:place]}


def test_a_written_vault_holds_each_note_as_a_file(tmp_path: Path) -> None:
    made = write_vault(tmp_path, 12)
    assert {note.path: note.text for note in made} == {
        path.relative_to(tmp_path).as_posix(): path.read_text(encoding="utf-8")
        for path in tmp_path.rglob("*.md")
    }


def test_questions_quote_notes_of_the_vault() -> None:
    made = list(notes(50))
    bare = [
        "".join(note.text.lower().replace("、", "").replace("。", "").replace(".", "").split())
        for note in made
    ]
    asked = questions(made, 20)
    assert len(asked) == 20
    assert all(any("".join(question.split()) in text for text in bare) for question in asked)


def test_the_background_is_the_same_each_time() -> None:
    assert list(islice(background(3), 20)) == list(islice(background(3), 20))
