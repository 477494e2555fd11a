"""How well does a section answer a query, by the words that both hold?"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from vademecum.text.terms import Term

HEAD_WEIGHT = 3  # a word of title, headings or tags counts as three of the text
_SATURATION = 1.2
_LENGTH_SHARE = 0.75
MOST_OF_A_TERM = _SATURATION + 1  # times its rarity; no number of occurrences passes it


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of a section, joined by spaces: those of its head and those of its text."""

    head: str
    body: str

    @property
    def length(self) -> int:
        """How many there are."""
        return sum(part.count(" ") + 1 for part in (self.head, self.body) if part)


@dataclass(frozen=True, slots=True)
class Countable:
    """The tokens of a section's head, and those of head and text, each with spaces of its own."""

    head: str
    whole: str
    length: int


def countable(tokens: Tokens) -> Countable:
    """The tokens as they are counted; nothing stands across the line's end between head and text."""
    head = _apart(tokens.head)
    return Countable(head, f"{head}\n{_apart(tokens.body)}", tokens.length)


@dataclass(frozen=True)
class Bm25:
    """Scores by the frequencies of the spaces that are searched, and of nothing else.

    `chunks` and `tokens` are the totals of those spaces; `frequencies` tells in how many of their sections
    each term of the query stands.
    """

    chunks: int
    tokens: int
    frequencies: Mapping[Term, int]

    def rarity(self, term: Term) -> float:
        """The inverse document frequency; a term that stands nowhere has the largest (search 1.3)."""
        frequency = min(max(self.frequencies.get(term, 0), 1), self.chunks)
        return math.log1p((self.chunks - frequency + 0.5) / (frequency + 0.5))

    @cached_property
    def most(self) -> float:
        """The most that the query could score."""
        return MOST_OF_A_TERM * sum(map(self.rarity, self.frequencies))

    def score(self, tokens: Countable) -> float:
        """The BM25 of the section for all terms of the query."""
        average = max(self.tokens / max(self.chunks, 1), 1.0)
        bound = _SATURATION * (1 - _LENGTH_SHARE + _LENGTH_SHARE * tokens.length / average)
        score = 0.0
        for pattern, count_in, rarity in self._patterns:
            count = count_in(tokens.whole, pattern)
            if count:
                count += (HEAD_WEIGHT - 1) * count_in(tokens.head, pattern)
                score += rarity * count * MOST_OF_A_TERM / (count + bound)
        return score

    def coverage(self, score: float) -> float:
        """The score as a share of the most, between 0 and 1."""
        return min(score / self.most, 1.0) if self.most > 0 else 0.0

    @cached_property
    def _patterns(self) -> list[tuple[str, Callable[[str, str], int], float]]:
        return [
            (_pattern(term), _count if len(term.tokens) > 1 else str.count, self.rarity(term))
            for term in self.frequencies
        ]


def holds_all(tokens: Countable, terms: Sequence[Term]) -> bool:
    """Whether every term stands somewhere in the section."""
    return all(_pattern(term) in tokens.whole for term in terms)


def _apart(tokens: str) -> str:
    """The tokens, each with spaces of its own on both sides."""
    return f" {tokens.replace(' ', '  ')} "


def _pattern(term: Term) -> str:
    """What stands where the term stands among tokens apart from each other."""
    pattern = _apart(" ".join(term.tokens))
    return pattern[:-1] if term.prefix else pattern


def _count(tokens: str, pattern: str) -> int:
    """How often a pattern of several tokens stands there; two may overlap, as those of `a a` in `a a a`."""
    count, at = 0, tokens.find(pattern)
    while at >= 0:
        count, at = count + 1, tokens.find(pattern, at + 1)
    return count
