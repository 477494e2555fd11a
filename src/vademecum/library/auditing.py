"""How is it kept who read what?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from vademecum.library.changing import entry, session_of
from vademecum.library.context import Library
from vademecum.model.access import Caller
from vademecum.ports.storage import AuditEntry, Transaction


def read_entry(library: Library, caller: Caller, tool: str, item_id: str | None, outcome: str) -> AuditEntry:
    """What to record of a read or a refusal; `record` finds the space that it lies in."""
    return entry(caller, caller.spaces[0], tool, library.now(), item_id, outcome)


def record(library: Library, batch: Sequence[tuple[Caller, AuditEntry]]) -> None:
    """Store audit rows of calls already answered, each within its key's session, and in the space that it
    touched; one of a call over several spaces in the caller's personal space (decisions, How the parts fit
    together).
    """
    with library.storage.write() as tx:
        sessions = _sessions(tx, batch)
        tx.audit.add(
            [
                replace(row, session_id=sessions[caller], space_id=_space_touched(tx, caller, row))
                for caller, row in batch
            ]
        )


def _sessions(tx: Transaction, batch: Sequence[tuple[Caller, AuditEntry]]) -> dict[Caller, str | None]:
    """The session of each caller, asked once: what is recorded together was called within moments."""
    latest = {caller: row.at for caller, row in sorted(batch, key=lambda entry: entry[1].at)}
    return {caller: session_of(tx, caller, at) for caller, at in latest.items()}


def _space_touched(tx: Transaction, caller: Caller, row: AuditEntry) -> str:
    if len(caller.spaces) == 1:
        return row.space_id
    holding = [space_id for space_id in caller.spaces if row.item_id and tx.items.find(space_id, row.item_id)]
    if holding:
        return holding[0]
    personal = tx.access.personal_space(caller.account_id)
    return personal.space_id if personal else row.space_id


def recent(library: Library, caller: Caller, limit: int) -> list[AuditEntry]:
    """The newest audit rows of the caller's spaces."""
    with library.storage.read() as tx:
        return tx.audit.list(caller.spaces, limit)
