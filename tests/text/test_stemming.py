"""Do the inflections of a word, and only they, count as one word?"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vademecum.text.stemming import beginning, stem


@pytest.mark.parametrize(
    "forms",
    [
        ("note", "notes", "noted", "noting"),
        ("library", "libraries"),
        ("run", "runs", "running"),
        ("plan", "plans", "planned", "planning"),
        ("plane", "planes"),
        ("search", "searches", "searched", "searching"),
        ("cache", "caches", "cached", "caching"),
        ("box", "boxes"),
        ("class", "classes"),
        ("delete", "deletes", "deleted", "deleting"),
        ("include", "included", "including"),
        ("use", "uses", "used", "using"),
        ("embed", "embeds", "embedded", "embedding", "embeddings"),
        ("api", "apis"),
        ("movie", "movies"),
        ("agree", "agreed"),
        ("control", "controls", "controlled", "controlling"),
        ("set", "sets", "setting", "settings"),
        ("image", "images", "imaging"),
        ("key", "keys"),
    ],
)
def test_inflections_of_one_word_share_a_stem(forms: tuple[str, ...]) -> None:
    assert len({stem(form) for form in forms}) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("note", "not"),
        ("plan", "plane"),
        ("code", "cod"),
        ("sync", "async"),
        ("new", "news"),
        ("string", "str"),
        ("organization", "organ"),
        ("universe", "universal"),
        ("bus", "bu"),
        ("analysis", "analysi"),
    ],
)
def test_different_words_keep_different_stems(one: str, other: str) -> None:
    assert stem(one) != stem(other)


@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=20))
def test_a_stem_is_never_empty_and_little_longer_than_the_word(word: str) -> None:
    assert 1 <= len(stem(word)) <= len(word) + 1
    assert stem(word).isalpha()


@given(
    st.text(alphabet="aeiouybdnlstizg", max_size=12) | st.sampled_from(["using", "being", "goings", "dyings"])
)
def test_every_word_with_a_stem_begins_alike(word: str) -> None:
    assert word.startswith(beginning(stem(word)))
