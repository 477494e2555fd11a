"""Does a library in a SQLite file bear full disks, damage and other processes?"""

from __future__ import annotations

import errno
import re
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.databases import SqliteDatabases
from tests.storage.opening import change_rows, migrate, open_at, path_of, query
from tests.storage.samples import ACCOUNT, SPACE, a_document, add, add_people, at, save
from tests.storage.test_turns import PATIENCE
from vademecum.model.errors import Busy, IncompatibleLibrary, StorageFull, StoredDataDamaged
from vademecum.model.items import Layers
from vademecum.model.jobs import JobKind
from vademecum.model.search import Filters
from vademecum.ports.storage import Transaction
from vademecum.storage import log_sync
from vademecum.storage.sqlite import SqliteStorage, open_sqlite, pending_sqlite
from vademecum.storage.sqlite_connection import SqliteConnection

OWN_TABLES = (
    "item",
    "item_name",
    "item_tag",
    "item_text",
    "text",
    "revision",
    "change",
    "link",
    "job",
    "audit",
)

NOISE = "".join(chr(0x4E00 + n * 7919 % 20000) for n in range(40_000))

SAVE_UNTIL_FULL = """
import resource, signal, sys
from pathlib import Path
from tests.storage.samples import SPACE, a_document, save
from tests.storage.test_sqlite import NOISE
from vademecum.model.errors import StorageFull
from vademecum.model.items import Layers
from vademecum.storage.sqlite import open_sqlite
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
storage = open_sqlite(Path(sys.argv[1]))
resource.setrlimit(resource.RLIMIT_FSIZE, (1_500_000, resource.RLIM_INFINITY))
kept = 0
try:
    for number in range(1000):
        with storage.write() as tx:
            layers = Layers(authored=f"{number}{NOISE}")
            save(tx, a_document(f"item-{number:04}", layers=layers), f"change-{number}")
        kept = number + 1
except StorageFull:
    pass
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
with storage.read() as tx:
    assert len(tx.items.every_id(SPACE)) == kept
with storage.write() as tx:
    save(tx, a_document("afterwards"), "afterwards")
storage.close()
print(kept)
"""


@pytest.fixture
def path(sqlite_source: SqliteDatabases) -> Iterator[Path]:
    """An empty library."""
    yield path_of(sqlite_source.fresh(migrate))
    sqlite_source.discard()


@pytest.fixture
def storage(path: Path) -> Iterator[SqliteStorage]:
    """A library with an account and two spaces."""
    opened = open_sqlite(path)
    add_people(opened)
    yield opened
    opened.close()


def test_only_its_owner_may_read_a_library(tmp_path: Path) -> None:
    storage = open_sqlite(tmp_path / "library.db")
    add_people(storage)
    modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in tmp_path.iterdir()}
    assert modes == dict.fromkeys(["library.db", "library.db-wal", "library.db-shm"], 0o600)
    storage.close()


def test_a_closed_library_is_one_file(tmp_path: Path) -> None:
    storage = open_sqlite(tmp_path / "library.db")
    add_people(storage)
    with storage.read() as tx:
        assert len(tx.access.spaces()) == 2
    storage.close()
    assert [file.name for file in tmp_path.iterdir()] == ["library.db"]


def test_a_path_may_hold_any_character(tmp_path: Path) -> None:
    path = tmp_path / "100% ?mode=ro & #日本.db"
    storage = open_sqlite(path)
    add_people(storage)
    storage.close()
    assert path.stat().st_size > 0


def test_a_full_disk_is_told_and_what_was_there_stays(storage: SqliteStorage) -> None:
    add(storage, a_document("before"))
    writer = storage._writer
    assert writer is not None
    raw = writer.connection._connection
    pages = raw.execute("PRAGMA page_count").fetchone()[0]
    raw.execute(f"PRAGMA max_page_count = {pages + 2}").close()
    with pytest.raises(StorageFull), storage.write() as tx:
        save(tx, a_document("too-much", layers=Layers(authored=NOISE)), "change-1")
    with storage.read() as tx:
        assert tx.items.every_id(SPACE) == ["before"]
    raw.execute("PRAGMA max_page_count = 1000000").close()
    with storage.write() as tx:
        assert save(tx, a_document("after"), "change-1").sequence == 1
    with storage.read() as tx:
        assert tx.items.every_id(SPACE) == ["after", "before"]
    assert storage.integrity_problems() == []


def test_a_file_that_may_not_grow_is_told_as_a_full_disk(path: Path) -> None:
    storage = open_sqlite(path)
    add_people(storage)
    storage.close()
    done = subprocess.run(
        [sys.executable, "-c", SAVE_UNTIL_FULL, str(path)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    kept = int(done.stdout)
    assert 0 < kept < 1000
    storage = open_sqlite(path)
    with storage.read() as tx:
        assert tx.items.every_id(SPACE) == ["afterwards", *(f"item-{number:04}" for number in range(kept))]
        assert tx.items.broken_texts(SPACE) == []
    assert storage.integrity_problems() == []
    storage.close()


def test_a_lock_of_another_process_is_waited_for_and_told_in_time(path: Path) -> None:
    hasty, patient = open_sqlite(path, busy_seconds=0.05), open_sqlite(path, busy_seconds=PATIENCE)
    add_people(patient)
    outside = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    outside.execute("BEGIN IMMEDIATE")
    with pytest.raises(Busy), hasty.write() as tx:
        tx.installation.put("who", "hasty")
    with hasty.read() as tx:
        assert tx.installation.get("who") is None
    end = threading.Timer(0.02, outside.execute, ["COMMIT"])
    end.start()
    with patient.write() as tx:
        tx.installation.put("who", "patient")
    end.join()
    outside.close()
    with hasty.read() as tx:
        assert tx.installation.get("who") == "patient"
    hasty.close()
    patient.close()


def test_readers_are_bounded(path: Path) -> None:
    storage = open_sqlite(path, busy_seconds=0.02, readers=2)
    with storage.read(), storage.read(), pytest.raises(Busy), storage.read():
        pass
    with storage.read() as tx:
        assert tx.access.spaces() == []
    storage.close()


def test_a_thread_that_writes_is_told_when_it_begins_to_write_again(storage: SqliteStorage) -> None:
    with storage.write() as tx:
        with pytest.raises(RuntimeError), storage.write():
            pass
        tx.installation.put("still", "writing")
    with storage.read() as tx:
        assert tx.installation.get("still") == "writing"


def test_a_refusal_within_a_read_costs_no_connection(storage: SqliteStorage) -> None:
    for _ in range(10):
        with pytest.raises(IndexError), storage.read() as tx:
            tx.items.every_id(SPACE)[0]
    assert len(storage._idle) == 1


def test_a_reader_that_ends_after_the_storage_was_closed_leaves_no_file_open(path: Path) -> None:
    storage = open_sqlite(path)
    add_people(storage)
    with storage.read() as tx:
        assert len(tx.access.spaces()) == 2
        storage.close()
        assert len(tx.access.spaces()) == 2
    assert [file.name for file in path.parent.glob(f"{path.name}*")] == [path.name]


def test_damage_within_the_file_is_told(path: Path, storage: SqliteStorage) -> None:
    add(storage, *(a_document(f"{n}", layers=Layers(authored=f"{n} {NOISE[:9000]}")) for n in range(20)))
    storage.close()
    with path.open("r+b") as file:
        pages = path.stat().st_size // 4096
        for page in range(pages * 3 // 4, pages):
            file.seek(page * 4096)
            file.write(b"\xff" * 200)
    damaged = open_sqlite(path)
    assert damaged.integrity_problems() != []
    damaged.close()


def test_a_file_that_is_no_database_is_told(tmp_path: Path) -> None:
    path = tmp_path / "library.db"
    path.write_bytes(b"This is a text and no database at all." * 100)
    with pytest.raises(StoredDataDamaged):
        open_sqlite(path)
    assert path.read_bytes().startswith(b"This is a text")


def test_rows_without_their_parent_are_told(path: Path, storage: SqliteStorage) -> None:
    add(storage, a_document())
    change_rows(f"sqlite:///{path}", "DELETE FROM item")
    assert storage.integrity_problems() == ["1 rows of item_text name no row of item"]


def test_a_commit_lasts_whatever_happens_to_the_process_afterwards(path: Path) -> None:
    """The log is flushed by us, so the file must say that SQLite itself leaves it to us and nothing more."""
    storage = open_sqlite(path)
    add_people(storage)
    assert storage._writer is not None
    connection = storage._writer.connection._connection
    settings = {
        name: connection.execute(f"PRAGMA {name}").fetchone()[0]
        for name in ("journal_mode", "synchronous", "foreign_keys", "wal_autocheckpoint", "mmap_size")
    }
    expected = {"journal_mode": "wal", "synchronous": 1, "foreign_keys": 1, "wal_autocheckpoint": 1000}
    assert settings == expected | {"mmap_size": 0}
    assert storage._log.begun == storage._log._durable > 0
    storage.close()


def test_a_transaction_that_changed_nothing_asks_nothing_of_the_disk(storage: SqliteStorage) -> None:
    before = storage._log.begun
    with storage.write() as tx:
        assert tx.items.every_id(SPACE) == []
    assert storage._log.begun == before


def test_a_view_begins_with_the_transaction(storage: SqliteStorage) -> None:
    with storage.read() as reader:
        add(storage, a_document())
        assert reader.items.every_id(SPACE) == []


def test_nothing_is_written_any_more_once_the_disk_failed(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: int) -> None:
        raise OSError(errno.EIO, "broken")

    storage = open_sqlite(path)
    add_people(storage)
    monkeypatch.setattr(log_sync, "make_durable", fail)
    with pytest.raises(StoredDataDamaged), storage.write() as tx:
        tx.items.add(a_document("unsure"), None)
    monkeypatch.undo()
    with pytest.raises(StoredDataDamaged), storage.write() as tx:
        tx.items.add(a_document("refused"), None)
    with pytest.raises(StoredDataDamaged):
        storage.close()
    assert [file.name for file in path.parent.glob(f"{path.name}*")] == [path.name]
    again = open_sqlite(path)
    with again.read() as tx:
        assert tx.items.every_id(SPACE) == ["unsure"]
    again.close()


def test_what_one_process_commits_another_sees(path: Path, storage: SqliteStorage) -> None:
    beside = open_at(f"sqlite:///{path}")
    add(storage, a_document("one"))
    add(beside, a_document("two", created_at=at(2)))
    for opened in (storage, beside):
        with opened.read() as tx:
            assert tx.items.every_id(SPACE) == ["one", "two"]
    beside.close()


HOT_QUESTIONS: dict[str, Callable[[Transaction], object]] = {
    "find": lambda tx: tx.items.find(SPACE, "item-1"),
    "load": lambda tx: tx.items.load(SPACE, "item-1"),
    "find_all": lambda tx: tx.items.find_all([(SPACE, "item-1")]),
    "list_recent": lambda tx: tx.items.list_recent([SPACE], Filters(), 5, (at(9), "x")),
    "list_recent with tags": lambda tx: tx.items.list_recent([SPACE], Filters(tags=("a",)), 5),
    "matching with tags": lambda tx: tx.items.matching([SPACE], Filters(tags=("a", "b"))),
    "matching a time": lambda tx: tx.items.matching([SPACE], Filters(created=(at(1), at(2)))),
    "trashed": lambda tx: tx.items.trashed([SPACE], 5),
    "trashed_before": lambda tx: tx.items.trashed_before([SPACE], at(9), 10),
    "with_source": lambda tx: tx.items.with_source([SPACE], "example.org"),
    "named": lambda tx: tx.items.named([SPACE], "plan"),
    "names": lambda tx: tx.items.names(SPACE, "item-1"),
    "taken_file_keys": lambda tx: tx.items.taken_file_keys(SPACE, None, "plan"),
    "revisions": lambda tx: tx.revisions.list(SPACE, "item-1"),
    "of_change": lambda tx: tx.revisions.of_change(SPACE, "change-1"),
    "folder named": lambda tx: tx.folders.named(SPACE, "f", "key"),
    "links out": lambda tx: tx.links.out_of(SPACE, "item-1"),
    "links into": lambda tx: tx.links.into(SPACE, ["plan"]),
    "key": lambda tx: tx.access.key_with_hash("x"),
    "personal_space": lambda tx: tx.access.personal_space(ACCOUNT),
    "claim": lambda tx: tx.jobs.claim([JobKind.EMBED], at(1), "lease", at(2)),
    "claim of several": lambda tx: tx.jobs.claim(list(JobKind), at(1), "lease", at(2)),
    "replace": lambda tx: tx.items.replace(a_document(version=2), None, 1),
    "purge": lambda tx: tx.items.purge(SPACE, "item-1"),
}


@pytest.mark.parametrize("question", HOT_QUESTIONS)
def test_no_frequent_question_reads_a_whole_space(
    storage: SqliteStorage, monkeypatch: pytest.MonkeyPatch, question: str
) -> None:
    asked: list[tuple[str, Mapping[str, object]]] = []
    execute = SqliteConnection._execute

    def noted(self: SqliteConnection, sql: str, parameters: Mapping[str, object]) -> sqlite3.Cursor:
        asked.append((sql, parameters))
        return execute(self, sql, parameters)

    monkeypatch.setattr(SqliteConnection, "_execute", noted)
    with storage.write() as tx:
        save(tx, a_document(tags=("a", "b")), "change-1")
        asked.clear()
        HOT_QUESTIONS[question](tx)
        statements = list(asked)
        assert storage._writer is not None
        plans = [
            str(row["detail"])
            for sql, parameters in statements
            for row in storage._writer.connection.all(f"EXPLAIN QUERY PLAN {sql}", **parameters)
        ]
    tables = "|".join(OWN_TABLES)
    wide = re.compile(rf"SCAN (?:{tables})\b|SEARCH (?:{tables}) .*\(space_id=\?\)$|AUTOMATIC")
    assert statements
    assert [step for step in plans if wide.search(step)] == []


@pytest.mark.parametrize(
    ("sql", "index"),
    [
        (
            """
            SELECT item_id FROM item
            WHERE space_id = 's' AND trashed_at IS NULL AND item_class = 'user-doc'
                AND created_at >= '' AND (created_at, item_id) < ('~', '')
            ORDER BY created_at DESC, item_id DESC LIMIT 10
            """,
            "item_by_age",
        ),
        (
            "SELECT at FROM audit WHERE space_id = 's' ORDER BY at DESC, audit_id DESC LIMIT 5",
            "audit_by_time",
        ),
    ],
)
def test_a_page_of_the_newest_is_not_sorted(path: Path, sql: str, index: str) -> None:
    plan = " ".join(str(row[-1]) for row in query(f"sqlite:///{path}", f"EXPLAIN QUERY PLAN {sql}"))
    assert index in plan
    assert "TEMP B-TREE" not in plan


def test_the_schema_needs_no_extension(path: Path) -> None:
    with closing(sqlite3.connect(path)) as file:
        modules = {
            str(sql).split("USING ")[1].split("(")[0]
            for (sql,) in file.execute("SELECT sql FROM sqlite_master WHERE sql LIKE 'CREATE VIRTUAL%'")
        }
    assert modules <= {"fts5", "fts5vocab"}


def test_a_file_of_another_program_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "library.db"
    with closing(sqlite3.connect(path)) as file, file:
        file.execute("CREATE TABLE theirs (name TEXT)")
    for attempt in (pending_sqlite, open_sqlite):
        with pytest.raises(IncompatibleLibrary):
            attempt(path)
    with closing(sqlite3.connect(path)) as file:
        assert file.execute("SELECT name FROM sqlite_master").fetchall() == [("theirs",)]


def test_a_place_that_cannot_hold_the_log_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    real: Callable[..., sqlite3.Connection] = sqlite3.connect

    def in_memory(*_: object, **options: Any) -> sqlite3.Connection:
        return real(":memory:", **options | {"uri": False})

    monkeypatch.setattr(sqlite3, "connect", in_memory)
    with pytest.raises(IncompatibleLibrary):
        open_sqlite(tmp_path / "library.db")


def test_the_change_mark_stays_until_somebody_commits(path: Path) -> None:
    with closing(open_sqlite(path)) as one, closing(open_sqlite(path)) as other:
        before = one.change_mark()
        with one.read() as tx:
            tx.access.accounts()
        assert one.change_mark() == before is not None
        with other.write() as tx:
            tx.installation.put("name", "value")
        changed = one.change_mark()
        assert changed not in (None, before)
        with one.write() as tx:
            tx.installation.put("name", "other")
        assert one.change_mark() not in (None, changed)
