"""How does background work run: claimed, kept alive, tried again, given up?"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from vademecum.model.errors import Refusal
from vademecum.model.ids import new_id
from vademecum.model.jobs import LEASE, Job, JobKind, JobRejected, retry_delay
from vademecum.model.times import stamp
from vademecum.ports.clock import Clock
from vademecum.ports.storage import Jobs, Storage

Progress = Callable[[int, int], bool]
Handler = Callable[[Job, Progress], None]
GaveUp = Callable[[Job, str], None]
_PAUSE_SECONDS, _PAUSES_MOST = 0.02, 50
_logger = logging.getLogger("vademecum.jobs")


@dataclass(frozen=True, slots=True)
class Work:
    """What does a kind of job, and in which lane: kinds of one lane are done one after another, so that long
    work never delays what is in another. `gave_up` is told when a job is given up; `close` ends what the
    work keeps open. Work that `gives_way` needs the processor and lets those go first who wait for an answer.
    """

    lane: str
    run: Handler
    gave_up: GaveUp | None = None
    close: Callable[[], None] | None = None
    gives_way: bool = False


class Runner:
    """Works off the durable queue in threads of its own; at least once, never twice at the same time.

    Every handler can be run again at any point, because a run may end with the machine. Each claim has a
    lease; a run whose lease was lost stops at its next progress report. While `is_pressed`, work that gives
    way pauses before each job and at each progress report, a second at most, so that it gets on all the same.
    """

    def __init__(
        self,
        storage: Storage,
        clock: Clock,
        work: Mapping[JobKind, Work],
        *,
        is_pressed: Callable[[], bool] = lambda: False,
        idle_seconds: float = 1.0,
    ):
        self._storage = storage
        self._clock = clock
        self._work = dict(work)
        self._is_pressed = is_pressed
        self._idle_seconds = idle_seconds
        self._stopping = threading.Event()
        self._wake = threading.Event()
        self._threads: list[threading.Thread] = []

    def start(self) -> None:
        """Run each lane in a thread of its own."""
        for lane in dict.fromkeys(work.lane for work in self._work.values()):
            kinds = tuple(kind for kind, work in self._work.items() if work.lane == lane)
            thread = threading.Thread(target=self._serve, args=(kinds,), name=f"jobs-{lane}", daemon=True)
            thread.start()
            self._threads.append(thread)

    def wake(self) -> None:
        """Look for work now instead of at the next idle look."""
        self._wake.set()

    def stop(self, seconds: float = 10.0) -> None:
        """Claim nothing more and wait for what runs; what does not end in time is taken up by a later run."""
        self._stopping.set()
        self._wake.set()
        for thread in self._threads:
            thread.join(seconds)
        for work in self._work.values():
            if work.close is not None:
                work.close()

    def _serve(self, kinds: tuple[JobKind, ...]) -> None:
        gives_way = any(self._work[kind].gives_way for kind in kinds)
        while not self._stopping.is_set():
            if gives_way:
                self._give_way()
            try:
                busy = self.run_one(kinds)
            except Refusal as refusal:  # the database is full or busy: the queue waits, the thread lives on
                _logger.warning("the job queue could not be read: %s", refusal.code)
                busy = False
            except Exception:
                _logger.exception("the job queue failed")  # a fault of ours must not end the thread
                busy = False
            if not busy:
                self._wake.wait(self._idle_seconds)
                self._wake.clear()

    def _give_way(self) -> None:
        for _ in range(_PAUSES_MOST):
            if not self._is_pressed() or self._stopping.wait(_PAUSE_SECONDS):
                return

    def run_one(self, kinds: Sequence[JobKind]) -> bool:
        """Claim and run the most urgent due job of the kinds; False when there is none."""
        now = self._clock.now()
        with self._storage.read() as tx:  # so that an idle queue never takes the writer's turn
            due = tx.jobs.next_due(kinds)
        if due is None or due > stamp(now):
            return False
        with self._storage.write() as tx:
            job = tx.jobs.claim(kinds, stamp(now), new_id(), stamp(now + LEASE))
        if job is None:
            return False
        self._run(job)
        return True

    def _run(self, job: Job) -> None:
        try:
            self._work[job.kind].run(job, self._progress_of(job))
        except JobRejected as rejected:
            self._give_up(job, rejected.reason)
        except Refusal as refusal:
            self._try_later(job, str(refusal.data.get("reason", refusal.code)))
        except Exception:
            # A fault of ours must not end the thread: it is logged, and the job tried again.
            _logger.exception("job %s of kind %s failed", job.job_id, job.kind.value)
            self._try_later(job, "INTERNAL")
        else:
            if not self._stopping.is_set():
                self._write(lambda jobs: jobs.finish(job))
            else:
                self._after_stop(job)

    def _after_stop(self, job: Job) -> None:
        """A handler that was asked to stop may have ended early: the job goes back to the queue."""
        now = stamp(self._clock.now())
        self._write(lambda jobs: jobs.retry(job, now, "stopped"))

    def _progress_of(self, job: Job) -> Progress:
        def progress(done: int, total: int) -> bool:
            if self._work[job.kind].gives_way:
                self._give_way()
            if self._stopping.is_set():
                return False
            until = stamp(self._clock.now() + LEASE)
            with self._storage.write() as tx:
                return tx.jobs.renew(job, until, done, total)

        return progress

    def _try_later(self, job: Job, reason: str) -> None:
        delay = retry_delay(job.attempts)
        if delay is None:
            self._give_up(job, reason)
            return
        run_at = stamp(self._clock.now() + delay)
        self._write(lambda jobs: jobs.retry(job, run_at, reason))

    def _give_up(self, job: Job, reason: str) -> None:
        """Tell that no further try is made, then end the job; a run that lost its lease has no say in it."""
        if not self._progress_of(job)(job.done, job.total) and not self._stopping.is_set():
            return
        told = self._work[job.kind].gave_up
        if told is not None:
            told(job, reason)
        self._write(lambda jobs: jobs.fail(job, reason))

    def _write(self, say: Callable[[Jobs], bool]) -> None:
        with self._storage.write() as tx:
            say(tx.jobs)
