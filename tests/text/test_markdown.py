"""Are headings and code found as a reader sees them, with exact places, in any text?"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vademecum.text.markdown import (
    code_ranges,
    first_heading,
    first_line,
    headings,
    leading_heading,
    plain_text,
    title_from,
)
from vademecum.text.markdown_blocks import Blocks, parse_blocks
from vademecum.text.markdown_lines import line_end_of, line_starts, split_lines, with_line_end
from vademecum.text.markdown_scan import scan_blocks
from vademecum.text.outline import compose, read_outline

Way = Callable[[str], Blocks]
Expected = list[tuple[int, int, str]]
HEADINGS: dict[str, tuple[str, Expected]] = {
    "windows": ("# A\r\ntext\r\n## B\r\nx\r\n# C\r\n", [(0, 1, "A"), (2, 2, "B"), (4, 1, "C")]),
    "old mac": ("# A\rtext\r# B\r", [(0, 1, "A"), (2, 1, "B")]),
    "line separator": ("# A\u2028still A\n# B\n", [(0, 1, "A\u2028still A"), (1, 1, "B")]),
    "vertical tab": ("# A\x0bx\n# B\n", [(0, 1, "A\x0bx"), (1, 1, "B")]),
    "form feed": ("# A\x0cx\n# B\n", [(0, 1, "A\x0cx"), (1, 1, "B")]),
    "byte-order mark": ("\ufeff# A\n# B\n", [(0, 1, "A"), (1, 1, "B")]),
    "mark and header": ("\ufeff---\nt: 1\n---\n# A\n", [(3, 1, "A")]),
    "header with a comment": ("---\n# no\nt: 1\n---\n# A\n", [(4, 1, "A")]),
    "empty header": ("---\n---\n# A\n", [(2, 1, "A")]),
    "header then rule": ("---\na: b\n---\n\n---\n# A\n", [(5, 1, "A")]),
    "unclosed header": ("---\na: 1\n# A\n", [(2, 1, "A")]),
    "underlined": ("Title\n===\n\npara\n\nSub\n---\nx\n", [(0, 1, "Title"), (5, 2, "Sub")]),
    "underlined lines": ("Two\nlines\n===\n", [(0, 1, "Two lines")]),
    "list": ("- # in list\n- x\n# Real\n", [(2, 1, "Real")]),
    "within an item": ("- x\n\n  # in item\n\n# Real\n", [(4, 1, "Real")]),
    "quotation": ("> # in quote\n\n# Real\n", [(2, 1, "Real")]),
    "fence": ("```\n# no\n```\n# Real\n", [(3, 1, "Real")]),
    "tildes": ("~~~md\n# no\n```\n~~~\n# Real\n", [(4, 1, "Real")]),
    "longer fence": ("````\n```\n# no\n````\n# Real\n", [(4, 1, "Real")]),
    "indented": ("para\n\n    # code\n# Real\n", [(3, 1, "Real")]),
    "html comment": ("<!--\n# hidden\n-->\n# Real\n", [(3, 1, "Real")]),
    "comment": ("%%\n# hidden\n%%\n# Real\n", [(3, 1, "Real")]),
    "comment in a line": ("%% hidden %% text\n# Real\n", [(1, 1, "Real")]),
    "open comment": ("%%\n# Real\n", [(1, 1, "Real")]),
    "formula": ("$$\n# no\n$$\n# Real\n", [(3, 1, "Real")]),
    "formula in a line": ("$$x^2$$\n# Real\n", [(1, 1, "Real")]),
    "open formula": ("$$\n# Real\n", [(1, 1, "Real")]),
    "closing hashes": (
        "## A ##\n# [[Link|alias]] #\n# C#\n",
        [(0, 2, "A"), (1, 1, "[[Link|alias]]"), (2, 1, "C#")],
    ),
    "tag": ("#tag not heading\n# Real\n", [(1, 1, "Real")]),
    "seven": ("####### no\n# Real\n", [(1, 1, "Real")]),
    "same twice": ("# A\n## x\n# A\n## x\n", [(0, 1, "A"), (1, 2, "x"), (2, 1, "A"), (3, 2, "x")]),
    "empty": ("#\n# Real\n", [(0, 1, ""), (1, 1, "Real")]),
    "html": ("<div>\n# in html\n</div>\n\n# Real\n", [(4, 1, "Real")]),
    "no line end": ("# A\ntext", [(0, 1, "A")]),
    "unclosed fence": ("# A\n```\n# no\n# no2\n", [(0, 1, "A")]),
    "after a list": ("- a\n- b\n\ntext\n\n# Real\n", [(5, 1, "Real")]),
    "rule": ("text\n\n---\n\n# Real\n", [(4, 1, "Real")]),
    "table": ("| a | b |\n|---|---|\n| # | x |\n\n# Real\n", [(4, 1, "Real")]),
    "emoji": ("# 🌊 a | <b>b</b>\n", [(0, 1, "🌊 a | <b>b</b>")]),
}


WAYS = {"parsed": parse_blocks, "scanned": scan_blocks}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS.keys())
@pytest.mark.parametrize(("text", "expected"), HEADINGS.values(), ids=HEADINGS.keys())
def test_headings_are_those_that_a_reader_sees(way: Way, text: str, expected: Expected) -> None:
    found = compose(text, way).headings
    assert [(one.line, one.level, one.text) for one in found] == expected
    starts = line_starts(text)
    for one in found:
        assert one.start == starts[one.line] + text[starts[one.line] :].startswith("\ufeff")
        assert one.end in starts
        assert one.text.split(" ")[0] in text[one.start : one.end]


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("a `b` c\n", ["`b`"]),
        ("a `` b ` c `` d\n", ["`` b ` c ``"]),
        ("\\`no` code`\n", ["` code`"]),
        ("x\n\n```py\ny\n```\nz\n", ["```py\ny\n```\n"]),
        ("~~~\ny\n", ["~~~\ny\n"]),
        ("x\r\n\r\n    y\r\n\r\n    z\r\nw\r\n", ["    y\r\n\r\n    z\r\n"]),
        ("$$\nx\n$$\n", ["$$\nx\n$$\n"]),
        ("> a `b`\n> c\n", ["`b`"]),
        ("a `b\nc` d\n", ["`b\nc`"]),
        ("a `b\n\nc` d\n", []),
        ("---\na: `b`\n---\n`c`\n", ["`c`"]),
        ("\ufeff`a`\n", ["`a`"]),
        ("<script>\nx\n</script>\n", ["<script>\nx\n</script>\n"]),
    ],
)
def test_code_is_found_in_its_place(text: str, pieces: list[str]) -> None:
    assert [text[start:end] for start, end in code_ranges(text)] == pieces
    scanned = compose(text, scan_blocks).code
    assert "".join(text[start:end] for start, end in scanned).split() == "".join(pieces).split()


PROSE = ["words `code` words", "> quoted\n> lines", "%%\n# no\n%%", "<!-- # no -->"]
HEADS = ["# One", "## Two ##", "Title\n=====", "---"]
CODE = ["```\n# no\n```", "~~~\n- no\n~~~", "$$\nx\n$$"]
LISTS = ["- a\n- b", "1. a\n2. b", "- a\n  - b\n  - c", "| a | b |\n|---|---|\n| c | d |"]
BLOCKS = st.lists(st.sampled_from([*PROSE, *HEADS, *CODE, *LISTS]), max_size=12)


@given(BLOCKS, st.sampled_from(["\n", "\r\n", "\r"]))
def test_the_scan_agrees_with_the_parser_on_texts_as_people_write_them(blocks: list[str], end: str) -> None:
    text = with_line_end("\n\n".join(blocks) + "\n", end)
    parsed, scanned = compose(text, parse_blocks), compose(text, scan_blocks)
    assert scanned.headings == parsed.headings
    assert scanned.code == parsed.code
    assert scanned.bullets == parsed.bullets


@given(st.text(alphabet="#`~ -=>|ab1.\n\r\ufeff\u2028%$<!\t*\\", max_size=80))
def test_places_lie_within_any_text(text: str) -> None:
    for way in WAYS.values():
        found = compose(text, way)
        edges = [edge for code in found.code for edge in code]
        assert edges == sorted(edges)
        assert all(0 <= start < end <= len(text) for start, end in (*found.code, *found.prose))
        assert all(one.start in {*line_starts(text), 1} for one in found.headings)
        assert [one.line for one in found.headings] == sorted({one.line for one in found.headings})


HOSTILE = ["[", "*", "`", "`` ` ", ">", "> ", "- ", "1. ", "# ", "|", "<", "\t", "\n"]
HOSTILE_LINES = [">" * 50 + "x\n", "- " * 40 + "\n", "|a" * 200 + "\n", "- a\n", "a\n---\n", "> ```\n"]
HOSTILE_MARKERS = ["<!--\n", "<a\n\n", "```\n", "$$ a\n", "%%\n"]


@pytest.mark.parametrize("piece", [*HOSTILE, *HOSTILE_LINES, *HOSTILE_MARKERS])
def test_hostile_text_is_read_to_its_end(piece: str) -> None:
    text = piece * (200_000 // len(piece))
    found = read_outline(text)
    assert all(0 <= start < end <= len(text) for start, end in (*found.code, *found.prose))
    assert len(title_from(text)) <= 200
    assert len(plain_text(text)) <= 400


def test_a_long_note_keeps_its_headings() -> None:
    text = "".join(f"# Head {number}\n\nwords\n\n- item\n" for number in range(5_000))
    found = headings(text)
    assert [one.text for one in found[:2]] == ["Head 0", "Head 1"]
    assert len(found) == 5_000
    assert text[found[-1].start : found[-1].end] == "# Head 4999\n"


@pytest.mark.parametrize(
    ("body", "title"),
    [
        ("intro\n\n## The *sea* [[Home|house]] ##\n", "The sea house"),
        ("#\n\n# Second\n", "Second"),
        ("first line\nsecond\n", "first line"),
        ("\n\n- [ ] buy [milk](m.md)\n", "buy milk"),
        ("> [!note] Title\n> text\n", "Title"),
        ("---\na: 1\n---\nline\n", "line"),
        ("\ufeffline\n", "line"),
        ("***\n\n| a | b |\n", "a | b |"),
        ("```py\nprint(1)\n```\n", "print(1)"),
        ("![[photo.png]]\n", "photo.png"),
        ("海は広い\n大きい\n", "海は広い"),
        ("", ""),
        (" \n\t\n", ""),
        ("---\n", ""),
    ],
)
def test_the_title_of_an_untitled_note(body: str, title: str) -> None:
    assert title_from(body) == title


def test_a_long_first_line_is_cut_between_characters() -> None:
    assert title_from("海" * 2_000_000) == "海" * 200
    assert title_from("x" + "👨\u200d👩\u200d👧" * 100) == "x" + "👨\u200d👩\u200d👧" * 39


@pytest.mark.parametrize(
    ("body", "heading"),
    [
        ("# A **b**\n\ntext", "A b"),
        ("\ufeff\n\n# A\n", "A"),
        ("---\nt: 1\n---\n\n# A\n", "A"),
        ("A\n===\n", "A"),
        ("text\n\n# A\n", None),
        ("## A\n", None),
        ("<!-- x -->\n# A\n", None),
        ("#\n", None),
        ("", None),
    ],
)
def test_an_h1_counts_as_title_where_it_opens_the_note(body: str, heading: str | None) -> None:
    assert leading_heading(body) == heading


def test_the_first_heading_and_the_first_line() -> None:
    body = "Hello *there*\n\n### Deep\n"
    assert (first_heading(body), first_line(body)) == ("Deep", "Hello there")
    assert (first_heading("no"), first_line("")) == (None, "")


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (
            "---\nt: 1\n---\n# Head **bold** [[Link|alias]] [[p\\|q]] [[Home#Door]]\n",
            "Head bold alias q Home#Door",
        ),
        ("- a [x](y.md)\n- `code` ~~z~~ <b>html</b> &amp; $x$\n", "a x code z html & $x$"),
        ("| a | b |\n|--|--|\n| [[p\\|q]] | `r` |\n", "a b q r"),
        ("> [!note] Title\n> text %%hidden%% on\n", "Title text on"),
        (
            "```py\nprint()\n```\n![pic](a.png) snake_case_word 2 * 3 * 4\n",
            "print() pic snake_case_word 2 * 3 * 4",
        ),
        ("<div>\nwords\n</div>\n", "words"),
        ("a\\*b\\*  \nc\n", "a*b* c"),
    ],
)
def test_plain_text_reads_without_marks(body: str, text: str) -> None:
    assert plain_text(body) == text


def test_plain_text_is_bounded() -> None:
    assert plain_text("海" * 1_000_000, 160) == "海" * 160
    assert plain_text("", 160) == ""


@given(st.text(alphabet="a海*_`[]()!<>#|~\\&\n -", max_size=200), st.integers(1, 60))
def test_plain_text_is_one_line_within_its_limit(body: str, limit: int) -> None:
    text = plain_text(body, limit)
    assert len(text) <= limit
    assert "\n" not in text
    assert text == text.strip()


@given(st.text(alphabet="a\r\n\u2028\x0b\x0c\x85", max_size=40))
def test_lines_joined_are_the_text_and_end_where_markdown_says(text: str) -> None:
    lines = split_lines(text)
    assert "".join(lines) == text
    assert line_starts(text)[: len(lines)] == [sum(map(len, lines[:index])) for index in range(len(lines))]
    assert all("\n" not in line.rstrip("\r\n") and "\r" not in line.rstrip("\r\n") for line in lines)


@pytest.mark.parametrize(
    ("text", "line_end"),
    [("a\r\nb\r\nc\n", "\r\n"), ("a\nb\n", "\n"), ("a\rb\r", "\r"), ("a", "\n"), ("a\r\nb\nc\n", "\n")],
)
def test_a_text_keeps_the_line_end_it_uses_most(text: str, line_end: str) -> None:
    assert line_end_of(text) == line_end


def test_line_ends_are_replaced() -> None:
    assert with_line_end("a\r\nb\rc\nd\u2028", "\r\n") == "a\r\nb\r\nc\r\nd\u2028"
