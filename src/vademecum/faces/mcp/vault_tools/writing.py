"""How does an agent beside the person make and change notes, their tags, and folders?"""

from __future__ import annotations

from vademecum.faces.mcp.tool.arguments import Arguments
from vademecum.faces.mcp.tool.declaration import Hints, Schema, Shape, Tool
from vademecum.faces.mcp.vault_tools.notes import PATH
from vademecum.library import note_writing
from vademecum.library.context import Library
from vademecum.library.note_writing import NoteWritten, Replacement
from vademecum.model.access import Caller, Tier
from vademecum.model.items import TITLE_LIMIT, TOOL_TEXT_LIMIT
from vademecum.model.tags import TAGS_MOST
from vademecum.text.blocks import BlockFence

_TEXT: Schema = {"type": "string"}
_TEXTS: Schema = {"type": "array", "items": _TEXT}
_TAGS: Schema = {"type": "array", "items": _TEXT, "maxItems": TAGS_MOST}
_VERSION: Schema = {"type": "string", "description": "The version that read_note, or the last write, gave."}
_NEW_VERSION: Schema = {"type": "string", "description": "The version now: pass it to the next write."}
_UNRESOLVED: Schema = {
    "type": "array",
    "items": _TEXT,
    "description": "Names in [[...]] that match nothing in the vault and so stay plain text.",
}
_IGNORED: Schema = {
    "type": "array",
    "items": _TEXT,
    "description": "Frontmatter keys that were sent and are kept by the vault itself: they were not changed.",
}
_BLOCKS: Schema = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {"id": _TEXT, "label": _TEXT},
        "required": ["id", "label"],
    },
}
_MARKDOWN: Schema = {"type": "string", "maxLength": TOOL_TEXT_LIMIT}
_CHANGED: dict[str, Schema] = {
    "path": PATH,
    "title": _TEXT,
    "version": _NEW_VERSION,
    "keptBlocks": {**_BLOCKS, "description": "monthlet-block placeholders that are still there."},
    "droppedBlocks": {**_BLOCKS, "description": "Placeholders that the write took away: tell the person."},
    "ignoredFrontmatterKeys": _IGNORED,
    "unresolvedWikilinks": _UNRESOLVED,
}
_ALWAYS = ("path", "title", "version", "keptBlocks", "droppedBlocks", "unresolvedWikilinks")
_REFUSALS = (
    " Nothing is written when the person is editing the note, when version is missing, or when the note has"
    " changed since that version: read it again and work from what it says then."
)


def _create_note(library: Library, caller: Caller, arguments: Arguments) -> Shape:
    written = note_writing.create_note(
        library,
        caller,
        arguments.text("title"),
        arguments.text("markdown"),
        arguments.text("folder"),
        arguments.texts("tags"),
    )
    shape: Shape = {
        "path": written.path,
        "title": written.item.title,
        "tags": list(written.item.tags),
        "unresolvedWikilinks": list(written.unresolved),
        "version": written.version,
    }
    return _with_ignored(shape, written)


def _with_ignored(shape: Shape, written: NoteWritten) -> Shape:
    return shape | {"ignoredFrontmatterKeys": list(written.ignored)} if written.ignored else shape


CREATE_NOTE = Tool(
    name="create_note",
    tier=Tier.EDIT,
    hints=Hints("Create a note"),
    description=(
        "Make a new note from Markdown, at the top of the vault or in a folder, which is made if missing."
        " Where a note of that name is there already the new one gets a number; nothing is overwritten. A"
        " leading frontmatter block is taken: its tags become the note's tags, its other keys the note's"
        " frontmatter. The title comes from title alone. [[Note name]] becomes a link to that note; names"
        " that match none are returned in unresolvedWikilinks."
    ),
    properties={
        "title": {"type": "string", "maxLength": TITLE_LIMIT, "description": "Also the file's name."},
        "markdown": {**_MARKDOWN, "description": "The body, with or without frontmatter."},
        "folder": {"type": "string", "default": "", "description": "Path of the folder. Default: the top."},
        "tags": {**_TAGS, "description": "Added to those of the frontmatter."},
    },
    required=("title", "markdown"),
    outputs={
        "path": PATH,
        "title": _TEXT,
        "tags": _TEXTS,
        "unresolvedWikilinks": _UNRESOLVED,
        "version": _NEW_VERSION,
        "ignoredFrontmatterKeys": _IGNORED,
    },
    answers=("path", "title", "tags", "unresolvedWikilinks", "version"),
    run=_create_note,
)


def _update_note(library: Library, caller: Caller, arguments: Arguments) -> Shape:
    written = note_writing.update_note(
        library,
        caller,
        arguments.text("path"),
        arguments.text("markdown"),
        arguments.text_if_given("version"),
    )
    return _changed(written)


def _changed(written: NoteWritten) -> Shape:
    shape: Shape = {
        "path": written.path,
        "title": written.item.title,
        "version": written.version,
        "keptBlocks": [_block(block) for block in written.kept_blocks],
        "droppedBlocks": [_block(block) for block in written.dropped_blocks],
        "unresolvedWikilinks": list(written.unresolved),
    }
    return _with_ignored(shape, written)


def _block(block: BlockFence) -> Shape:
    return {"id": block.id, "label": block.label}


UPDATE_NOTE = Tool(
    name="update_note",
    tier=Tier.EDIT,
    hints=Hints("Rewrite a note", destructive=True),
    description=(
        "Replace the whole body of a note: send all of it, not a difference. To change a part use edit_note."
        " The title stays. A leading frontmatter block replaces the note's own keys; without one they stay,"
        " and an empty block (--- and ---) takes them away. Keep the lines of monthlet-block fences: what is"
        " left out is gone, and told in droppedBlocks. The body before is kept in the history." + _REFUSALS
    ),
    properties={
        "path": PATH,
        "markdown": {**_MARKDOWN, "description": "The whole new body, with or without frontmatter."},
        "version": _VERSION,
    },
    required=("path", "markdown", "version"),
    outputs=_CHANGED,
    answers=_ALWAYS,
    run=_update_note,
    explained=frozenset({"version"}),
)


def _edit_note(library: Library, caller: Caller, arguments: Arguments) -> Shape:
    edit = Replacement(
        arguments.text("old_string"), arguments.text("new_string"), arguments.flag("replace_all")
    )
    written = note_writing.edit_note(
        library, caller, arguments.text("path"), edit, arguments.text_if_given("version")
    )
    return _changed(written) | {"replacements": written.replacements}


EDIT_NOTE = Tool(
    name="edit_note",
    tier=Tier.EDIT,
    hints=Hints("Edit a note", destructive=True),
    description=(
        "Replace one passage of a note and leave every other byte as it is. old_string has to match what"
        " read_note returned exactly, with spaces and line breaks. Where it stands more than once, add text"
        " around it until it is one place, or set replace_all. Where it is not found, or not one place,"
        " nothing is written." + _REFUSALS
    ),
    properties={
        "path": PATH,
        "old_string": {**_MARKDOWN, "description": "The passage as it stands in the note."},
        "new_string": {**_MARKDOWN, "description": "What takes its place; empty deletes it."},
        "replace_all": {"type": "boolean", "default": False, "description": "Change every occurrence."},
        "version": _VERSION,
    },
    required=("path", "old_string", "new_string", "version"),
    outputs={**_CHANGED, "replacements": {"type": "integer", "description": "Number of places changed."}},
    answers=(*_ALWAYS, "replacements"),
    run=_edit_note,
    explained=frozenset({"version"}),
)


def _update_tags(library: Library, caller: Caller, arguments: Arguments) -> Shape:
    written = note_writing.update_tags(
        library,
        caller,
        arguments.text("path"),
        (arguments.texts("add"), arguments.texts("remove")),
        arguments.text_if_given("version"),
    )
    shape: Shape = {"path": written.path, "tags": list(written.tags)}
    return shape if written.version is None else shape | {"version": written.version}


UPDATE_TAGS = Tool(
    name="update_tags",
    tier=Tier.EDIT,
    hints=Hints("Change tags", destructive=True, idempotent=True),
    description=(
        "Add tags to a note or sheet, or take some away. The body does not change. Tags that differ only in"
        " case or in full-width and half-width form are the same, and a leading # may be left out. If version"
        " was still current the new version is returned, so that update_note can follow without reading"
        " again. Refused while the person is editing the note."
    ),
    properties={
        "path": PATH,
        "add": {**_TAGS, "description": "Tags to add."},
        "remove": {**_TAGS, "description": "Tags to take away."},
        "version": _VERSION,
    },
    required=("path",),
    outputs={"path": PATH, "tags": _TEXTS, "version": _NEW_VERSION},
    answers=("path", "tags"),
    run=_update_tags,
)


def _create_folder(library: Library, caller: Caller, arguments: Arguments) -> Shape:
    return {"path": note_writing.create_folder(library, caller, arguments.text("path"))}


CREATE_FOLDER = Tool(
    name="create_folder",
    tier=Tier.EDIT,
    hints=Hints("Create a folder", idempotent=True),
    description="Make an empty folder, with the folders above it that are missing. One that is there stays.",
    properties={"path": {"type": "string", "description": "Path of the folder, such as Tea/Green."}},
    required=("path",),
    outputs={"path": {"type": "string", "description": "Where the folder lies."}},
    answers=("path",),
    run=_create_folder,
)
