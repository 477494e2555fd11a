"""In which order do hits by words and hits by meaning answer a question?"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Weights:
    """The figures of the ranking, chosen on the tuning set (docs/decisions/ranking.md).

    The square of the share of the query that the words cover, from `gate` on, weighs `first` for the first
    place and `second` for the second. z-scores are taken over the best `sample` items. `name` is what holding
    all names of the question adds to the z-score of each model.
    """

    first: float = 6.0
    second: float = 16.0
    gate: float = 0.35
    sample: int = 200
    name: float = 2.5


@dataclass(frozen=True, slots=True)
class WordHit:
    """What the words say of an item: BM25, and its share of the most that the query could score."""

    score: float
    coverage: float


@dataclass(frozen=True, slots=True)
class Evidence(Generic[Key]):
    """All that is known of the candidates: nearness by the vectors, by the second model, by words, and which
    hold what was asked for to the letter, or all `names` of a question in another script.

    `samples` is how near each of the two models finds all that it listed, candidates or not; without it the
    candidates are compared among themselves.
    """

    near: Mapping[Key, float] = field(default_factory=dict)
    second: Mapping[Key, float] | None = None
    samples: tuple[Sequence[float], Sequence[float]] | None = None
    words: Mapping[Key, WordHit] = field(default_factory=dict)
    exact: frozenset[Key] = frozenset()
    named: frozenset[Key] = frozenset()


@dataclass(frozen=True, slots=True)
class Ranked(Generic[Key]):
    """One candidate in its place; `score` falls from place to place between 1 and 0 and means no more."""

    key: Key
    score: float


def fuse(evidence: Evidence[Key], weights: Weights | None = None) -> list[Ranked[Key]]:
    """The candidates in order, best first.

    Exact wins stand before all. Then vectors order the answer, because stray words of the question's own
    language would bury what answers it in another. Words have their say in two places only: the first goes
    to the best sum of both, the second to a hit led by words that is not far from the question in meaning.
    What only words found follows by how much of the question it covers.
    """
    weights = weights or Weights()
    nearness = _nearness(evidence, weights)
    lowest = min(nearness.values(), default=0.0)

    def both(key: Key, weight: float) -> float:
        hit = evidence.words.get(key)
        covered = hit.coverage if hit and hit.coverage >= weights.gate else 0.0
        return nearness.get(key, lowest) + weight * covered**2

    placed = dict.fromkeys(sorted(evidence.exact, key=lambda key: both(key, weights.second), reverse=True))
    if not placed:
        placed.update(dict.fromkeys(_two_places(evidence, weights, nearness, both)))
    by_vector = sorted((key for key in nearness if key not in placed), key=nearness.__getitem__, reverse=True)
    placed.update(dict.fromkeys(by_vector))
    rest = sorted(
        (key for key in evidence.words if key not in placed), key=lambda key: _by_words(evidence.words[key])
    )
    order = [*placed, *rest]
    return [Ranked(key, 1.0 - place / (len(order) + 1)) for place, key in enumerate(order)]


def _two_places(
    evidence: Evidence[Key],
    weights: Weights,
    nearness: Mapping[Key, float],
    both: Callable[[Key, float], float],
) -> list[Key]:
    """The first place and, where a hit led by words deserves it, the second."""
    covering = [key for key, hit in evidence.words.items() if hit.coverage >= weights.gate]
    candidates = [*nearness, *(key for key in covering if key not in nearness)]
    if not candidates:
        return []
    first = max(candidates, key=lambda key: both(key, weights.first))
    led = [key for key in covering if key != first and nearness.get(key, -1.0) >= 0.0]
    return [first, max(led, key=lambda key: both(key, weights.second))] if led else [first]


def _by_words(hit: WordHit) -> tuple[float, float]:
    return (-hit.coverage, -hit.score)


def _nearness(evidence: Evidence[Key], weights: Weights) -> dict[Key, float]:
    """z-scores of the vectors, or the sum of both models' where the second one was asked too (search 1.3)."""
    firsts, seconds = evidence.samples or ((), ())
    scores = [_standardised(evidence.near, firsts, weights.sample)]
    if evidence.second:
        scores.append(_standardised(evidence.second, seconds, weights.sample))
    low = [min(values.values(), default=0.0) for values in scores]
    # Every model's z-score gains by the names: as a sum of two, nearness is spread twice as wide.
    return {
        key: sum(values.get(key, least) for values, least in zip(scores, low, strict=True))
        + (weights.name * len(scores) if key in evidence.named else 0.0)
        for key in evidence.near
    }


def _standardised(values: Mapping[Key, float], among: Sequence[float], sample: int) -> dict[Key, float]:
    best: Sequence[float] = sorted(among or values.values(), reverse=True)[:sample]
    if not best:
        return {}
    mean = sum(best) / len(best)
    deviation = math.sqrt(sum((value - mean) ** 2 for value in best) / len(best))
    return {key: (value - mean) / deviation if deviation else 0.0 for key, value in values.items()}
