"""What stands in for models where tests are not about the real ones?"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from vademecum.model.errors import ProviderUnavailable
from vademecum.ports.models import Nearness, QueryVectors, Vector
from vademecum.text.tokens import index_text

_DIMENSION = 512


@dataclass
class WordEmbedder:
    """Places a text by its words: texts that share words, or words of one meaning, are near.

    It is deterministic and knows no languages but those that `meanings` tells it, word by word. While
    `fails` is set it does not answer.
    """

    name: str = "words-1"
    meanings: Mapping[str, str] = field(default_factory=dict)
    fails: bool = False
    embedded: list[str] = field(default_factory=list)
    dimension: int = _DIMENSION
    floor: float = 0.45

    @property
    def nearness(self) -> Nearness:
        self._answer()
        return Nearness(self.floor, self.floor)

    def embed_heads(self, texts: Sequence[str]) -> list[Vector]:
        return self.embed_windows(texts)

    def embed_windows(self, texts: Sequence[str]) -> list[Vector]:
        self._answer()
        self.embedded += texts
        return [self._vector(text) for text in texts]

    def embed_query(self, text: str) -> QueryVectors | None:
        self._answer()
        vector = self._vector(text)
        return QueryVectors(vector, vector) if any(vector) else None

    def _answer(self) -> None:
        if self.fails:
            raise ProviderUnavailable

    def _vector(self, text: str) -> Vector:
        counts = [0.0] * self.dimension
        for word in index_text(text).split():
            meant = self.meanings.get(word, word)
            counts[int(hashlib.sha256(meant.encode()).hexdigest(), 16) % self.dimension] += 1.0
        length = math.sqrt(sum(count * count for count in counts)) or 1.0
        return bytes(round(127 * count / length) for count in counts)


@dataclass
class LastFirst:
    """A reranker that likes passages with `favourite` best, and else turns the order round."""

    favourite: str
    fails: bool = False
    asked: list[tuple[str, list[str]]] = field(default_factory=list)

    def score(self, query: str, passages: Sequence[str]) -> list[float]:
        if self.fails:
            raise ProviderUnavailable
        self.asked.append((query, list(passages)))
        return [place + (1000.0 if self.favourite in text else 0.0) for place, text in enumerate(passages)]
