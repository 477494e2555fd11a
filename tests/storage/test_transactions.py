"""Is everything of a transaction kept, or nothing, and does everybody get a turn?"""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pytest

from tests.conftest import DatabaseKind
from tests.storage.opening import open_at
from tests.storage.samples import (
    OTHER_SPACE,
    SPACE,
    a_change,
    a_document,
    a_job,
    add,
    an_entry,
    at,
    save,
)
from vademecum.model.errors import Busy
from vademecum.model.items import Folder
from vademecum.model.revisions import Action
from vademecum.ports.storage import ItemName, Storage, Transaction

ROUNDS = 1000
SAVES_BEFORE_KILL = 25

SAVE_FOR_EVER = """
import sys
from itertools import count
from tests.storage.opening import open_at
from tests.storage.samples import a_document, save
storage = open_at(sys.argv[1])
for number in count():
    with storage.write() as tx:
        save(tx, a_document(f"item-{number}"), f"change-{number}")
    print(number, flush=True)
"""


def write_everything(tx: Transaction) -> None:
    """Something in every group of tables."""
    change = save(tx, a_document(tags=("t",)), "change-1")
    tx.items.set_names(SPACE, "item-1", [ItemName("n", "N", "title")])
    tx.folders.add(Folder(SPACE, "f1", None, "F", at(1)), "f", change)
    tx.jobs.add(a_job())
    tx.audit.add([an_entry()])
    tx.credits.spend("account-1", "2026-11", 5, None)
    tx.installation.put("id", "x")


def everything(tx: Transaction) -> list[object]:
    """What `write_everything` wrote."""
    return [
        tx.items.every_id(SPACE),
        tx.revisions.list(SPACE, "item-1"),
        tx.folders.list(SPACE),
        tx.jobs.pending([SPACE])["embed"],
        tx.audit.list([SPACE], 10),
        tx.credits.used("account-1", "2026-11"),
        tx.installation.get("id"),
        tx.items.text_bytes([SPACE]),
    ]


def in_threads(*actions: Callable[[], None]) -> None:
    """Run the actions at the same time; what one of them raises is raised here."""
    raised: list[BaseException] = []

    def guarded(action: Callable[[], None]) -> None:
        try:
            action()
        except BaseException as error:
            raised.append(error)
            raise

    threads = [threading.Thread(target=guarded, args=(action,)) for action in actions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if raised:
        raise raised[0]


def test_an_exception_leaves_no_trace(storage: Storage) -> None:
    with storage.read() as tx:
        before = everything(tx)

    def fail() -> None:
        with storage.write() as tx:
            write_everything(tx)
            raise LookupError

    with pytest.raises(LookupError):
        fail()
    with storage.read() as tx:
        assert everything(tx) == before
    with storage.write() as tx:
        write_everything(tx)
    with storage.read() as tx:
        assert tx.revisions.list(SPACE, "item-1")[0].change.sequence == 1


def test_a_transaction_sees_what_it_wrote(storage: Storage) -> None:
    with storage.write() as tx:
        write_everything(tx)
        within = everything(tx)
    with storage.read() as tx:
        assert everything(tx) == within


def test_a_reader_keeps_its_view_while_others_write(storage: Storage) -> None:
    add(storage, a_document("a"))
    with storage.read() as reader:
        assert reader.items.every_id(SPACE) == ["a"]
        in_threads(lambda: add(storage, a_document("b")))
        assert reader.items.every_id(SPACE) == ["a"]
        assert reader.items.find(SPACE, "b") is None
    with storage.read() as reader:
        assert reader.items.every_id(SPACE) == ["a", "b"]


def test_a_reader_does_not_wait_for_a_writer_nor_see_what_is_not_committed(storage: Storage) -> None:
    with storage.write() as tx:
        save(tx, a_document(), "change-1")
        with storage.read() as reader:
            assert reader.items.every_id(SPACE) == []
    with storage.read() as reader:
        assert reader.items.every_id(SPACE) == ["item-1"]


def test_a_transaction_is_over_when_its_context_is_left(storage: Storage) -> None:
    with storage.read() as reader:
        pass
    with storage.write() as writer:
        pass
    for tx in (reader, writer):
        with pytest.raises(RuntimeError):
            tx.items.every_id(SPACE)


def test_a_reader_cannot_write(storage: Storage) -> None:
    def write_in_a_read() -> None:
        with storage.read() as tx:
            tx.installation.put("id", "x")

    with pytest.raises(Exception, match=r"read-only|readonly"):
        write_in_a_read()
    with storage.read() as tx:
        assert tx.installation.get("id") is None


def test_of_two_writers_with_one_version_exactly_one_wins(storage: Storage) -> None:
    add(storage, a_document())
    wins: list[list[bool]] = [[], []]
    together = threading.Barrier(2)

    def write(writer: int) -> None:
        for version in range(1, ROUNDS + 1):
            together.wait()
            with storage.write() as tx:
                mine = a_document(version=version + 1, title=f"Writer {writer}")
                wins[writer].append(tx.items.replace(mine, None, version))

    in_threads(partial(write, 0), partial(write, 1))
    assert [sum(pair) for pair in zip(*wins, strict=True)] == [1] * ROUNDS
    with storage.read() as tx:
        item = tx.items.find(SPACE, "item-1")
    assert item == a_document(version=ROUNDS + 1, title=f"Writer {int(wins[1][-1])}").item


def test_changes_of_many_writers_are_numbered_in_the_order_of_their_commits(storage: Storage) -> None:
    order: list[int] = []

    def write(writer: int) -> None:
        for number in range(20):
            with storage.write() as tx:
                document = a_document(f"{writer}-{number}")
                change = save(tx, document, f"change-{writer}-{number}")
                order.append(change.sequence)

    in_threads(*(partial(write, writer) for writer in range(4)))
    assert order == list(range(1, 81))
    with storage.read() as tx:
        assert len(tx.items.every_id(SPACE)) == 80


def test_of_two_saves_under_one_id_one_is_kept(storage: Storage) -> None:
    added: list[bool] = []
    together = threading.Barrier(3)

    def save_one(title: str) -> None:
        together.wait()
        with storage.write() as tx:
            tx.revisions.begin(a_change(f"change of {title}"))
            added.append(tx.items.add(a_document(title=title), None))

    in_threads(*(partial(save_one, title) for title in "abc"))
    assert sorted(added) == [False, False, True]


def test_whoever_gets_no_turn_in_time_is_told_so(library_url: str, storage: Storage) -> None:
    hasty = open_at(library_url, busy_seconds=0.05)
    with storage.write() as tx:
        tx.revisions.begin(a_change("change-1"))
        with pytest.raises(Busy), hasty.write() as other:
            other.revisions.begin(a_change("change-2"))
    with hasty.write() as other:
        assert other.revisions.begin(a_change("change-2")).sequence == 2
    hasty.close()


def test_a_second_process_gets_its_turn_beside_a_busy_one(library_url: str, storage: Storage) -> None:
    beside = open_at(library_url)
    done = threading.Event()

    def write_without_pause(writer: int) -> None:
        number = 0
        while not done.is_set():
            number += 1
            with storage.write() as tx:
                save(tx, a_document(f"{writer}-{number}"), f"{writer}-{number}")

    def write_a_little() -> None:
        try:
            for number in range(20):
                with beside.write() as tx:
                    save(tx, a_document(f"beside-{number}"), f"beside-{number}")
        finally:
            done.set()

    in_threads(write_a_little, *(partial(write_without_pause, writer) for writer in range(3)))
    with storage.read() as tx:
        found = tx.items.every_id(SPACE)
    assert [item_id for item_id in found if item_id.startswith("beside")] == sorted(
        f"beside-{number}" for number in range(20)
    )
    beside.close()


def test_what_was_acknowledged_survives_a_kill(library_url: str, storage: Storage) -> None:
    program = [sys.executable, "-c", SAVE_FOR_EVER, library_url]
    with subprocess.Popen(program, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        acknowledged = [int(next(process.stdout)) for _ in range(SAVES_BEFORE_KILL)]
        process.kill()
        acknowledged += [int(line) for line in process.stdout if line.endswith("\n")]
    with storage.read() as tx:
        found = tx.items.every_id(SPACE)
        kept = [tx.items.load(SPACE, item_id) for item_id in found]
        histories = [len(tx.revisions.list(SPACE, item_id)) for item_id in found]
        assert tx.revisions.gaps(SPACE) == []
        assert tx.items.broken_texts(SPACE) == []
    assert {f"item-{number}" for number in acknowledged} <= set(found)
    assert kept == [a_document(item_id) for item_id in found]
    assert histories == [1] * len(found)
    assert storage.integrity_problems() == []


def test_a_library_is_the_same_after_it_was_closed(library_url: str, storage: Storage) -> None:
    with storage.write() as tx:
        write_everything(tx)
    with storage.read() as tx:
        before = everything(tx)
    again = open_at(library_url)
    with again.read() as tx:
        assert everything(tx) == before
    again.close()


def test_nothing_begins_once_the_storage_is_closed(library_url: str) -> None:
    closed = open_at(library_url)
    closed.close()
    for begin in (closed.read, closed.write):
        with pytest.raises((RuntimeError, Busy)), begin() as tx:
            tx.items.every_id(SPACE)


def test_a_new_library_is_sound(storage: Storage) -> None:
    assert storage.integrity_problems() == []


def test_writers_of_two_spaces_do_not_wait_for_each_other(
    storage: Storage, database_kind: DatabaseKind
) -> None:
    """SQLite has one writer, so there the second is refused in time; PostgreSQL lets both go on."""
    went_on = threading.Event()

    def write_elsewhere() -> None:
        with storage.write() as tx:
            save(tx, replace(a_document(), item=a_document(space_id=OTHER_SPACE).item), "change-1")
        went_on.set()

    with storage.write() as tx:
        save(tx, a_document(), "change-1")
        thread = threading.Thread(target=write_elsewhere)
        thread.start()
        if database_kind == "postgres":
            assert went_on.wait(60)
    thread.join()
    with storage.read() as tx:
        assert tx.items.every_id(OTHER_SPACE) == ["item-1"]
        assert [revision.action for revision in tx.revisions.list(OTHER_SPACE, "item-1")] == [Action.CREATE]
