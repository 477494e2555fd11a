"""How do embedding and reranking services elsewhere answer the library's questions?"""

from __future__ import annotations

import math
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from vademecum.model.errors import ProviderUnavailable
from vademecum.ports.models import Nearness, QueryVectors, Vector
from vademecum.providers.model_service import ModelService
from vademecum.providers.vectors import Rows, fitted, quantised, unit_rows

_BATCH = 64  # texts in a request
_PASSAGE_SECONDS = 60.0  # for a batch
_QUERY_SECONDS = 8.0
_RERANK_SECONDS = 8.0

_ALIKE = 0.999  # no two of the unrelated texts are farther apart

# What a model is tried with before its vectors are trusted: the first two say the same, the rest speak of
# things that have nothing to do with each other or with them.
_SAME = (
    "The ferry to the island leaves at nine in the morning.",
    "The boat for the island departs at 9.",
)
_UNRELATED = (
    "Knead the dough for ten minutes and let it rise overnight.",
    "The court dismissed the appeal for lack of evidence.",
    "Photosynthesis turns light and carbon dioxide into sugar.",
    "这份合同的付款期限是三十天。",
    "サッカーの試合は延長戦で終わった。",
    "Restart the database after changing the buffer size.",
)


@dataclass(frozen=True, slots=True)
class _Trial:
    """What the first answer taught: how long vectors are, and how near unrelated texts lie."""

    dimension: int
    floor: float


class RemoteEmbedder:
    """An OpenAI-compatible embeddings address, answering `ports.models.Embedder`.

    Before its first vectors are used, the model is tried once on sentences that are known here. Vectors that
    are alike for all of them make everything raise ProviderUnavailable; otherwise the nearness of unrelated
    sentences becomes the floor, since every model has its own.
    """

    def __init__(self, service: ModelService) -> None:
        self._service = service
        self._lock = threading.Lock()
        self._known: _Trial | None = None

    @property
    def name(self) -> str:
        return f"{self._service.model}@{self._service.host}"

    @property
    def dimension(self) -> int:
        """Components of a vector; asks the service once. Raises ProviderUnavailable."""
        return self._trial().dimension

    @property
    def nearness(self) -> Nearness:
        """The least cosine that means something; asks the service once. Raises ProviderUnavailable."""
        floor = self._trial().floor
        return Nearness(floor, floor)

    def embed(self, heads: Sequence[str], windows: Sequence[str]) -> tuple[list[Vector], list[Vector]]:
        """Vectors as `Embedder` promises, at most 64 texts in a request."""
        texts, vectors = [*heads, *windows], list[Vector]()
        for start in range(0, len(texts), _BATCH):
            rows = self._rows(texts[start : start + _BATCH], self.dimension, _PASSAGE_SECONDS)
            vectors += _bytes(rows)
        return vectors[: len(heads)], vectors[len(heads) :]

    def embed_query(self, text: str) -> QueryVectors | None:
        """The vector of a question as `Embedder` promises, the same for heads and windows."""
        vector = _bytes(self._rows([text], self.dimension, _QUERY_SECONDS))[0]
        return QueryVectors(vector, vector)

    def _trial(self) -> _Trial:
        with self._lock:
            if self._known is None:
                rows = self._rows((*_SAME, *_UNRELATED), None, _QUERY_SECONDS)
                self._known = _Trial(rows.shape[1], _floor(rows))
            return self._known

    def _rows(self, texts: Sequence[str], dimension: int | None, seconds: float) -> Rows:
        question = {
            "model": self._service.model,
            "input": [fitted(text) or " " for text in texts],
            "encoding_format": "float",
        }
        answer = self._service.ask("/embeddings", question, seconds)
        return unit_rows(_in_order(answer, "data", "embedding", len(texts)), len(texts), dimension)


def _floor(rows: Rows) -> float:
    """The nearness under which texts have nothing to do with each other: the greatest of unrelated ones, but
    no more than half the way to those of one meaning. Raises ProviderUnavailable when all texts are alike.
    """
    nearness = (rows @ rows.T).astype(float)
    unrelated = np.concatenate([nearness[2:, 0], nearness[2:, 1], nearness[2:, 2:][np.triu_indices(6, 1)]])
    if unrelated.min() > _ALIKE:
        raise ProviderUnavailable("the model's vectors do not tell texts apart")
    return float(min(unrelated.max(), (unrelated.mean() + nearness[0, 1]) / 2))


def _bytes(rows: Rows) -> list[Vector]:
    """As bytes; components beyond eight times the mean size are so rare in any model that they may be cut."""
    return quantised(rows, min(1.0, 8.0 / math.sqrt(rows.shape[1])))


class RemoteReranker:
    """A rerank address, answering `ports.models.Reranker`.

    Where the settings name a model, the question has the form of Jina and Cohere, otherwise that of Text
    Embeddings Inference; the answers of all three are understood.
    """

    def __init__(self, service: ModelService) -> None:
        self._service = service

    def score(self, query: str, passages: Sequence[str]) -> list[float]:
        """Scores as `Reranker` promises, in one request."""
        if not passages:
            return []
        texts = [fitted(passage) or " " for passage in passages]
        question: dict[str, Any] = {"query": fitted(query), "texts": texts, "truncate": True}
        if self._service.model:
            question = {
                "model": self._service.model,
                "query": fitted(query),
                "documents": texts,
                "top_n": len(texts),
                "return_documents": False,
            }
        answer = self._service.ask("/rerank", question, _RERANK_SECONDS)
        name = "relevance_score" if self._service.model else "score"
        scores = _in_order(answer, "results", name, len(texts))
        try:
            found = [float(score) for score in scores]
        except (TypeError, ValueError) as error:
            raise ProviderUnavailable("the reranker's scores are not numbers") from error
        if not all(math.isfinite(score) for score in found):
            raise ProviderUnavailable("the reranker's scores are not finite")
        return found


def _in_order(answer: Any, listed: str, name: str, count: int) -> list[Any]:
    """The values called `name`, in the order of the question whatever that of the answer.

    The list is the answer itself or stands in it under `listed`. Raises ProviderUnavailable unless there is
    exactly one value for each text.
    """
    entries = answer.get(listed) if isinstance(answer, dict) else answer
    if not isinstance(entries, list) or len(entries) != count:
        raise ProviderUnavailable("the service gave another number of answers than texts")
    found: dict[int, Any] = {}
    for position, entry in enumerate(entries):
        if not isinstance(entry, dict) or name not in entry:
            raise ProviderUnavailable(f"the service's answer lacks {name!r}")
        index = entry.get("index", position)
        if isinstance(index, int):
            found[index] = entry[name]
    if sorted(found) != list(range(count)):
        raise ProviderUnavailable("the service did not answer each text once")
    return [found[index] for index in range(count)]
