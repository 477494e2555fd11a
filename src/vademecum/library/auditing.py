"""How is it kept who read what?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from vademecum.library.changing import entry, session_of
from vademecum.library.context import Library
from vademecum.model.access import Caller
from vademecum.ports.storage import AuditEntry


def read_entry(library: Library, caller: Caller, tool: str, item_id: str | None, outcome: str) -> AuditEntry:
    """What to record of a read or a refusal: it lies in the caller's first space (decisions)."""
    return entry(caller, caller.spaces[0], tool, library.now(), item_id, outcome)


def record(library: Library, batch: Sequence[tuple[Caller, AuditEntry]]) -> None:
    """Store audit rows of calls already answered, each within its key's session."""
    with library.storage.write() as tx:
        rows = [replace(row, session_id=session_of(tx, caller, row.at)) for caller, row in batch]
        tx.audit.add(rows)


def recent(library: Library, caller: Caller, limit: int) -> list[AuditEntry]:
    """The newest audit rows of the caller's spaces."""
    with library.storage.read() as tx:
        return tx.audit.list(caller.spaces, limit)
