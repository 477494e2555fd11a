"""How do agents save, change and delete items?"""

from __future__ import annotations

from vademecum.faces.mcp.library_tools.reading import ID
from vademecum.faces.mcp.tool.arguments import Arguments
from vademecum.faces.mcp.tool.declaration import Hints, Schema, Shape, Tool
from vademecum.library import editing, saving, trash
from vademecum.library.context import Library
from vademecum.model.access import Caller, Tier
from vademecum.model.addresses import ADDRESS_LIMIT
from vademecum.model.items import TITLE_LIMIT, TOOL_TEXT_LIMIT, CaptureState
from vademecum.model.tags import TAGS_MOST

_NEW_ID: Schema = {
    "type": "string",
    "maxLength": 128,
    "description": "UUID v4 that you generate once, before the first attempt, and send again on every retry.",
}
_TITLE: Schema = {"type": "string", "maxLength": TITLE_LIMIT}
_VERSION: Schema = {"type": "integer", "description": "The version that a fresh get_item gave."}
_STATUSES = [*(state.value for state in CaptureState), "trashed"]
_BOOLEAN: Schema = {"type": "boolean"}
_ITEM_ID: Schema = {"type": "string", "description": "UUID of the item."}
_WRITTEN: dict[str, Schema] = {
    "itemId": _ITEM_ID,
    "version": {"type": "integer", "description": "The version that the item has now."},
}
_SAVED: dict[str, Schema] = {
    "itemId": _ITEM_ID,
    "status": {"type": "string", "enum": _STATUSES},
    "replayed": {
        "type": "boolean",
        "description": "True when this id had been saved before; nothing was written.",
    },
}
_CONFLICT = (
    " If it answers VERSION_CONFLICT the item has changed since: read it again and retry once with its new"
    " version."
)


def _save_link(library: Library, caller: Caller, arguments: Arguments) -> Shape:
    saved = saving.save_link(library, caller, arguments.text("id"), arguments.text("url"))
    shape: Shape = {
        "itemId": saved.item_id,
        "status": saved.status,
        "replayed": saved.replayed,
        "alreadyExists": saved.already_exists,
    }
    if saved.failure_reason is not None:
        shape["failureReason"] = saved.failure_reason
    if saved.consent_required:
        shape["consentRequired"] = True
    if saved.insufficient_credits:
        shape["insufficientCredits"] = True
    return shape


SAVE_LINK = Tool(
    name="save_link",
    tier=Tier.EDIT,
    hints=Hints("Save a link", idempotent=True, open_world=True),
    description=(
        "Save the address of a web page. The answer comes at once; the page is fetched, turned into Markdown"
        " and enriched afterwards, which spends a credit (see get_quota before saving many). A repeated id"
        " gives the item that it made, with replayed true; a new id always makes a new item. alreadyExists"
        " tells that the library has another item with this address. consentRequired or insufficientCredits"
        " tell that the page is kept without enrichment."
    ),
    properties={
        "id": _NEW_ID,
        "url": {"type": "string", "maxLength": ADDRESS_LIMIT, "description": "An http or https address."},
    },
    required=("id", "url"),
    outputs={
        **_SAVED,
        "alreadyExists": _BOOLEAN,
        "failureReason": {"type": "string", "description": "Why the page could not be captured."},
        "consentRequired": _BOOLEAN,
        "insufficientCredits": _BOOLEAN,
    },
    answers=("itemId", "status", "replayed", "alreadyExists"),
    run=_save_link,
)


def _save_note(library: Library, caller: Caller, arguments: Arguments) -> Shape:
    text, title = arguments.text("authoredContent"), arguments.text_if_given("hubTitle")
    saved = saving.save_note(library, caller, arguments.text("id"), text, title)
    return {"itemId": saved.item_id, "status": saved.status, "replayed": saved.replayed}


SAVE_NOTE = Tool(
    name="save_note",
    tier=Tier.EDIT,
    hints=Hints("Save a note", idempotent=True),
    description=(
        "Save a note in plain text or Markdown. It is kept exactly as sent, never enriched, can be found at"
        " once, and costs nothing. A repeated id with the same content gives the note that it made, with"
        " replayed true; with other content it is refused as ITEM_IDEMPOTENCY_MISMATCH: to change a note use"
        " update_note. A new id always makes a new note, which has version 1."
    ),
    properties={
        "id": _NEW_ID,
        "authoredContent": {
            "type": "string",
            "maxLength": TOOL_TEXT_LIMIT,
            "description": "The text of the note, plain or Markdown.",
        },
        "hubTitle": {**_TITLE, "description": "Title; without one the first heading or line is taken."},
    },
    required=("id", "authoredContent"),
    outputs=_SAVED,
    answers=("itemId", "status", "replayed"),
    run=_save_note,
)


def _update_note(library: Library, caller: Caller, arguments: Arguments) -> Shape:
    item_id, version = arguments.text("id"), arguments.integer("expectedVersion")
    text, title = arguments.text("authoredContent"), arguments.text_if_given("hubTitle")
    return _written(item_id, editing.update_note(library, caller, item_id, text, version, title))


UPDATE_NOTE = Tool(
    name="update_note",
    tier=Tier.EDIT,
    hints=Hints("Replace an item's text"),
    description=(
        "Replace the whole text that the person wrote in an item; send all of it, not a difference. In a"
        " note that text is the note. In a captured item it takes the place of the extracted text, while"
        " the original stays archived. hubTitle also renames the item. The person can see and revert the"
        " change. Notes belong to the person: rewrite"
        " one only when asked to." + _CONFLICT
    ),
    properties={
        "id": ID,
        "authoredContent": {
            "type": "string",
            "maxLength": TOOL_TEXT_LIMIT,
            "description": "The whole new text, plain or Markdown.",
        },
        "hubTitle": {**_TITLE, "description": "A new title; without one the title stays."},
        "expectedVersion": _VERSION,
    },
    required=("id", "authoredContent", "expectedVersion"),
    outputs=_WRITTEN,
    answers=("itemId", "version"),
    run=_update_note,
)


def _update_tags(library: Library, caller: Caller, arguments: Arguments) -> Shape:
    item_id, version = arguments.text("id"), arguments.integer("expectedVersion")
    return _written(item_id, editing.update_tags(library, caller, item_id, arguments.texts("tags"), version))


UPDATE_TAGS = Tool(
    name="update_tags",
    tier=Tier.EDIT,
    hints=Hints("Replace an item's tags"),
    description=(
        f"Replace the whole tag list of an item, at most {TAGS_MOST} tags; send the full list, not a"
        " difference, and [] to take all away. A / within a tag makes levels. The person can see and revert"
        " the change." + _CONFLICT
    ),
    properties={
        "id": ID,
        "tags": {
            "type": "array",
            "items": {"type": "string"},
            "maxItems": TAGS_MOST,
            "description": "The full new list of tags.",
        },
        "expectedVersion": _VERSION,
    },
    required=("id", "tags", "expectedVersion"),
    outputs=_WRITTEN,
    answers=("itemId", "version"),
    run=_update_tags,
)


def _delete_item(library: Library, caller: Caller, arguments: Arguments) -> Shape:
    deleted = trash.delete_item(library, caller, arguments.text("id"), arguments.integer("expectedVersion"))
    return {
        "itemId": deleted.item_id,
        "deleted": True,
        "version": deleted.version,
        "alreadyDeleted": deleted.already_deleted,
    }


DELETE_ITEM = Tool(
    name="delete_item",
    tier=Tier.FULL,
    hints=Hints("Move an item to the trash", destructive=True, idempotent=True),
    description=(
        "Move an item to the trash, from where the person can restore it. Delete only what the person"
        " named. Deleting"
        " what is in the trash already succeeds with alreadyDeleted true, so a retry is safe." + _CONFLICT
    ),
    properties={"id": ID, "expectedVersion": _VERSION},
    required=("id", "expectedVersion"),
    outputs={
        "itemId": _ITEM_ID,
        "deleted": _BOOLEAN,
        "version": {"type": "integer"},
        "alreadyDeleted": _BOOLEAN,
    },
    answers=("itemId", "deleted"),
    run=_delete_item,
)


def _written(named: str, version: int) -> Shape:
    return {"itemId": named.strip().lower(), "version": version}
