"""How do notes, sheets and folders look in the answers of the vault set?"""

from __future__ import annotations

from vademecum.faces.mcp.tool.declaration import Schema, Shape
from vademecum.library.listing import Listed
from vademecum.library.places import is_sheet

STRING: Schema = {"type": "string"}
LISTED: dict[str, Schema] = {
    "path": {"type": "string", "description": "Where it lies in the vault now."},
    "title": STRING,
    "kind": {"type": "string", "enum": ["note", "sheet"]},
    "updatedAt": STRING,
    "tags": {"type": "array", "items": STRING},
}


def listed_shape(listed: Listed) -> Shape:
    """What every list of notes and sheets tells of one (decisions, Vault)."""
    item = listed.item
    return {
        "path": listed.path,
        "title": item.title,
        "kind": "sheet" if is_sheet(item.file_name) else "note",
        "updatedAt": item.updated_at,
        "tags": list(item.tags),
    }


def cut(text: str, length: int) -> str:
    """The text, or its beginning with an ellipsis, in at most `length` characters."""
    return text if len(text) <= length else text[: length - 1] + "…"
