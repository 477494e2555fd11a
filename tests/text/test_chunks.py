"""Do sections partition a text under the right headings, and is what a model reads bounded?"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vademecum.text.chunks import (
    WINDOW,
    Chunk,
    cut,
    embedding_head,
    embedding_query,
    embedding_text,
    vector_windows,
)
from vademecum.text.scripts import CJK

BODIES = st.one_of(
    st.text(max_size=300),
    st.lists(
        st.sampled_from(
            [
                "# One\n",
                "## Two\r\n",
                "### Three\r",
                "Title\n===\n",
                "Sub\n---\n",
                "```\n# no\n```\n",
                "~~~\n# no\n",
                "    # code\n",
                "text\n",
                "\n",
                "漢字。",
                "- # item\n",
                "\ufeff",
                "---\na: b\n---\n",
                "\u2028",
                "\x0b",
                "word " * 300,
                "字" * 600,
            ]
        ),
        max_size=20,
    ).map("".join),
)


def sections(body: str) -> list[tuple[tuple[str, ...], str]]:
    return [(chunk.heading_path, body[chunk.start : chunk.end]) for chunk in cut(body)]


@given(BODIES, st.booleans())
def test_chunks_partition_the_body(body: str, markdown: bool) -> None:
    chunks = cut(body, markdown=markdown)
    assert "".join(body[chunk.start : chunk.end] for chunk in chunks) == body
    assert [chunk.ordinal for chunk in chunks] == list(range(len(chunks)))
    assert all(chunk.start < chunk.end for chunk in chunks)
    assert [chunk.start for chunk in chunks[1:]] == [chunk.end for chunk in chunks[:-1]]


@given(BODIES)
def test_no_chunk_is_longer_than_its_limit(body: str) -> None:
    for chunk in cut(body):
        text = body[chunk.start : chunk.end]
        assert len(text) <= 1_250
        assert len(CJK.findall(text)) <= 563


def test_each_section_stands_under_its_headings() -> None:
    body = "before\n# A\none\n## B\ntwo\n### C\nthree\n## D\nfour\n# E\nfive"
    assert sections(body) == [
        ((), "before\n"),
        (("A",), "# A\none\n"),
        (("A", "B"), "## B\ntwo\n"),
        (("A", "B", "C"), "### C\nthree\n"),
        (("A", "D"), "## D\nfour\n"),
        (("E",), "# E\nfive"),
    ]


def test_a_heading_without_text_stands_with_the_deeper_one_below_it() -> None:
    assert sections("# A\n\n## B\ntext\n# C\n# D\n") == [
        (("A", "B"), "# A\n\n## B\ntext\n"),
        (("C",), "# C\n"),
        (("D",), "# D\n"),
    ]


def test_headings_in_code_cut_nothing() -> None:
    body = "# A\n```\n# no\n```\n~~~\n# no\n~~~\n\n    # no\n"
    assert sections(body) == [(("A",), body)]


def test_underlined_headings_and_all_line_ends_cut() -> None:
    assert sections("Title\n===\nx\n\nSub\n---\ny\n") == [
        (("Title",), "Title\n===\nx\n\n"),
        (("Title", "Sub"), "Sub\n---\ny\n"),
    ]
    assert sections("# A\rx\r# B\ry\r") == [(("A",), "# A\rx\r"), (("B",), "# B\ry\r")]
    assert sections("# A\r\nx\r\n## B\r\n") == [(("A",), "# A\r\nx\r\n"), (("A", "B"), "## B\r\n")]


def test_a_byte_order_mark_hides_no_heading() -> None:
    assert sections("\ufeff# A\nx\n# B\ny\n") == [(("A",), "\ufeff# A\nx\n"), (("B",), "# B\ny\n")]


def test_text_that_is_no_markdown_has_no_headings() -> None:
    assert cut("# A\nx\n# B\n", markdown=False) == [Chunk(0, (), 0, 10)]


def test_an_empty_body_has_no_chunks() -> None:
    assert cut("") == []


def test_a_long_section_is_cut_into_several_under_one_heading() -> None:
    body = "# A\n" + "A sentence of some words. " * 100
    found = cut(body)
    assert {chunk.heading_path for chunk in found} == {("A",)}
    assert len(found) == 3
    assert all(body[chunk.start : chunk.end].endswith(". ") for chunk in found)


def test_a_word_far_into_a_note_stands_in_the_section_of_its_heading() -> None:
    body = "# Start\n" + "filler words\n" * 1_150 + "## Deep\nzyxomma\n" + "filler words\n" * 100
    (found,) = (chunk for chunk in cut(body) if "zyxomma" in body[chunk.start : chunk.end])
    assert found.heading_path == ("Start", "Deep")
    assert found.start > 14_000


def test_chunks_name_the_pages_on_which_their_text_stands() -> None:
    body = "First page.\n" * 60 + "Second page.\n" * 60 + "Third page."
    found = cut(body, markdown=False, pages=[0, 720, 1_500])
    assert [chunk.pages for chunk in found] == [(1, 2), (2, 3)]
    assert cut("", pages=[0]) == []
    assert [chunk.pages for chunk in cut("a\n\n", pages=[0, 2])] == [(1, 1)]
    assert [chunk.pages for chunk in cut("   ", pages=[0, 1])] == [(1, 1)]


@pytest.mark.parametrize("unit", ["x", "字", "word ", "\n", "👨\u200d👩", "\u0301", "🇯🇵", "# h\n"])
def test_a_huge_body_of_one_kind_is_cut_in_linear_time(unit: str) -> None:
    body = unit * (200_000 // len(unit))
    chunks = cut(body)
    assert chunks[-1].end == len(body)


@given(BODIES)
def test_vector_windows_cover_the_text(text: str) -> None:
    windows = vector_windows(text)
    assert "".join("".join(windows).split()) == "".join(text.split())
    assert all(windows)


@given(BODIES)
def test_vector_windows_are_bounded(text: str) -> None:
    for window in vector_windows(text):
        assert len(window) <= 600
        assert len(CJK.findall(window)) <= 250


def test_a_section_has_two_or_three_even_windows() -> None:
    assert [len(window) for window in vector_windows("word " * 200)] == [549, 449]
    assert [len(window) for window in vector_windows("字" * 450)] == [246, 204]


@given(st.text(max_size=2_000), st.lists(st.text(max_size=200)), st.lists(st.text(max_size=100)))
def test_what_a_model_reads_is_bounded_and_can_be_encoded(
    title: str, headings: list[str], tags: list[str]
) -> None:
    head, query = embedding_head(title, headings, tags), embedding_query(title)
    window = embedding_text(title, headings, "window")
    for text, most in ((head, 600), (query, 600), (window, 207)):
        assert len(text) <= most
        assert WINDOW.weight(text) <= WINDOW.budget
        assert text.encode("utf-8").decode("utf-8") == text


def test_a_window_is_read_with_its_title_and_headings() -> None:
    assert embedding_text("Trip", ["Trip", "Kyoto"], "Tofu.") == "Trip\nKyoto\nTofu."
    assert embedding_text("", [], "Tofu.") == "Tofu."
    assert embedding_head("Trip", ["Kyoto"], ["travel", "food"]) == "Trip\nKyoto\ntravel\nfood"


def test_lone_surrogates_are_replaced() -> None:
    assert vector_windows("a\ud800b") == ["a\ufffdb"]
    assert embedding_head("a\udfff", [], []) == "a\ufffd"
    assert embedding_query("\ud83d") == "\ufffd"
