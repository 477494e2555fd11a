"""How does something new come into the library by its owner's or an agent's hand?"""

from __future__ import annotations

from dataclasses import dataclass

from vademecum.library.capturing import queue_capture
from vademecum.library.changing import begin_change
from vademecum.library.context import Library
from vademecum.library.indexing import PreparedIndex, prepare
from vademecum.library.naming import CLIPS_FOLDER, NOTES_FOLDER, place, title_for
from vademecum.library.writing import Write, add_document
from vademecum.model.access import Caller, Tier, require
from vademecum.model.addresses import address_key, check_address
from vademecum.model.errors import IdempotencyMismatch, NotFound, StorageFull, TooLarge
from vademecum.model.ids import content_hash, save_id
from vademecum.model.items import (
    TITLE_LIMIT,
    TOOL_TEXT_LIMIT,
    Birth,
    CaptureState,
    Item,
    Kind,
    Layers,
    State,
    decide_save,
    new_document,
)
from vademecum.model.quota import CAPTURE_CREDITS, month_of
from vademecum.model.revisions import Action
from vademecum.ports.storage import Transaction


@dataclass(frozen=True, slots=True)
class Saved:
    """What became of a save: `status` is ready, or trashed for the replay of a trashed item (decisions)."""

    item_id: str
    status: str
    replayed: bool


@dataclass(frozen=True, slots=True)
class SavedLink:
    """What became of saving a link (contracts 2.4.5)."""

    item_id: str
    status: str
    replayed: bool
    already_exists: bool = False
    failure_reason: str | None = None
    consent_required: bool = False
    insufficient_credits: bool = False


@dataclass(frozen=True, slots=True)
class _Creation:
    tool: str
    item_id: str
    first_hash: str
    state: State
    prepared: PreparedIndex
    capture_state: CaptureState = CaptureState.READY


class _Taken(Exception):
    """The id was taken while this save was prepared; the transaction must leave no trace."""


def check_title(title: str | None, field: str = "hubTitle") -> str | None:
    """The title with its white space folded, None when there is none. Raises TooLarge (`field`)."""
    cleaned = " ".join(title.split()) if title else ""
    if len(cleaned) > TITLE_LIMIT:
        raise TooLarge(field, TITLE_LIMIT)
    return cleaned or None


def check_text(text: str, field: str = "authoredContent") -> str:
    """The text as it is. Raises TooLarge (`field`) beyond the limit of tools."""
    if len(text) > TOOL_TEXT_LIMIT:
        raise TooLarge(field, TOOL_TEXT_LIMIT)
    return text


def check_room(library: Library, tx: Transaction, caller: Caller) -> None:
    """Raise StorageFull when the caller's spaces already fill what the installation grants."""
    most = library.limits.storage_bytes
    if most is not None and tx.items.text_bytes(caller.spaces) + tx.blobs.used_bytes(caller.spaces) >= most:
        raise StorageFull(limit=most)


def save_note(library: Library, caller: Caller, item_id: str, text: str, title: str | None) -> Saved:
    """Keep a note, byte for byte, under the client's id; the same save again returns it (contracts 2.4.6).

    Raises TierDenied, InvalidInput, TooLarge, StorageFull, and IdempotencyMismatch when the id holds other
    content.
    """
    require(caller, Tier.EDIT)
    item_id, named = save_id(item_id), check_title(title)
    first_hash = content_hash(check_text(text))
    existing = _existing(library, caller, item_id)
    if existing is None:
        state = State(title=named or title_for(text), kind=Kind.NOTE, layers=Layers(authored=text))
        creation = _Creation("save_note", item_id, first_hash, state, prepare(library, state))
        if _create(library, caller, creation, (NOTES_FOLDER,)) is not None:
            return Saved(item_id, CaptureState.READY.value, replayed=False)
        existing = _existing(library, caller, item_id)
    return Saved(item_id, _replayed(existing, first_hash), replayed=True)


def save_link(library: Library, caller: Caller, item_id: str, url: str) -> SavedLink:
    """Keep an address and queue its capture; the answer does not wait for it (contracts 2.4.5).

    A new id makes a new item even when the address is already there. A capture costs one credit; without
    credits it is still made, unenriched. Raises as `save_note` does.
    """
    require(caller, Tier.EDIT)
    item_id, address = save_id(item_id), check_address(url)
    first_hash = content_hash(f"link {address}")
    existing = _existing(library, caller, item_id)
    made: Item | None = None
    if existing is None:
        state = State(title=address[:TITLE_LIMIT], kind=Kind.ARTICLE, source_url=address)
        prepared = prepare(library, state)
        creation = _Creation("save_link", item_id, first_hash, state, prepared, CaptureState.QUEUED)
        made = _create(library, caller, creation, (CLIPS_FOLDER, library.now()[:4]))
        existing = None if made else _existing(library, caller, item_id)
    saved = made or existing
    return SavedLink(
        item_id=item_id,
        status=CaptureState.QUEUED.value if made else _replayed(existing, first_hash),
        replayed=made is None,
        already_exists=_has_other(library, caller, item_id, address),
        failure_reason=saved.capture_reason if saved else None,
        insufficient_credits=saved.unpaid if saved else False,
    )


def _existing(library: Library, caller: Caller, item_id: str) -> Item | None:
    with library.storage.read() as tx:
        return tx.items.find(caller.spaces[0], item_id)


def _replayed(existing: Item | None, first_hash: str) -> str:
    if existing is None:
        raise NotFound  # purged by a person between the two looks
    if decide_save(existing, first_hash) == "mismatched":
        raise IdempotencyMismatch(id=existing.item_id)
    return "trashed" if existing.trashed else existing.capture_state.value


def _create(library: Library, caller: Caller, creation: _Creation, path: tuple[str, ...]) -> Item | None:
    """The new item; None when a twin with the same id was faster."""
    space_id = caller.spaces[0]
    is_link = creation.capture_state is CaptureState.QUEUED
    try:
        with library.storage.write() as tx:
            check_room(library, tx, caller)
            change = begin_change(library, tx, caller, space_id, creation.tool)
            placed = place(library, tx, change, creation.state, path)
            month = _month_paid_from(library, tx, caller) if is_link else None
            birth = Birth(
                space_id,
                creation.item_id,
                change.made_at,
                creation.first_hash,
                creation.capture_state,
                unpaid=is_link and month is None,
            )
            document = new_document(birth, placed)
            if not add_document(tx, Write(caller, change, Action.CREATE, creation.prepared), document):
                raise _Taken
            if is_link:
                queue_capture(tx, document.item, caller.account_id, month, library.now())
            return document.item
    except _Taken:
        return None


def _month_paid_from(library: Library, tx: Transaction, caller: Caller) -> str | None:
    """Spend the credit of a capture; the month that it comes from, None when none is left."""
    month = month_of(library.now())
    spent = tx.credits.spend(caller.account_id, month, CAPTURE_CREDITS, library.limits.credits_monthly)
    return month if spent else None


def _has_other(library: Library, caller: Caller, item_id: str, address: str) -> bool:
    with library.storage.read() as tx:
        same = tx.items.with_source(caller.spaces, address_key(address))
    return any(item.item_id != item_id and not item.trashed for item in same)
