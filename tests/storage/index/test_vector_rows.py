"""Which vectors are held in memory, and since which change does each count?"""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from vademecum.storage.index import vector_rows
from vademecum.storage.index.vector_rows import RowsView, VectorRow, VectorRows


def row(chunk_id: int, sequence: int, part: int = 1, value: int = 1) -> VectorRow:
    return VectorRow(chunk_id, part, sequence, bytes([value, 0]), f"item-{chunk_id}", "authored")


def seen(view: RowsView, sequence: int) -> set[tuple[int, int, int]]:
    """Chunk, part and first component of what counts after the change."""
    places = view.alive(sequence).nonzero()[0].tolist()
    return {(int(view.chunks[at]), int(view.parts[at]), int(view.vectors[at][0])) for at in places}


def test_a_view_keeps_what_it_showed() -> None:
    rows = VectorRows([row(1, 1), row(2, 1)])
    before = rows.view()
    assert not rows.update({1: 2, 3: 2}, [row(3, 2)])
    assert seen(before, 1) == {(1, 1, 1), (2, 1, 1)}
    assert seen(rows.view(), 1) == {(1, 1, 1), (2, 1, 1)}
    assert seen(rows.view(), 2) == {(2, 1, 1), (3, 1, 1)}


def test_an_unchanged_part_of_a_changed_chunk_stays() -> None:
    rows = VectorRows([row(1, 1, part=1), row(1, 1, part=2)])
    rows.update({1: 2}, [row(1, 1, part=1), row(1, 2, part=2, value=9)])
    assert rows.count == 3
    assert seen(rows.view(), 1) == {(1, 1, 1), (1, 2, 1)}
    assert seen(rows.view(), 2) == {(1, 1, 1), (1, 2, 9)}


def test_rows_that_ended_are_packed_away() -> None:
    rows = VectorRows([row(number, 1) for number in range(4_000)])
    assert rows.update(dict.fromkeys(range(1_500), 2), [])
    assert rows.count == 2_500
    assert len(seen(rows.view(), 2)) == 2_500


def test_rows_begin_again_after_all_have_ended() -> None:
    rows = VectorRows()
    assert seen(rows.view(), 1) == set()
    rows.append([row(1, 1)])
    rows.update({1: 2}, [])
    rows.append([row(2, 3)])
    assert seen(rows.view(), 3) == {(2, 1, 1)}


@given(st.lists(st.tuples(st.integers(0, 5), st.booleans(), st.integers(1, 9)), max_size=60))
def test_every_state_is_seen_as_it_was(changes: list[tuple[int, bool, int]]) -> None:
    """Chunks come, change and go; each earlier state stays readable in the newest view."""
    rows = VectorRows()
    now: dict[int, VectorRow] = {}
    states = [set[tuple[int, int, int]]()]
    for sequence, (chunk_id, stays, value) in enumerate(changes, start=1):
        now.pop(chunk_id, None)
        if stays:
            now[chunk_id] = row(chunk_id, sequence, value=value)
        rows.update({chunk_id: sequence}, [now[chunk_id]] if stays else [])
        states.append({(number, 1, kept.vector[0]) for number, kept in now.items()})
    view = rows.view()
    assert [seen(view, sequence) for sequence in range(len(states))] == states


def test_the_size_counts_what_is_held() -> None:
    rows = VectorRows([row(1, 1)])
    before = rows.size
    rows.append([row(number, 1) for number in range(2, 3_000)])
    assert rows.size > before + 3_000 * 2
    assert vector_rows.ENDLESS > 10**18
