"""Does each search see exactly the vectors that its transaction sees, whatever the process remembers?"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.storage.index_samples import MODEL, a_chunk, a_head, a_vector, index, vector
from tests.storage.opening import migrate, path_of
from tests.storage.samples import SPACE, add_people
from vademecum.ports.index import Scope, VectorMatch
from vademecum.ports.storage import Transaction
from vademecum.storage.index import vector_rows
from vademecum.storage.sqlite import SqliteStorage, open_sqlite

ITEMS = ["item-0", "item-1", "item-2"]
CHANGES = st.lists(
    st.tuples(st.sampled_from(ITEMS), st.lists(st.integers(-50, 50), max_size=3), st.booleans()),
    min_size=1,
    max_size=12,
)


@pytest.fixture
def storage(sqlite_url: str) -> Iterator[SqliteStorage]:
    migrate(sqlite_url)
    path: Path = path_of(sqlite_url)
    with closing(open_sqlite(path, readers=16)) as opened:
        add_people(opened)
        for item_id in ITEMS:
            index(opened, item_id)
        yield opened


def seen(tx: Transaction) -> list[VectorMatch]:
    return tx.index.nearest(MODEL, vector(1, 0), Scope((SPACE,)), 50, heads=False)


def change(tx: Transaction, number: int, item_id: str, components: list[int]) -> None:
    """Index the item with a window for each component."""
    vectors = tuple(a_vector(7, component, part=part) for part, component in enumerate(components, 1))
    tx.index.replace(SPACE, item_id, 1, [a_chunk(f"{number}", vectors=(*vectors, a_head(1, 0)))])


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(changes=CHANGES)
def test_readers_of_every_age_see_their_own_state(
    storage: SqliteStorage, changes: list[tuple[str, list[int], bool]]
) -> None:
    """Readers begin between changes; some are asked at once, the others when many changes have gone by."""
    with ExitStack() as stack:
        readers: list[tuple[Transaction, list[VectorMatch]]] = []
        for number, (item_id, components, is_asked_now) in enumerate(changes):
            with storage.write() as tx:
                change(tx, number, item_id, components)
                expected = seen(tx)
            reader = stack.enter_context(storage.read())
            assert reader.index.counts([SPACE])["chunks"] > 0  # its state is that of the first question
            if is_asked_now:
                assert seen(reader) == expected
            readers.append((reader, expected))
        for reader, expected in reversed(readers):
            assert seen(reader) == expected


def test_a_reader_in_between_sees_what_came_and_went_again(storage: SqliteStorage) -> None:
    with storage.read() as first:
        seen(first)
    with storage.write() as tx:
        change(tx, 1, "item-1", [1])
    with storage.read() as between:
        assert between.index.counts([SPACE]) == {"chunks": 1, "vectors": 2}
        with storage.write() as tx:
            change(tx, 2, "item-1", [2])
        with storage.write() as tx:
            tx.index.forget_vectors("another model", [SPACE])
            change(tx, 3, "item-2", [3])
        with storage.read() as last:
            assert [match.item_id for match in seen(last)] == ["item-1", "item-2"]
        (match,) = seen(between)
        assert (match.item_id, round(match.similarity, 3)) == ("item-1", 0.990)


def test_rows_that_are_packed_away_are_read_again_by_who_still_sees_them(
    storage: SqliteStorage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vector_rows, "_DEAD_LEAST", 0)
    with storage.write() as tx:
        change(tx, 1, "item-1", [1, 2])
    with storage.read() as early:
        before = seen(early)
        for number in range(2, 8):
            with storage.write() as tx:
                change(tx, number, "item-1", [number])
            with storage.read() as late:
                assert len(seen(late)) == 1
        assert seen(early) == before


def test_a_writer_sees_its_own_changes_beside_what_is_remembered(storage: SqliteStorage) -> None:
    with storage.write() as tx:
        change(tx, 1, "item-1", [1])
        change(tx, 2, "item-2", [2])
    with storage.read() as tx:
        assert [match.item_id for match in seen(tx)] == ["item-1", "item-2"]
    size = storage._vectors.size
    with storage.write() as tx:
        change(tx, 3, "item-1", [3])
        assert [match.item_id for match in seen(tx)] == ["item-2", "item-1"]
        tx.index.forget_vectors(MODEL, [SPACE])
        assert seen(tx) == []
        change(tx, 4, "item-0", [4])
        assert [match.item_id for match in seen(tx)] == ["item-0"]
    assert storage._vectors.size == size
