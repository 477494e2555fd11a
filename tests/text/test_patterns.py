"""Do patterns match line by line, as an agent expects, and never for long?"""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vademecum.model.errors import InvalidInput, TooLarge
from vademecum.text.markdown_lines import split_lines
from vademecum.text.patterns import PATTERN_LIMIT, LinePattern, PathPattern, encoded_lines, is_glob


def numbers(pattern: str, text: str, *, is_expression: bool = True, ignore_case: bool = False) -> list[int]:
    made = LinePattern(pattern, is_expression=is_expression, ignore_case=ignore_case)
    encoded = encoded_lines(text)
    found = list(made.numbers(encoded))
    assert made.matches(encoded) is bool(found)
    return found


@pytest.mark.parametrize(
    ("pattern", "text", "found"),
    [
        ("b.*", "abc\r\nx\rab\n\nb", [0, 2, 4]),
        ("x*", "a\nb\n", [0, 1]),
        ("^$", "a\n\nb", [1]),
        (r"a\s+b", "a\nb\na  b", [2]),
        ("[^x]+z", "a\naz", [1]),
        ("茶.", "绿茶x\n茶", [0]),
        (r"\bcat\b", "a cat sat on a cat\nconcat", [0]),
        ("^b|a$", "ab\nba\nc", [1]),
        (r"\d{4}-\d\d", "2026-12\n26-12", [0]),
        ("a|", "b", [0]),
    ],
)
def test_an_expression_is_matched_within_each_line(pattern: str, text: str, found: list[int]) -> None:
    assert numbers(pattern, text) == found


def test_an_exact_text_has_no_special_signs() -> None:
    assert numbers("a.b*", "a.b*\naxbb", is_expression=False) == [0]
    assert numbers("STRASSE", "Strasse\nstreet", is_expression=False, ignore_case=True) == [0]
    assert numbers("ÄRGER", "ärger", is_expression=True, ignore_case=True) == [0]


@given(
    st.text(alphabet="ab \n\r茶", max_size=40),
    st.text(alphabet="ab茶 ", min_size=1, max_size=3),
    st.booleans(),
)
def test_the_lines_found_are_those_that_hold_the_text(text: str, wanted: str, ignore_case: bool) -> None:
    lines = [line.rstrip("\r\n") for line in split_lines(text)]
    expected = [number for number, line in enumerate(lines) if wanted in line]
    assert numbers(wanted, text, is_expression=False, ignore_case=ignore_case) == expected


@given(st.text(alphabet="ab\n", max_size=30), st.sampled_from(["a+b", "^a", "b$", "(ab)*", "a{2,3}", "."]))
def test_expressions_agree_with_those_of_the_language(text: str, pattern: str) -> None:
    lines = [line.rstrip("\n") for line in split_lines(text)]
    expected = [number for number, line in enumerate(lines) if re.search(pattern, line)]
    assert numbers(pattern, text) == (expected if text else numbers(pattern, ""))


@pytest.mark.parametrize("pattern", ["(a", "a)", "a)|(?:b", "a**", r"(a)\1", "(?=a)", "x{5000}", "[z-a]"])
def test_what_is_malformed_or_could_take_for_ever_is_refused(pattern: str) -> None:
    with pytest.raises(InvalidInput, match="pattern"):
        numbers(pattern, "a")


def test_no_pattern_takes_more_than_the_text_is_long() -> None:
    text = "a" * 100_000 + "\n" + "b"
    assert numbers("(a*)*c|(a|aa)+$b", text) == []
    assert numbers("(x+x+)+y|^b$", text) == [1]


@given(st.text(alphabet="ab\n", max_size=30), st.sampled_from(["a", "ab", "b\na", "aa"]))
def test_exact_texts_are_found_as_expressions_are(text: str, pattern: str) -> None:
    assert numbers(pattern, text, is_expression=False) == numbers(re.escape(pattern), text)


def test_an_empty_pattern_and_a_huge_one_are_refused() -> None:
    with pytest.raises(InvalidInput):
        numbers("", "a")
    with pytest.raises(TooLarge):
        numbers("a" * (PATTERN_LIMIT + 1), "a")


@pytest.mark.parametrize(
    ("glob", "path", "fits"),
    [
        ("dev/**/*.html", "dev/a/b/x.html", True),
        ("dev/**/*.html", "dev/x.html", True),
        ("dev/*/.html", "dev/a/.html", True),
        ("dev/*/.html", "dev/a/b.html", False),
        ("**/x.md", "x.md", True),
        ("**", "a/b.md", True),
        ("a/**", "a/b/c.md", True),
        ("a/**", "ab/c.md", False),
        ("*.md", "a/b.md", False),
        ("*.MD", "Straße.md", True),
        ("[ab]?.md", "ax.md", True),
        ("[!ab]?.md", "ax.md", False),
        ("cafe\u0301.md", "caf\u00e9.md", True),
        ("a+b(c).md", "a+b(c).md", True),
        ("[.md", "[.md", True),
        ("a**b.md", "axb.md", True),
        ("a**b.md", "a/b.md", False),
    ],
)
def test_a_glob_means_whole_paths(glob: str, path: str, fits: bool) -> None:
    assert PathPattern(glob).matches(path) is fits


def test_a_glob_that_no_engine_takes_is_refused() -> None:
    with pytest.raises(InvalidInput, match="path"):
        PathPattern("[z-a].md")
    with pytest.raises(TooLarge):
        PathPattern("a" * (PATTERN_LIMIT + 1))
    assert [is_glob(path) for path in ("a/b.md", "a/*", "a?", "[a]")] == [False, True, True, True]
