"""Does the SQLite index hold exactly what it should, and is it mended when it does not?"""

from __future__ import annotations

import sqlite3
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.storage.index_samples import (
    MODEL,
    a_chunk,
    a_head,
    a_vector,
    found,
    index,
    items_of,
    near,
    numbers_of,
    sections,
    undone,
    vector,
)
from tests.storage.opening import migrate, path_of
from tests.storage.samples import OTHER_SPACE, SPACE, add_people
from vademecum.model.items import Layer
from vademecum.ports.index import NewChunk, Scope
from vademecum.ports.storage import Storage
from vademecum.storage.index import vector_changes
from vademecum.storage.sqlite import SqliteStorage, open_sqlite
from vademecum.storage.vector_scan import VectorCache

Posting = tuple[str, int, str, int]  # token with the code of its space, section, column, place

_POSTINGS = "SELECT term, doc, col, offset FROM posting"
_DELETE = "INSERT INTO chunk_fts (chunk_fts, rowid, head, body) VALUES ('delete', ?, ?, ?)"
_INSERT = "INSERT INTO chunk_fts (rowid, head, body) VALUES (?, ?, ?)"


@pytest.fixture
def path(sqlite_url: str) -> Path:
    """The file of an empty library with an account and two spaces."""
    migrate(sqlite_url)
    opened = path_of(sqlite_url)
    with closing(open_sqlite(opened)) as storage:
        add_people(storage)
    return opened


@pytest.fixture
def storage(path: Path) -> Iterator[SqliteStorage]:
    with closing(open_sqlite(path)) as opened:
        yield opened


def postings(path: Path) -> Counter[Posting]:
    """Everything that the full-text table holds, by walking through it."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(
            "CREATE VIRTUAL TABLE temp.posting USING fts5vocab('main', 'chunk_fts', 'instance')"
        )
        return Counter(connection.execute(_POSTINGS).fetchall())


def expected(code: str, numbers: list[int], chunks: list[NewChunk]) -> Counter[Posting]:
    """The postings of the sections."""
    return Counter(
        (code + token, number, column, place)
        for number, chunk in zip(numbers, chunks, strict=True)
        for column, tokens in (("head", chunk.head_tokens), ("body", chunk.body_tokens))
        for place, token in enumerate(tokens.split())
    )


def tamper(path: Path, statement: str, *values: object) -> None:
    """Change the file behind the back of the index."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(statement, values)


def check(path: Path) -> None:
    """The database's own checks; they raise what they find."""
    with closing(sqlite3.connect(path)) as connection, connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        connection.execute("INSERT INTO chunk_fts (chunk_fts) VALUES ('integrity-check')")


TOKENS = st.lists(st.sampled_from(["otter", "salmon", "机器", "学习", "習", "a\u00b7b"]), max_size=6).map(
    " ".join
)


@st.composite
def some_chunks(draw: st.DrawFn) -> list[NewChunk]:
    """Up to three sections with any tokens, of any version of the tokenizer."""
    return [
        a_chunk(
            draw(TOKENS),
            ordinal=place,
            head_tokens=draw(TOKENS),
            body_tokens=draw(TOKENS),
            tokenizer_version=draw(st.integers(1, 3)),
        )
        for place in range(draw(st.integers(0, 3)))
    ]


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(changes=st.lists(st.tuples(st.sampled_from(["item-1", "item-2"]), some_chunks()), max_size=6))
def test_the_table_holds_exactly_the_tokens_that_were_given(
    storage: SqliteStorage, path: Path, changes: list[tuple[str, list[NewChunk]]]
) -> None:
    """Whatever the tokenizer was when a section came: taking it out needs its tokens, not their rules."""
    now: dict[str, list[NewChunk]] = {"item-1": [], "item-2": []}
    for item_id in now:
        index(storage, item_id)
    for item_id, chunks in changes:
        index(storage, item_id, *chunks)
        now[item_id] = chunks
    wanted = Counter[Posting]()
    for item_id, chunks in now.items():
        wanted += expected("1\u00b7", numbers_of(storage, item_id), chunks)
    assert postings(path) == wanted
    check(path)


@dataclass(frozen=True, slots=True)
class Posted:
    """What the table holds of a section."""

    number: int
    head: str
    body: str


def taken(path: Path, posted: Posted) -> None:
    tamper(path, _DELETE, posted.number, posted.head, posted.body)


def taken_wrongly(path: Path, posted: Posted) -> None:
    tamper(path, _DELETE, posted.number, "1\u00b7other", "1\u00b7tokens")


def added_to(path: Path, posted: Posted) -> None:
    tamper(path, _INSERT, posted.number, "1\u00b7more", "1\u00b7more")


def resized(path: Path, posted: Posted) -> None:
    tamper(path, "UPDATE chunk_fts_docsize SET sz = x'0101' WHERE id = ?", posted.number)


def without_size(path: Path, posted: Posted) -> None:
    tamper(path, "DELETE FROM chunk_fts_docsize WHERE id = ?", posted.number)


TAMPERINGS: list[Callable[[Path, Posted], None]] = [taken, taken_wrongly, added_to, resized, without_size]


def posted_of(storage: Storage, item_id: str, chunk: NewChunk) -> Posted:
    (number,) = numbers_of(storage, item_id)
    return Posted(number, led(chunk.head_tokens), led(chunk.body_tokens))


def led(tokens: str) -> str:
    return " ".join(f"1\u00b7{token}" for token in tokens.split())


@pytest.mark.parametrize("tampering", TAMPERINGS)
def test_a_drift_is_noticed_and_indexing_the_same_again_mends_it(
    storage: SqliteStorage, path: Path, tampering: Callable[[Path, Posted], None]
) -> None:
    chunk, other = a_chunk("The otter swims. 机器学习"), a_chunk("An otter sleeps.")
    index(storage, "item-1", chunk)
    index(storage, "item-2", other)
    tampering(path, posted_of(storage, "item-1", chunk))
    assert not holds(storage, "item-1", chunk)
    assert holds(storage, "item-2", other)
    assert "item-2" in found(storage, "otter")
    assert "item-2" in found(storage, "otter", Scope((SPACE,), layer=Layer.AUTHORED))
    index(storage, "item-1", chunk)
    assert holds(storage, "item-1", chunk)
    assert set(found(storage, "otter")) == {"item-1", "item-2"}
    assert found(storage, "more") == []
    check(path)


@pytest.mark.parametrize("tampering", TAMPERINGS)
def test_a_section_with_a_drift_can_be_replaced_and_taken_out(
    storage: SqliteStorage, path: Path, tampering: Callable[[Path, Posted], None]
) -> None:
    chunk = a_chunk("The otter swims.")
    index(storage, "item-1", chunk)
    tampering(path, posted_of(storage, "item-1", chunk))
    index(storage, "item-1", a_chunk("The badger digs."))
    assert (found(storage, "otter"), found(storage, "badger")) == ([], ["item-1"])
    index(storage, "item-1")
    assert found(storage, "badger") == []
    check(path)


def holds(storage: Storage, item_id: str, chunk: NewChunk) -> bool:
    with storage.read() as tx:
        (stored,) = tx.index.chunks_of(SPACE, item_id)
        return tx.index.postings(stored.space_id)(stored, chunk.head_tokens, chunk.body_tokens)


def test_other_tokens_of_the_same_number_are_noticed(storage: SqliteStorage, path: Path) -> None:
    chunk = a_chunk("otter salmon badger")
    index(storage, "item-1", chunk)
    (number,) = numbers_of(storage, "item-1")
    tamper(path, _DELETE, number, "1\u00b7titl", "1\u00b7otter 1\u00b7salmon 1\u00b7badger")
    tamper(path, _INSERT, number, "1\u00b7titl", "1\u00b7salmon 1\u00b7otter 1\u00b7badger")
    assert not holds(storage, "item-1", chunk)


def test_postings_of_a_section_that_is_gone_do_not_stop_a_search(storage: SqliteStorage, path: Path) -> None:
    """Taking a section out with other tokens leaves postings without a size, at which ranking would raise."""
    index(storage, "item-1", a_chunk("The otter swims."))
    tamper(path, _INSERT, 999, "1\u00b7otter", "1\u00b7otter")
    tamper(path, _DELETE, 999, "1\u00b7other", "1\u00b7tokens")
    assert found(storage, "otter") == ["item-1"]
    with storage.read() as tx:
        assert tx.index.containing([["otter"]], Scope((SPACE,)), 10, 0) == [(SPACE, "item-1")]


def test_spaces_share_no_posting(storage: SqliteStorage, path: Path) -> None:
    index(storage, "item-1", a_chunk("otter", ""))
    index(storage, "item-2", a_chunk("otter", ""), space_id=OTHER_SPACE)
    assert {term for term, *_ in postings(path)} == {"1\u00b7otter", "2\u00b7otter"}


def test_another_process_sees_each_commit_at_its_next_search(storage: SqliteStorage, path: Path) -> None:
    with closing(open_sqlite(path)) as other:
        for number in range(5):
            index(
                storage, f"item-{number}", a_chunk("text", vectors=(a_vector(1, number), a_head(1, number)))
            )
            assert items_of(near(other, 1, 0)) == [f"item-{before}" for before in range(number + 1)]
        index(other, "item-2")
        assert "item-2" not in items_of(near(storage, 1, 0))
        assert "item-2" not in items_of(near(storage, 1, 0, heads=True))


def test_who_missed_too_many_changes_reads_everything_anew(
    storage: SqliteStorage, monkeypatch: pytest.MonkeyPatch, path: Path
) -> None:
    monkeypatch.setattr(vector_changes, "_ON_RECORD", 4)
    monkeypatch.setattr(vector_changes, "_TIDIED_EVERY", 2)
    index(storage, "item-0", a_chunk("text", vectors=(a_vector(1, 0),)))
    assert items_of(near(storage, 1, 0)) == ["item-0"]
    with closing(open_sqlite(path)) as other:
        for number in range(1, 12):
            index(other, f"item-{number}", a_chunk("text", vectors=(a_vector(1, number),)))
        index(other, "item-0")
    assert items_of(near(storage, 1, 0)) == [f"item-{number}" for number in range(1, 12)]
    with closing(sqlite3.connect(path)) as connection:
        (kept,) = connection.execute("SELECT COUNT(DISTINCT sequence) FROM index_change").fetchone()
    assert kept <= 6


def filled(storage: SqliteStorage) -> None:
    for number in range(30):
        vectors = tuple(a_vector(30 - number, part, part=part) for part in range(3))
        index(storage, f"item-{number:02}", a_chunk("text", vectors=vectors))


def test_what_is_too_large_to_be_kept_is_found_all_the_same(storage: SqliteStorage) -> None:
    filled(storage)
    kept = near(storage, 5, 1, limit=7)
    storage._vectors = cache = VectorCache(memory_limit=100)
    storage._close_idle()
    assert near(storage, 5, 1, limit=7) == kept
    assert near(storage, 5, 1, limit=7) == kept
    assert cache.size == 0


def test_what_was_used_longest_ago_is_forgotten_first(storage: SqliteStorage) -> None:
    filled(storage)
    index(storage, "item-x", a_chunk("text", vectors=(a_vector(1, 0, model="model-b"), a_vector(1, 0))))
    near(storage, 1, 0)
    room = storage._vectors.size
    storage._vectors = cache = VectorCache(memory_limit=room)
    storage._close_idle()
    kept = near(storage, 1, 0)
    assert cache.size == room
    near(storage, 1, 0, model="model-b")
    assert 0 < cache.size < room
    assert near(storage, 1, 0) == kept
    assert cache.size == room


def test_what_was_not_committed_is_not_remembered(storage: SqliteStorage) -> None:
    index(storage, "item-1", a_chunk("text", vectors=(a_vector(1, 0),)))
    for _ in range(2):
        with undone(storage) as tx:
            tx.index.replace(SPACE, "item-1", 2, [a_chunk("other", vectors=(a_vector(0, 1),))])
            seen = tx.index.nearest(MODEL, vector(1, 0), Scope((SPACE,)), 5, heads=False)
            assert [round(match.similarity) for match in seen] == [0]
        assert [round(match.similarity) for match in near(storage, 1, 0)] == [1]
    index(storage, "item-2", a_chunk("text", vectors=(a_vector(1, 1),)))
    assert items_of(near(storage, 1, 0)) == ["item-1", "item-2"]


def test_searching_needs_no_turn_of_the_writer(storage: SqliteStorage) -> None:
    index(storage, "item-1", a_chunk("otter", vectors=(a_vector(1, 0),)))
    with storage.write():
        assert items_of(near(storage, 1, 0)) == ["item-1"]
        assert found(storage, "otter") == ["item-1"]


def test_threads_that_search_while_others_write_each_see_one_state(storage: SqliteStorage) -> None:
    """Every change puts a nearer vector in place of one, so that a reader always finds exactly one item."""
    index(storage, "item-1", a_chunk("0", vectors=(a_vector(1, 40),)))
    done = threading.Event()

    def write() -> None:
        for number in range(1, 40):
            index(storage, "item-1", a_chunk(f"{number}", vectors=(a_vector(1, 40 - number),)))
        done.set()

    def read() -> list[float]:
        seen: list[float] = []
        while not done.is_set():
            (match,) = near(storage, 1, 0)
            seen.append(match.similarity)
        return seen

    with ThreadPoolExecutor(4) as pool:
        readers = [pool.submit(read) for _ in range(3)]
        pool.submit(write).result()
    assert all(reader.result() == sorted(reader.result()) for reader in readers)
    assert near(storage, 1, 0)[0].similarity == pytest.approx(2**-0.5, abs=1e-3)


def test_a_space_made_again_does_not_show_what_the_first_held(storage: SqliteStorage) -> None:
    index(storage, "item-1", a_chunk("text", vectors=(a_vector(1, 0),)), space_id=OTHER_SPACE)
    scope = Scope((OTHER_SPACE,))
    assert items_of(near(storage, 1, 0, scope=scope)) == ["item-1"]
    with storage.write() as tx:
        space = tx.access.space(OTHER_SPACE)
        assert space is not None
        tx.access.purge_space(OTHER_SPACE)
        assert tx.access.add_space(replace(space))
    index(storage, "item-2", a_chunk("text", vectors=(a_vector(0, 1),)), space_id=OTHER_SPACE)
    assert items_of(near(storage, 1, 0, scope=scope)) == ["item-2"]


def test_a_long_section_is_checked_to_its_end(storage: SqliteStorage, path: Path) -> None:
    words = [f"word{number}" for number in range(300)]
    (chunk,) = sections(" ".join(words))
    index(storage, "item-1", chunk)
    assert holds(storage, "item-1", chunk)
    assert not holds(storage, "item-1", replace(chunk, body_tokens=chunk.body_tokens[:-1]))
    (number,) = numbers_of(storage, "item-1")
    swapped = [f"1\u00b7{word}" for word in [*words[:-2], words[-1], words[-2]]]
    tamper(path, _DELETE, number, "1\u00b7titl", " ".join(f"1\u00b7{word}" for word in words))
    tamper(path, _INSERT, number, "1\u00b7titl", " ".join(swapped))
    assert not holds(storage, "item-1", chunk)
