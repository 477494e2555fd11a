"""How does a run of characters look in the index when a section ends within it?"""

from __future__ import annotations

import pytest

from vademecum.storage.index.cut_wordings import Cut, cuts
from vademecum.text.terms import Term
from vademecum.text.tokens import tokens


@pytest.mark.parametrize("word", ["机器", "机器学", "机器学习", "データベース", "안녕하세요"])
def test_some_cut_fits_wherever_a_run_is_cut(word: str) -> None:
    pairs = tuple(token for token in tokens(word) if len(token) > 1)
    found = list(cuts(Term(pairs)))
    for at in range(1, len(word)):
        end, rest = tokens(f"前{word[:at]}"), tokens(f"{word[at:]}後")
        assert any(cut.ends(" ".join(end)) and _begins(rest, cut.rest) for cut in found)


def _begins(found: list[str], term: Term) -> bool:
    first = found[: len(term.tokens)]
    if term.prefix:
        return first[:-1] == list(term.tokens[:-1]) and first[-1].startswith(term.tokens[-1])
    return first == list(term.tokens)


def test_words_and_single_characters_are_not_cut() -> None:
    assert list(cuts(Term(("otter",)))) == []
    assert list(cuts(Term(("foo", "bar")))) == []
    assert list(cuts(Term(("猫",), prefix=True))) == []


def test_an_end_is_the_very_end() -> None:
    cut = Cut(("机器", "器"), Term(("学习",)))
    assert cut.ends("讲 机器 器")
    assert not cut.ends("机器 器 学")
    assert not cut.ends("器")
