"""Is work done once, by one holder at a time, and never lost?"""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest

from tests.storage.samples import OTHER_SPACE, SPACE, a_job, at
from vademecum.model.jobs import Job, JobKind, JobState
from vademecum.ports.storage import Storage

EVERY_KIND = list(JobKind)
NOTHING = dict.fromkeys([*(kind.value for kind in JobKind), "failed"], 0)


def add(storage: Storage, *jobs: Job) -> None:
    with storage.write() as tx:
        for job in jobs:
            tx.jobs.add(job)


def claim(storage: Storage, now: str, lease: str = "lease-1", until: str = at(99)) -> Job | None:
    with storage.write() as tx:
        return tx.jobs.claim(EVERY_KIND, now, lease, until)


def pending(storage: Storage) -> dict[str, int]:
    with storage.read() as tx:
        return tx.jobs.pending([SPACE, OTHER_SPACE])


def held(job: Job, lease: str = "lease-1", until: str = at(99)) -> Job:
    """The job as a claim gives it."""
    return replace(job, state=JobState.RUNNING, lease=lease, lease_until=until, attempts=job.attempts + 1)


def test_a_due_job_is_claimed_once_with_all_that_it_says(storage: Storage) -> None:
    job = a_job(priority=3, attempts=1, done=2, total=5, reason="again")
    add(storage, job)
    assert claim(storage, at(0)) is None
    assert claim(storage, at(1)) == held(job)
    assert claim(storage, at(2)) is None


def test_the_most_urgent_job_goes_first_then_the_longest_due(storage: Storage) -> None:
    jobs = [
        a_job("late", run_at=at(3)),
        a_job("early", run_at=at(2)),
        a_job("urgent", run_at=at(4), priority=5),
        a_job("future", run_at=at(50), priority=9),
        a_job("away", run_at=at(1), space_id=OTHER_SPACE),
    ]
    add(storage, *jobs)
    claimed = [claim(storage, at(9), lease=f"lease-{n}") for n in range(5)]
    assert [job and job.job_id for job in claimed] == ["urgent", "away", "early", "late", None]


def test_only_the_kinds_asked_for_are_claimed(storage: Storage) -> None:
    add(storage, a_job(kind=JobKind.CAPTURE))
    with storage.write() as tx:
        assert tx.jobs.claim([JobKind.EMBED], at(9), "lease", at(99)) is None
        assert tx.jobs.claim([], at(9), "lease", at(99)) is None
        assert tx.jobs.claim([JobKind.EMBED, JobKind.CAPTURE], at(9), "lease", at(99)) is not None


def test_a_queued_twin_is_kept_instead_of_a_second_job(storage: Storage) -> None:
    first = a_job(subject="x")
    add(storage, first, a_job("twin", subject="x", run_at=at(0)), a_job("other", subject="y"))
    assert pending(storage) == NOTHING | {"embed": 2}
    assert claim(storage, at(1)) == held(first)


def test_work_that_is_running_may_be_queued_again(storage: Storage) -> None:
    add(storage, a_job(subject="x"))
    assert claim(storage, at(1)) is not None
    again = a_job("again", subject="x")
    add(storage, again)
    assert claim(storage, at(1), lease="lease-2") == held(again, "lease-2")


def test_a_finished_job_is_gone(storage: Storage) -> None:
    add(storage, a_job())
    job = claim(storage, at(1))
    assert job is not None
    with storage.write() as tx:
        assert tx.jobs.finish(job)
        assert not tx.jobs.finish(job)
    assert pending(storage) == NOTHING
    assert claim(storage, at(90)) is None


def test_a_job_that_is_tried_again_waits_with_its_reason(storage: Storage) -> None:
    job = a_job()
    add(storage, job)
    first = claim(storage, at(1))
    assert first is not None
    with storage.write() as tx:
        assert tx.jobs.retry(first, at(30), "timeout")
        assert not tx.jobs.retry(first, at(30), "timeout")
    assert claim(storage, at(29)) is None
    waiting = replace(job, run_at=at(30), attempts=1, reason="timeout")
    assert claim(storage, at(30), "lease-2") == held(waiting, "lease-2")


def test_a_job_is_not_tried_again_beside_a_twin_that_waits(storage: Storage) -> None:
    add(storage, a_job(subject="x"))
    first = claim(storage, at(1))
    assert first is not None
    twin = a_job("twin", subject="x", run_at=at(2))
    add(storage, twin)
    with storage.write() as tx:
        assert tx.jobs.retry(first, at(3), "timeout")
    assert pending(storage) == NOTHING | {"embed": 1}
    assert claim(storage, at(9)) == held(twin)


def test_a_failed_job_stays_to_be_seen_until_its_work_is_queued_again(storage: Storage) -> None:
    add(storage, a_job(subject="x"), a_job("other", subject="y"))
    for _ in range(2):
        job = claim(storage, at(1))
        assert job is not None
        with storage.write() as tx:
            assert tx.jobs.fail(job, "broken")
            assert not tx.jobs.fail(job, "broken")
    assert pending(storage) == NOTHING | {"failed": 2}
    assert claim(storage, at(99)) is None
    add(storage, a_job("again", subject="x"))
    assert pending(storage) == NOTHING | {"failed": 1, "embed": 1}


def test_a_lease_that_ran_out_can_be_claimed_by_another(storage: Storage) -> None:
    job = a_job()
    add(storage, job)
    lost = claim(storage, at(1), until=at(10))
    assert lost is not None
    assert claim(storage, at(10), "lease-2") is None
    taken = claim(storage, at(11), "lease-2")
    assert taken == held(held(job), "lease-2")
    with storage.write() as tx:
        assert not tx.jobs.renew(lost, at(90), 1, 2)
        assert not tx.jobs.finish(lost)
        assert not tx.jobs.retry(lost, at(90), "")
        assert not tx.jobs.fail(lost, "")
        assert tx.jobs.finish(taken)


def test_a_renewed_lease_holds_on_and_tells_how_far_it_is(storage: Storage) -> None:
    job = a_job()
    add(storage, job)
    mine = claim(storage, at(1), until=at(10))
    assert mine is not None
    with storage.write() as tx:
        assert tx.jobs.renew(mine, at(40), 3, 7)
    assert claim(storage, at(39), "lease-2") is None
    expected = replace(held(held(job), "lease-2"), done=3, total=7)
    assert claim(storage, at(41), "lease-2") == expected


@pytest.mark.parametrize("kinds", [EVERY_KIND, [JobKind.EMBED]])
def test_the_next_job_is_announced(storage: Storage, kinds: list[JobKind]) -> None:
    def next_due() -> str | None:
        with storage.read() as tx:
            return tx.jobs.next_due(kinds)

    assert next_due() is None
    add(storage, a_job("a", run_at=at(5)), a_job("b", run_at=at(7)))
    assert next_due() == at(5)
    first = claim(storage, at(5), until=at(6))
    assert first is not None
    assert next_due() == at(6)
    with storage.write() as tx:
        tx.jobs.fail(first, "broken")
        assert tx.jobs.next_due([JobKind.CAPTURE]) is None
    assert next_due() == at(7)


def test_pending_work_is_counted_for_the_spaces_asked_for(storage: Storage) -> None:
    add(storage, a_job("a"), a_job("b", kind=JobKind.CAPTURE), a_job("c", space_id=OTHER_SPACE))
    assert claim(storage, at(1)) is not None
    with storage.read() as tx:
        assert tx.jobs.pending([SPACE]) == NOTHING | {"embed": 1, "capture": 1}
        assert tx.jobs.pending([OTHER_SPACE]) == NOTHING | {"embed": 1}
        assert tx.jobs.pending([]) == NOTHING


def test_what_waits_about_some_subjects_is_found(storage: Storage) -> None:
    jobs = [
        a_job("a", subject="one", kind=JobKind.CAPTURE),
        a_job("b", subject="two", kind=JobKind.CAPTURE),
        a_job("c", subject="three", kind=JobKind.CAPTURE),
        a_job("d", subject="one"),
        a_job("e", subject="one", kind=JobKind.CAPTURE, space_id=OTHER_SPACE),
    ]
    add(storage, *jobs)
    with storage.read() as tx:
        assert tx.jobs.queued(SPACE, JobKind.CAPTURE, ["one", "two", "x"]) == jobs[:2]
        assert tx.jobs.queued(SPACE, JobKind.CAPTURE, []) == []
    with storage.write() as tx:
        held = tx.jobs.claim([JobKind.CAPTURE], at(1), "lease", at(2))
    assert held is not None
    with storage.read() as tx:
        waiting = tx.jobs.queued(SPACE, JobKind.CAPTURE, ["one", "two", "three"])
    assert {job.job_id for job in waiting} == {"a", "b", "c"} - {held.job_id}


def test_many_workers_do_every_job_once(storage: Storage) -> None:
    add(storage, *(a_job(f"{n:03}") for n in range(60)))
    done: list[str] = []

    def work(worker: int) -> None:
        while (job := claim(storage, at(1), f"lease-{worker}")) is not None:
            done.append(job.job_id)
            with storage.write() as tx:
                assert tx.jobs.finish(job)

    workers = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert sorted(done) == [f"{n:03}" for n in range(60)]
    assert pending(storage) == NOTHING


def test_a_job_is_kept_with_what_caused_it_or_not_at_all(storage: Storage) -> None:
    def fail_after_adding() -> None:
        with storage.write() as tx:
            tx.jobs.add(a_job())
            raise LookupError

    with pytest.raises(LookupError):
        fail_after_adding()
    assert pending(storage) == NOTHING
