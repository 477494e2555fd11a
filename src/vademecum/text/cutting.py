"""Where may a long text be cut so that each piece reads well?"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from vademecum.model.graphemes import boundary_before
from vademecum.text.scripts import CJK

_LETTER_WEIGHT = 1_000  # of any character that is not Chinese, Japanese or Korean
_END_OF_LINE = r"(?:\r\n|\r|\n)"
_BREAKS = (  # best first; a piece ends where the match ends
    re.compile(rf"{_END_OF_LINE}(?:[ \t]*{_END_OF_LINE})+"),
    re.compile(_END_OF_LINE),
    re.compile(
        r"[.!?\u2026][\"'\u201d\u2019)\]]*\s+|[\u3002\uff01\uff1f\uff0e][\u300d\u300f\u201d\uff09]*\s*"
    ),
    re.compile(r"[,;:]\s+|[\u3001\uff0c\uff1b\uff1a]"),
    re.compile(r"\s+"),
)


@dataclass(frozen=True, slots=True)
class Size:
    """How long a piece may be: `letters` characters, or fewer where `cjk` ones weigh more."""

    letters: int
    cjk: int

    @property
    def budget(self) -> int:
        """The weight of the longest piece."""
        return self.letters * _LETTER_WEIGHT

    @property
    def cjk_weight(self) -> int:
        """The weight of one Chinese, Japanese or Korean character."""
        return math.ceil(self.budget / self.cjk)

    def weight(self, text: str) -> int:
        """How much of the budget the text takes."""
        dense = len(CJK.findall(text))
        return dense * self.cjk_weight + (len(text) - dense) * _LETTER_WEIGHT

    def fitting(self, text: str, start: int, end: int, budget: int) -> int:
        """The end of the longest piece of `text[start:end]` within the budget; at least one character."""
        at = start
        while at < end and budget >= _LETTER_WEIGHT:
            sure = text[at : min(end, at + max(1, budget // self.cjk_weight))]
            budget -= self.weight(sure)
            if budget < 0:
                break
            at += len(sure)
        return max(at, start + 1)


def pieces(text: str, start: int, end: int, size: Size, spare: float = 0.0) -> list[tuple[int, int]]:
    """Cuts `text[start:end]` into pieces of at most `size` that follow each other without gap or overlap.

    A piece ends after a paragraph, else a line, sentence, clause or word, in its later half; else anywhere
    but within a grapheme. The last piece may be longer by the share `spare`, so that no scrap is left over.
    Linear in the length of the text.
    """
    found: list[tuple[int, int]] = []
    while start < end:
        limit = size.fitting(text, start, end, round(size.budget * (1 + spare)))
        if limit < end:
            limit = _good_end(text, start, size.fitting(text, start, end, size.budget))
        found.append((start, limit))
        start = limit
    return found


def even_pieces(text: str, size: Size) -> list[tuple[int, int]]:
    """The same for the whole text, with pieces of about one length instead of a short last one."""
    count = math.ceil(size.weight(text) / size.budget)
    if count <= 1:
        return [(0, len(text))] if text else []
    share = 1.1 / count  # somewhat more than even, since a piece mostly ends before its limit
    letters = min(size.letters, max(1, math.ceil(size.weight(text) * share / _LETTER_WEIGHT)))
    even = Size(letters, max(1, size.cjk * letters // size.letters))
    return pieces(text, 0, len(text), even)


def _good_end(text: str, start: int, limit: int) -> int:
    """The best place to end a piece at or before `limit`."""
    earliest = start + (limit - start) // 2
    for pattern in _BREAKS:
        ends = [match.end() for match in pattern.finditer(text, earliest, limit)]
        inside = [end for end in ends if start < end <= limit]
        if inside:
            return inside[-1]
    # A copy of the piece: a row of flags is counted from its beginning, which is where this piece begins.
    whole = start + boundary_before(text[start : limit + 1], limit - start)
    return whole if whole > start else limit
