"""Is a text cut where it reads well, without loss and within its limit?"""

from __future__ import annotations

import regex
from hypothesis import given
from hypothesis import strategies as st

from vademecum.text.cutting import Size, even_pieces, pieces
from vademecum.text.scripts import CJK

SMALL = Size(letters=40, cjk=18)
TEXTS = st.one_of(
    st.text(max_size=400),
    st.lists(
        st.sampled_from(
            ["word ", "漢字", "、", "。", ". ", "\n", "\r\n\r\n", "👨\u200d👩", "e\u0301", "longer-words "]
        ),
        max_size=120,
    ).map("".join),
)


def texts(text: str, ranges: list[tuple[int, int]]) -> list[str]:
    return [text[start:end] for start, end in ranges]


@given(TEXTS)
def test_pieces_are_the_text(text: str) -> None:
    assert "".join(texts(text, pieces(text, 0, len(text), SMALL))) == text
    assert "".join(texts(text, even_pieces(text, SMALL))) == text


@given(TEXTS)
def test_no_piece_is_empty_or_over_its_size(text: str) -> None:
    for piece in (*texts(text, pieces(text, 0, len(text), SMALL)), *texts(text, even_pieces(text, SMALL))):
        assert piece
        assert len(piece) <= SMALL.letters
        assert len(CJK.findall(piece)) <= SMALL.cjk


@given(TEXTS)
def test_only_the_last_piece_takes_the_spare_room(text: str) -> None:
    found = texts(text, pieces(text, 0, len(text), SMALL, 0.25))
    assert "".join(found) == text
    assert all(len(piece) <= SMALL.letters for piece in found[:-1])
    assert all(len(piece) <= SMALL.letters * 1.25 for piece in found)


@given(
    st.lists(
        st.sampled_from(["👨\u200d👩\u200d👧", "e\u0301", "👍🏽", "\u1100\u1161\u11a8"]), max_size=60
    ).map("".join)
)
def test_no_piece_ends_within_a_grapheme(text: str) -> None:
    boundaries = {0, *(cluster.end() for cluster in regex.finditer(r"\X", text))}
    assert all(end in boundaries for _, end in pieces(text, 0, len(text), SMALL))


@given(st.integers(min_value=0, max_value=30), st.integers(min_value=0, max_value=30))
def test_only_the_range_asked_for_is_cut(before: int, after: int) -> None:
    text = "x" * before + "word " * 30 + "y" * after
    found = pieces(text, before, before + 150, SMALL)
    assert "".join(texts(text, found)) == "word " * 30


def test_a_piece_ends_after_a_paragraph_before_all() -> None:
    text = "One two three four. Five.\n\nSix seven eight nine ten eleven."
    assert texts(text, pieces(text, 0, len(text), SMALL)) == [text[:27], text[27:]]


def test_a_piece_ends_after_a_line_or_sentence_or_clause_or_word() -> None:
    assert (
        texts("a" * 25 + "\n" + "b. " * 9, pieces("a" * 25 + "\n" + "b. " * 9, 0, 53, SMALL))[0]
        == "a" * 25 + "\n"
    )
    sentence = "There was a sentence here. And another one that goes on"
    assert texts(sentence, pieces(sentence, 0, len(sentence), SMALL))[0] == "There was a sentence here. "
    clause = "There was no sentence here, and another clause goes on"
    assert texts(clause, pieces(clause, 0, len(clause), SMALL))[0] == "There was no sentence here, "
    words = "there were only words and more words and no signs"
    assert texts(words, pieces(words, 0, len(words), SMALL))[0] == "there were only words and more words "
    chinese = "這是第一句話。這是第二句話，後面還有很多字沒有標點"
    assert texts(chinese, pieces(chinese, 0, len(chinese), SMALL))[0] == "這是第一句話。這是第二句話，"[:14]


def test_even_pieces_are_about_equally_long() -> None:
    text = "word " * 21
    lengths = [end - start for start, end in even_pieces(text, Size(letters=100, cjk=40))]
    assert len(lengths) == 2
    assert min(lengths) > 40


def test_a_text_within_the_size_stays_whole() -> None:
    assert even_pieces("short", SMALL) == [(0, 5)]
    assert even_pieces("", SMALL) == []
    assert pieces("", 0, 0, SMALL) == []
