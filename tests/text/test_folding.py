"""Do spellings of one text fold alike, and does every folded character know where it came from?"""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vademecum.text import folding
from vademecum.text.folding import fold, fold_with_positions

# Characters that compose, decompose, change length, or are of several widths and cases.
TRICKY = (
    "aéÅ\u0301\u0323\u0327ßẞİıﬁ①㍿ﷺｶﾞﾟがか\u3099가각ᄀ\u1161\u11a8ㄱㅏ１Ａ漢圖図"
    "\u0f73\u0345ЙИ\u0306Ω\u200d\ufe0f\u00ad \n"
)
TEXTS = st.one_of(st.text(), st.text(alphabet=TRICKY), st.text(alphabet=TRICKY + "abc ", max_size=40))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ｆｕｌｌ　１２３", "full 123"),
        ("ｶﾞｷﾞｸﾞ", "ガギグ"),
        ("ひらがな", "ヒラガナ"),
        ("か\u3099", "が"),
        ("①", "1"),
        ("㍿", "株式会社"),
        ("圖書館", "图书馆"),
        ("図書館", "图书馆"),
        ("経済", "經濟"),
        ("裡面", "里面"),
        ("Café", "cafe"),
        ("cafe\u0301", "CAFÉ"),
        ("Straße", "STRASSE"),
        ("İstanbul", "istanbul"),
        ("Łódź", "lodz"),
        ("Ærø", "aero"),
        ("ΣΟΦΟΣ", "σοφός"),
        ("Ёлка", "елка"),
        ("за\u0301мок", "замок"),
        ("\u0939\u093f\u0902\u0926\u0940", "\u0939\u093f\u0902\u0926\u0940"),
        ("٣", "3"),
        ("كِتَاب", "كتاب"),
        ("it\u2019s", "it's"),
        ("\u201cso\u201d \u2013 she said", '"so" - she said'),
        ("a\u00a0b\u3000c\td", "a b c d"),
        ("soft\u00adhyphen", "softhyphen"),
        ("ﬁne", "fine"),
        ("葛\U000e0100", "葛"),
        ("👍🏽", "👍"),
    ],
)
def test_spellings_of_one_text_fold_alike(one: str, other: str) -> None:
    assert fold(one) == fold(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("И", "Й"), ("か", "が"), ("は", "ぱ"), ("后面", "前面"), ("ka", "か"), ("1", "l"), ("日本", "曰本")],
)
def test_different_letters_stay_apart(one: str, other: str) -> None:
    assert fold(one) != fold(other)


@given(TEXTS)
def test_folding_with_positions_gives_the_same_text(text: str) -> None:
    folded = fold_with_positions(text)
    assert folded.text == fold(text)
    assert len(folded.starts) == len(folded.ends) == len(folded.text)


@given(TEXTS)
def test_positions_lead_back_to_what_was_folded(text: str) -> None:
    folded = fold_with_positions(text)
    for at in range(len(folded.text)):
        start, end = folded.span(at, at + 1)
        assert 0 <= start < end <= len(text)
        assert folded.text[at] in fold(text[start:end])


@given(TEXTS)
def test_positions_never_go_back(text: str) -> None:
    folded = fold_with_positions(text)
    assert list(folded.starts) == sorted(folded.starts)
    assert list(folded.ends) == sorted(folded.ends)


@given(TEXTS)
def test_folding_twice_changes_nothing_more(text: str) -> None:
    assert fold(fold(text)) == fold(text)


def test_every_character_that_composes_with_the_one_before_belongs_to_its_piece() -> None:
    seconds = set()
    for code in range(0x110000):
        parts = unicodedata.decomposition(chr(code)).split()
        if len(parts) == 2 and not parts[0].startswith("<"):
            seconds.add(chr(int(parts[1], 16)))
    leading = {
        char
        for char in map(chr, range(0x110000))
        if (first := unicodedata.normalize("NFKD", char)[0]) in seconds or unicodedata.combining(first)
    }
    assert leading <= folding._continuing()


def test_a_row_of_combining_marks_of_any_length_takes_no_long_time() -> None:
    hostile = "a" + "\u0300\u0316" * 200_000
    assert fold(hostile) == fold_with_positions(hostile).text == "a"


def test_a_lone_surrogate_is_kept_apart_and_harmless() -> None:
    assert fold("a\ud800b") == "a\ud800b"


def test_a_syllable_that_a_dropped_mark_stood_in_is_joined() -> None:
    assert fold("\uac00\u0300\u11a8") == fold("\uac01")
