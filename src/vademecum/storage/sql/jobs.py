"""How is background work kept, and who holds which piece of it?"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from vademecum.model.jobs import Job, JobKind, JobState
from vademecum.storage.dialect import Database, Row

_FIELDS = [field.name for field in fields(Job)]
_COLUMNS = ", ".join(_FIELDS)
_ADD = f"""
INSERT INTO job ({_COLUMNS}) VALUES ({", ".join(f":{field}" for field in _FIELDS)}) ON CONFLICT DO NOTHING
"""
_REMOVE_FAILED = """
DELETE FROM job WHERE space_id = :space_id AND kind = :kind AND subject = :subject AND state = 'failed'
"""
_HELD = "space_id = :space_id AND job_id = :job_id AND state = 'running' AND lease = :lease"
_RENEW = f"UPDATE job SET lease_until = :until, done = :done, total = :total WHERE {_HELD}"
_REMOVE = f"DELETE FROM job WHERE {_HELD}"
_FAIL = f"""
UPDATE job SET state = 'failed', reason = :reason, lease = NULL, lease_until = NULL WHERE {_HELD}
"""
_ABANDONED = """
SELECT space_id, job_id FROM job WHERE state = 'running' AND lease_until < :now AND kind IN {kinds}
ORDER BY lease_until, job_id
"""
_OF_KIND = "FROM job WHERE state = 'queued' AND kind = :kind AND run_at <= :now"
_IN_ORDER = "ORDER BY priority DESC, run_at, created_at, job_id"
_DUE = f"SELECT space_id, job_id {_OF_KIND} {_IN_ORDER}"
_HEAD = f"SELECT kind, priority, run_at, created_at {_OF_KIND} {_IN_ORDER} LIMIT 1"


class JobTable:
    """Durable work by space, kind and subject. A job that is done leaves no row."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, job: Job) -> None:
        """A queued job of the same space, kind and subject is kept instead of a second one; a failed one of
        the same goes, for this one takes its place.
        """
        columns = _job_columns(job)
        self._database.run(_REMOVE_FAILED, **columns)
        self._database.run(_ADD, **columns)

    def add_all(self, jobs: Sequence[Job], *, again: bool = False) -> None:
        """The same for many; unless `again`, there was no job about their subjects before."""
        rows = [_job_columns(job) for job in jobs]
        if rows and again:
            self._database.run_many(_REMOVE_FAILED, rows)
        if rows:
            self._database.run_many(_ADD, rows)

    def claim(self, kinds: Sequence[JobKind], now: str, lease: str, until: str) -> Job | None:
        """A job whose lease ran out, else the due one of highest priority, the longest due first.

        It is held by `lease` from now on, and attempts has grown by one.
        """
        claimed = {"lease": lease, "until": until, "now": now}
        row = self._database.one(self._claim(_ABANDONED), kinds=_names(kinds), **claimed)
        for kind in () if row else self._most_urgent_first(kinds, now):
            row = row or self._database.one(self._claim(_DUE), kind=kind, **claimed)
        return None if row is None else _job(row)

    def _most_urgent_first(self, kinds: Sequence[JobKind], now: str) -> list[str]:
        """The kinds, that whose first job is the most urgent first; each has an index of its own."""
        if len(kinds) == 1:
            return _names(kinds)
        heads = [row for kind in kinds if (row := self._database.one(_HEAD, kind=kind.value, now=now))]
        heads.sort(key=lambda row: (-row["priority"], row["run_at"], row["created_at"]))
        return [row["kind"] for row in heads]

    def _claim(self, which: str) -> str:
        chosen = which.format(kinds=self._database.dialect.list_rows("kinds"))
        return f"""
        UPDATE job SET state = 'running', lease = :lease, lease_until = :until, attempts = attempts + 1
        WHERE (space_id, job_id) = ({chosen} LIMIT 1 {self._database.dialect.skip_locked})
        RETURNING {_COLUMNS}
        """

    def queued(self, space_id: str, kind: JobKind, subjects: Sequence[str]) -> list[Job]:
        """The jobs of the kind that wait for a run about one of the subjects."""
        opened = self._database.dialect.list_rows("subjects")
        sql = f"""
        SELECT {_COLUMNS} FROM job
        WHERE space_id = :space_id AND kind = :kind AND state = 'queued' AND subject IN {opened}
        ORDER BY created_at, job_id
        """
        rows = self._database.all(sql, space_id=space_id, kind=kind.value, subjects=subjects)
        return [_job(row) for row in rows]

    def renew(self, job: Job, until: str, done: int, total: int) -> bool:
        """False when the lease is lost."""
        return self._database.run(_RENEW, **_held(job), until=until, done=done, total=total) == 1

    def finish(self, job: Job) -> bool:
        """The work is done and the job goes. False, and nothing done, when the lease is lost."""
        return self._database.run(_REMOVE, **_held(job)) == 1

    def retry(self, job: Job, run_at: str, reason: str) -> bool:
        """The job waits until `run_at`, unless the same work was queued meanwhile: then that stands for both.
        False, and nothing done, when the lease is lost.
        """
        row = self._database.one(f"{_REMOVE} RETURNING {_COLUMNS}", **_held(job))
        if row is None:
            return False
        again = {**dict(row), "state": JobState.QUEUED.value, "run_at": run_at, "reason": reason}
        self._database.run(_ADD, **again | {"lease": None, "lease_until": None})
        return True

    def fail(self, job: Job, reason: str) -> bool:
        """The job stays as failed. False, and nothing done, when the lease is lost."""
        return self._database.run(_FAIL, **_held(job), reason=reason) == 1

    def pending(self, spaces: Sequence[str]) -> dict[str, int]:
        """Number of queued and running jobs by kind, and of failed ones under `failed`, zeros too."""
        opened = self._database.dialect.list_rows("spaces")
        sql = (
            f"SELECT kind, state, COUNT(*) AS amount FROM job WHERE space_id IN {opened} GROUP BY kind, state"
        )
        counted = dict.fromkeys([*(kind.value for kind in JobKind), "failed"], 0)
        for row in self._database.all(sql, spaces=spaces):
            name = "failed" if row["state"] == JobState.FAILED.value else row["kind"]
            counted[name] = counted.get(name, 0) + row["amount"]
        return counted

    def next_due(self, kinds: Sequence[JobKind]) -> str | None:
        """When the next job of these kinds can be claimed: it is due, or its lease runs out."""
        opened = self._database.dialect.list_rows("kinds")
        sql = f"""
        SELECT MIN(CASE WHEN state = 'queued' THEN run_at ELSE lease_until END) AS at
        FROM job WHERE state IN ('queued', 'running') AND kind IN {opened}
        """
        row = self._database.one(sql, kinds=_names(kinds))
        return None if row is None else row["at"]


def _names(kinds: Sequence[JobKind]) -> list[str]:
    return [kind.value for kind in kinds]


def _held(job: Job) -> dict[str, object]:
    return {"space_id": job.space_id, "job_id": job.job_id, "lease": job.lease}


def _job_columns(job: Job) -> dict[str, object]:
    columns: dict[str, object] = {field: getattr(job, field) for field in _FIELDS}
    arguments = json.dumps(job.arguments, ensure_ascii=False)
    return columns | {"kind": job.kind.value, "state": job.state.value, "arguments": arguments}


def _job(row: Row) -> Job:
    columns: dict[str, Any] = {field: row[field] for field in _FIELDS}
    changed = {
        "kind": JobKind(row["kind"]),
        "state": JobState(row["state"]),
        "arguments": json.loads(row["arguments"]),
    }
    return Job(**columns | changed)
