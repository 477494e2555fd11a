"""Is a note shown with its own keys alone, and does what is written back change only what it names?"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vademecum.model.errors import InvalidInput
from vademecum.text.frontmatter import parse
from vademecum.text.frontmatter_block import split
from vademecum.text.shown_note import MANAGED_KEYS, Written, new_note, shown, written

HEADER = "---\ntitle: X\ntags: [a]\n# mine\naliases: [b] # also\ncreated: 2020-01-01\nstate: 'draft'\n---\n"


def test_a_note_is_shown_with_its_own_keys_and_a_type() -> None:
    own = "---\n# mine\naliases: [b] # also\nstate: 'draft'\ntype: Note\n---\n"
    assert shown(HEADER, "Body\n") == own + "Body\n"


@pytest.mark.parametrize(
    ("frontmatter", "body", "expected"),
    [
        ("", "Body", "---\ntype: Note\n---\nBody"),
        ("", "a\r\nb\r\n", "---\r\ntype: Note\r\n---\r\na\r\nb\r\n"),
        ("", "---\nx: 1\n---\nBody", "---\ntype: Note\n---\n---\nx: 1\n---\nBody"),
        ("---\ntype: Recipe\ntitle: X\n---\n", "Body", "---\ntype: Recipe\n---\nBody"),
        ("---\nTitle: X\nMODIFIED: 1\n---\n", "Body", "---\ntype: Note\n---\nBody"),
        ("\ufeff---\nx: 1\n---\n", "Body", "---\nx: 1\ntype: Note\n---\nBody"),
        ("---\nx: 1\n---", "Body", "---\nx: 1\ntype: Note\n---\nBody"),
        ("---\ntitle: a: b\n---\n", "Body", "---\ntitle: a: b\n---\nBody"),
        ("---\n{{date}}: <% x %>\n- y\n---\n", "", "---\n{{date}}: <% x %>\n- y\n---\n"),
    ],
)
def test_what_is_shown(frontmatter: str, body: str, expected: str) -> None:
    assert shown(frontmatter, body) == expected
    assert written(expected, frontmatter, body) == Written(frontmatter, body)


_lines = st.sampled_from(
    (
        *(
            "a: 1",
            "title: X",
            "tags: [x, y]",
            "# note",
            "b:\n  c: d",
            "type: Note",
            "type: Plan",
            "pinned: true",
        ),
        *("aliases:\n  - q\n  - r", 'e: "f"  # g', "created: 2020-01-01", "a: [", "- z", "{x: y}", ""),
    )
)
_bodies = st.text("ab \n\r-:\ufeff`", max_size=20) | st.sampled_from(
    ["---\na: 1\n---\n", "---\n---\nx", "\r\n"]
)
_ends = st.sampled_from(["\n", "\r\n", "\r"])


@st.composite
def _blocks(draw: st.DrawFn) -> str:
    lines = draw(st.lists(_lines, max_size=6))
    end = draw(_ends)
    text = "\n".join(["---", *lines, "---", ""]).replace("\n", end)
    return draw(st.sampled_from(["", text, "\ufeff" + text, text.rstrip("\r\n")]))


@given(_blocks(), _bodies)
def test_what_was_shown_changes_nothing_when_it_is_written_back(frontmatter: str, body: str) -> None:
    given_back = written(shown(frontmatter, body), frontmatter, body)
    assert given_back == Written(frontmatter, body)


@given(_blocks(), _bodies, _blocks(), _bodies)
def test_managed_keys_keep_their_bytes_whatever_is_written(
    frontmatter: str, body: str, sent: str, new: str
) -> None:
    try:
        result = written(sent + new, frontmatter, body)
    except InvalidInput:
        return
    before, after = parse(frontmatter), parse(result.frontmatter)
    kept = {entry.key: entry.written for entry in before.entries if entry.key in MANAGED_KEYS}
    assert {entry.key: entry.written for entry in after.entries if entry.key in MANAGED_KEYS} == kept
    assert result.body == split(sent + new).body


def test_a_block_that_is_written_takes_the_place_of_the_notes_own_keys() -> None:
    sent = "---\nstate: done\nTitle: no\naliases: [b, c]\ntype: Note\n---\nNew"
    expected = "---\ncreated: 2020-01-01\nstate: done\ntitle: X\ntags: [a]\naliases: [b, c]\n---\n"
    assert written(sent, HEADER, "Body") == Written(expected, "New", ("Title",))


def test_without_a_block_the_frontmatter_stays_and_an_empty_one_clears_it() -> None:
    assert written("New", HEADER, "Body") == Written(HEADER, "New")
    cleared = "---\ntitle: X\ntags: [a]\ncreated: 2020-01-01\n---\n"
    assert written("---\n---\nNew", HEADER, "Body") == Written(cleared, "New")
    assert written("---\n---\nNew", "---\nx: 1\n---\n", "Body") == Written("", "New")


def test_a_type_is_stored_only_where_it_says_something() -> None:
    assert written("---\ntype: Note\n---\nNew", "", "Body") == Written("", "New")
    assert written("---\ntype: Recipe\n---\nNew", "", "Body") == Written("---\ntype: Recipe\n---\n", "New")
    stored = "---\ntype: Note\n---\n"
    assert written(stored + "New", stored, "Body") == Written(stored, "New")
    assert written("---\nx: 1\n---\nNew", stored, "Body") == Written("---\nx: 1\n---\n", "New")


@pytest.mark.parametrize(
    ("sent", "frontmatter"),
    [("---\na: [\n---\nNew", HEADER), ("---\na: 1\n---\nNew", "---\na: [\n---\n"), ("---\nwords\n---\n", "")],
)
def test_a_block_that_cannot_be_read_is_not_changed(sent: str, frontmatter: str) -> None:
    with pytest.raises(InvalidInput, match="cannot be read"):
        written(sent, frontmatter, "Body")


def test_a_new_note_keeps_of_the_managed_keys_its_tags_alone() -> None:
    sent = "---\ntitle: No\ntags: [a]\nx: 1 # y\npinned: true\n---\nBody"
    assert new_note(sent) == Written("---\ntags: [a]\nx: 1 # y\n---\n", "Body", ("title", "pinned"))
    assert new_note("---\ntitle: No\n---\nBody") == Written("", "Body", ("title",))
    assert new_note("---\na: [\n---\nBody") == Written("---\na: [\n---\n", "Body")
    assert new_note("Body") == Written("", "Body")
