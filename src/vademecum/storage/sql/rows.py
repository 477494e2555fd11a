"""How do rows become the values of the model?"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from vademecum.model.ids import content_hash
from vademecum.model.items import (
    CaptureState,
    IndexState,
    Item,
    ItemClass,
    Kind,
    Layer,
    Layers,
    State,
)
from vademecum.model.revisions import ActorKind, Change
from vademecum.storage.dialect import Row
from vademecum.storage.sql.packing import unpack

LAYER_HASHES = {layer: f"{layer.value}_hash" for layer in Layer}
TEXT_HASHES = (*LAYER_HASHES.values(), "frontmatter_hash")
STATE_COLUMNS = (
    *("title", "kind", "tags", "folder_id", "file_name", "source_url", "blob", "pinned", "archived"),
    "panel",
    *TEXT_HASHES,
)

_PLAIN = (
    *(
        "space_id",
        "item_id",
        "version",
        "title",
        "created_at",
        "updated_at",
        "content_edited_at",
        "folder_id",
    ),
    *("file_name", "source_url", "blob", "trashed_at", "capture_reason", "index_reason", "first_hash"),
    "excerpt",
)
_READ = (
    *_PLAIN,
    "kind",
    "item_class",
    "capture_state",
    "index_state",
    "tags",
    "pinned",
    "archived",
    "unpaid",
    "panel",
    *TEXT_HASHES,
)

ITEM_COLUMNS = ", ".join(f"item.{column}" for column in _READ) + (
    ", summary.encoding AS summary_encoding, summary.size AS summary_size, summary.content AS summary_content"
)
ITEM_SUMMARY = (
    " LEFT JOIN text AS summary ON summary.space_id = item.space_id AND summary.hash = item.summary_hash "
)


def item_from(row: Row) -> Item:
    """The item of a row that holds ITEM_COLUMNS."""
    plain: dict[str, Any] = {column: row[column] for column in _PLAIN}
    packed = row["summary_content"]
    return Item(
        **plain,
        kind=Kind(row["kind"]),
        item_class=ItemClass(row["item_class"]),
        capture_state=CaptureState(row["capture_state"]),
        index_state=IndexState(row["index_state"]),
        tags=tuple(json.loads(row["tags"])),
        pinned=bool(row["pinned"]),
        archived=bool(row["archived"]),
        unpaid=bool(row["unpaid"]),
        panel=tuple(json.loads(row["panel"])),
        summary=None if packed is None else unpack(row["summary_encoding"], row["summary_size"], packed),
        layers=tuple(layer for layer, column in LAYER_HASHES.items() if row[column] is not None),
    )


def hashes_of(layers: Layers, frontmatter: str) -> dict[str, str | None]:
    """The columns that name the texts of a state; no frontmatter is no text."""
    present = layers.present()
    named = {column: _hash(present.get(layer)) for layer, column in LAYER_HASHES.items()}
    return named | {"frontmatter_hash": _hash(frontmatter or None)}


def texts_of(layers: Layers, frontmatter: str) -> list[str]:
    """The texts that `hashes_of` names."""
    return [*layers.present().values(), *([frontmatter] if frontmatter else [])]


def _hash(text: str | None) -> str | None:
    return None if text is None else content_hash(text)


def named_hashes(row: Row) -> list[str]:
    """The hashes of all texts that a row of an item or revision names."""
    return [row[column] for column in TEXT_HASHES if row[column] is not None]


def layers_from(row: Row, texts: Mapping[str, str]) -> Layers:
    """The layers that a row names, out of texts by their hash."""
    found = {
        layer.value: texts[row[column]] for layer, column in LAYER_HASHES.items() if row[column] is not None
    }
    return Layers(**found)


def frontmatter_from(row: Row, texts: Mapping[str, str]) -> str:
    """The frontmatter block that a row names, empty where it names none."""
    return "" if row["frontmatter_hash"] is None else texts[row["frontmatter_hash"]]


def state_columns(state: State) -> dict[str, object]:
    """The columns in which a state stands, in `item` and in `revision` alike."""
    return {
        "title": state.title,
        "kind": state.kind.value,
        "tags": json.dumps(state.tags, ensure_ascii=False),
        "folder_id": state.folder_id,
        "file_name": state.file_name,
        "source_url": state.source_url,
        "blob": state.blob,
        "pinned": int(state.pinned),
        "archived": int(state.archived),
        "panel": json.dumps(state.panel),
        **hashes_of(state.layers, state.frontmatter),
    }


def state_from(row: Row, texts: Mapping[str, str]) -> State:
    """The state of a row of `revision`, out of texts by their hash."""
    return State(
        title=row["title"],
        kind=Kind(row["kind"]),
        layers=layers_from(row, texts),
        tags=tuple(json.loads(row["tags"])),
        folder_id=row["folder_id"],
        file_name=row["file_name"],
        frontmatter=frontmatter_from(row, texts),
        source_url=row["source_url"],
        blob=row["blob"],
        pinned=bool(row["pinned"]),
        archived=bool(row["archived"]),
        trashed=bool(row["trashed"]),
        panel=tuple(json.loads(row["panel"])),
    )


CHANGE_FIELDS = [field.name for field in fields(Change) if field.name != "space_id"]


def change_from(row: Row) -> Change:
    """The change of a row that holds CHANGE_FIELDS and the space."""
    columns: dict[str, Any] = {column: row[column] for column in CHANGE_FIELDS}
    return Change(space_id=row["space_id"], **columns | {"actor_kind": ActorKind(row["actor_kind"])})
