"""Do the words that only make a question fall away, and nothing else?"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vademecum.text.folding import fold
from vademecum.text.function_words import (
    is_function_word,
    without_function_words,
    without_japanese_function_words,
)


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("文書の表を編集する方法について", ["文書", "表", "編集", "方法"]),
        ("データベースとは", ["データベース"]),
        ("ことば遊び", ["ことば遊び"]),
        ("はな 写真", ["はな", "写真"]),
        ("設定はどうすればいいですか", ["設定はどうすればいい"]),
        ("東京", ["東京"]),
    ],
)
def test_japanese_particles_and_endings_fall_away(text: str, rest: list[str]) -> None:
    assert without_japanese_function_words(text).split() == rest


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("如何在文档中插入图片", ["文档中插入图片"]),
        ("我们的目的是什么", ["目的"]),
        ("为了了解现在的存在", ["为了了解现在", "存在"]),
        ("這個怎麼用", ["用"]),
        ("申请请求", ["申请请求"]),
        ("학교에서 공부를 고양이", ["학교", "공부", "고양이"]),
    ],
)
def test_chinese_and_korean_function_words_fall_away(text: str, rest: list[str]) -> None:
    assert without_function_words(fold(text)).split() == rest


@pytest.mark.parametrize("word", ["how", "the", "doesn", "which", "to"])
def test_english_function_words_are_known(word: str) -> None:
    assert is_function_word(word)


@pytest.mark.parametrize("word", ["howl", "theme", "search", "", "a b"])
def test_other_english_words_are_not(word: str) -> None:
    assert not is_function_word(word)


@given(st.text(alphabet="はのにについてですか漢字 的是什么在ア학교에서a", max_size=60))
def test_what_falls_away_leaves_everything_else_in_its_place(text: str) -> None:
    for spared in (without_japanese_function_words(text), without_function_words(text)):
        assert len(spared) == len(text)
        assert all(after in (before, " ") for before, after in zip(text, spared, strict=True))


def test_a_long_run_of_particles_takes_no_exponential_time() -> None:
    hostile = "漢" + "には" * 500_000 + "ん漢"
    assert without_japanese_function_words(hostile) == hostile
