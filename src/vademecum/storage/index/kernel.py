"""How similar is one vector to each of many?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

_distances: Callable[..., Any] | None
try:
    from simsimd import cdist as _cdist
except ImportError:  # No wheel of it is built for some processors.
    _distances = None
else:
    _distances = _cdist

Bytes = NDArray[np.int8]
Similarities = NDArray[np.float32]
Kernel = Callable[[Bytes, Bytes], Similarities]

_ROWS_AT_ONCE = 1024  # as 32-bit floats they stay in the processor's cache


def plain_cosines(query: Bytes, rows: Bytes) -> Similarities:
    """The cosine of the query with each row, by numpy alone; 0 where either has no length."""
    wanted = query.astype(np.float32)
    length = float(np.sqrt(wanted @ wanted))
    found = np.zeros(len(rows), dtype=np.float32)
    if length == 0.0:
        return found
    for start in range(0, len(rows), _ROWS_AT_ONCE):
        block = rows[start : start + _ROWS_AT_ONCE].astype(np.float32)
        lengths = np.sqrt(np.einsum("ij,ij->i", block, block))
        lengths[lengths == 0.0] = np.inf
        found[start : start + len(block)] = (block @ wanted) / (lengths * length)
    return found


def simd_cosines(distances: Callable[..., Any]) -> Kernel:
    """The same by a function of simsimd, which uses the processor's instructions for small integers."""

    def kernel(query: Bytes, rows: Bytes) -> Similarities:
        if not len(rows) or not query.any():
            return np.zeros(len(rows), dtype=np.float32)
        found = distances(query[np.newaxis], rows, metric="cosine", out_dtype="float32", threads=1)
        similarities: Similarities = 1.0 - np.asarray(found, dtype=np.float32)[0]
        return similarities

    return kernel


cosines: Kernel = plain_cosines if _distances is None else simd_cosines(_distances)
"""The faster of both that this installation has."""


def as_row(vector: bytes) -> Bytes:
    """The components of a stored vector."""
    return np.frombuffer(vector, dtype=np.int8)


def as_rows(vectors: Sequence[bytes]) -> Bytes:
    """The components of stored vectors of one length, a row for each."""
    return np.frombuffer(b"".join(vectors), dtype=np.int8).reshape(len(vectors), -1)
