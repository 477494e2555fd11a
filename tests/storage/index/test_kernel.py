"""How similar is one vector to each of many?"""

from __future__ import annotations

import runpy
import sys
from unittest import mock

import numpy as np
import pytest
import simsimd
from numpy.typing import NDArray

from vademecum.storage.index import kernel
from vademecum.storage.index.kernel import (
    Kernel,
    as_row,
    as_rows,
    plain_cosines,
    simd_cosines,
)

SIMD = simd_cosines(simsimd.cdist)


def some_rows(count: int, dimension: int = 64) -> NDArray[np.int8]:
    return np.random.default_rng(7).integers(-128, 128, (count, dimension), dtype=np.int8)


@pytest.mark.parametrize("found", [plain_cosines, SIMD], ids=["numpy", "simsimd"])
@pytest.mark.parametrize("count", [0, 1, 1023, 1024, 3000])
def test_each_kernel_gives_the_cosine(found: Kernel, count: int) -> None:
    rows, query = some_rows(count), some_rows(1)[0]
    exact = rows.astype(np.float64) @ query.astype(np.float64)
    lengths = np.linalg.norm(rows.astype(np.float64), axis=1) * np.linalg.norm(query.astype(np.float64))
    np.testing.assert_allclose(found(query, rows), exact / lengths, atol=1e-5)


@pytest.mark.parametrize("found", [plain_cosines, SIMD], ids=["numpy", "simsimd"])
def test_what_has_no_length_is_similar_to_nothing(found: Kernel) -> None:
    rows = some_rows(3)
    rows[1] = 0
    assert found(rows[0], rows)[1] == 0
    assert found(rows[1], rows).tolist() == [0, 0, 0]


@pytest.mark.parametrize("found", [plain_cosines, SIMD], ids=["numpy", "simsimd"])
def test_the_largest_components_do_not_overflow(found: Kernel) -> None:
    rows = np.full((2, 1024), -128, dtype=np.int8)
    rows[1] = 127
    np.testing.assert_allclose(found(rows[0], rows), [1, -1], atol=1e-5)


def test_numpy_alone_does_where_there_is_no_simsimd() -> None:
    with mock.patch.dict(sys.modules, {"simsimd": None}):
        without = runpy.run_path(kernel.__file__)
    assert without["cosines"] is without["plain_cosines"]
    assert kernel.cosines is not plain_cosines


def test_stored_bytes_are_signed_components() -> None:
    assert as_row(b"\x00\x7f\x80\xff").tolist() == [0, 127, -128, -1]
    assert as_rows([b"\x01\x02", b"\xff\x80"]).tolist() == [[1, 2], [-1, -128]]
