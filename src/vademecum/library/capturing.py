"""How does what was fetched for a saved link become part of its item?"""

from __future__ import annotations

from dataclasses import dataclass, replace

from vademecum.library.changing import begin_change
from vademecum.library.context import Library
from vademecum.library.indexing import prepare
from vademecum.library.naming import place_renamed
from vademecum.library.writing import Write, replace_document
from vademecum.model.access import Caller, Tier
from vademecum.model.addresses import address_key
from vademecum.model.errors import VersionConflict
from vademecum.model.ids import new_id
from vademecum.model.items import TITLE_LIMIT, Blob, CaptureState, Document, Item, Kind
from vademecum.model.jobs import Job, JobKind, JobState
from vademecum.model.quota import CAPTURE_CREDITS
from vademecum.model.revisions import Action, ActorKind
from vademecum.ports.storage import Transaction

_TRIES = 5


@dataclass(frozen=True, slots=True)
class Captured:
    """What a capture found: the text in Markdown, the page's own title, and the page as it was fetched."""

    title: str
    markdown: str
    kind: Kind
    original: bytes
    media_type: str
    note: str | None = None


def queue_capture(tx: Transaction, item: Item, account_id: str, month: str | None, at: str) -> None:
    """Queue the capture of a saved link; `month` is that whose credit was spent for it, to give back."""
    arguments: dict[str, object] = {"account": account_id, "month": month}
    tx.jobs.add(
        Job(
            item.space_id,
            new_id(),
            JobKind.CAPTURE,
            item.item_id,
            arguments,
            JobState.QUEUED,
            run_at=at,
            created_at=at,
        )
    )


def is_waiting(item: Item) -> bool:
    """Whether a capture of the item has not come to an end."""
    return item.capture_state in (CaptureState.QUEUED, CaptureState.PROCESSING)


def begin_capture(library: Library, job: Job) -> str | None:
    """Mark the item as being processed and return its address; None when nothing is left to capture."""
    with library.storage.write() as tx:
        item = tx.items.find(job.space_id, job.subject)
        if item is None or item.trashed or item.source_url is None or not is_waiting(item):
            return None
        tx.items.set_capture(job.space_id, job.subject, CaptureState.PROCESSING, None)
        return item.source_url


def waiting_alike(library: Library, job: Job) -> list[Job]:
    """The captures of the space that wait for the same address as this one: one fetch serves them all
    (decisions, All three). Whatever becomes of this one is recorded for each of them too.
    """
    with library.storage.read() as tx:
        item = tx.items.find(job.space_id, job.subject)
        if item is None or item.source_url is None:
            return []
        same = tx.items.with_source((job.space_id,), address_key(item.source_url))
        others = [one.item_id for one in same if one.item_id != job.subject and is_waiting(one)]
        return tx.jobs.queued(job.space_id, job.kind, others) if others else []


def record_extraction(library: Library, job: Job, captured: Captured) -> None:
    """Keep the captured text as the item's extracted layer, as a revision by the capture; a text that is
    empty or a mere teaser says so in `captured.note` (cases P10, P28).

    A title that a person or agent gave meanwhile stays; so does an authored text. Saying it twice makes no
    second revision.
    """
    for _ in range(_TRIES):
        with library.storage.read() as tx:
            before = tx.items.load(job.space_id, job.subject)
        if before is None or before.item.trashed or before.item.capture_state is CaptureState.READY:
            return
        try:
            with library.blobs.storing():
                _write_extraction(library, job, before, captured)
        except VersionConflict:
            continue  # someone wrote between reading and writing; their text stays and ours joins it
        return
    raise VersionConflict(id=job.subject)


def _write_extraction(library: Library, job: Job, before: Document, captured: Captured) -> None:
    blob = Blob(library.blobs.put(captured.original), len(captured.original), captured.media_type)
    untitled = before.item.title == (before.item.source_url or "")[:TITLE_LIMIT]
    title = " ".join(captured.title.split())[:TITLE_LIMIT] if untitled and captured.title.strip() else None
    state = replace(
        before.state,
        title=title or before.item.title,
        kind=captured.kind,
        layers=replace(before.layers, extracted=captured.markdown),
        blob=blob.content_hash,
    )
    prepared = prepare(library, state)
    caller = _capture_caller(job)
    with library.storage.write() as tx:
        change = begin_change(library, tx, caller, job.space_id, "capture")
        tx.blobs.add(job.space_id, blob)
        placed = place_renamed(tx, change, before, state)
        replace_document(tx, Write(caller, change, Action.CAPTURE, prepared), before, placed)
        tx.items.set_capture(job.space_id, job.subject, CaptureState.READY, captured.note)


def record_failure(library: Library, job: Job, state: CaptureState, reason: str) -> None:
    """Tell on the item that its capture ended as blocked or failed, and give its credit back."""
    with library.storage.write() as tx:
        item = tx.items.find(job.space_id, job.subject)
        if item is None or not is_waiting(item):
            return
        tx.items.set_capture(job.space_id, job.subject, state, reason)
        _give_back(tx, job)


def _give_back(tx: Transaction, job: Job) -> None:
    month, account = job.arguments.get("month"), job.arguments.get("account")
    if isinstance(month, str) and isinstance(account, str):
        tx.credits.spend(account, month, -CAPTURE_CREDITS, None)


def _capture_caller(job: Job) -> Caller:
    account = job.arguments.get("account")
    return Caller(str(account or ""), ActorKind.CAPTURE, Tier.FULL, (job.space_id,))
