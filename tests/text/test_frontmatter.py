"""Is a header read as it was written, and are broken ones told and left alone?"""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from vademecum.text import yaml_nodes
from vademecum.text.frontmatter import Split, Value, join, parse, split
from vademecum.text.properties import Properties
from vademecum.text.yaml_nodes import YAML_LIMIT

TEXTS = st.text(max_size=80) | st.text(alphabet="-a: #\n\r\ufeff \t海", max_size=60)


def read(header: str) -> Properties:
    """What the lines between two fences say."""
    return parse(f"---\n{header}---\n")


def values(header: str) -> dict[str, Value]:
    properties = read(header)
    assert properties.problem is None
    return {entry.key: entry.value for entry in properties.entries}


@given(TEXTS)
def test_block_and_body_joined_are_the_text(text: str) -> None:
    block, body = split(text)
    assert block + body == text
    assert split(block) == (block, "")


@given(TEXTS, TEXTS)
def test_a_joined_text_splits_into_its_parts_again(before: str, body: str) -> None:
    block = split(before).block
    text = join(block, body)
    again = split(text)
    assert again.body == body
    assert again.block.startswith(block)
    assert again.block[len(block) :] in ("", "\n", "\r\n", "\r", "---\n---\n", "---\r\n---\r\n", "---\r---\r")


@pytest.mark.parametrize(
    ("text", "block"),
    [
        ("---\na: 1\n---\nbody\n", "---\na: 1\n---\n"),
        ("\ufeff---\na: 1\n---\nbody", "\ufeff---\na: 1\n---\n"),
        ("---\r\na: 1\r\n---\r\nbody\r\n", "---\r\na: 1\r\n---\r\n"),
        ("---\ra: 1\r---\rbody", "---\ra: 1\r---\r"),
        ("---\na: 1\n---", "---\na: 1\n---"),
        ("---  \na: 1\n--- \t\nbody", "---  \na: 1\n--- \t\n"),
        ("---\n---\n# A\n", "---\n---\n"),
        ("---\na: 1\n# Heading\n", ""),
        ("---\na: 1\n ---\n", ""),
        ("---\na: |\n  ----\n---\n", "---\na: |\n  ----\n---\n"),
        ("----\na: 1\n----\n", ""),
        ("\n---\na: 1\n---\n", ""),
        ("text\n---\na: 1\n---\n", ""),
        ("---", ""),
        ("---\n", ""),
        ("\ufeff# A\n", ""),
        ("", ""),
    ],
)
def test_where_the_header_ends(text: str, block: str) -> None:
    assert split(text) == Split(block, text[len(block) :])


def test_a_body_that_begins_with_a_header_follows_an_empty_block() -> None:
    assert join("", "---\r\na: 1\r\n---\r\nx") == "---\r\n---\r\n---\r\na: 1\r\n---\r\nx"
    assert join("", "plain") == "plain"
    assert join("---\na: 1\n---", "x") == "---\na: 1\n---\nx"


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("created: {{date}}\ntags:\n  - x\n", {"created": "{{date}}", "tags": ["x"]}),
        ("title: <% tp.file.title %>\n", {"title": "<% tp.file.title %>"}),
        ("key:\tvalue\n", {"key": "value"}),
        (
            "country: no\nversion: 1.10\nzip: 012345\ntime: 12:30:00\n",
            {"country": "no", "version": "1.10", "zip": "012345", "time": "12:30:00"},
        ),
        (
            "a: 2027-03-14\nb: 2027-03-14T09:30\nc: 2027-03-14 09:30:00 +09:00\n",
            {"a": "2027-03-14", "b": "2027-03-14T09:30", "c": "2027-03-14 09:30:00 +09:00"},
        ),
        ("uid: 20230628123456789012\n", {"uid": "20230628123456789012"}),
        ('# keep me\nz: 1\na: "x"   # why\nlist: [ a,  b ]\n', {"z": "1", "a": "x", "list": ["a", "b"]}),
        ('up: "[[Home]]"\nbad: [[Home]]\n', {"up": "[[Home]]", "bad": "[[Home]]"}),
        ("a:\n  b:\n    - c: 1\n", {"a": {"b": [{"c": "1"}]}}),
        (
            "d: |\n  line 1\n  line 2\ne: >-\n  folded\n  text\n",
            {"d": "line 1\nline 2\n", "e": "folded text"},
        ),
        ("a:\nb: ~\nc: null\nd: ''\n", {"a": None, "b": None, "c": None, "d": ""}),
        ("a: true\nb: TRUE\nc: 0x1F\nd: 1_000\n", {"a": "true", "b": "TRUE", "c": "0x1F", "d": "1_000"}),
        ("標題: 海：岸\n", {"標題": "海：岸"}),
        ("a: b\u2028c\u2029d\x85e\n", {"a": "b\u2028c\u2029d\x85e"}),
        ("a: 😀 x\n", {"a": "😀 x"}),
        ("a: C:\\Users\\x\n", {"a": "C:\\Users\\x"}),
        ("a: &one [1]\nb: *one\n", {"a": ["1"], "b": ["1"]}),
        ("# only a comment\n", {}),
        ("", {}),
    ],
)
def test_values_are_the_literal_text(header: str, expected: dict[str, Value]) -> None:
    assert values(header) == expected


def test_line_ends_of_windows_and_old_macs_are_line_ends() -> None:
    assert [parse(f"---{end}a: 1{end}b: 2{end}---{end}").get("b") for end in ("\n", "\r\n", "\r")] == [
        "2"
    ] * 3


def test_a_property_tells_where_its_value_stands() -> None:
    block = '\ufeff---\r\na: "x"   # why\r\nlist: [ a,  b ]\r\n---\r\n'
    written = [(entry.key, entry.written, block[entry.start : entry.end]) for entry in parse(block).entries]
    assert written == [("a", '"x"', '"x"'), ("list", "[ a,  b ]", "[ a,  b ]")]


@pytest.mark.parametrize(
    ("header", "line"),
    [
        ("title: Part 1: the sea\n", 2),
        ('a: 1\ntitle: "The "best" sea"\n', 3),
        ("a: 1\nb: 2\nstar: *bold text\n", 4),
        ("a: 1\nstar: *bold\n", 3),
        ('path: "C:\\Users\\x"\n', 2),
        ("a: 1\nb: 'never closed\nc: 2\n", 3),
        ("a: @handle\n", 2),
        ("a: {{date}} at {{time}}\n", 2),
        ("- just\n- a list\n", 2),
        ("just words\n", 2),
        ("a: 1\n...\nb: 2\n", 4),
        ("a: 1\nb: bell\x07\n", 3),
        ("a: 1\nb: half \ud800\n", 3),
        ("a:\n\t- b\n", 3),
        ("a: &a [*a]\n", 2),
    ],
)
def test_a_broken_header_is_told_with_its_line(header: str, line: int) -> None:
    properties = read(header)
    assert properties.problem is not None
    assert properties.problem.line == line
    assert properties.entries == ()
    assert (properties.title, properties.tags, properties.aliases) == (None, (), ())


def test_a_problem_never_repeats_what_was_written() -> None:
    for header in ("secret: @hunter2\n", "secret: *hunter2\n", "secret: a: hunter2\n", "%TAG hunter2\n"):
        problem = read(header).problem
        assert problem is not None
        assert "hunter2" not in problem.message


def test_of_a_repeated_key_the_last_is_read_and_the_repetition_told() -> None:
    properties = read("a: 1\nb: 2\na: 3\n")
    assert properties.get("a") == "3"
    assert [problem.line for problem in properties.repeated] == [4]
    assert properties.problem is None


@pytest.mark.parametrize(
    ("written", "title"),
    [
        ("2024-01-05", "2024-01-05"),
        ("1984", "1984"),
        ("1.10", "1.10"),
        ("true", "true"),
        ("no", "no"),
        ('"None"', "None"),
        ("'null'", "null"),
        ("[Draft]", "[Draft]"),
        ("{{title}}", "{{title}}"),
        ("  spaced  ", "spaced"),
        ("|\n  two\n  lines", "two lines"),
        ("None", None),
        ("null", None),
        ("~", None),
        ("", None),
        ('""', None),
        ('"  "', None),
        ("\n  - a\n  - b", None),
    ],
)
def test_the_title_is_the_literal_text(written: str, title: str | None) -> None:
    assert read(f"title: {written}\n").title == title


@pytest.mark.parametrize(
    ("header", "tags"),
    [
        ("tags: [One, two, one]\n", ("One", "two")),
        ("tags:\n  - one\n  - '#two'\n  - ＃three\n", ("one", "two", "three")),
        ("tags: one, two\n", ("one", "two")),
        ("tags: 海、船，港\n", ("海", "船", "港")),
        ("tags: one two\n", ("one", "two")),
        ("tags: deep sea, harbour\n", ("deep sea", "harbour")),
        ("tags:\n  - deep sea\n", ("deep sea",)),
        ("tags: 2024\n", ("2024",)),
        ("tags: [1, 2.50, true, null]\n", ("1", "2.50", "true")),
        ("tags:\n", ()),
        ("tags: null\n", ()),
        ("tags: []\n", ()),
        ("tags: [[a, b], c]\n", ("a", "b", "c")),
        ("tags: #one #two/three\n", ("one", "two/three")),
        ("tags:\n  - #one\n  - two\n", ("one", "two")),
        ("tags:\n  # a comment\n  - two # another\n", ("two",)),
        ("tag: one\n", ("one",)),
        ("Tags: [one]\n", ("one",)),
        ("tags: [a]\ntag: b\n", ("a",)),
        ("tags:\n  topic: [a, b]\n", ("a", "b")),
        ("meta:\n  tags: [x]\n  other: y\n", ("x",)),
        ("other: [x]\n", ()),
    ],
)
def test_tags_of_every_shape_become_text(header: str, tags: tuple[str, ...]) -> None:
    assert read(header).tags == tags


@pytest.mark.parametrize(
    ("header", "aliases"),
    [
        ("aliases: [One, Two, One]\n", ("One", "Two")),
        ("aliases:\n  - Hello, World\n  - 3\n", ("Hello, World", "3")),
        ("alias: Other\n", ("Other",)),
        ("aliases: One, Two\n", ("One", "Two")),
        ("aliases:\n", ()),
        ("a: 1\n", ()),
    ],
)
def test_aliases(header: str, aliases: tuple[str, ...]) -> None:
    assert read(header).aliases == aliases


def test_dates_stay_as_written() -> None:
    properties = read("date: 2024-01-05\ncreated: 2024-01-04 9:00\nmodified: yesterday\n")
    assert (properties.created, properties.updated) == ("2024-01-04 9:00", "yesterday")
    assert read("date: 2024-01-05\n").created == "2024-01-05"
    assert read("created:\n").created is None
    assert (properties.literal("MODIFIED"), properties.literal("missing")) == ("yesterday", None)


BOMB = "a0: &a0 [x, x, x, x]\n" + "".join(
    f"a{level}: &a{level} [*a{level - 1}, *a{level - 1}, *a{level - 1}, *a{level - 1}]\n"
    for level in range(1, 40)
)
LONG = "".join(f"k{number}: {number}\n" for number in range(12_000))
COSTLY = {
    "aliases": BOMB,
    "length": LONG,
    "lists": "a: " + "[" * 60_000 + "\n",
    "mappings": "a: " + "{a: " * 15_000 + "\n",
    "items": "- " * 30_000 + "\n",
    "flow": "a: [" + "x," * 30_000 + "]\n",
    "keys": "? " * 30_000 + "\n",
    "depth": "a: " + "[" * 40 + "]" * 40 + "\n",
}


@pytest.mark.parametrize("loader", [yaml.SafeLoader, yaml_nodes._LOADER], ids=["python", "c"])
@pytest.mark.parametrize(
    "header",
    COSTLY.values(),
    ids=COSTLY.keys(),
)
def test_a_header_that_costs_too_much_is_a_problem(
    header: str, loader: type[yaml.SafeLoader], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(yaml_nodes, "_LOADER", loader)
    properties = read(header)
    assert properties.problem is not None
    assert properties.entries == ()


def test_a_header_just_within_the_limit_is_read() -> None:
    long = "y" * (YAML_LIMIT - 10)
    assert read(f"x: {long}\n").get("x") == long


@given(st.text(alphabet="ab:-#[]{}\"'|>&*!%@ \n\t,?~", max_size=60))
def test_any_header_is_read_or_told(header: str) -> None:
    properties = read(header)
    assert (properties.problem is None) or not properties.entries
