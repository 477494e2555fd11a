"""Which chunks are nearest to a query among rows in memory?"""

from __future__ import annotations

import numpy as np
import pytest
import simsimd
from hypothesis import given
from hypothesis import strategies as st

from vademecum.ports.index import VectorMatch
from vademecum.storage.index.kernel import Kernel, as_row, plain_cosines, simd_cosines
from vademecum.storage.index.nearest import Narrowing, Wanted, merged, nearest_rows
from vademecum.storage.index.vector_rows import VectorRow, VectorRows

KERNELS = [plain_cosines, simd_cosines(simsimd.cdist)]
VECTORS = st.binary(min_size=3, max_size=3)
LAYERS = ("authored", "summary")


@st.composite
def stored_rows(draw: st.DrawFn) -> list[VectorRow]:
    """Chunks with one to three parts each."""
    rows = []
    for chunk_id in range(draw(st.integers(0, 12))):
        item_id, layer = f"item-{chunk_id % 4}", LAYERS[chunk_id % 2]
        parts = range(draw(st.integers(1, 3)))
        rows += [VectorRow(chunk_id, part, 1, draw(VECTORS), item_id, layer) for part in parts]
    return rows


def slow(rows: list[VectorRow], vector: bytes, narrowing: Narrowing, limit: int) -> list[tuple[int, float]]:
    """What the search has to find, by looking at each row."""
    best: dict[int, float] = {}
    for row in rows:
        if narrowing.items is not None and row.item_id not in narrowing.items:
            continue
        if narrowing.layer is not None and row.layer != narrowing.layer:
            continue
        similarity = float(plain_cosines(as_row(vector), as_row(row.vector)[np.newaxis])[0])
        best[row.chunk_id] = max(similarity, best.get(row.chunk_id, -2.0))
    return sorted(best.items(), key=lambda found: (-round(found[1], 4), found[0]))[:limit]


@pytest.mark.parametrize("kernel", KERNELS, ids=["numpy", "simsimd"])
@given(
    rows=stored_rows(),
    vector=VECTORS,
    items=st.none() | st.sets(st.sampled_from(["item-0", "item-1", "item-9"])),
    layer=st.none() | st.sampled_from([*LAYERS, "recognized"]),
    limit=st.integers(0, 6),
)
def test_the_search_agrees_with_looking_at_each_row(
    kernel: Kernel,
    rows: list[VectorRow],
    vector: bytes,
    items: set[str] | None,
    layer: str | None,
    limit: int,
) -> None:
    narrowing = Narrowing(items, layer)
    found = nearest_rows(VectorRows(rows).view(), Wanted("s1", as_row(vector), narrowing, limit, 1), kernel)
    expected = slow(rows, vector, narrowing, limit)
    assert [row.similarity for row in found] == pytest.approx([value for _, value in expected], abs=1e-4)
    assert len({row.chunk_id for row in found}) == len(found)
    assert [(-row.similarity, row.chunk_id) for row in found] == sorted(
        (-r.similarity, r.chunk_id) for r in found
    )


@pytest.mark.parametrize("kernel", KERNELS, ids=["numpy", "simsimd"])
@pytest.mark.parametrize("allowed", [1, 4, 5, 99, 100])
def test_gathering_and_masking_find_the_same(kernel: Kernel, allowed: int) -> None:
    generator = np.random.default_rng(3)
    rows = [
        VectorRow(
            number, 1, 1, generator.integers(-99, 99, 16, dtype=np.int8).tobytes(), f"i{number}", "authored"
        )
        for number in range(100)
    ]
    vector = rows[50].vector
    items = {f"i{number}" for number in range(allowed)}
    found = nearest_rows(
        VectorRows(rows).view(), Wanted("s1", as_row(vector), Narrowing(items), 10, 1), kernel
    )
    expected = slow(rows, vector, Narrowing(items), 10)
    assert [row.chunk_id for row in found] == [chunk_id for chunk_id, _ in expected]


def test_equals_at_the_limit_go_by_chunk_id() -> None:
    rows = [VectorRow(number, 1, 1, b"\x01\x01", "item", "authored") for number in (9, 3, 7, 1, 5)]
    found = nearest_rows(VectorRows(rows).view(), Wanted("s1", as_row(b"\x01\x00"), Narrowing(), 3, 1))
    assert [row.chunk_id for row in found] == [1, 3, 5]


@given(rows=stored_rows(), vector=VECTORS, limit=st.integers(0, 6), place=st.integers(0, 11))
def test_what_is_less_similar_than_asked_for_is_left_out(
    rows: list[VectorRow], vector: bytes, limit: int, place: int
) -> None:
    view = VectorRows(rows).view()

    def found(least: float | None) -> list[VectorMatch]:
        return nearest_rows(view, Wanted("s1", as_row(vector), Narrowing(), limit, 1, least=least))

    everything = found(None)
    for least in (0.0, *(match.similarity for match in everything[place : place + 1])):
        assert found(least) == [match for match in everything if match.similarity >= least]


def test_spaces_are_merged_into_one_order() -> None:
    one, two = VectorMatch("s2", 2, "a", 1, 0.5), VectorMatch("s1", 1, "b", 1, 0.5)
    best = VectorMatch("s1", 9, "c", 0, 0.7)
    assert merged([one, best, two], 2) == [best, two]
