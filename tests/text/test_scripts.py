"""Is the writing system of a character or text recognised?"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vademecum.text.folding import fold
from vademecum.text.scripts import character_classes, is_cjk, script_of


@pytest.mark.parametrize(
    ("text", "script"),
    [
        ("The quick brown fox", "latin"),
        ("Łódź, naïve, Straße", "latin"),
        ("我们在学习机器学习", "han"),
        ("圖書館", "han"),
        ("図書館で本を読む", "kana"),
        ("カタカナ", "kana"),
        ("ｶﾀｶﾅ", "kana"),
        ("학교에서 공부한다", "hangul"),
        ("Привет, мир", "other"),
        ("ภาษาไทย", "other"),
        ("Use ChatGPT 来写作与翻译", "han"),
        ("A long English sentence that only mentions 東京 once", "latin"),
        ("", "other"),
        ("12345 !?", "other"),
        ("🎉", "other"),
    ],
)
def test_the_script_that_carries_a_text_is_named(text: str, script: str) -> None:
    assert script_of(text) == script


def test_the_script_of_a_huge_text_is_decided_by_its_beginning() -> None:
    assert script_of("word " * 10_000 + "漢" * 1_000_000) == "latin"


@pytest.mark.parametrize(
    ("char", "expected"),
    [
        ("漢", True),
        ("あ", True),
        ("ア", True),
        ("ｱ", True),
        ("ー", True),
        ("々", True),
        ("ㄅ", True),
        ("한", True),
        ("ﾡ", True),
        ("𠀀", True),
        ("a", False),
        ("ä", False),
        ("я", False),
        ("ก", False),
        ("。", False),
        ("😀", False),
    ],
)
def test_characters_of_dense_scripts_are_told_from_others(char: str, expected: bool) -> None:
    assert is_cjk(char) is expected


def test_each_kind_of_character_has_its_class() -> None:
    assert character_classes("a1漢カ한กя\u0939\u093e😀-_ \ud800") == "a0kkhtaame-_  "


@given(st.text())
def test_every_character_of_a_folded_text_has_one_class(text: str) -> None:
    folded = fold(text)
    classes = character_classes(folded)
    assert len(classes) == len(folded)
    assert set(classes) <= set("khta0me -'_./&@+#")


@given(st.text(alphabet=st.characters(max_codepoint=127)))
def test_the_short_way_for_ascii_gives_the_same_classes(text: str) -> None:
    assert character_classes(text) == character_classes(text + "é")[:-1]
