"""Are tags that a person takes for the same the same, and are bad ones refused?"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vademecum.model.errors import InvalidInput, TooLarge
from vademecum.model.tags import clean_tags, distinct_tags, has_tag, tag_key, tidy_tag

TAGS = st.text(max_size=20) | st.text(alphabet="#＃/／ aAＡＺ海İß\u0301", max_size=12)


@pytest.mark.parametrize(
    ("tag", "key"),
    [
        ("Sea", "sea"),
        ("#sea", "sea"),
        ("＃Ｓｅａ", "sea"),
        ("## sea", "sea"),
        ("  deep   sea ", "deep sea"),
        ("Work / Deep//Sea/", "work/deep/sea"),
        ("work／sea", "work/sea"),
        ("/#sea", "sea"),
        ("海", "海"),
        ("ﾊﾟﾘ", "パリ"),
        ("cafe\u0301", "café"),
        ("#", ""),
        (" / ", ""),
    ],
)
def test_the_key_of_a_tag(tag: str, key: str) -> None:
    assert tag_key(tag) == key


@given(TAGS)
def test_a_key_is_its_own_key(tag: str) -> None:
    assert tag_key(tag_key(tag)) == tag_key(tag)


@given(TAGS)
def test_the_shown_form_has_the_same_key(tag: str) -> None:
    assert tag_key(tidy_tag(tag)) == tag_key(tag)


def test_the_first_spelling_is_kept_without_its_hash() -> None:
    assert clean_tags(["#Sea", "sea", "ＳＥＡ", "Harbour"]) == ("Sea", "Harbour")


def test_no_tags_are_allowed() -> None:
    assert clean_tags([]) == ()


@pytest.mark.parametrize("tag", ["", "  ", "#", "/", "a\x00b", "a\x1bb", "\ud800"])
def test_an_empty_or_broken_tag_is_refused(tag: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        clean_tags(["fine", tag])
    assert refused.value.field == "tags"


def test_a_tag_may_have_a_hundred_characters_and_no_more() -> None:
    assert clean_tags(["海" * 100]) == ("海" * 100,)
    with pytest.raises(TooLarge):
        clean_tags(["海" * 101])


def test_twenty_different_tags_are_the_most() -> None:
    twenty = [f"t{number}" for number in range(20)]
    assert clean_tags([*twenty, "T0"]) == tuple(twenty)
    with pytest.raises(InvalidInput):
        clean_tags([*twenty, "one more"])
    assert len(clean_tags([*twenty, "one more"], limit=21)) == 21


def test_tags_of_a_file_are_taken_as_far_as_they_are_tags() -> None:
    assert distinct_tags(["#One", "one", "", "x" * 101, "a\x07b", "2"]) == ("One", "ab", "2")


def test_a_filter_meets_the_tag_and_what_stands_below() -> None:
    keys = [tag_key("ML/NLP"), tag_key("mlops")]
    assert has_tag(keys, "ml")
    assert has_tag(keys, "#Ml/nlp")
    assert not has_tag(keys, "ml/n")
    assert not has_tag([tag_key("mlops")], "ml")
    assert not has_tag([], "ml")
