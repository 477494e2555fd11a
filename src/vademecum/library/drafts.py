"""What has a person written and not saved yet, and which notes are being edited?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta

from vademecum.library.context import Library
from vademecum.library.resolving import find_item
from vademecum.library.saving import check_title
from vademecum.model.access import Caller, require_writable
from vademecum.model.drafts import EDITING, Draft, editing_since
from vademecum.model.errors import BeingEdited, InvalidInput, NotFound, TooLarge
from vademecum.model.ids import content_hash, new_id
from vademecum.model.items import IMPORT_TEXT_LIMIT
from vademecum.model.times import moment, stamp
from vademecum.ports.storage import Transaction

_SHOWN_SECONDS = 19  # characters of a stamp, down to its seconds


@dataclass(frozen=True, slots=True)
class NewDraft:
    """What an editor keeps: the text of an item that was read at a version, or of a note not made yet.

    `draft_id` is that of the draft to be replaced; without it and without an item a new draft begins.
    """

    content: str
    title: str = ""
    item_id: str | None = None
    base_version: int | None = None
    draft_id: str | None = None


def keep_draft(library: Library, caller: Caller, given: NewDraft) -> Draft:
    """Keep what the person has written so far; one draft for each item and person (decisions, Drafts).

    From now on the item counts as being edited, until ten minutes after its draft last changed. Raises
    NotFound for an item that is not there, InvalidInput for one without a version, TooLarge, NotPermitted.
    """
    content_hash(given.content)
    if len(given.content) > IMPORT_TEXT_LIMIT:
        raise TooLarge("content", IMPORT_TEXT_LIMIT)
    with library.storage.write() as tx:
        draft = replace(
            _draft(tx, caller, given), title=check_title(given.title, "title") or "", changed_at=library.now()
        )
        tx.drafts.put(draft)
        return draft


def _draft(tx: Transaction, caller: Caller, given: NewDraft) -> Draft:
    space_id, draft_id, item_id = caller.spaces[0], given.draft_id or new_id(), None
    if given.item_id is not None:
        if given.base_version is None:
            raise InvalidInput("base_version", "is needed for the draft of an item")
        item = find_item(tx, caller, given.item_id)
        space_id, draft_id, item_id = item.space_id, item.item_id, item.item_id
    require_writable(caller, space_id)
    base = given.base_version if item_id is not None else None
    return Draft(space_id, draft_id, caller.account_id, "", given.content, "", item_id, base)


def drafts(library: Library, caller: Caller) -> list[Draft]:
    """The person's drafts in all their spaces, the last changed first."""
    with library.storage.read() as tx:
        found = [draft for space_id in caller.spaces for draft in tx.drafts.list(space_id, caller.account_id)]
    return sorted(found, key=lambda draft: draft.changed_at, reverse=True)


def draft_of(library: Library, caller: Caller, draft_id: str) -> Draft:
    """The person's draft of that id, which for an item is the item's. Raises NotFound."""
    with library.storage.read() as tx:
        return _find(tx, caller, draft_id)


def discard_draft(library: Library, caller: Caller, draft_id: str) -> None:
    """End a draft, because its text was saved or is not wanted: its item is no longer being edited by this
    person. Raises NotFound.
    """
    with library.storage.write() as tx:
        draft = _find(tx, caller, draft_id)
        tx.drafts.remove(draft.space_id, draft.draft_id, draft.account_id)


def _find(tx: Transaction, caller: Caller, draft_id: str) -> Draft:
    for space_id in caller.spaces:
        found = tx.drafts.find(space_id, draft_id, caller.account_id)
        if found is not None:
            return found
    raise NotFound("There is no such draft.", advice="It was saved or discarded; list the drafts.")


def being_edited(tx: Transaction, space_id: str, items: Iterable[str], now: str) -> Mapping[str, str]:
    """Which of the items have unsaved changes at `now`, and the stamp at which each will no longer count as
    being edited unless its draft changes again (decisions, Drafts).
    """
    edited = tx.drafts.edited(space_id, editing_since(now))
    if not edited:
        return {}
    return {item_id: stamp(moment(edited[item_id]) + EDITING) for item_id in items if item_id in edited}


def refuse_while_edited(
    tx: Transaction, space_id: str, items: Iterable[str], now: str, *, folder: bool = False
) -> None:
    """Raise BeingEdited where one of the items is: only the vault refuses such writes, within their own
    transaction (contracts 3.5). `folder` says that they are what lies in a folder.
    """
    edited = being_edited(tx, space_id, items, now)
    if edited:
        free_at = stamp(moment(max(edited.values())) + timedelta(seconds=1))[:_SHOWN_SECONDS]
        what = "notes in that folder" if folder else "the note"
        raise BeingEdited(
            advice=f"Ask the person to save or discard what they are writing in {what}, or try again after"
            f" {free_at}Z.",
            until=free_at,
        )
