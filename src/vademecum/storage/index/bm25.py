"""How well does a section answer a query, by the words that both hold?"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from vademecum.text.terms import Term

HEAD_WEIGHT = 3  # a word of title, headings or tags counts as three of the text
_SATURATION = 1.2
_LENGTH_SHARE = 0.75
MOST_OF_A_TERM = _SATURATION + 1  # times its rarity; no number of occurrences passes it


@dataclass(frozen=True, slots=True)
class TokenLists:
    """The tokens of a section: those of its head and those of its text."""

    head: Sequence[str]
    body: Sequence[str]

    @property
    def length(self) -> int:
        return len(self.head) + len(self.body)


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

    def score(self, tokens: TokenLists) -> float:
        """The BM25 of the section for all terms of the query."""
        head, body = _Places(tokens.head, self._wanted), _Places(tokens.body, self._wanted)
        average = max(self.tokens / max(self.chunks, 1), 1.0)
        bound = _SATURATION * (1 - _LENGTH_SHARE + _LENGTH_SHARE * tokens.length / average)
        score = 0.0
        for term in self.frequencies:
            count = HEAD_WEIGHT * head.count(term) + body.count(term)
            if count:
                score += self.rarity(term) * count * MOST_OF_A_TERM / (count + bound)
        return score

    def coverage(self, score: float) -> float:
        """The score as a share of the most, between 0 and 1."""
        return min(score / self.most, 1.0) if self.most > 0 else 0.0

    @cached_property
    def _wanted(self) -> Wanted:
        return Wanted.of(self.frequencies)


@dataclass(frozen=True, slots=True)
class Wanted:
    """The tokens that terms ask for: whole ones, and beginnings of some."""

    whole: frozenset[str]
    beginnings: tuple[str, ...]

    @classmethod
    def of(cls, terms: Iterable[Term]) -> Wanted:
        terms = list(terms)
        whole = [token for term in terms for token in (term.tokens[:-1] if term.prefix else term.tokens)]
        return cls(frozenset(whole), tuple(dict.fromkeys(term.tokens[-1] for term in terms if term.prefix)))


def holds_all(tokens: TokenLists, terms: Sequence[Term]) -> bool:
    """Whether every term stands somewhere in the section."""
    wanted = Wanted.of(terms)
    head, body = _Places(tokens.head, wanted), _Places(tokens.body, wanted)
    return all(head.count(term) or body.count(term) for term in terms)


class _Places:
    """Where the wanted tokens stand in a list of tokens."""

    def __init__(self, tokens: Sequence[str], wanted: Wanted) -> None:
        self._tokens = tokens
        self._places: dict[str, list[int]] = {}
        whole, beginnings = wanted.whole, wanted.beginnings
        for place, token in enumerate(tokens):
            if token in whole or (beginnings and token.startswith(beginnings)):
                self._places.setdefault(token, []).append(place)

    def count(self, term: Term) -> int:
        """How often the term stands there: its tokens side by side, in order."""
        if len(term.tokens) == 1:
            return len(self._starts(term.tokens[0], prefix=term.prefix))
        return sum(self._stands_at(place, term) for place in self._starts(term.tokens[0]))

    def _starts(self, token: str, *, prefix: bool = False) -> list[int]:
        if not prefix:
            return self._places.get(token, [])
        return [
            place for found, places in self._places.items() if found.startswith(token) for place in places
        ]

    def _stands_at(self, place: int, term: Term) -> bool:
        end = place + len(term.tokens)
        if end > len(self._tokens):
            return False
        if not term.prefix:
            return tuple(self._tokens[place:end]) == term.tokens
        last = self._tokens[end - 1].startswith(term.tokens[-1])
        return last and tuple(self._tokens[place : end - 1]) == term.tokens[:-1]
