"""Is a text cut only where a reader sees one character end and the next begin?"""

from __future__ import annotations

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from vademecum.model.graphemes import boundary_before, cut, cut_bytes

FAMILY = "👨\u200d👩\u200d👧\u200d👦"
LATIN_AND_KOREAN = "a é e\u0301 한 \u1112\u1161\u11ab 1\ufe0f\u20e3"
ASIAN = "海 が か\u3099 ﾊ\uff9e न\u093f ก\u0e33"
PICTURES = "🇯🇵 🇫🇷 👍🏽 ❤\ufe0f 🏴\U000e0067\U000e0062\U000e007f"
PIECES = st.sampled_from([*f"{LATIN_AND_KOREAN} {ASIAN} {PICTURES}".split(), FAMILY, "\r\n", "\n", " "])


def boundaries(text: str) -> set[int]:
    """Where the reference implementation of the Unicode rules ends a character."""
    return {0} | {match.end() for match in regex.finditer(r"\X", text)}


@given(st.lists(PIECES, max_size=30).map("".join), st.integers(0, 100))
def test_every_cut_falls_between_two_visible_characters(text: str, limit: int) -> None:
    piece = cut(text, limit)
    assert text.startswith(piece)
    assert len(piece) <= limit
    assert len(piece) in boundaries(text)
    longer = {place for place in boundaries(text) if len(piece) < place <= limit}
    assert not longer, "a longer beginning would have fitted"


@given(st.lists(PIECES, max_size=30).map("".join), st.integers(0, 100))
def test_a_cut_by_bytes_is_the_longest_that_fits(text: str, limit: int) -> None:
    piece = cut_bytes(text, limit)
    assert len(piece.encode()) <= limit
    fitting = [place for place in boundaries(text) if len(text[:place].encode()) <= limit]
    assert piece == text[: max(fitting)]


@pytest.mark.parametrize(
    ("text", "limit", "expected"),
    [
        ("海の音", 2, "海の"),
        (FAMILY + "x", 3, ""),
        (FAMILY + "x", 7, FAMILY),
        ("🇯🇵🇫🇷", 3, "🇯🇵"),
        ("e\u0301e\u0301", 3, "e\u0301"),
    ],
)
def test_examples_of_cuts(text: str, limit: int, expected: str) -> None:
    assert cut(text, limit) == expected


def test_an_endless_pile_of_marks_is_cut_anyway() -> None:
    pile = "a" + "\u0301" * 100_000
    assert len(cut(pile, 200)) == 200
    assert boundary_before(pile, 90_000) == 90_000
