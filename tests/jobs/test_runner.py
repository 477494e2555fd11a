"""Is every job done at least once, never twice at a time, and told when it is given up?"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, cast

import pytest

from tests.library.home import Home, an_id
from tests.storage.opening import query
from vademecum.capture.pipeline import Capture
from vademecum.jobs.runner import Progress, Runner, Work
from vademecum.library.saving import save_link
from vademecum.model.errors import Busy, FetchRefused, ProviderUnavailable
from vademecum.model.items import CaptureState
from vademecum.model.jobs import LEASE, MOST_ATTEMPTS, Job, JobKind, JobRejected, JobState, retry_delay
from vademecum.model.times import stamp
from vademecum.ports.fetch import FetchedPage
from vademecum.ports.storage import Storage, Transaction

KINDS = (JobKind.EMBED, JobKind.CAPTURE)


@dataclass
class Worker:
    """A runner with a handler that notes what it is given and then does what the test wants."""

    home: Home
    act: Callable[[Job, Progress], None] = lambda _, __: None
    ran: list[Job] = field(default_factory=list)
    given_up: list[tuple[str, str]] = field(default_factory=list)
    closed: int = 0

    def __post_init__(self) -> None:
        library = self.home.library
        work = {kind: Work(kind.value, self._run, self._gave_up, self._close) for kind in KINDS}
        self.runner = Runner(library.storage, library.clock, work)

    def _run(self, job: Job, progress: Progress) -> None:
        self.ran.append(job)
        self.act(job, progress)

    def _gave_up(self, job: Job, reason: str) -> None:
        self.given_up.append((job.subject, reason))

    def _close(self) -> None:
        self.closed += 1

    def subjects(self) -> list[str]:
        return [job.subject for job in self.ran]

    def once(self) -> bool:
        return self.runner.run_one(KINDS)


def queue(home: Home, *subjects: str, **changed: Any) -> None:
    now = home.library.now()
    for subject in subjects:
        fields = {"kind": JobKind.EMBED, "state": JobState.QUEUED, "run_at": now, "created_at": now}
        job = Job(home.owner.spaces[0], an_id(), subject=subject, arguments={}, **fields | changed)
        with home.library.storage.write() as tx:
            tx.jobs.add(job)


def rows(home: Home) -> list[tuple[str, str, int, str | None]]:
    """Subject, state, attempts and reason of every job that is left."""
    columns = "subject, state, attempts, reason"
    return [tuple(row) for row in query(home.url, f"SELECT {columns} FROM job ORDER BY subject")]


def fails_with(error: Exception) -> Callable[[Job, Progress], None]:
    def act(_: Job, __: Progress) -> None:
        raise error

    return act


def test_due_jobs_are_run_the_longest_due_first_and_leave_no_row(home: Home) -> None:
    worker = Worker(home)
    for subject in "abc":
        queue(home, subject)
        home.clock.pass_by(seconds=1)
    assert [worker.once() for _ in range(4)] == [True, True, True, False]
    assert (worker.subjects(), rows(home)) == (["a", "b", "c"], [])


def test_a_run_gets_the_job_as_claimed(home: Home) -> None:
    worker = Worker(home)
    queue(home, "a")
    worker.once()
    (job,) = worker.ran
    assert (job.state, job.attempts, job.subject) == (JobState.RUNNING, 1, "a")
    assert job.lease_until == stamp(home.clock.now() + LEASE)


def test_a_job_of_another_kind_or_of_later_is_left(home: Home) -> None:
    worker = Worker(home)
    queue(home, "other", kind=JobKind.SECOND_STAGE)
    queue(home, "later", run_at=stamp(home.clock.now().replace(year=2027)))
    assert not worker.once()
    assert [row[:2] for row in rows(home)] == [("later", "queued"), ("other", "queued")]
    home.clock.moment = home.clock.moment.replace(year=2028)
    assert worker.once()
    assert worker.subjects() == ["later"]


def test_a_refusal_is_tried_again_after_growing_delays_then_given_up_and_told(home: Home) -> None:
    worker = Worker(home, fails_with(ProviderUnavailable()))
    queue(home, "a")
    for attempt in range(1, MOST_ATTEMPTS):
        assert worker.once()
        assert rows(home) == [("a", "queued", attempt, "PROVIDER_UNAVAILABLE")]
        delay = retry_delay(attempt)
        assert delay is not None
        home.clock.moment += delay
        home.clock.pass_by(seconds=-1)
        assert not worker.once()
        home.clock.pass_by(seconds=1)
    assert worker.given_up == []
    assert worker.once()
    assert worker.given_up == [("a", "PROVIDER_UNAVAILABLE")]
    assert rows(home) == [("a", "failed", MOST_ATTEMPTS, "PROVIDER_UNAVAILABLE")]
    home.clock.pass_by(days=30)
    assert not worker.once()
    assert len(worker.ran) == MOST_ATTEMPTS


def test_the_reason_of_a_refusal_says_more_than_its_code(home: Home) -> None:
    worker = Worker(home, fails_with(FetchRefused("too slow", passing=True)))
    queue(home, "a")
    worker.once()
    assert rows(home) == [("a", "queued", 1, "too slow")]


def test_what_can_never_succeed_is_given_up_at_once(home: Home) -> None:
    worker = Worker(home, fails_with(JobRejected("not found")))
    queue(home, "a")
    assert worker.once()
    assert (worker.given_up, rows(home)) == ([("a", "not found")], [("a", "failed", 1, "not found")])


def test_a_job_that_fails_once_and_then_succeeds_is_done(home: Home) -> None:
    errors: list[Exception] = [Busy(), ProviderUnavailable()]

    def act(_: Job, __: Progress) -> None:
        if errors:
            raise errors.pop()

    worker = Worker(home, act)
    queue(home, "a")
    for _ in range(3):
        assert worker.once()
        home.clock.pass_by(hours=1)
    assert (len(worker.ran), worker.given_up, rows(home)) == (3, [], [])


def test_a_fault_of_ours_is_logged_and_tried_again(home: Home, caplog: pytest.LogCaptureFixture) -> None:
    worker = Worker(home, fails_with(ZeroDivisionError("secret of the house")))
    queue(home, "a", "b")
    with caplog.at_level(logging.ERROR, "vademecum.jobs"):
        assert worker.once()
        assert worker.once()
    assert [row[1:] for row in rows(home)] == [("queued", 1, "INTERNAL")] * 2
    assert [record.exc_info is not None for record in caplog.records] == [True, True]


def test_one_failing_job_blocks_no_other(home: Home) -> None:
    def act(job: Job, _: Progress) -> None:
        if job.subject == "b":
            raise JobRejected("no")

    worker = Worker(home, act)
    queue(home, *"abc")
    while worker.once():
        pass
    assert sorted(worker.subjects()) == list("abc")
    assert rows(home) == [("b", "failed", 1, "no")]


def test_a_report_of_progress_keeps_the_lease(home: Home) -> None:
    seen: list[tuple[object, ...]] = []

    def act(_: Job, progress: Progress) -> None:
        for done in range(1, 4):
            home.clock.pass_by(seconds=50)
            assert progress(done, 3)
            seen.extend(query(home.url, "SELECT done, total, lease_until FROM job"))

    worker = Worker(home, act)
    queue(home, "a")
    began = home.clock.now()
    assert worker.once()
    assert [row[:2] for row in seen] == [(1, 3), (2, 3), (3, 3)]
    assert seen[-1][2] == stamp(home.clock.now() + LEASE)
    assert home.clock.now() > began + LEASE
    assert rows(home) == []


def test_a_run_that_lost_its_lease_is_told_to_stop_and_changes_nothing(home: Home) -> None:
    told: list[bool] = []
    other = Worker(home, lambda _, __: told.append(True))

    def act(_: Job, progress: Progress) -> None:
        home.clock.pass_by(seconds=LEASE.seconds + 1)
        assert other.once()
        told.append(progress(1, 2))

    worker = Worker(home, act)
    queue(home, "a")
    assert worker.once()
    assert (told, len(other.ran), rows(home)) == ([True, False], 1, [])
    assert other.ran[0].attempts == 2


def test_a_run_that_lost_its_lease_gives_nothing_up(home: Home) -> None:
    other = Worker(home, fails_with(ProviderUnavailable()))

    def act(_: Job, __: Progress) -> None:
        home.clock.pass_by(seconds=LEASE.seconds + 1)
        assert other.once()
        raise JobRejected("too late to say")

    worker = Worker(home, act)
    queue(home, "a")
    assert worker.once()
    assert (worker.given_up, rows(home)) == ([], [("a", "queued", 2, "PROVIDER_UNAVAILABLE")])


def test_a_job_whose_worker_died_is_taken_up_when_its_lease_ran_out(home: Home) -> None:
    queue(home, "a")
    assert home.claim(JobKind.EMBED) is not None
    worker = Worker(home)
    home.clock.pass_by(seconds=LEASE.seconds)
    assert not worker.once()
    home.clock.pass_by(seconds=1)
    assert worker.once()
    assert (worker.ran[0].attempts, rows(home)) == (2, [])


def test_a_job_is_never_run_by_two_at_a_time(home: Home) -> None:
    running, most, lock = 0, 0, threading.Lock()
    both = threading.Barrier(3)

    def act(_: Job, __: Progress) -> None:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        with lock:
            running -= 1

    workers = [Worker(home, act) for _ in range(3)]
    queue(home, *(f"{number:02}" for number in range(20)))

    def work(worker: Worker) -> None:
        both.wait()
        while worker.once():
            pass

    threads = [threading.Thread(target=work, args=(worker,)) for worker in workers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    every = sorted(subject for worker in workers for subject in worker.subjects())
    assert every == [f"{number:02}" for number in range(20)]
    assert {job.attempts for worker in workers for job in worker.ran} == {1}
    assert (rows(home), most >= 1) == ([], True)


def test_stopping_tells_the_run_and_puts_its_job_back_for_the_next_start(home: Home) -> None:
    began, told = threading.Event(), []

    def act(_: Job, progress: Progress) -> None:
        assert progress(1, 9)
        began.set()
        while progress(2, 9):
            pass
        told.append("stopped")

    worker = Worker(home, act)
    queue(home, "a", "b")
    worker.runner.start()
    assert began.wait(60)
    worker.runner.stop(60)
    assert (told, worker.closed) == (["stopped"], len(KINDS))
    assert [row[:2] for row in rows(home)] == [("a", "queued"), ("b", "queued")]
    again = Worker(home)
    while again.once():
        pass
    assert sorted(again.subjects()) == ["a", "b"]


def test_a_running_worker_takes_up_what_is_queued_later(home: Home) -> None:
    done = threading.Semaphore(0)

    def act(_: Job, __: Progress) -> None:
        done.release()

    worker = Worker(home, act)
    worker.runner.start()
    for subject in "abc":
        queue(home, subject)
        worker.runner.wake()
        assert done.acquire(timeout=60)
    worker.runner.stop(60)
    assert worker.subjects() == ["a", "b", "c"]


def test_long_work_of_one_lane_never_delays_another(home: Home) -> None:
    hold, other = threading.Event(), threading.Event()

    def act(job: Job, _: Progress) -> None:
        if job.kind is JobKind.EMBED:
            assert hold.wait(60)
        else:
            other.set()

    worker = Worker(home, act)
    queue(home, "long")
    queue(home, "short", kind=JobKind.CAPTURE)
    worker.runner.start()
    assert other.wait(60)
    hold.set()
    worker.runner.stop(60)


@pytest.mark.parametrize("releases", [True, False])
def test_work_that_gives_way_lets_others_go_first_but_not_for_ever(home: Home, releases: bool) -> None:
    asked_before_run: list[int] = []
    asked, done = [0], threading.Event()

    def is_pressed() -> bool:
        asked[0] += 1
        return not releases or asked[0] < 4

    def run(_: Job, __: Progress) -> None:
        asked_before_run.append(asked[0])
        done.set()

    library = home.library
    work = {JobKind.EMBED: Work("one", run, gives_way=True)}
    runner = Runner(library.storage, library.clock, work, is_pressed=is_pressed)
    queue(home, "a")
    runner.start()
    assert done.wait(60)
    runner.stop(60)
    assert len(asked_before_run) == 1
    assert asked_before_run[0] >= 4


class _Unwell:
    """Storage that answers once with an error, then as it should."""

    def __init__(self, storage: Storage, error: Exception) -> None:
        self._storage = storage
        self._errors = [error]

    def read(self) -> AbstractContextManager[Transaction]:
        if self._errors:
            raise self._errors.pop()
        return self._storage.read()

    def write(self) -> AbstractContextManager[Transaction]:
        return self._storage.write()


@pytest.mark.parametrize("error", [Busy(), OSError("the disk is gone")])
def test_a_queue_that_cannot_be_read_ends_no_thread(
    home: Home, error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    done = threading.Event()
    work = {JobKind.EMBED: Work("embed", lambda _, __: done.set())}
    storage = cast("Storage", _Unwell(home.library.storage, error))
    runner = Runner(storage, home.clock, work, idle_seconds=0.01)
    queue(home, "a")
    with caplog.at_level(logging.WARNING, "vademecum.jobs"):
        runner.start()
        assert done.wait(60)
        runner.stop(60)
    assert len(caplog.records) == 1


class Unreachable:
    """A network on which no page answers."""

    def fetch(self, url: str) -> FetchedPage:
        raise FetchRefused("connection failed", url, passing=True)


def test_a_capture_that_is_given_up_says_so_on_its_item(home: Home) -> None:
    capture = Capture(home.library, Unreachable())
    work = {JobKind.CAPTURE: Work("capture", capture.run, capture.gave_up)}
    runner = Runner(home.library.storage, home.clock, work)
    item_id = an_id()
    save_link(home.library, home.owner, item_id, "https://example.org/")
    for _ in range(MOST_ATTEMPTS):
        assert home.item(item_id).capture_state in (CaptureState.QUEUED, CaptureState.PROCESSING)
        assert runner.run_one((JobKind.CAPTURE,))
        home.clock.pass_by(hours=1)
    item = home.item(item_id)
    assert (item.capture_state, item.capture_reason) == (CaptureState.FAILED, "connection failed")
    capture.close()
