"""Is a query taken apart into words and the exact wordings that it asks for?"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vademecum.text.queries import (
    LITERALS_MOST,
    Literal,
    literal_words,
    names_title,
    parse_query,
    title_key,
)
from vademecum.text.terms import TERMS_MOST, Term


def texts(literals: tuple[Literal, ...]) -> list[str]:
    return [literal.text for literal in literals]


@pytest.mark.parametrize(
    ("query", "phrases"),
    [
        ('the "exact words" here', ["exact words"]),
        (
            "\u201ccurly quotes\u201d and \u300c引用\u300d and \u300e二重\u300f",
            ["curly quotes", "引用", "二重"],
        ),
        ("\u201eGänsefüßchen\u201c \u00abguillemets\u00bb", ["Gänsefüßchen", "guillemets"]),
        ('我"你好"吗', ["你好"]),
        ("\uff02full width\uff02", ["full width"]),
        ('5" and 6" pipes', []),
        ('""', []),
        ('"..."', []),
        ('an "unclosed phrase', []),
        ("it's and don't", []),
    ],
)
def test_quoted_phrases_are_exact_wordings(query: str, phrases: list[str]) -> None:
    assert texts(parse_query(query).phrases) == phrases


@pytest.mark.parametrize(
    ("query", "identifiers"),
    [
        ("error ABC-1234 again", ["ABC-1234"]),
        ("ＡＢＣ－１２３４", ["ABC-1234"]),
        ("call foo_bar and v1.2.3", ["foo_bar", "v1.2.3"]),
        ("since 2024-01-15", ["2024-01-15"]),
        ("RTX4090 or h264", ["RTX4090", "h264"]),
        ("CVE-2024-3094とは", ["CVE-2024-3094"]),
        ("python3 is 3.5 times and/or well-known", []),
        ("2024 100%", []),
    ],
)
def test_identifiers_are_exact_wordings(query: str, identifiers: list[str]) -> None:
    assert texts(parse_query(query).identifiers) == identifiers


@pytest.mark.parametrize(
    ("query", "addresses"),
    [
        ("see https://www.Example.com/a/b?x=1.", ["Example.com/a/b?x=1"]),
        ("http://example.org/", ["example.org"]),
        ("www.example.org", ["example.org"]),
        ("(https://ja.example.org/wiki/日本)。", ["ja.example.org/wiki/日本"]),
        ("me.too+box@example.co.jp please", ["me.too+box@example.co.jp"]),
        ("user @ home", []),
    ],
)
def test_addresses_are_exact_wordings(query: str, addresses: list[str]) -> None:
    assert texts(parse_query(query).addresses) == addresses


def test_an_address_gives_no_identifiers() -> None:
    assert parse_query("https://example.com/v1.2.3/foo_bar me_2@example.com").identifiers == ()


def test_a_quoted_phrase_of_common_words_is_asked_for_as_a_whole() -> None:
    assert parse_query('"to be or not to be" hamlet').terms == (
        Term(("to", "be", "or", "not", "to", "be")),
        Term(("hamlet",)),
    )


def test_several_chinese_terms_are_asked_for_one_by_one() -> None:
    assert parse_query("东京 上海 北京").terms == (Term(("东京",)), Term(("上海",)), Term(("北京",)))


def test_a_long_question_asks_for_its_content() -> None:
    query = parse_query("What was the name of the restaurant in Kyoto where we had the tofu?")
    assert [term.tokens for term in query.terms] == [("name",), ("restaurant",), ("kyoto",), ("tofu",)]


@pytest.mark.parametrize(
    "query", ["привет как дела", "καλημέρα πώς είσαι", "สวัสดี ครับ", "नमस्ते आप कैसे हैं", "שלום עולם", "สวัสดี"]
)
def test_every_script_gives_terms(query: str) -> None:
    assert len(parse_query(query).terms) >= len(query.split())


@pytest.mark.parametrize(
    ("wording", "text", "stands"),
    [
        ("ABC-1234", "code abc-1234.", True),
        ("ABC-1234", "ＡＢＣ－１２３４", True),
        ("ABC-1234", "ABC-12345", False),
        ("ABC-1234", "XABC-1234", False),
        ("ABC-1234", "ABC 1234", False),
        ("ABC-1234", "製品ABC-1234の説明", True),
        ("exact words", "the exact\n  words", True),
        ("exact words", "exactly words", False),
        ("exact words", "inexact words", False),
        ("東京", "东京都", True),
        ("カナ", "かな", True),
        ("Café noir", "cafe\u0301 NOIR", True),
        ("foo(x)", "call foo(x) now", True),
        ("it's", "it\u2019s", True),
    ],
)
def test_a_wording_stands_in_a_text_as_whole_words(wording: str, text: str, stands: bool) -> None:
    (literal,) = literal_words(wording) if " " not in wording else parse_query(f'"{wording}"').phrases
    assert literal.found_in(text) is stands


def test_literal_words_are_parted_by_white_space() -> None:
    assert texts(literal_words(" tea\u3000ABC-1 猫 ... tea ")) == ["tea", "ABC-1", "猫"]
    assert [literal.terms for literal in literal_words("ABC-1 猫")] == [
        (Term(("abc",)), Term(("1",))),
        (Term(("猫",), prefix=True),),
    ]


@pytest.mark.parametrize(
    ("query", "title", "same"),
    [
        ("My Notes", "my notes", True),
        ("My  notes!", "(My) Notes", True),
        ("圖書館", "图书馆", True),
        ("My notes", "My notes 2", False),
        ("note", "notes", False),
        ("???", "???", True),
        ("???", "!!!", False),
        ("", "", False),
        (" ", "\n", False),
    ],
)
def test_a_query_can_be_the_whole_title(query: str, title: str, same: bool) -> None:
    assert names_title(query, title) is same


@given(st.text(max_size=60))
def test_any_title_with_visible_text_names_itself(title: str) -> None:
    assert names_title(title, title) is bool(title_key(title))


@given(st.text(max_size=200))
def test_any_text_can_be_a_query_and_is_read_the_same_way_twice(text: str) -> None:
    query = parse_query(text)
    assert query == parse_query(text)
    assert query.text == text
    assert len(query.terms) <= TERMS_MOST
    for literals in (query.phrases, query.identifiers, query.addresses):
        assert len(literals) <= LITERALS_MOST
    assert query.literals == (*query.phrases, *query.identifiers, *query.addresses)


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("JDBC 驱动为什么不能先找父加载器？", {"jdbc"}),
        ("ClickHouse で ZooKeeper の代わりに使えるものは？", {"clickhous", "zookeeper"}),
        ("도커 Docker 컨테이너", {"docker"}),
        ("第3章 A 的 2026", set()),
        ("How do I run Docker?", set()),
        ("图书馆", set()),
    ],
)
def test_the_latin_words_of_a_question_in_another_script_are_its_names(
    question: str, names: set[str]
) -> None:
    assert {term.tokens[0] for term in parse_query(question).names} == names


@given(st.text(alphabet="abc 12-_.漢字é(", min_size=1, max_size=20))
def test_a_wording_is_found_in_itself(wording: str) -> None:
    for literal in literal_words(wording):
        assert literal.found_in(f"before {literal.text} after")


@pytest.mark.parametrize(
    "unit", ["a-", "1", '"', "a1b2", "。", "http://", "a@", "机", "机a", "的", "は", "\u0300\u0316", "a.a@"]
)
def test_hostile_queries_end_soon(unit: str) -> None:
    assert len(parse_query(unit * 2_000).terms) <= TERMS_MOST
