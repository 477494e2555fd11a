"""What stands in a note of the vault?"""

from __future__ import annotations

from dataclasses import dataclass

from vademecum.library.context import Library
from vademecum.library.file_kinds import what_it_is
from vademecum.library.places import is_note, is_sheet, item_at, tree_of
from vademecum.model.access import Caller
from vademecum.model.errors import InvalidInput, NotFound
from vademecum.model.items import Document, Item
from vademecum.model.versions import version_token
from vademecum.ports.storage import Transaction
from vademecum.text.markdown_lines import split_lines
from vademecum.text.shown_note import shown


@dataclass(frozen=True, slots=True)
class PlacedNote:
    """A note, or a sheet where that was allowed, with its texts and the path at which it lies."""

    document: Document
    path: str

    @property
    def item(self) -> Item:
        return self.document.item


@dataclass(frozen=True, slots=True)
class NoteReading:
    """A note, or some lines of it, counted from 1. `version` is None where lines are missing, since nothing
    may be written from a part (contracts 3.5); `end_line` is one less than `start_line` where there are none.
    """

    item: Item
    path: str
    markdown: str
    version: str | None
    start_line: int
    end_line: int
    total_lines: int

    @property
    def partial(self) -> bool:
        return self.version is None


def read_note(
    library: Library, caller: Caller, path: str, offset: int | None = None, limit: int | None = None
) -> NoteReading:
    """The Markdown of the note or capture at the path: its own frontmatter with a type, then its body, every
    byte of it. `offset` is the first line, from 1; `limit` is how many. Lines beyond the end are none.

    Raises NotFound, and InvalidInput (`path`) for a sheet or file, naming the tool that reads it.
    """
    with library.storage.read() as tx:
        note = note_at(tx, caller, path)
    lines = split_lines(shown(note.document.frontmatter, note.document.body))
    first = (offset or 1) - 1
    taken = lines[first:] if limit is None else lines[first : first + limit]
    is_whole = len(taken) == len(lines)
    return NoteReading(
        item=note.item,
        path=note.path,
        markdown="".join(taken),
        version=version_token(note.item.item_id, note.item.version) if is_whole else None,
        start_line=first + 1,
        end_line=first + len(taken),
        total_lines=len(lines),
    )


def note_at(tx: Transaction, caller: Caller, path: str, *, or_sheet: bool = False) -> PlacedNote:
    """What lies at the path in the open space. Raises as `read_note`, of which a sheet is none unless
    `or_sheet`.
    """
    space_id = caller.spaces[0]
    tree = tree_of(tx, space_id)
    placed = item_at(tx, space_id, tree, path)
    if not is_note(placed.file_name) and not (or_sheet and is_sheet(placed.file_name)):
        raise InvalidInput("path", f"is {what_it_is(placed.file_name)}")
    document = tx.items.load(space_id, placed.item_id)
    if document is None:
        raise NotFound(id=placed.item_id)
    return PlacedNote(document, tree.path_of(placed.folder_id, placed.file_name))
