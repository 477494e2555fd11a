"""What does the library ask of models: vectors of texts, and scores of passages for a question?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

Vector = bytes
"""A direction: one signed 8-bit component per byte, `dimension` of them. Its length means nothing: two
vectors of one model compare by the cosine of their components."""


@dataclass(frozen=True, slots=True)
class QueryVectors:
    """A question's vectors: one to compare with heads (titles, headings, tags), one with windows of text."""

    head: Vector
    window: Vector


@dataclass(frozen=True, slots=True)
class Nearness:
    """How a model's cosines are read: under its floor a hit is none, and the bonus makes a window's cosine
    comparable to a head's.
    """

    head_floor: float
    window_floor: float
    window_bonus: float = 0.0


class Embedder(Protocol):
    """A model that places texts so that near meanings are near, also across languages.

    An absent embedder is `None`, never an object that answers nothing (style 5.6). Every method may be called
    from several threads at once.
    """

    @property
    def name(self) -> str:
        """The model with its version and treatment. Vectors of two names are never compared."""
        ...

    @property
    def dimension(self) -> int:
        """How many components every vector has."""
        ...

    @property
    def nearness(self) -> Nearness:
        """How the cosines of questions with heads and windows are read. Raises ProviderUnavailable."""
        ...

    def embed(self, heads: Sequence[str], windows: Sequence[str]) -> tuple[list[Vector], list[Vector]]:
        """One vector for each head and one for each window, in order, in one go, for that costs least.

        What is over the model's window is cut off, so that the time is bounded by the number of texts. Raises
        ProviderUnavailable when no usable vectors were to be had.
        """
        ...

    def embed_query(self, text: str) -> QueryVectors | None:
        """The vectors of a question; None for one that the model cannot read, to which nothing is near.

        Raises ProviderUnavailable.
        """
        ...


class Reranker(Protocol):
    """A model that reads question and passage together; slow, so it sees only the best few dozen."""

    def score(self, query: str, passages: Sequence[str]) -> list[float]:
        """One score for each passage, in order, higher is better; only their order within one answer counts.
        Raises ProviderUnavailable.
        """
        ...
