"""What is background work, and when is it tried again?"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum

LEASE = timedelta(seconds=60)
MOST_ATTEMPTS = 5
_DELAYS = (timedelta(seconds=5), timedelta(seconds=30), timedelta(minutes=5), timedelta(minutes=30))


class JobKind(StrEnum):
    """The kinds of work; the names are stored, so one that is renamed keeps an alias in `app`."""

    CAPTURE = "capture"
    EMBED = "embed"
    SECOND_STAGE = "second-stage"


class JobState(StrEnum):
    """Where a job stands; the last two are final."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Job:
    """One piece of durable work. `lease` is the token of the run that holds it; `done` of `total` is done."""

    space_id: str
    job_id: str
    kind: JobKind
    subject: str  # the item it is about, or empty
    arguments: dict[str, object]
    state: JobState
    run_at: str
    attempts: int = 0
    priority: int = 0
    lease: str | None = None
    lease_until: str | None = None
    done: int = 0
    total: int = 0
    reason: str | None = None
    created_at: str = ""


class JobRejected(Exception):
    """The work can never succeed as it stands: no further try is made."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def retry_delay(attempts: int) -> timedelta | None:
    """How long to wait after the given number of failed attempts; None when the job is given up."""
    if attempts >= MOST_ATTEMPTS:
        return None
    return _DELAYS[min(attempts, len(_DELAYS)) - 1]
