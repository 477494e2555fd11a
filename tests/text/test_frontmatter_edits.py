"""Does a change of one key leave every other byte of the header alone?"""

from __future__ import annotations

import pytest
import yaml
from hypothesis import assume, given
from hypothesis import strategies as st

from vademecum.model.errors import InvalidInput, TooLarge
from vademecum.text.frontmatter import NewValue, parse, set_properties, split, without
from vademecum.text.yaml_nodes import YAML_LIMIT
from vademecum.text.yaml_scalars import scalar_text

ANY_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
TRICKY = st.text(alphabet=" \t\n\r:#'\"*&!|>-?[]{}%@`,\\~=.0123trueno海\x85\u2028\ufeff\x07", max_size=16)
VALUES = ANY_TEXT | TRICKY
HARD = (
    "\ufeff---\r\n# keep me\r\nz: 1   # why\r\nTags:\r\n- 'one' # first\r\n- two\r\n\r\n# about a\r\n"
    'a: "x"\r\nlist: [ a,  b ]\r\nd: |\r\n  line 1\r\n\r\n  line 2\r\nciteKey: smith2020\r\n---\r\n'
)


@pytest.mark.parametrize(
    ("key", "value", "old", "new"),
    [
        ("z", "2", "z: 1   # why", 'z: "2"   # why'),
        ("z", "two", "z: 1   # why", "z: two   # why"),
        ("z", 7, "z: 1   # why", "z: 7   # why"),
        ("z", True, "z: 1   # why", "z: true   # why"),
        ("z", ["a", "b"], "z: 1   # why", "z: [a, b]   # why"),
        ("a", "it's", 'a: "x"', 'a: "it\'s"'),
        ("a", ["p"], 'a: "x"', "a:\r\n  - p"),
        ("list", ["a", "b, c"], "list: [ a,  b ]", 'list: [a, "b, c"]'),
        ("list", [], "list: [ a,  b ]", "list: []"),
        ("tags", ["x", "#y"], "- 'one' # first\r\n- two\r\n", '- x\r\n- "#y"\r\n'),
        ("tags", [], "Tags:\r\n- 'one' # first\r\n- two\r\n", "Tags: []\r\n"),
        ("tags", "one", "Tags:\r\n- 'one' # first\r\n- two\r\n", "Tags: one\r\n"),
        ("d", "short", "d: |\r\n  line 1\r\n\r\n  line 2\r\n", "d: short\r\n"),
        ("d", None, "d: |\r\n  line 1\r\n\r\n  line 2\r\n", ""),
        ("z", None, "z: 1   # why\r\n", ""),
        ("TAGS", None, "Tags:\r\n- 'one' # first\r\n- two\r\n", ""),
        ("citeKey", None, "citeKey: smith2020\r\n", ""),
        ("new", "x", "smith2020\r\n", "smith2020\r\nnew: x\r\n"),
        ("new", ["x"], "smith2020\r\n", "smith2020\r\nnew:\r\n  - x\r\n"),
        ("new", [], "smith2020\r\n", "smith2020\r\nnew: []\r\n"),
        ("new", "", "smith2020\r\n", 'smith2020\r\nnew: ""\r\n'),
    ],
)
def test_one_key_is_changed_in_place(key: str, value: NewValue | None, old: str, new: str) -> None:
    assert HARD.count(old) == 1
    assert set_properties(HARD, {key: value}) == HARD.replace(old, new)


@pytest.mark.parametrize(
    "changes",
    [{}, {"z": "1"}, {"Z": 1}, {"tags": ["one", "two"]}, {"a": "x"}, {"missing": None}, {"list": ["a", "b"]}],
)
def test_what_is_set_already_stays_as_written(changes: dict[str, NewValue | None]) -> None:
    assert set_properties(HARD, changes) == HARD


def test_a_header_is_made_where_there_is_none() -> None:
    made = set_properties("", {"title": "A: b", "tags": ["x"]}, "\r\n")
    assert made == '---\r\ntitle: "A: b"\r\ntags:\r\n  - x\r\n---\r\n'
    assert set_properties("", {"title": None}) == ""
    assert set_properties("", {}) == ""


def test_a_header_that_ends_the_text_without_a_line_end_is_changed() -> None:
    assert set_properties("---\na: 1\n---", {"b": "x"}) == "---\na: 1\nb: x\n---"


def test_an_empty_value_is_filled_in_place() -> None:
    assert set_properties("---\ntags:\nb: 1\n---\n", {"tags": ["x"]}) == "---\ntags:\n  - x\nb: 1\n---\n"
    assert (
        set_properties("---\ntags: # none yet\n---\n", {"tags": ["x"]}) == "---\ntags: [x] # none yet\n---\n"
    )
    assert set_properties("---\na:\n---\n", {"a": "x"}) == "---\na: x\n---\n"


def test_of_a_repeated_key_one_remains() -> None:
    assert set_properties("---\na: 1\nb: 2\na: 3\n---\n", {"a": "x"}) == "---\na: x\nb: 2\n---\n"
    assert set_properties("---\na: 1\nb: 2\na: 3\n---\n", {"a": None}) == "---\nb: 2\n---\n"


def test_indented_keys_get_neighbours_as_far_in() -> None:
    assert set_properties("---\n  a: 1\n---\n", {"b": ["x"]}) == "---\n  a: 1\n  b:\n    - x\n---\n"


def test_links_and_placeholders_of_other_keys_stay() -> None:
    block = "---\ncreated: {{date}}\nup: [[Home]]\nraw: <% tp.x %>\n---\n"
    assert set_properties(block, {"tags": ["x"]}) == block[:-4] + "tags:\n  - x\n---\n"


@pytest.mark.parametrize(
    "block",
    [
        "---\ntitle: Part 1: the sea\n---\n",
        "---\n- a\n- b\n---\n",
        "---\n{a: 1}\n---\n",
        "---\n? a\n: 1\n---\n",
        "---\na: &x [1]\nb: *x\n---\n",
        "no header",
        "---\na: 1\n---\nbody",
    ],
)
def test_a_header_that_cannot_be_changed_safely_is_refused(block: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        set_properties(block, {"a": "new"})
    assert refused.value.field == "frontmatter"


def test_another_key_beside_an_alias_can_be_changed() -> None:
    assert (
        set_properties("---\na: &x [1]\nb: *x\nc: 1\n---\n", {"c": "z"})
        == "---\na: &x [1]\nb: *x\nc: z\n---\n"
    )


def test_half_a_character_and_too_much_are_refused() -> None:
    with pytest.raises(InvalidInput):
        set_properties("", {"a": "\ud800"})
    with pytest.raises(TooLarge):
        set_properties("", {"a": "x" * YAML_LIMIT})


def test_keys_are_left_out() -> None:
    assert without(HARD, ["TAGS", "d", "missing"]) == HARD.replace(
        "Tags:\r\n- 'one' # first\r\n- two\r\n", ""
    ).replace("d: |\r\n  line 1\r\n\r\n  line 2\r\n", "")
    assert without("---\na: 1\nb: 2\n---\n", ["a", "b"]) == ""
    assert without("---\n# kept\na: 1\n---\n", ["a"]) == "---\n# kept\n---\n"
    assert without("", ["a"]) == ""


@given(VALUES)
def test_a_text_reads_back_as_itself(value: str) -> None:
    block = set_properties("---\nbefore: 1\n---\n", {"key": value, "list": [value, "x"]})
    properties = parse(block)
    assert (properties.get("key"), properties.get("list")) == (value, [value, "x"])
    assert split(block + "# Body\n") == (block, "# Body\n")


@given(VALUES, st.sampled_from(["", "'", '"']))
def test_other_readers_take_it_for_the_same_text(value: str, style: str) -> None:
    read = yaml.safe_load("[" + scalar_text(value, style, in_list=True) + "]")
    assert [str(item) for item in read] == [value]


@given(VALUES.filter(lambda key: len(key) > 0))
def test_any_key_can_be_set_and_removed(key: str) -> None:
    start = "---\nbefore: 1 # kept\n---\n"
    assume(key.casefold() != "before")
    made = set_properties(start, {key: "x"})
    assert parse(made).get(key) == "x"
    assert set_properties(made, {key: None}) == start


LISTS = ["c:\n  - x\n  - 'y' # z", "d: [ p,  q ]", "k:\n- m\n- n"]
SCALARS = ["a: 1", "b: 'two'  # why", "e: |\n  t\n\n  u", "f:", 'g: "[[Home]]"', "i: >-\n  folded\n  text"]
LINES = st.lists(st.sampled_from([*LISTS, *SCALARS, "# note", "", "h: {k: v}", "j: ~ # empty"]), unique=True)
NEW = VALUES | st.lists(VALUES, max_size=3) | st.booleans() | st.none()


@given(LINES, st.sampled_from("abcdefghijklz"), NEW)
def test_all_other_keys_comments_and_order_stay(lines: list[str], key: str, value: NewValue | None) -> None:
    block = "".join(line.replace("\n", "\r\n") + "\r\n" for line in ["---", *lines, "---"])
    before, after = parse(block), parse(set_properties(block, {key: value}))
    others = [(entry.key, entry.written) for entry in before.entries if entry.key != key]
    assert [(entry.key, entry.written) for entry in after.entries if entry.key != key] == others
    position = [entry.key for entry in before.entries]
    if value is not None and key in position:
        assert [entry.key for entry in after.entries] == position
    changed = set_properties(block, {key: value})
    kept = [line for line in lines if not line.startswith(f"{key}:")]
    rest = changed
    for line in kept:
        written = line.replace("\n", "\r\n") + "\r\n"
        assert written in rest
        rest = rest[rest.index(written) + len(written) :]
    assert "\n" not in changed.replace("\r\n", "")


@given(st.text(alphabet="ab:-#[]'\" \n", max_size=40), VALUES)
def test_whatever_the_header_holds_a_change_is_exact_or_refused(header: str, value: str) -> None:
    block = split(f"---\n{header}\n---\n").block
    before = parse(block)
    try:
        changed = set_properties(block, {"new": value})
    except InvalidInput:
        return
    after = parse(changed)
    assert after.get("new") == value
    assert [(entry.key, entry.value) for entry in after.entries][: len(before.entries)] == [
        (entry.key, entry.value) for entry in before.entries
    ]
    assert changed.startswith(block[: block.rindex("---")])
