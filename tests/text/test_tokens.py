"""Under which tokens is a text found, and do they know where they stand in the original?"""

from __future__ import annotations

import hashlib
import sqlite3
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vademecum.text.folding import fold
from vademecum.text.scripts import character_classes
from vademecum.text.tokens import (
    TOKENIZER_VERSION,
    folded_tokens,
    index_text,
    token_spans,
    tokens,
    wanted_spans,
)

MIXED = (
    "abc XYZ 019 -_./&@+#' éÅ\u0301ßİﬁ①㍿ﷺｶﾞがカー々漢圖図书한국ᄀ\u1161ภาษาไทย"
    "\u0939\u093f\u0902\u0928\u094d\u0926\u0940"
    "ёЙя🎉👨\u200d👩\ufe0f\U0001f1ef\U0001f1f5\u200b\u00ad\ud800\x00\n"
)
TEXTS = st.one_of(st.text(), st.text(alphabet=MIXED), st.text(alphabet="ab1-_.'+# 漢字"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Running, notes!", ["run", "note"]),
        ("机器学习", ["机器", "器学", "学习", "习"]),
        ("图書館", ["图书", "书馆", "馆"]),
        ("猫", ["猫"]),
        ("ひらがな", ["ヒラ", "ラガ", "ガナ", "ナ"]),
        ("ｻｰﾊﾞ", ["サー", "ーバ", "バ"]),
        ("학교에서", ["학교", "교에", "에서", "서"]),
        ("使用ChatGPT写作", ["使用", "用", "chatgpt", "写作", "作"]),
        ("第3章", ["第", "3", "章"]),
        ("ABC-1234", ["abc", "1234", "abc1234"]),
        ("foo_bar", ["foo", "bar", "foobar"]),
        ("v1.2.3", ["v1", "2", "3", "v1\u00b72\u00b73"]),
        ("Python3 x86", ["python", "3", "python3", "x86"]),
        ("utf8-bom", ["utf", "8", "bom", "utf8bom"]),
        ("ab12cd", ["ab12cd"]),
        ("e-mails", ["e", "mail", "email"]),
        ("me@example.org", ["me", "exampl", "org", "meexampleorg"]),
        ("O'Brien's don't", ["o", "brien", "obrien", "don"]),
        ("it\u2019s", ["it"]),
        ("a/b/c/d/e/f", ["a", "b", "c", "d", "e", "f"]),
        ("C++ and C#", ["c", "c\uff0b\uff0b", "and", "c", "c\uff03"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("ไทย", ["ไท", "ทย", "ย"]),
        ("น้ำ", ["น้\u0e4dา", "า"]),
        ("Ελληνικά Русский", ["ελληνικα", "русский"]),
        ("(sync) async", ["sync", "async"]),
        ("🎉 done", ["🎉", "done"]),
        ("--- ... ???", []),
        ("", []),
    ],
)
def test_a_text_gives_its_tokens(text: str, expected: list[str]) -> None:
    assert tokens(text) == expected


def test_a_long_word_is_indexed_under_its_beginning_and_a_digest() -> None:
    one, other = tokens("x" * 1_000 + "a"), tokens("x" * 1_000 + "b")
    assert len(one) == len(other) == 1
    assert one != other
    assert one[0].startswith("x" * 40)
    assert len(one[0]) < 64


@given(TEXTS)
def test_tokens_and_token_spans_agree(text: str) -> None:
    assert [token for token, _, _ in token_spans(text)] == tokens(text)


@given(TEXTS)
def test_the_original_under_a_span_gives_its_token(text: str) -> None:
    for token, start, end in token_spans(text):
        assert 0 <= start < end <= len(text)
        assert token in tokens(text[start:end])


@given(TEXTS)
def test_every_token_stays_one_for_a_tokenizer_that_knows_ascii_alone(text: str) -> None:
    for token in tokens(text):
        assert token
        assert all(ord(char) > 127 or char.isalnum() for char in token)
        assert not any("\ud800" <= char <= "\udfff" for char in token)


@given(st.lists(TEXTS, max_size=5))
def test_full_text_search_keeps_the_tokens_as_they_are(texts: list[str]) -> None:
    database = sqlite3.connect(":memory:")
    database.execute("CREATE VIRTUAL TABLE chunk USING fts5(body, tokenize='ascii')")
    database.execute("CREATE VIRTUAL TABLE term USING fts5vocab(chunk, row)")
    database.executemany("INSERT INTO chunk VALUES (?)", [(index_text(text),) for text in texts])
    kept = {term for (term,) in database.execute("SELECT term FROM term")}
    database.close()
    assert kept == {token for text in texts for token in tokens(text)}


@given(TEXTS)
def test_the_same_text_gives_the_same_tokens_again(text: str) -> None:
    assert index_text(text) == " ".join(tokens(text))
    assert tokens(text) == tokens(text)


def test_the_version_names_the_unicode_tables_too() -> None:
    major, minor, _ = map(int, unicodedata.unidata_version.split("."))
    assert major * 100 + minor == TOKENIZER_VERSION % 10_000


def test_other_tokens_need_another_version() -> None:
    # Whoever changes the rules raises their version and puts both new values here: an index is told by it
    # that its tokens are of another kind.
    places = (
        (0x20, 0x52F),
        (0x900, 0x97F),
        (0xE00, 0xE7F),
        (0x3000, 0x30FF),
        (0x4E00, 0x9FA5),
        (0xAC00, 0xD7A3),
    )
    every = "".join(chr(code) for first, last in places for code in range(first, last + 1))
    old = "".join(char for char in every if unicodedata.ucd_3_2_0.category(char)[0] in "LMNPSZ")
    sample = (
        " ".join(old[at : at + 7] for at in range(0, len(old), 5))
        + " Ｒｕｎｎｉｎｇ e-mails don't v1.2.3 ｶﾞ 🎉"
    )
    digest = hashlib.sha256(index_text(sample).encode("utf-8")).hexdigest()[:16]
    assert (TOKENIZER_VERSION // 10_000, digest) == (1, "930ef0f0747d124f")


@pytest.mark.parametrize(
    "unit",
    ["word ", "机器学习", "a-", "a", ".", "\u1100\u1161", "a界", "\ud800x", "a\u0300\u0316", "👨\u200d👩"],
)
def test_hostile_texts_end_in_linear_time(unit: str) -> None:
    text = unit * (400_000 // len(unit))
    assert len(tokens(text)) <= len(text)


@given(TEXTS, TEXTS)
def test_the_wanted_spans_are_those_of_all_whose_token_is_wanted(text: str, query: str) -> None:
    folded, wanted = fold(text), frozenset([*tokens(query), *tokens(text)[::3]])
    classes = character_classes(folded)
    expected = [span for span in folded_tokens(folded, classes) if span[0] in wanted]
    assert sorted(wanted_spans(folded, classes, wanted)) == sorted(expected)


def test_words_are_read_alike_however_many_came_between() -> None:
    text = "running Python3, e-mail"
    before = tokens(text)
    others = [f"w{number}x" for number in range(70_000)]
    assert tokens(" ".join(others)) == others
    assert tokens(text) == before == ["run", "python", "3", "python3", "e", "mail", "email"]
