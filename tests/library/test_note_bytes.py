"""Does any mix of writes leave every byte that none of them names?"""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.library.home import Home
from tests.library.vault import put
from vademecum.library.note_writing import Replacement, edit_note, update_note, update_tags
from vademecum.library.notes import read_note
from vademecum.model.errors import Ambiguous, InvalidInput
from vademecum.text.frontmatter import parse
from vademecum.text.frontmatter_block import inside, split

# Bytes that careless hands change: line ends, trailing space, marks, raw HTML, nested lists, fences.
_PIECES = (
    *(
        "a",
        "é",
        "e\u0301",
        " ",
        "\t",
        "\n",
        "\r\n",
        "\r",
        "\u2028",
        "\x0c",
        "\ufeff",
        "🧑‍🚀",
        "[[x]]",
        "---\n",
    ),
    *("* a\n    * b\n", "<b>", "```\n", "```monthlet-block\nid: b1\nlabel: L\n```\n", "%%", "# h\n", "#tag "),
)
_texts = st.lists(st.sampled_from(_PIECES), max_size=12).map("".join)
_tags = st.lists(st.sampled_from(["tea", "Ｔea", "#Cup", "a/b", "x y"]), min_size=1, max_size=3)
_HEADER = "---\r\ntitle: 'T'  # t\r\ntags: [tea, \"cup\"] # mine\r\nown: {a: 1} # odd\r\n# last\r\n---\r\n"

Step = Callable[[Home, str], str]  # writes the note whose body is the text; the body that is expected then


@st.composite
def _edits(draw: st.DrawFn) -> Step:
    start, length, new = draw(st.integers(0, 20)), draw(st.integers(1, 6)), draw(_texts)

    def step(home: Home, body: str) -> str:
        old = body[start : start + length]
        if not old:
            return body
        version = read_note(home.library, home.owner, "T.md").version
        try:
            edit_note(home.library, home.owner, "T.md", Replacement(old, new), version)
        except Ambiguous:
            return body
        return body.replace(old, new)

    return step


@st.composite
def _updates(draw: st.DrawFn) -> Step:
    text = draw(_texts)

    def step(home: Home, body: str) -> str:
        version = read_note(home.library, home.owner, "T.md").version
        try:
            update_note(home.library, home.owner, "T.md", text, version)
        except InvalidInput:
            return body  # the text begins with a block that cannot be read
        return split(text).body

    return step


@st.composite
def _retags(draw: st.DrawFn) -> Step:
    add, remove = draw(_tags), draw(_tags)

    def step(home: Home, body: str) -> str:
        update_tags(home.library, home.owner, "T.md", (add, remove), None)
        return body

    return step


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(_texts, st.lists(st.one_of(_edits(), _updates(), _retags()), max_size=5))
def test_writes_change_what_they_name_and_nothing_else(
    sqlite_home: Home, start: str, steps: list[Step]
) -> None:
    home = sqlite_home
    with home.library.storage.read() as tx:
        placed = tx.places.within(home.owner.spaces[0], None)
    if not placed:
        put(home, "T.md", "", frontmatter=_HEADER, tags=("tea", "cup"), title="T")
    version = read_note(home.library, home.owner, "T.md").version
    sent = "---\r\nown: {a: 1} # odd\r\n# last\r\n---\r\n" + start
    update_note(home.library, home.owner, "T.md", sent, version)
    expected = start
    for step in steps:
        expected = step(home, expected)
        found = home.read(read_note(home.library, home.owner, "T.md").item.item_id)
        assert found.body == expected
        lines = found.frontmatter.splitlines(keepends=True)
        assert "title: 'T'  # t\r\n" in lines
        assert parse(found.frontmatter).tags == found.item.tags
        first, last = inside(found.frontmatter)
        kept = [
            line for line in found.frontmatter[first:last].splitlines(keepends=True) if "tags:" not in line
        ]
        assert kept in (
            ["title: 'T'  # t\r\n", "own: {a: 1} # odd\r\n", "# last\r\n"],
            ["title: 'T'  # t\r\n"],
        )
