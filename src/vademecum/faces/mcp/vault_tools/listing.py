"""How does an agent see what lies in the vault?"""

from __future__ import annotations

from vademecum.faces.mcp.tool.arguments import Arguments
from vademecum.faces.mcp.tool.declaration import Hints, Schema, Shape, Tool
from vademecum.faces.mcp.vault_tools.shapes import LISTED, STRING, listed_shape
from vademecum.library import listing
from vademecum.library.context import Library
from vademecum.library.listing import FileKind, Include, Listed, ListedFolder
from vademecum.model.access import Caller, Tier

_NOTES_DEFAULT, _NOTES_MOST = 200, 2_000
_EXCERPT = 160  # characters (contracts 3.4.1)
_DEPTH_MOST = 64
_COUNT: Schema = {"type": "integer", "minimum": 0}
_FOLDER: Schema = {
    "type": "string",
    "default": "",
    "description": "A folder of the vault; empty or . for all of it.",
}


def _list_notes(library: Library, caller: Caller, arguments: Arguments) -> Shape:
    found = listing.list_notes(
        library,
        caller,
        arguments.text("folder"),
        archived=arguments.flag("includeArchived"),
        limit=arguments.integer("limit"),
    )
    return {"notes": [_note_shape(one, with_excerpt=arguments.flag("includeExcerpt")) for one in found]}


def _note_shape(listed: Listed, *, with_excerpt: bool) -> Shape:
    item = listed.item
    shape = listed_shape(listed) | {
        "folder": listed.folder,
        "pinned": item.pinned,
        "archived": item.archived,
    }
    return shape | ({"excerpt": item.excerpt[:_EXCERPT]} if with_excerpt else {})


LIST_NOTES = Tool(
    name="list_notes",
    tier=Tier.READ_ONLY,
    hints=Hints("List notes", read_only=True),
    description=(
        "List notes and sheets of the vault or of one folder with all below it, most recently updated first."
        " With includeExcerpt each also has the first 160 characters of its body."
    ),
    properties={
        "folder": _FOLDER,
        "includeExcerpt": {"type": "boolean", "default": False},
        "includeArchived": {"type": "boolean", "default": False, "description": "Archived notes too."},
        "limit": {"type": "integer", "minimum": 1, "maximum": _NOTES_MOST, "default": _NOTES_DEFAULT},
    },
    required=(),
    clamped=frozenset({"limit"}),
    outputs={
        "notes": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    **LISTED,
                    "folder": {"type": "string", "description": "Empty at the top."},
                    "pinned": {"type": "boolean"},
                    "archived": {"type": "boolean"},
                    "excerpt": STRING,
                },
                "required": [*LISTED, "folder", "pinned", "archived"],
            },
        }
    },
    answers=("notes",),
    run=_list_notes,
)


def _list_folders(library: Library, caller: Caller, arguments: Arguments) -> Shape:
    depth = arguments.integer("depth") if arguments.given("depth") else None
    top = listing.list_folders(library, caller, arguments.text("path"), depth)
    return {key: value for key, value in _folder_shape(top).items() if key != "children"} | {
        "folders": [_folder_shape(child) for child in top.children]
    }


def _folder_shape(folder: ListedFolder) -> Shape:
    shape: Shape = {
        "path": folder.path,
        "name": folder.name,
        "documents": folder.documents,
        "totalDocuments": folder.total,
        "children": [_folder_shape(child) for child in folder.children],
    }
    return shape | ({"truncated": True} if folder.truncated else {})


LIST_FOLDERS = Tool(
    name="list_folders",
    tier=Tier.READ_ONLY,
    hints=Hints("List folders", read_only=True),
    description=(
        "The folders of the vault as a tree, empty ones too: look here before deciding where a new note goes"
        " or where to move one. documents counts the notes and sheets directly in a folder, totalDocuments"
        " those in all below it as well. At most 2,000 folders; truncated stands where depth or that limit"
        " left out folders."
    ),
    properties={
        "path": _FOLDER,
        "depth": {
            "type": "integer",
            "minimum": 1,
            "maximum": _DEPTH_MOST,
            "description": "How many levels; 1 is the direct children. Default: all.",
        },
    },
    required=(),
    clamped=frozenset({"depth"}),
    outputs={
        "path": {"type": "string", "description": "The folder that the tree begins at, empty for the top."},
        "name": STRING,
        "documents": _COUNT,
        "totalDocuments": _COUNT,
        "folders": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "path": STRING,
                    "name": STRING,
                    "documents": _COUNT,
                    "totalDocuments": _COUNT,
                    "children": {
                        "type": "array",
                        "items": {"type": "object", "additionalProperties": True},
                        "description": "The folders in it, each of the same form.",
                    },
                    "truncated": {"type": "boolean"},
                },
                "required": ["path", "name", "documents", "totalDocuments", "children"],
            },
        },
        "truncated": {"type": "boolean"},
    },
    answers=("path", "folders"),
    run=_list_folders,
)


def _list_files(library: Library, caller: Caller, arguments: Arguments) -> Shape:
    files, truncated = listing.list_files(
        library,
        caller,
        arguments.text("path"),
        recursive=arguments.flag("recursive"),
        include=Include(arguments.text("include")),
    )
    shapes = [{"path": one.path, "kind": one.kind.value, "size": one.size} for one in files]
    return {"files": shapes, "truncated": truncated}


LIST_FILES = Tool(
    name="list_files",
    tier=Tier.READ_ONLY,
    hints=Hints("List files", read_only=True),
    description=(
        "List the files in a folder, whichever note they belong to. By default these are attachments: images,"
        " PDFs, videos, audio and all else that is no note. For those of one note use list_attachments. At"
        " most 5,000; truncated tells that there are more."
    ),
    properties={
        "path": _FOLDER,
        "recursive": {"type": "boolean", "default": True, "description": "Also what lies further down."},
        "include": {
            "type": "string",
            "enum": [include.value for include in Include],
            "default": Include.FILES.value,
            "description": "Files that are no notes, notes alone, or all.",
        },
    },
    required=(),
    outputs={
        "files": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "path": STRING,
                    "kind": {"type": "string", "enum": [kind.value for kind in FileKind]},
                    "size": {"type": "integer", "minimum": 0, "description": "Bytes."},
                },
                "required": ["path", "kind", "size"],
            },
        },
        "truncated": {"type": "boolean"},
    },
    answers=("files", "truncated"),
    run=_list_files,
)
