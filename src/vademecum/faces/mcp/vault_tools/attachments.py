"""How does an agent see which files belong to a note, and attach one?"""

from __future__ import annotations

from vademecum.faces.mcp.tool.arguments import Arguments
from vademecum.faces.mcp.tool.declaration import Hints, Shape, Tool
from vademecum.faces.mcp.vault_tools.notes import PATH
from vademecum.library import attaching, attachments
from vademecum.library.attaching import AttachRequest
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


def _add_attachment(library: Library, caller: Caller, arguments: Arguments) -> Shape:
    request = AttachRequest(
        path=arguments.text("path"),
        data=arguments.text_if_given("data"),
        filename=arguments.text_if_given("filename"),
        file=arguments.text_if_given("file"),
        placement=Placement(arguments.text("placement")) if arguments.given("placement") else None,
        version=arguments.text_if_given("version"),
    )
    attached = attaching.add_attachment(library, caller, request)
    shape: Shape = {
        "path": attached.path,
        "reference": attached.reference,
        "placement": attached.placement.value,
        "copied": attached.copied,
    }
    return shape if attached.version is None else shape | {"version": attached.version}


ADD_ATTACHMENT = Tool(
    name="add_attachment",
    tier=Tier.EDIT,
    hints=Hints("Attach a file"),
    description=(
        "Attach a file to a note: either its content as data (base64) with filename, which is stored in the"
        " note's folder and gets a number where the name is taken, or file, the path of one in the vault,"
        " which is referred to and not copied. What can be stored are images, videos, audio, PDFs and texts"
        " (txt, md, csv, tsv, json, log) of at most 20 MB; of a file outside the vault send the content.\n\n"
        "Images, videos and audio go to the end of the text, all else into the attachment panel, unless"
        " placement says where. After a placement in the text read the note again before update_note or"
        " edit_note, which are refused until then. Nothing is written while the person is editing the note."
    ),
    properties={
        "path": PATH,
        "data": {"type": "string", "description": "The content as base64; needs filename."},
        "filename": {"type": "string", "description": "Name with ending, such as plan.pdf."},
        "file": {"type": "string", "description": "Instead of data: the path of a file in the vault."},
        "placement": {
            "type": "string",
            "enum": [place.value for place in Placement],
            "description": "In the text, or only in the panel beside it.",
        },
        "version": {"type": "string", "description": "The version of the note that was read last, if any."},
    },
    required=("path",),
    outputs={
        "path": {"type": "string", "description": "Where the attachment lies."},
        "reference": {"type": "string", "description": "As written into the text; empty in the panel."},
        "placement": {"type": "string", "enum": [place.value for place in Placement]},
        "copied": {"type": "boolean", "description": "Whether it was stored anew."},
        "version": {
            "type": "string",
            "description": "Of the note now, given for the panel where the version passed was current.",
        },
    },
    answers=("path", "reference", "placement", "copied"),
    run=_add_attachment,
)
