"""How does an agent beside the person make a sheet?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from vademecum.library.changing import begin_change
from vademecum.library.context import Library
from vademecum.library.files import documents_of
from vademecum.library.importing import first_hash_of
from vademecum.library.indexing import prepare
from vademecum.library.naming import place
from vademecum.library.places import SHEET_ENDING, new_folder_names, path_of, tree_of
from vademecum.library.reading_files import media_type_of
from vademecum.library.saving import check_room, check_title
from vademecum.library.writing import Write, add_document
from vademecum.model.access import Caller, Tier, require
from vademecum.model.errors import InvalidInput
from vademecum.model.ids import new_id
from vademecum.model.items import Birth, Blob, Item, Kind, Layers, State, new_document
from vademecum.model.names import file_name
from vademecum.model.revisions import Action
from vademecum.model.sheets import CellInput
from vademecum.text.sheet_text import sheet_text


@dataclass(frozen=True, slots=True)
class SheetMade:
    """A new sheet and where it lies."""

    item: Item
    path: str


def create_sheet(
    library: Library, caller: Caller, title: str, rows: Sequence[Sequence[CellInput]], folder: str
) -> SheetMade:
    """Make a sheet of the rows in a folder, which is made if missing; a name that is taken gets a number.

    Every string is text, also one that begins with `=`. Its cells are searched when this returns.

    Raises TierDenied, InvalidInput, TooLarge, StorageFull, NotPermitted and ProviderUnavailable.
    """
    require(caller, Tier.EDIT)
    named = check_title(title, "title")
    if named is None:
        raise InvalidInput("title", "may not be empty")
    documents = documents_of(library)
    content = documents.make_workbook(named, rows)
    cells = sheet_text(documents.read_sheet(content, SHEET_ENDING)).text
    with library.blobs.storing():
        blob = Blob(library.blobs.put(content), len(content), media_type_of(SHEET_ENDING))
        return _keep(library, caller, _state(named, cells, blob), blob, folder)


def _state(title: str, cells: str, blob: Blob) -> State:
    return State(
        title,
        Kind.SHEET,
        Layers(authored=cells),
        file_name=file_name(title, suffix=SHEET_ENDING),
        blob=blob.content_hash,
    )


def _keep(library: Library, caller: Caller, state: State, blob: Blob, folder: str) -> SheetMade:
    prepared = prepare(library, state)
    space_id = caller.spaces[0]
    with library.storage.write() as tx:
        check_room(library, tx, caller)
        names = new_folder_names(tx, space_id, tree_of(tx, space_id), folder)
        change = begin_change(library, tx, caller, space_id, "create_sheet")
        tx.blobs.add(space_id, blob)
        placed = place(library, tx, change, state, names)
        document = new_document(Birth(space_id, new_id(), change.made_at, first_hash_of(placed)), placed)
        add_document(tx, Write(caller, change, Action.CREATE, prepared), document)
        path = path_of(tx, space_id, placed.folder_id, placed.file_name)
        return SheetMade(document.item, path)
