"""Does a snippet show the match, cover exactly the matched characters, and divide nothing?"""

from __future__ import annotations

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from vademecum.text.folding import fold
from vademecum.text.queries import parse_query
from vademecum.text.snippets import Snippet, snippet

FAMILY = "👨\u200d👩\u200d👧"
TEXTS = st.lists(
    st.sampled_from(
        [
            "run",
            "Running ",
            "notes",
            " ",
            "猫",
            "黒猫",
            "機器學習",
            "机器学习",
            "Ｆｕｌｌ",
            "ｶﾞｷﾞ",
            "カフェ",
            "ABC-1234",
            "\n",
            FAMILY,
            "e\u0301",
            "🇯🇵",
            "。",
            ", ",
            "filler words here ",
            "㍿",
            "ﬁ",
            "\u200b",
            "한국어",
            "exact   words",
        ]
    ),
    max_size=80,
).map("".join)
QUERIES = st.lists(
    st.sampled_from(
        [
            "run",
            "note",
            "猫",
            "机器学习",
            "full",
            "がぎ",
            "ABC-1234",
            '"exact words"',
            "é",
            "株式会社",
            "한국",
            "how",
        ]
    ),
    max_size=4,
).map(" ".join)


def marked(found: Snippet) -> list[str]:
    return [found.text[start:end] for start, end in found.highlights]


@pytest.mark.parametrize(
    ("query", "text", "highlights"),
    [
        ("猫", f"{FAMILY}🎉 とても長い文章の中に黒猫がいます。", ["猫"]),
        ("机器学习", "😀😀我们在研究Ａ\u3000机器学习", ["机器学习"]),
        ("机器学习", "論文：機器學習入門", ["機器學習"]),
        ("ガギ", "ｶﾞｷﾞｸﾞ", ["ｶﾞｷﾞ"]),
        ("カタカナ", "これはかたかなです", ["かたかな"]),
        ("full 12", "Ｆｕｌｌ １２ ①②", ["Ｆｕｌｌ", "１２", "①②"]),
        ("cafe", "Un cafe\u0301 noir", ["cafe\u0301"]),
        ("株式会社", "㍿と会社", ["㍿", "会社"]),
        ("run", "She was running, then runs the run", ["running", "runs", "run"]),
        ("sync", "async (sync) syncs", ["sync", "syncs"]),
        ("ABC-1234", "code abc-1234 and 1234", ["abc-1234"]),
        ("第3章", "見よ第3章を", ["第3章"]),
        ('"exact words"', "the exact\n words here", ["exact\n words"]),
        ("학교", "어제 학교에서", ["학교"]),
        ("ไทย", "ภาษาไทย", ["ไทย"]),
        ("ChatGPT", "我用ChatGPT写作", ["ChatGPT"]),
        ("\U0001f389", "done 🎉!", ["🎉"]),
    ],
)
def test_highlights_cover_exactly_the_matched_characters(
    query: str, text: str, highlights: list[str]
) -> None:
    found = snippet(text, parse_query(query))
    assert found.text == text
    assert marked(found) == highlights


def test_the_snippet_shows_the_match_however_far_in_it_stands() -> None:
    text = "filler words and more. " * 700 + "Here the zyxomma flies. " + "filler " * 100
    found = snippet(text, parse_query("zyxomma"))
    assert marked(found) == ["zyxomma"]
    assert text[found.start :].startswith(found.text)
    assert len(found.text) <= 240


def test_the_snippet_shows_where_most_of_the_query_stands_together() -> None:
    text = "tea " + "filler " * 60 + "tea in Kyoto with tofu " + "filler " * 60 + "tofu"
    assert marked(snippet(text, parse_query("tea Kyoto tofu"), 60)) == ["tea", "Kyoto", "tofu"]


def test_an_exact_wording_is_shown_rather_than_its_words() -> None:
    text = "exact things and other words " + "filler " * 60 + "the exact words"
    assert marked(snippet(text, parse_query('"exact words" other things'), 60)) == ["exact words"]


def test_the_beginning_is_shown_when_nothing_matches() -> None:
    text = "\n\n  First line of the text.\nSecond line. " + "filler " * 100
    found = snippet(text, parse_query("zyxomma"), 40)
    assert found == Snippet("First line of the text.\nSecond line.", 4, ())


def test_the_snippet_begins_at_the_line_of_the_match() -> None:
    text = "filler " * 40 + "\nThe line with tea\n" + "filler " * 40
    assert snippet(text, parse_query("tea"), 60).text.startswith("The line with tea\n")


def test_an_empty_text_has_an_empty_snippet() -> None:
    assert snippet("", parse_query("tea")) == Snippet("", 0, ())
    assert snippet(" \n", parse_query("tea")).highlights == ()


@given(TEXTS, QUERIES, st.integers(min_value=10, max_value=120))
def test_a_snippet_is_a_stretch_of_the_original(text: str, query: str, length: int) -> None:
    found = snippet(text, parse_query(query), length)
    assert text[found.start : found.start + len(found.text)] == found.text
    assert len(found.text) <= length


@given(TEXTS, QUERIES, st.integers(min_value=10, max_value=120))
def test_highlights_are_in_order_apart_and_inside(text: str, query: str, length: int) -> None:
    found = snippet(text, parse_query(query), length)
    last = -1
    for start, end in found.highlights:
        assert last < start < end <= len(found.text)
        last = end


@given(st.text(alphabet="猫机器學学 a😀。\n", max_size=80), st.sampled_from(["猫", "机器", "器学"]))
def test_every_occurrence_of_the_characters_is_covered_and_nothing_else(text: str, query: str) -> None:
    found = snippet(text, parse_query(query), 100)
    within = fold(found.text)
    wanted = {
        at + step for at in range(len(within)) if within.startswith(query, at) for step in range(len(query))
    }
    assert {at for start, end in found.highlights for at in range(start, end)} == wanted


@given(TEXTS, QUERIES, st.integers(min_value=10, max_value=120))
def test_no_grapheme_is_divided(text: str, query: str, length: int) -> None:
    found = snippet(text, parse_query(query), length)
    boundaries = {0, *(cluster.end() for cluster in regex.finditer(r"\X", text))}
    assert found.start in boundaries
    assert found.start + len(found.text) in boundaries


@given(st.text(max_size=300), st.text(max_size=20))
def test_any_text_and_query_give_a_snippet(text: str, query: str) -> None:
    found = snippet(text, parse_query(query), 60)
    assert found == snippet(text, parse_query(query), 60)
    assert text[found.start :].startswith(found.text)


@pytest.mark.parametrize("unit", ["猫", "a ", "机器学习 run ", "\u0301", "🇯🇵"])
def test_a_huge_text_is_looked_at_in_bounded_time(unit: str) -> None:
    text = unit * (2_000_000 // len(unit))
    found = snippet(text, parse_query("猫 猫猫 机器学习 run a"))
    assert text[found.start :].startswith(found.text)
