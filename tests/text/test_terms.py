"""Which index tokens does a wording ask for, and are they those that the index holds?"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vademecum.text.terms import (
    TERMS_MOST,
    Term,
    all_terms,
    content_terms,
    distinct,
    phrase_term,
    required_terms,
)
from vademecum.text.tokens import tokens

TEXTS = st.one_of(
    st.text(alphabet="abc 12 -_.'+# 漢字かな한국ไทย🎉é", max_size=40),
    st.lists(st.sampled_from(["how", "to", "the", "run", "第3章", "机器学习", "T恤", "ABC-1", "に"])).map(
        " ".join
    ),
)


def stands_in(term: Term, indexed: list[str]) -> bool:
    """Whether an index that keeps the order of tokens finds the term."""
    *others, last = term.tokens
    for at in range(len(indexed) - len(others)):
        end = indexed[at + len(others)]
        same_end = end.startswith(last) if term.prefix else end == last
        if indexed[at : at + len(others)] == others and same_end:
            return True
    return False


def words(*terms: str) -> tuple[Term, ...]:
    """Terms written as tokens joined by `+`, with `*` at the end of a beginning."""
    return tuple(Term(tuple(term.rstrip("*").split("+")), term.endswith("*")) for term in terms)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("running notes", words("run", "note")),
        ("How do I configure the printer?", words("configur", "printer")),
        ("to be or not to be", words("to", "be", "or", "not")),
        ("IT department", words("it", "department")),
        ("IT", words("it")),
        ("猫", words("猫*")),
        ("东京", words("东京")),
        ("画龙点睛", words("画龙+龙点+点睛", "画龙", "龙点", "点睛")),
        ("自然语言处理", words("自然", "然语", "语言", "言处", "处理")),
        ("什么", words("什么")),
        ("我的 猫", words("猫*")),
        ("第3章", words("第+3+章*")),
        ("T恤", words("t+恤*")),
        ("ChatGPT怎么写代码", words("chatgpt", "写代+代码", "写代", "代码")),
        ("ABC-1234", words("abc1234", "abc+1234")),
        ("Python3", words("python3", "python+3")),
        ("a/b/c/d/e/f", words("a+b+c+d+e+f")),
        ("don't panic", words("panic")),
        ("C++", words("c\uff0b\uff0b")),
        ("학교에서", words("학교")),
        ("ไทย", words("ไท+ทย", "ไท", "ทย")),
        ("🎉 party 🎉", words("🎉", "parti")),
        ("...", ()),
    ],
)
def test_a_query_asks_for_its_words(text: str, expected: tuple[Term, ...]) -> None:
    assert content_terms(text) == expected


@given(TEXTS)
def test_a_text_holds_every_term_of_itself(text: str) -> None:
    indexed = tokens(text)
    for term in (*content_terms(text), *all_terms(text), *required_terms(text)):
        assert stands_in(term, indexed)


@given(TEXTS, TEXTS, TEXTS)
def test_a_text_holds_what_any_wording_within_it_requires(before: str, wording: str, after: str) -> None:
    indexed = tokens(f"{before} {wording} {after}")
    assert all(stands_in(term, indexed) for term in required_terms(wording))


@given(TEXTS, TEXTS, TEXTS)
def test_a_text_holds_the_phrase_of_any_words_within_it(before: str, wording: str, after: str) -> None:
    phrase = phrase_term(wording)
    assert phrase is None or stands_in(phrase, tokens(f"{before} {wording} {after}"))


@given(TEXTS)
def test_words_are_asked_for_unless_there_are_none(text: str) -> None:
    assert bool(content_terms(text)) == bool(tokens(text))


def test_a_run_within_a_longer_one_is_required() -> None:
    indexed = tokens("東京都庁前")
    assert all(stands_in(term, indexed) for term in required_terms("京都庁"))
    assert not all(stands_in(term, indexed) for term in required_terms("京都前"))


def test_a_korean_word_is_found_with_its_particle() -> None:
    assert all(stands_in(term, tokens("어제 학교에서 공부했다")) for term in content_terms("학교"))


def test_a_product_name_is_found_glued_to_chinese_text_and_the_text_beside_it() -> None:
    indexed = tokens("我用ChatGPT写代码")
    for query in ("ChatGPT", "写代码", "我用", "用"):
        assert all(stands_in(term, indexed) for term in content_terms(query))


def test_a_word_in_brackets_is_found_whole_and_within_no_other_word() -> None:
    (term,) = content_terms("sync")
    assert stands_in(term, tokens("the (sync) button"))
    assert not stands_in(term, tokens("the async button"))


def test_a_pair_of_characters_is_not_found_in_texts_that_hold_only_one_of_them() -> None:
    (term,) = content_terms("欧阳")
    assert stands_in(term, tokens("作者欧阳修"))
    assert not stands_in(term, tokens("欧洲的太阳"))


def test_a_compound_is_found_in_all_its_spellings() -> None:
    for query, text in (
        ("ABC-1234", "abc 1234"),
        ("ABC-1234", "ABC1234"),
        ("email", "e-mail"),
        ("wi-fi", "WiFi"),
    ):
        assert any(stands_in(term, tokens(text)) for term in content_terms(query))


def test_a_term_is_asked_for_once_and_only_so_many() -> None:
    assert content_terms("tea tea TEA") == words("tea")
    assert len(content_terms(" ".join(f"word{number}" for number in range(200)))) == TERMS_MOST
    assert distinct(words("a", "b", "a")) == words("a", "b")


def test_a_phrase_of_one_token_or_of_very_many_is_none() -> None:
    assert phrase_term("tea") is None
    assert phrase_term("东京") is None
    assert phrase_term("a b " * 20) is None
