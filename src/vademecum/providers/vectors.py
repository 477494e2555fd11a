"""How does a text become fit for a model, and a model's answer a vector that can be kept?"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from importlib import resources
from typing import Any

import numpy as np
import numpy.typing as npt

from vademecum.model.errors import ProviderUnavailable
from vademecum.ports.models import Vector

Rows = npt.NDArray[np.float32]

WINDOW_LETTERS = 600  # of an alphabet
_WIDE_COST = 2.4  # a character of Chinese, Japanese or Korean takes the place of so many letters: 250 fit
_UNREADABLE = re.compile(r"[\x00\ud800-\udfff]")
_WIDE = re.compile(
    r"[\u1100-\u11ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]"
)


def fitted(text: str) -> str:
    """The start of the text that fits a window, 600 letters or 250 wide characters, without NUL and lone
    surrogates. Longer input would cost seconds and gigabytes, and such characters stop an encoder.
    """
    start = _UNREADABLE.sub("\ufffd", text[:WINDOW_LETTERS])
    if len(start) + (_WIDE_COST - 1) * len(_WIDE.findall(start)) <= WINDOW_LETTERS:
        return start
    room = float(WINDOW_LETTERS)
    for position, character in enumerate(start):
        room -= _WIDE_COST if _WIDE.match(character) else 1.0
        if room < 0:
            return start[:position]
    return start


def unit_rows(rows: Any, count: int, dimension: int | None) -> Rows:
    """The rows scaled to length 1. Raises ProviderUnavailable unless they are `count` rows of `dimension`
    finite numbers (any width if None), none of them all zeros: such vectors find nothing, silently.
    """
    try:
        found: Rows = np.asarray(rows, dtype=np.float32)
    except (TypeError, ValueError, OverflowError) as error:
        raise ProviderUnavailable("the model's vectors are not lists of numbers of one length") from error
    if found.ndim != 2 or found.shape[0] != count or found.shape[1] == 0:
        raise ProviderUnavailable("the model gave another number of vectors than texts")
    if dimension is not None and found.shape[1] != dimension:
        raise ProviderUnavailable(f"the model's vectors have {found.shape[1]} components, not {dimension}")
    lengths = np.linalg.norm(found.astype(np.float64), axis=1, keepdims=True)
    if not np.isfinite(lengths).all() or (lengths < 1e-9).any():
        raise ProviderUnavailable("the model's vectors are zero or not finite")
    units: Rows = (found / lengths).astype(np.float32)
    return units


def quantised(rows: Rows, largest: float) -> list[Vector]:
    """Unit rows as signed bytes, one scale for all: `largest` is the component that becomes 127. A larger
    one, which a model gives hardly ever, is cut to it.
    """
    steps = np.clip(np.rint(rows * (127.0 / largest)), -127, 127).astype(np.int8)
    return [row.tobytes() for row in steps]


def read_means(file_name: str) -> Mapping[str, Rows]:
    """The mean vectors that come with this package in a file, by the kind of text they were taken over."""
    means = json.loads(resources.files("vademecum.providers").joinpath(file_name).read_text("utf-8"))
    unit = np.float32(means.pop("unit"))
    return {kind: np.array(row, dtype=np.float32) * unit for kind, row in means.items()}
