"""Does a difference show exactly what changed, whatever the texts?"""

from __future__ import annotations

import re
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vademecum.text.diffs import DiffLine, LineKind, Part, diff, unified

LINES = st.lists(
    st.sampled_from(["a\n", "b\n", "c\n", "\n", "sea and sky\n", "sea or sky\n", "灯台の光\n"]), max_size=14
)
TEXTS = LINES.map("".join) | st.text(alphabet="ab \n\r海\u2028", max_size=40)


def shown(old: str, new: str) -> list[tuple[str, str]]:
    """Each line with its sign, and its changed parts in brackets."""
    signs = {LineKind.SAME: " ", LineKind.REMOVED: "-", LineKind.ADDED: "+"}
    return [(signs[line.kind], bracketed(line)) for line in diff(old, new)]


def bracketed(line: DiffLine) -> str:
    return "".join(f"[{part.text}]" if part.changed else part.text for part in line.parts)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("", "", []),
        ("a\nb\n", "a\nb\n", [(" ", "a\n"), (" ", "b\n")]),
        ("", "a\n", [("+", "[a\n]")]),
        ("a\n", "", [("-", "[a\n]")]),
        ("a\nc\n", "a\nb\nc\n", [(" ", "a\n"), ("+", "[b\n]"), (" ", "c\n")]),
        (
            "The sea is wide today.\n",
            "The sea was wide today.\n",
            [("-", "The sea [is] wide today.\n"), ("+", "The sea [was] wide today.\n")],
        ),
        ("灯台の光は強い\n", "灯台の灯は強い\n", [("-", "灯台の[光]は強い\n"), ("+", "灯台の[灯]は強い\n")]),
        ("end", "end\n", [("-", "end"), ("+", "end[\n]")]),
        ("a b c\r\n", "a b c\n", [("-", "a b c[\r\n]"), ("+", "a b c[\n]")]),
        ("one thing\n", "quite another\n", [("-", "[one thing\n]"), ("+", "[quite another\n]")]),
    ],
)
def test_changes_are_shown_by_line_and_word(old: str, new: str, expected: list[tuple[str, str]]) -> None:
    assert shown(old, new) == expected


def test_lines_are_numbered_in_both_texts() -> None:
    numbers = [(line.kind.value, line.old_line, line.new_line) for line in diff("a\nb\nc\n", "a\nx\ny\nc\n")]
    assert numbers == [
        ("same", 1, 1),
        ("removed", 2, None),
        ("added", None, 2),
        ("added", None, 3),
        ("same", 3, 4),
    ]


def test_a_moved_paragraph_is_one_removal_and_one_addition() -> None:
    old = "".join(f"line {number}\n" for number in range(40))
    new = old.replace("line 3\nline 4\n", "") + "line 3\nline 4\n"
    assert [line.text for line in diff(old, new) if line.kind is LineKind.REMOVED] == ["line 3\n", "line 4\n"]
    assert [line.text for line in diff(old, new) if line.kind is LineKind.ADDED] == ["line 3\n", "line 4\n"]


def test_one_word_in_a_long_paragraph_is_found() -> None:
    words = [f"word{number % 50}" for number in range(3_000)]
    old = " ".join(words)
    new = " ".join([*words[:1_500], "changed", *words[1_501:]])
    assert [part for part in diff(old, new)[1].parts if part.changed] == [Part("changed", changed=True)]


@given(TEXTS, TEXTS)
def test_both_texts_are_in_the_difference(old: str, new: str) -> None:
    lines = diff(old, new)
    assert "".join(line.text for line in lines if line.kind is not LineKind.ADDED) == old
    assert "".join(line.text for line in lines if line.kind is not LineKind.REMOVED) == new
    assert [line.old_line for line in lines if line.old_line] == list(
        range(1, 1 + sum(1 for x in lines if x.old_line))
    )
    assert [line.new_line for line in lines if line.new_line] == list(
        range(1, 1 + sum(1 for x in lines if x.new_line))
    )


@given(TEXTS)
def test_a_text_does_not_differ_from_itself(text: str) -> None:
    assert all(line.kind is LineKind.SAME for line in diff(text, text))
    assert unified(text, text) == ""


def applied(old: str, hunks: str) -> str:
    """What a program makes of the old text and a unified difference."""
    old_lines = old.splitlines(keepends=True)
    made: list[str] = []
    place, sign = 0, ""
    for line in re.findall(r"[^\n]*\n", hunks):
        header = re.match(r"@@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@\n", line)
        if header:
            start = int(header[1]) - (0 if header[2] == "0" else 1)
            made += old_lines[place:start]
            place = start
        elif line.startswith("\\"):
            made[-1:] = [made[-1].removesuffix("\n")] if sign != "-" else made[-1:]
        else:
            sign = line[0]
            assert line[0] == "+" or old_lines[place].rstrip("\n") == line[1:-1]
            made += [line[1:]] if line[0] in " +" else []
            place += line[0] in " -"
    return "".join(made + old_lines[place:])


@given(LINES, LINES, st.integers(0, 4), st.sampled_from(["", "end"]))
def test_the_unified_form_makes_the_new_text_of_the_old(
    old: list[str], new: list[str], context: int, end: str
) -> None:
    before, after = "".join(old) + end, "".join(new)
    assert applied(before, unified(before, after, context)) == after


def test_the_unified_form_for_a_reader() -> None:
    old = "".join(f"{number}\n" for number in range(1, 21))
    new = old.replace("10\n", "ten\n").removesuffix("\n")
    first, second = "@@ -9,3 +9,3 @@\n 9\n-10\n+ten\n 11\n", "@@ -19,2 +19,2 @@\n 19\n-20\n+20\n"
    assert unified(old, new, 1) == first + second + "\\ No newline at end of file\n"


def test_large_texts_with_nothing_in_common_are_replaced() -> None:
    old = "".join(f"old {number}\n" for number in range(5_000))
    new = "".join(f"new {number}\n" for number in range(5_000))
    assert {line.kind for line in diff(old, new)} == {LineKind.REMOVED, LineKind.ADDED}


@pytest.mark.parametrize("seed", range(3))
def test_texts_of_few_different_lines_are_compared_as_far_as_that_is_cheap(seed: int) -> None:
    random = Random(seed)
    old, new = ("".join(random.choices(["a a b\n", "b b a\n", "\n"], k=10_000)) for _ in range(2))
    lines = diff(old, new)
    assert "".join(line.text for line in lines if line.kind is not LineKind.ADDED) == old
    assert "".join(line.text for line in lines if line.kind is not LineKind.REMOVED) == new


def test_long_lines_are_compared_as_far_as_that_is_cheap() -> None:
    lines = diff("a b " * 500_000, "b a " * 500_000)
    assert [line.kind for line in lines] == [LineKind.REMOVED, LineKind.ADDED]
    many = diff("a b c a\n" * 3_000 + "x", "b a a c\n" * 3_000 + "y")
    assert "".join(line.text for line in many if line.kind is not LineKind.ADDED) == "a b c a\n" * 3_000 + "x"
