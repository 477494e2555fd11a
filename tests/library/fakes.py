"""What stands in for models where tests are not about the real ones?"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field

from vademecum.model.errors import ProviderUnavailable
from vademecum.ports.models import Nearness, QueryVectors, Vector
from vademecum.ports.storage import Storage, Transaction
from vademecum.text.tokens import index_text

_DIMENSION = 512


class Killed(BaseException):
    """Ends a program at once, wherever it is."""


@dataclass
class Breaking:
    """A storage that ends the program as the writing transaction after `left` others begins, and tells how
    many were begun.
    """

    storage: Storage
    left: int = 1_000_000
    begun: int = 0

    def read(self) -> AbstractContextManager[Transaction]:
        return self.storage.read()

    def write(self) -> AbstractContextManager[Transaction]:
        if self.begun == self.left:
            raise Killed
        self.begun += 1
        return self.storage.write()

    @property
    def migrated(self) -> Sequence[str]:
        return self.storage.migrated

    def change_mark(self) -> object | None:
        return self.storage.change_mark()

    def integrity_problems(self) -> list[str]:
        return self.storage.integrity_problems()

    def close(self) -> None:
        self.storage.close()


@dataclass
class Interrupting:
    """A storage before whose next writing transaction somebody else does something."""

    storage: Storage
    act: Callable[[], object] | None

    def read(self) -> AbstractContextManager[Transaction]:
        return self.storage.read()

    def write(self) -> AbstractContextManager[Transaction]:
        act, self.act = self.act, None
        if act is not None:
            act()
        return self.storage.write()


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

    def embed(self, heads: Sequence[str], windows: Sequence[str]) -> tuple[list[Vector], list[Vector]]:
        self._answer()
        self.embedded += [*heads, *windows]
        return [self._vector(text) for text in heads], [self._vector(text) for text in windows]

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
