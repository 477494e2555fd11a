"""Where may a text be cut so that no character that a reader sees is torn apart?"""

from __future__ import annotations

import unicodedata
from bisect import bisect_right

_JOINER = "\u200d"
_PARTS_OF_A_CHARACTER = frozenset("\u200c\u200d\u0e33\u0eb3\uff9e\uff9f")
_VIRAMA = 9  # the combining class of the mark that ties the next consonant to the one before
# A character of more code points than this is no writing; it is cut between any two of them.
_LONGEST_CHARACTER = 64


def cut(text: str, limit: int) -> str:
    """The longest beginning of at most `limit` code points that ends between two visible characters."""
    return text if len(text) <= limit else text[: boundary_before(text, limit)]


def cut_bytes(text: str, limit: int) -> str:
    """The longest beginning of at most `limit` UTF-8 bytes that ends between two visible characters."""
    sizes = [0]
    for character in text[: limit + 1]:
        sizes.append(sizes[-1] + len(character.encode("utf-8", "surrogatepass")))
    return cut(text, bisect_right(sizes, limit) - 1)


def boundary_before(text: str, index: int) -> int:
    """The last position at or before `index` at which the text may be cut.

    Follows the rules of Unicode's text segmentation for grapheme clusters; where those depend on the age of
    the Unicode tables it rather keeps two characters together.
    """
    for position in range(index, max(0, index - _LONGEST_CHARACTER), -1):
        if position >= len(text) or not _belong_together(text, position):
            return position
    return 0 if index <= _LONGEST_CHARACTER else index


def _belong_together(text: str, position: int) -> bool:
    before, after = text[position - 1], text[position]
    if before == "\r":
        return after == "\n"
    return (
        _continues(after)
        or before == _JOINER
        or unicodedata.combining(before) == _VIRAMA
        or _prepends(before)
        or _are_one_syllable(before, after)
        or (_is_regional(before) and _is_regional(after) and _regionals_before(text, position) % 2 == 1)
    )


def _continues(character: str) -> bool:
    """Whether the character is drawn with the one before: a mark, a skin tone, a part of a flag."""
    if character < "\u0300":
        return False
    return (
        unicodedata.category(character) in ("Mn", "Me", "Mc")
        or character in _PARTS_OF_A_CHARACTER
        or "\U0001f3fb" <= character <= "\U0001f3ff"
        or "\U000e0020" <= character <= "\U000e007f"
    )


def _prepends(character: str) -> bool:
    return "\u0600" <= character <= "\u0605" or character in "\u06dd\u070f\u08e2"


def _are_one_syllable(before: str, after: str) -> bool:
    """Whether two Korean letters are written as one block."""
    if not (
        "\u1100" <= before <= "\u11ff" or "\ua960" <= before <= "\ua97c" or "\uac00" <= before <= "\ud7ff"
    ):
        return False
    leads = before <= "\u115f" or "\ua960" <= before <= "\ua97c"
    if "\u1160" <= after <= "\u11ff" or "\ud7b0" <= after <= "\ud7fb":
        return True
    return leads and (
        "\u1100" <= after <= "\u115f" or "\ua960" <= after <= "\ua97c" or "\uac00" <= after <= "\ud7a3"
    )


def _is_regional(character: str) -> bool:
    return "\U0001f1e6" <= character <= "\U0001f1ff"


def _regionals_before(text: str, position: int) -> int:
    first = position
    while first > 0 and _is_regional(text[first - 1]):
        first -= 1
    return position - first
