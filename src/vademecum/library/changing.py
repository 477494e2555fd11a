"""How does a writing use case say who changed what?"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from vademecum.library.context import Library
from vademecum.model.access import Caller, require_writable
from vademecum.model.ids import new_id
from vademecum.model.revisions import Change
from vademecum.model.times import moment, stamp
from vademecum.ports.storage import AuditEntry, Transaction

SESSION_GAP = timedelta(minutes=30)  # decisions, All three


def session_of(tx: Transaction, caller: Caller, now: str) -> str | None:
    """The session that this call belongs to, noting the use of the caller's key; None for a person."""
    if caller.credential_id is None:
        return caller.session_id
    gap_start = stamp(moment(now) - SESSION_GAP)
    return tx.access.use_key(caller.credential_id, now, new_id(), gap_start)


def begin_change(library: Library, tx: Transaction, caller: Caller, space_id: str, tool: str) -> Change:
    """Store the change that everything written in this transaction names (design 5).

    Raises NotPermitted in a space where the caller's account is a mere reader.
    """
    require_writable(caller, space_id)
    now = library.now()
    change = Change(
        space_id=space_id,
        change_id=new_id(),
        sequence=0,
        account_id=caller.account_id,
        actor_kind=caller.actor_kind,
        credential_id=caller.credential_id,
        client_name=caller.client_name,
        tool=tool,
        session_id=session_of(tx, caller, now),
        made_at=now,
    )
    return tx.revisions.begin(change)


def entry(
    caller: Caller, space_id: str, tool: str, at: str, item_id: str | None = None, outcome: str = "ok"
) -> AuditEntry:
    """An audit row about one call; its session is filled in when it is stored."""
    return AuditEntry(
        space_id=space_id,
        audit_id=new_id(),
        at=at,
        account_id=caller.account_id,
        actor_kind=caller.actor_kind.value,
        credential_id=caller.credential_id,
        client_name=caller.client_name,
        session_id=caller.session_id,
        tool=tool,
        item_id=item_id,
        change_id=None,
        outcome=outcome,
    )


def audit_change(tx: Transaction, caller: Caller, change: Change, item_id: str | None) -> None:
    """The audit row of a write, in the write's own transaction (decisions, All three)."""
    tx.audit.add([entry_of_change(caller, change, item_id)])


def entry_of_change(caller: Caller, change: Change, item_id: str | None) -> AuditEntry:
    """The audit row of a write, for those that write many at once."""
    made = entry(caller, change.space_id, change.tool, change.made_at, item_id)
    return replace(made, session_id=change.session_id, change_id=change.change_id)
