"""Does PostgreSQL find the same with the extension pg_textsearch as without it?"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import closing

import psycopg
import pytest

from tests.storage.index_samples import MODEL, a_chunk, a_vector, found, index, near, search, sections, undone
from tests.storage.samples import OTHER_SPACE, SPACE, add_people
from vademecum.ports.index import KeywordMatch, Scope
from vademecum.ports.storage import Storage
from vademecum.storage.index import halfvec_scan, keyword
from vademecum.storage.index.halfvec_scan import HalfvecScan
from vademecum.storage.index.tsvector_search import TsvectorSearch
from vademecum.storage.postgres import open_postgres

WORDS = ["otter", "salmon", "badger", "river", "book", "door", "机器", "学习", "fox", "heron"]


@pytest.fixture
def ranked_url(postgres_url: str) -> str:
    """An empty database in which an administrator has created the extension."""
    run(postgres_url, "CREATE EXTENSION pg_textsearch")
    return postgres_url


@pytest.fixture
def storage(ranked_url: str) -> Iterator[Storage]:
    with closing(open_postgres(ranked_url)) as opened:
        add_people(opened)
        yield opened


@pytest.fixture(autouse=True)
def _few_are_scored(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that a limit is reached with the few sections of a test."""
    monkeypatch.setattr(keyword, "_SPARE", 10)


def run(url: str, statement: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(statement.encode())


def has_ranked_index(url: str) -> bool:
    with psycopg.connect(url, autocommit=True) as connection:
        row = connection.execute("SELECT to_regclass('chunk_by_rank') IS NOT NULL").fetchone()
    return row == (True,)


def filled(storage: Storage, space_id: str = SPACE, seed: int = 1) -> None:
    """Sixty sections of words that are common and words that are not."""
    generator = random.Random(seed)
    for number in range(20):
        texts = [" ".join(generator.choices(WORDS, range(10, 0, -1), k=30)) + "\n" for _ in range(3)]
        index(storage, f"item-{number}", *sections(*texts), space_id=space_id)


def ten(storage: Storage, query: str, scope: Scope | None = None) -> list[KeywordMatch]:
    return search(storage, query, scope or Scope((SPACE,)), 10)


QUERIES = [
    "otter",
    "salmon fox",
    "heron",
    "otter badger river",
    "机器 学习",
    "机器学习",
    '"otter salmon"',
    "习",
]


@pytest.mark.parametrize("query", QUERIES)
def test_the_best_are_the_same_with_and_without_the_extension(
    storage: Storage, ranked_url: str, query: str
) -> None:
    filled(storage)
    filled(storage, OTHER_SPACE, seed=2)
    ranked = ten(storage, query)
    run(ranked_url, "SELECT drop_ranked_index()")
    assert not has_ranked_index(ranked_url)
    unranked = ten(storage, query)
    assert [match.score for match in ranked] == pytest.approx([match.score for match in unranked], rel=0.1)
    run(ranked_url, "SELECT add_ranked_index()")
    assert ten(storage, query) == ranked


def test_the_extension_is_asked_where_there_are_many_matches(
    storage: Storage, ranked_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(storage)
    assert has_ranked_index(ranked_url)
    asked: list[str] = []

    def nothing(*_: object) -> list[int]:
        asked.append("the inverted index")
        return []

    monkeypatch.setattr(TsvectorSearch, "best", nothing)
    assert len(ten(storage, "otter")) == 10
    assert ten(storage, "zebra") == []
    assert asked == []
    assert ten(storage, "机") == []
    assert asked == ["the inverted index"]


def test_the_extension_sees_what_the_transaction_sees(storage: Storage) -> None:
    filled(storage)
    index(storage, "item-x", a_chunk("Nothing of it."))
    many = [a_chunk(f"heron heron heron {number}", ordinal=number) for number in range(25)]
    with undone(storage) as tx:
        tx.index.replace(SPACE, "item-x", 2, many)
    assert "item-x" not in found(storage, "heron", limit=10)
    index(storage, "item-x", *many)
    assert set(found(storage, "heron", limit=10)) == {"item-x"}
    index(storage, "item-x")
    assert "item-x" not in found(storage, "heron", limit=10)


def test_the_extension_finds_no_other_space(storage: Storage) -> None:
    filled(storage, OTHER_SPACE)
    index(storage, "item-1", a_chunk("An otter."))
    assert [match.space_id for match in ten(storage, "otter")] == [SPACE]
    together = ten(storage, "otter", Scope((SPACE, OTHER_SPACE)))
    assert len(together) == 10


def test_a_library_without_the_extension_does_without(postgres_url: str) -> None:
    with closing(open_postgres(postgres_url)) as storage:
        add_people(storage)
        filled(storage)
        assert len(ten(storage, "otter")) == 10
    assert not has_ranked_index(postgres_url)


def crowded(storage: Storage) -> None:
    """Three hundred sections of two windows each, in all directions."""
    generator = random.Random(5)
    for number in range(30):
        chunks = [
            a_chunk(
                f"{place}",
                ordinal=place,
                vectors=tuple(
                    a_vector(*(generator.randrange(-100, 100) for _ in range(8)), part=part)
                    for part in (1, 2)
                ),
            )
            for place in range(10)
        ]
        index(storage, f"item-{number}", *chunks)


def test_a_graph_finds_what_comparing_every_row_finds(
    storage: Storage, ranked_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    crowded(storage)
    exact = near(storage, 1, 2, 3, limit=20)
    run(ranked_url, f"SELECT add_vector_graph('{SPACE}', '{MODEL}', 8)")
    assert near(storage, 1, 2, 3, limit=20) == exact
    monkeypatch.setattr(halfvec_scan, "GRAPH_FROM", 100)
    monkeypatch.setattr(HalfvecScan, "_rows", None)  # comparing every row would fail now
    by_graph = near(storage, 1, 2, 3, limit=20)
    assert len(set(by_graph) & set(exact)) >= 19
    assert len({match.chunk_id for match in by_graph}) == 20
    monkeypatch.undo()
    run(ranked_url, f"SELECT drop_vector_graph('{SPACE}', '{MODEL}')")
    assert near(storage, 1, 2, 3, limit=20) == exact


def test_a_filter_is_never_left_to_a_graph(
    storage: Storage, ranked_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    crowded(storage)
    allowed = Scope((SPACE,), frozenset({(SPACE, "item-7"), (SPACE, "item-20")}))
    exact = near(storage, 1, 2, 3, scope=allowed, limit=20)
    assert len(exact) == 20
    run(ranked_url, f"SELECT add_vector_graph('{SPACE}', '{MODEL}', 8)")
    monkeypatch.setattr(halfvec_scan, "GRAPH_FROM", 1)
    assert near(storage, 1, 2, 3, scope=allowed, limit=20) == exact


def test_where_a_graph_gives_too_few_every_row_is_compared(
    storage: Storage, ranked_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    crowded(storage)
    run(ranked_url, f"SELECT add_vector_graph('{SPACE}', '{MODEL}', 8)")
    monkeypatch.setattr(halfvec_scan, "GRAPH_FROM", 1)
    assert len(near(storage, 1, 2, 3, limit=400)) == 300
