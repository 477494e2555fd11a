"""Is nothing called durable before the disk has it, and do many share one wait?"""

from __future__ import annotations

import errno
import threading
from functools import partial
from pathlib import Path

import pytest

from tests.storage.test_turns import PATIENCE
from vademecum.model.errors import Refusal, StorageFull, StoredDataDamaged
from vademecum.storage import log_sync
from vademecum.storage.log_sync import LogSync


class Disk:
    """A disk that takes what it is given when the test says so."""

    def __init__(self) -> None:
        self.flushes = 0
        self.asked = threading.Semaphore(0)
        self.may_take = threading.Semaphore(0)
        self.failure: OSError | None = None

    def make_durable(self, _: int) -> None:
        self.asked.release()
        assert self.may_take.acquire(timeout=PATIENCE)
        self.flushes += 1
        if self.failure is not None:
            raise self.failure


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    slow = Disk()
    monkeypatch.setattr(log_sync, "make_durable", slow.make_durable)
    return slow


@pytest.fixture
def log(tmp_path: Path) -> LogSync:
    path = tmp_path / "library.db-wal"
    path.write_bytes(b"")
    return LogSync(path)


def commit(log: LogSync) -> None:
    with log.committing():
        pass


def waiting(log: LogSync) -> tuple[threading.Thread, threading.Event]:
    """Somebody who committed and waits for it; the event tells that the wait is over."""
    commit(log)
    over = threading.Event()

    def wait(commits: int) -> None:
        log.await_durable(commits)
        over.set()

    thread = threading.Thread(target=partial(wait, log.begun))
    thread.start()
    return thread, over


def test_a_commit_waits_for_the_disk(disk: Disk, log: LogSync) -> None:
    thread, over = waiting(log)
    assert disk.asked.acquire(timeout=PATIENCE)
    assert not over.is_set()
    disk.may_take.release()
    thread.join()
    assert over.is_set()
    assert disk.flushes == 1


def test_who_commits_during_a_flush_is_served_by_the_next_one(disk: Disk, log: LogSync) -> None:
    first, first_over = waiting(log)
    assert disk.asked.acquire(timeout=PATIENCE)
    later = [waiting(log) for _ in range(10)]
    disk.may_take.release()
    first.join()
    assert first_over.is_set()
    assert disk.asked.acquire(timeout=PATIENCE)
    assert not any(over.is_set() for _, over in later)
    disk.may_take.release()
    for thread, _ in later:
        thread.join()
    assert all(over.is_set() for _, over in later)
    assert disk.flushes == 2


def test_what_is_durable_is_not_waited_for(disk: Disk, log: LogSync) -> None:
    log.await_durable(log.begun)
    thread, _ = waiting(log)
    disk.may_take.release()
    thread.join()
    log.await_durable(log.begun)
    assert disk.flushes == 1


@pytest.mark.parametrize(("number", "refusal"), [(errno.ENOSPC, StorageFull), (errno.EIO, StoredDataDamaged)])
def test_once_the_disk_failed_nothing_is_called_durable(
    disk: Disk, log: LogSync, number: int, refusal: type[Refusal]
) -> None:
    disk.failure = OSError(number, "no")
    disk.may_take.release()
    commit(log)
    with pytest.raises(refusal):
        log.await_durable(log.begun)
    disk.failure = None
    commit(log)
    with pytest.raises(refusal):
        log.await_durable(log.begun)
    assert disk.flushes == 1


def test_closing_makes_durable_what_was_committed(disk: Disk, log: LogSync) -> None:
    commit(log)
    disk.may_take.release()
    log.close()
    assert disk.flushes == 1


def test_the_real_disk_takes_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    path = tmp_path / "library.db-wal"
    path.write_bytes(b"x")
    log = LogSync(path)
    commit(log)
    log.await_durable(log.begun)
    log.close()


def test_who_sees_a_commit_that_is_not_over_waits_for_it_too(disk: Disk, log: LogSync) -> None:
    with log.committing():
        seen = log.begun
        reader = threading.Thread(target=partial(log.await_durable, seen))
        reader.start()
        disk.may_take.release()
        assert disk.asked.acquire(timeout=PATIENCE)
        assert disk.asked.acquire(
            timeout=PATIENCE
        )  # the flush that began before the commit was over is not enough
    disk.may_take.release()
    assert disk.asked.acquire(timeout=PATIENCE)
    disk.may_take.release()
    reader.join()
    assert disk.flushes == 3
