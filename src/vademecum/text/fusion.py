"""In which order do hits by words and hits by meaning answer a question?"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Weights:
    """The figures of the ranking, chosen on the tuning set (docs/decisions/ranking.md).

    `coverage` weighs the square of the share of the query that the words cover; only hits that cover
    `gate` of it may lead, and of those only `led` of them. z-scores are taken over the best `sample` items.
    """

    coverage: float = 16.0
    gate: float = 0.35
    led: int = 1
    sample: int = 200


@dataclass(frozen=True, slots=True)
class WordHit:
    """What the words say of an item: BM25, and its share of the most that the query could score."""

    score: float
    coverage: float


@dataclass(frozen=True, slots=True)
class Evidence(Generic[Key]):
    """All that is known of the candidates: nearness by the vectors, by the second model, by words, and which
    hold what was asked for to the letter.
    """

    near: Mapping[Key, float] = field(default_factory=dict)
    second: Mapping[Key, float] | None = None
    words: Mapping[Key, WordHit] = field(default_factory=dict)
    exact: frozenset[Key] = frozenset()


@dataclass(frozen=True, slots=True)
class Ranked(Generic[Key]):
    """One candidate in its place; `score` falls from place to place between 1 and 0 and means no more."""

    key: Key
    score: float


def fuse(evidence: Evidence[Key], weights: Weights | None = None) -> list[Ranked[Key]]:
    """The candidates in order, best first.

    Exact wins stand before all. Then vectors order the answer, because stray words of the question's own
    language would bury what answers it in another; only the first place may go to a hit led by words, that
    with the best sum of both. What only words found follows by how much of the question it covers.
    """
    weights = weights or Weights()
    nearness = _nearness(evidence, weights)
    lowest = min(nearness.values(), default=0.0)

    def both(key: Key) -> float:
        hit = evidence.words.get(key)
        return nearness.get(key, lowest) + (weights.coverage * hit.coverage**2 if hit else 0.0)

    found = {*nearness, *evidence.words, *evidence.exact}
    exact = sorted(evidence.exact, key=both, reverse=True)
    leading = [key for key, hit in evidence.words.items() if hit.coverage >= weights.gate]
    leading.sort(key=both, reverse=True)
    led = [key for key in leading if key not in evidence.exact][: weights.led if not exact else 0]
    placed = dict.fromkeys([*exact, *led])
    by_vector = sorted((key for key in nearness if key not in placed), key=nearness.__getitem__, reverse=True)
    placed.update(dict.fromkeys(by_vector))
    rest = sorted((key for key in found if key not in placed), key=lambda key: _by_words(evidence.words[key]))
    order = [*placed, *rest]
    return [Ranked(key, 1.0 - place / (len(order) + 1)) for place, key in enumerate(order)]


def _by_words(hit: WordHit) -> tuple[float, float]:
    return (-hit.coverage, -hit.score)


def _nearness(evidence: Evidence[Key], weights: Weights) -> dict[Key, float]:
    """z-scores of the vectors, or the sum of both models' where the second one was asked too (search 1.3)."""
    first = _standardised(evidence.near, weights.sample)
    if not evidence.second:
        return first
    second = _standardised(evidence.second, weights.sample)
    low = min(second.values(), default=0.0)
    return {key: value + second.get(key, low) for key, value in first.items()}


def _standardised(values: Mapping[Key, float], sample: int) -> dict[Key, float]:
    best: Sequence[float] = sorted(values.values(), reverse=True)[:sample]
    if not best:
        return {}
    mean = sum(best) / len(best)
    deviation = math.sqrt(sum((value - mean) ** 2 for value in best) / len(best))
    return {key: (value - mean) / deviation if deviation else 0.0 for key, value in values.items()}
