"""How does an agent see which files belong to a note?"""

from __future__ import annotations

from vademecum.faces.mcp.tool.arguments import Arguments
from vademecum.faces.mcp.tool.declaration import Hints, Shape, Tool
from vademecum.faces.mcp.vault_tools.notes import PATH
from vademecum.library import attachments
from vademecum.library.attachments import Attachment, Placement
from vademecum.library.context import Library
from vademecum.library.file_kinds import READ_FILE, READ_PDF, VIEW_IMAGE, AttachmentKind
from vademecum.model.access import Caller, Tier


def _list_attachments(library: Library, caller: Caller, arguments: Arguments) -> Shape:
    found, truncated = attachments.list_attachments(library, caller, arguments.text("path"))
    return {"attachments": [_shape(one) for one in found], "truncated": truncated}


def _shape(attachment: Attachment) -> Shape:
    return {
        "path": attachment.path,
        "reference": attachment.reference,
        "where": attachment.where.value,
        "kind": attachment.kind.value,
        "exists": attachment.exists,
        "size": attachment.size,
        "readWith": attachment.read_with,
    }


LIST_ATTACHMENTS = Tool(
    name="list_attachments",
    tier=Tier.READ_ONLY,
    hints=Hints("List attachments", read_only=True),
    description=(
        "The files that belong to one note: those that its text embeds, shows or links to (where: body), and"
        " those only in its attachment panel (where: panel). Pass path as it is to the tool that readWith"
        " names; it is empty for what none of those reads. A sheet is read with read_sheet_range, an attached"
        " note with read_note. exists is false for a file that is referred to and is not there. For the files"
        " of a folder use list_files."
    ),
    properties={"path": PATH},
    required=("path",),
    outputs={
        "attachments": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "path": {"type": "string", "description": "Where it lies, or would lie."},
                    "reference": {
                        "type": "string",
                        "description": "As it stands in the text; empty in the panel.",
                    },
                    "where": {"type": "string", "enum": [place.value for place in Placement]},
                    "kind": {"type": "string", "enum": [kind.value for kind in AttachmentKind]},
                    "exists": {"type": "boolean"},
                    "size": {"type": "integer", "minimum": 0, "description": "Bytes."},
                    "readWith": {"type": "string", "enum": [VIEW_IMAGE, READ_PDF, READ_FILE, ""]},
                },
                "required": ["path", "reference", "where", "kind", "exists", "size", "readWith"],
            },
        },
        "truncated": {"type": "boolean", "description": "Whether there are more than 1,000."},
    },
    answers=("attachments", "truncated"),
    run=_list_attachments,
)
