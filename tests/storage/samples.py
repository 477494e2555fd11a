"""What do storage tests fill a library with?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from vademecum.model.access import AgentKey, ToolSet
from vademecum.model.ids import content_hash
from vademecum.model.items import (
    EXCERPT_LENGTH,
    Account,
    Document,
    Item,
    Kind,
    Layer,
    Layers,
    Space,
    body_of,
)
from vademecum.model.jobs import Job, JobKind, JobState
from vademecum.model.revisions import Action, ActorKind, Change
from vademecum.ports.index import NewChunk
from vademecum.ports.storage import AuditEntry, Storage, Transaction

ACCOUNT, SPACE, OTHER_SPACE = "account-1", "space-1", "space-2"


def at(minute: int) -> str:
    """A stamp, later for a larger number."""
    hour, rest = divmod(minute, 60)
    return f"2026-11-30T{hour:02}:{rest:02}:00.000000Z"


def an_account(account_id: str = ACCOUNT, **changed: Any) -> Account:
    return Account(**{"account_id": account_id, "name": account_id, "created_at": at(0), **changed})


def a_space(space_id: str = SPACE, **changed: Any) -> Space:
    return Space(**{"space_id": space_id, "slug": space_id, "name": space_id, "created_at": at(0), **changed})


def a_key(key_id: str = "key-1", **changed: Any) -> AgentKey:
    fields: dict[str, Any] = {
        "key_id": key_id,
        "account_id": ACCOUNT,
        "tool_set": ToolSet.LIBRARY,
        "tier": "edit",
        "name": f"Key {key_id}",
        "key_hash": f"hash of {key_id}",
        "shown": "vade_library_abc",
        "spaces": (),
        "created_at": at(0),
    }
    return AgentKey(**fields | changed)


def a_document(
    item_id: str = "item-1", layers: Layers | None = None, frontmatter: str = "", **changed: Any
) -> Document:
    """An item with one line of text; every field can be given."""
    texts = Layers(authored=f"Body of {item_id}.") if layers is None else layers
    body = body_of(texts, changed.get("kind", Kind.NOTE))
    fields: dict[str, Any] = {
        "space_id": SPACE,
        "item_id": item_id,
        "version": 1,
        "kind": Kind.NOTE,
        "title": f"Title of {item_id}",
        "created_at": at(1),
        "updated_at": at(1),
        "content_edited_at": at(1),
        "file_name": f"Title of {item_id}.md",
        "first_hash": changed.get("first_hash") or content_hash(body),
        "excerpt": body[:EXCERPT_LENGTH],
        "summary": texts.summary,
        "layers": tuple(texts.present()),
    }
    return Document(Item(**fields | changed), texts, frontmatter)


def a_change(change_id: str = "change-1", **changed: Any) -> Change:
    fields: dict[str, Any] = {
        "space_id": SPACE,
        "change_id": change_id,
        "sequence": 0,
        "account_id": ACCOUNT,
        "actor_kind": ActorKind.KEY,
        "credential_id": "key-1",
        "client_name": "a client",
        "tool": "save_note",
        "session_id": "session-1",
        "made_at": at(1),
    }
    return Change(**fields | changed)


def a_job(job_id: str = "job-1", **changed: Any) -> Job:
    fields: dict[str, Any] = {
        "space_id": SPACE,
        "job_id": job_id,
        "kind": JobKind.EMBED,
        "subject": f"subject of {job_id}",
        "arguments": {"version": 3, "name": "日本"},
        "state": JobState.QUEUED,
        "run_at": at(1),
        "created_at": at(1),
    }
    return Job(**fields | changed)


def an_entry(audit_id: str = "audit-1", **changed: Any) -> AuditEntry:
    fields: dict[str, Any] = {
        "space_id": SPACE,
        "audit_id": audit_id,
        "at": at(1),
        "account_id": ACCOUNT,
        "actor_kind": "key",
        "credential_id": "key-1",
        "client_name": None,
        "session_id": "session-1",
        "tool": "save_note",
        "item_id": "item-1",
        "change_id": None,
        "outcome": "ok",
    }
    return AuditEntry(**fields | changed)


def a_chunk(text: str = "text") -> NewChunk:
    return NewChunk(
        layer=Layer.AUTHORED,
        ordinal=0,
        heading_path=(),
        start=0,
        text=text,
        head="head",
        head_tokens="head",
        body_tokens=text,
        tokenizer_version=1,
        script="latin",
    )


def add_people(storage: Storage) -> None:
    """An account with its personal space, and a second space."""
    with storage.write() as tx:
        assert tx.access.add_account(an_account())
        assert tx.access.add_space(a_space(personal_of=ACCOUNT))
        assert tx.access.add_space(a_space(OTHER_SPACE, created_at=at(1)))


def add(storage: Storage, *documents: Document, source_key: str | None = None) -> None:
    """The documents, each in a transaction of its own."""
    for document in documents:
        with storage.write() as tx:
            assert tx.items.add(document, source_key)


def save(tx: Transaction, document: Document, change_id: str) -> Change:
    """A document with its first revision, under a change of its own."""
    change = tx.revisions.begin(a_change(change_id, space_id=document.item.space_id))
    assert tx.items.add(document, None)
    tx.revisions.add(document.item.item_id, 1, Action.CREATE, document.state, change)
    return change


def ids(items: Sequence[Item]) -> list[str]:
    return [item.item_id for item in items]
