"""How does an agent beside the person move and rename notes and folders?"""

from __future__ import annotations

from vademecum.faces.mcp.tool.arguments import Arguments
from vademecum.faces.mcp.tool.declaration import Hints, Schema, Shape, Tool
from vademecum.faces.mcp.vault_tools.notes import PATH
from vademecum.library import moving
from vademecum.library.context import Library
from vademecum.model.access import Caller, Tier
from vademecum.model.items import TITLE_LIMIT

_FOLDER: Schema = {"type": "string", "description": "Path of the folder, such as Tea/Green."}
_TO_FOLDER: Schema = {
    "type": "string",
    "description": 'The folder to move into, which has to be there; "" or . is the top of the vault.',
}
_NEW_PATH: Schema = {"type": "string", "description": "Where it lies now."}
_FOLLOW = (
    " Links in other notes are rewritten to follow. Refused while the person is editing what would move."
    " Paths change: use the one that is returned."
)


def _move_note(library: Library, caller: Caller, arguments: Arguments) -> Shape:
    moved = moving.move_note(library, caller, arguments.text("path"), arguments.text("to_folder"))
    return {"path": moved.path}


MOVE_NOTE = Tool(
    name="move_note",
    tier=Tier.FULL,
    hints=Hints("Move a note"),
    description=(
        "Move a note or sheet into another folder. The file name stays; where one of that name lies there"
        " already a number is added." + _FOLLOW
    ),
    properties={"path": PATH, "to_folder": _TO_FOLDER},
    required=("path", "to_folder"),
    outputs={"path": _NEW_PATH},
    answers=("path",),
    run=_move_note,
)


def _move_folder(library: Library, caller: Caller, arguments: Arguments) -> Shape:
    moved = moving.move_folder(library, caller, arguments.text("path"), arguments.text("to_folder"))
    return {"path": moved.path}


MOVE_FOLDER = Tool(
    name="move_folder",
    tier=Tier.FULL,
    hints=Hints("Move a folder"),
    description=(
        "Move a folder with all that lies in it below another folder, never into itself. Folders are not"
        " merged: where one of that name lies there already nothing is moved." + _FOLLOW
    ),
    properties={"path": _FOLDER, "to_folder": _TO_FOLDER},
    required=("path", "to_folder"),
    outputs={"path": _NEW_PATH},
    answers=("path",),
    run=_move_folder,
)


def _rename_note(library: Library, caller: Caller, arguments: Arguments) -> Shape:
    moved = moving.rename_note(library, caller, arguments.text("path"), arguments.text("new_title"))
    return {"path": moved.path, "title": moved.title}


RENAME_NOTE = Tool(
    name="rename_note",
    tier=Tier.FULL,
    hints=Hints("Rename a note"),
    description=(
        "Change the title of a note or sheet; the file name follows it, with a number where it is taken. The"
        " text of the note stays as it is." + _FOLLOW
    ),
    properties={
        "path": PATH,
        "new_title": {"type": "string", "maxLength": TITLE_LIMIT, "description": "The new title."},
    },
    required=("path", "new_title"),
    outputs={"path": _NEW_PATH, "title": {"type": "string"}},
    answers=("path", "title"),
    run=_rename_note,
)


def _rename_folder(library: Library, caller: Caller, arguments: Arguments) -> Shape:
    moved = moving.rename_folder(library, caller, arguments.text("path"), arguments.text("new_name"))
    return {"path": moved.path}


RENAME_FOLDER = Tool(
    name="rename_folder",
    tier=Tier.FULL,
    hints=Hints("Rename a folder"),
    description=(
        "Change the name of a folder, which stays where it is; the paths of all notes in it change. To put it"
        " below another folder use move_folder." + _FOLLOW
    ),
    properties={
        "path": _FOLDER,
        "new_name": {"type": "string", "maxLength": 255, "description": "One name, without slashes."},
    },
    required=("path", "new_name"),
    outputs={"path": _NEW_PATH},
    answers=("path",),
    run=_rename_folder,
)
