"""Does an item's file say what the item is, and leave every byte alone that it need not touch?"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC

import pytest

from vademecum.library.file_texts import note_text, said_by
from vademecum.library.importing import state_of
from vademecum.library.reading_files import read_note
from vademecum.model.items import Kind, Layers, State

AT = "2026-11-30T12:00:00.000000Z"


def _imported(text: str, name: str = "Plan.md") -> State:
    return state_of(read_note(name, text.encode(), 0.0, UTC)[0])


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no end of line",
        "# Heading\n\n#tag in text\r\nmixed\rends",
        "---\ntitle: Other\ntags: [a, b] # why\n---\n# Heading\n",
        "\ufeff---\ntitle: x\n---\nbody",
        "\ufeffbody behind a mark",
        "---\n---\n---\nis: body\n---\n",
        "---\nbroken: : [\n---\nbody",
        "---\npinned: true\narchived: TRUE\ntag: one\n---\nbody",
        "---\nsource: https://example.org/a\ncreated: 2020-01-01\n---\n",
        "---\ntitle: never closed",
    ],
)
def test_the_file_of_an_imported_note_is_that_note_byte_for_byte(text: str) -> None:
    assert note_text(_imported(text), AT) == text


def test_a_note_made_here_has_no_header_until_a_key_is_set() -> None:
    made = State(title="Plan", kind=Kind.NOTE, layers=Layers(authored="body #x"), file_name="Plan.md")
    assert note_text(made, AT) == "body #x"
    wanted = "---\ntitle: Plan B\ntags:\n  - tea\npinned: true\narchived: true\n---\nbody #x"
    changed = replace(made, title="Plan B", tags=("tea",), pinned=True, archived=True)
    assert note_text(changed, AT) == wanted


def test_a_body_that_begins_with_a_header_follows_an_empty_block() -> None:
    body = "---\ntitle: mine\n---\ntext"
    made = State(title="Plan", kind=Kind.NOTE, layers=Layers(authored=body), file_name="Plan.md")
    assert note_text(made, AT) == f"---\n---\n{body}"
    assert said_by(made, AT).layers.authored == body


def test_a_change_here_touches_only_its_key_in_a_foreign_header() -> None:
    text = "---\r\nTitle: 'Old'   # named so\r\ntags: [a]\r\nmine: 007\r\n---\r\nbody\r\n"
    changed = replace(_imported(text), title="New", tags=("a", "b"))
    assert note_text(changed, AT) == text.replace("'Old'", "'New'").replace("[a]", "[a, b]")


def test_a_header_that_cannot_be_read_is_left_as_it_is() -> None:
    text = "---\nbroken: : [\n---\nbody"
    assert note_text(replace(_imported(text), tags=("b",)), AT) == text


def test_a_byte_order_mark_stays_first_when_a_header_is_added() -> None:
    changed = replace(_imported("\ufeffbody"), tags=("b",))
    assert note_text(changed, AT) == "\ufeff---\ntags:\n  - b\n---\nbody"


def test_a_capture_tells_where_it_came_from_and_when() -> None:
    state = State(
        title="Tea",
        kind=Kind.ARTICLE,
        layers=Layers(extracted="steeped"),
        file_name="Tea.md",
        source_url="https://example.org/tea",
    )
    assert note_text(state, AT) == f"---\ncreated: {AT}\nsource: https://example.org/tea\n---\nsteeped"


def test_what_the_file_says_is_what_the_item_is() -> None:
    state = replace(_imported("# A\n\ntext #x"), title='B: "quoted"', tags=("x", "y z"), pinned=True)
    said = said_by(state, AT)
    assert (said.title, said.tags, said.pinned) == (state.title, state.tags, True)
