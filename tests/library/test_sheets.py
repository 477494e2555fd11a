"""Are sheets made as they were meant, and found at once?"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.library.home import Home
from tests.library.vault import put
from vademecum.library.finding import NoteSearch, search_notes
from vademecum.library.history import revisions
from vademecum.library.listing import list_notes
from vademecum.library.sheet_reading import read_sheet
from vademecum.library.sheets import SheetMade, create_sheet
from vademecum.model.access import Tier
from vademecum.model.errors import InvalidInput, ProviderUnavailable, StorageFull, TierDenied, TooLarge
from vademecum.model.items import Kind, Layer
from vademecum.model.quota import Limits
from vademecum.model.sheets import CellInput

ROWS: list[list[CellInput]] = [["Item", "Price"], ["halyard", 12.5], ["=1+1", True, None, "茶"], []]


def made(desk: Home, title: str = "Stores", folder: str = "", rows: Any = ROWS) -> SheetMade:
    return create_sheet(desk.library, desk.owner, title, rows, folder)


def values(desk: Home, path: str, reference: str = "A:Z") -> list[list[object]]:
    return [
        [cell.value for cell in row]
        for row in read_sheet(desk.library, desk.owner, path, reference, None).rows
    ]


def found(desk: Home, query: str) -> list[str]:
    return [one.listed.path for one in search_notes(desk.library, desk.owner, NoteSearch(query))[0]]


def test_a_sheet_is_made_of_rows_and_every_text_stays_text(desk: Home) -> None:
    sheet = made(desk, folder="Boat/Lists")
    assert (sheet.path, sheet.item.title, sheet.item.kind) == ("Boat/Lists/Stores.xlsx", "Stores", Kind.SHEET)
    assert values(desk, sheet.path) == [
        ["Item", "Price", None, None],
        ["halyard", 12.5, None, None],
        ["=1+1", True, None, "茶"],
    ]
    assert read_sheet(desk.library, desk.owner, sheet.path, None, None).sheet.name == "Stores"


def test_a_sheet_is_found_by_its_cells_as_what_was_written_here(desk: Home) -> None:
    sheet = made(desk)
    assert found(desk, "halyard") == [sheet.path]
    assert desk.found("halyard", provenance="authored") == ["Stores"]
    document = desk.read(sheet.item.item_id)
    assert document.item.layers == (Layer.AUTHORED,)
    assert document.body == "# Stores\n\nItem\tPrice\nhalyard\t12.5\n=1+1\tTRUE\t\t茶"
    listed = list_notes(desk.library, desk.owner, "", archived=False, limit=10)
    assert [one.path for one in listed] == [sheet.path]
    assert [one.change.tool for one in revisions(desk.library, desk.owner, sheet.item.item_id)] == [
        "create_sheet"
    ]


def test_a_name_that_is_taken_gets_a_number(desk: Home) -> None:
    put(desk, "Stores.md", "a note of that name")
    assert [made(desk).path, made(desk).path] == ["Stores.xlsx", "Stores 2.xlsx"]
    assert made(desk, "a/b: c?").path == "a-b- c-.xlsx"


def test_a_sheet_may_be_empty(desk: Home) -> None:
    sheet = made(desk, rows=[])
    assert read_sheet(desk.library, desk.owner, sheet.path, None, None).sheet.used is None
    assert values(desk, sheet.path) == []


@pytest.mark.parametrize(
    ("title", "rows", "refusal"),
    [
        (" ", [], InvalidInput),
        ("x" * 501, [], TooLarge),
        ("x", [[1]] * 20_001, TooLarge),
        ("x", [["x" * 32_768]], TooLarge),
        ("x", [[float("inf")]], InvalidInput),
    ],
)
def test_what_no_sheet_can_hold_is_refused_and_leaves_nothing(
    desk: Home, title: str, rows: Any, refusal: type[Exception]
) -> None:
    with pytest.raises(refusal):
        made(desk, title, rows=rows)
    with pytest.raises(InvalidInput):
        made(desk, folder="../up")
    assert desk.listed() == []


def test_only_who_may_write_makes_sheets_and_only_where_there_is_room(desk: Home) -> None:
    with pytest.raises(TierDenied):
        create_sheet(desk.library, replace(desk.owner, tier=Tier.READ_ONLY), "x", [], "")
    with pytest.raises(StorageFull):
        made(desk.with_ports(limits=Limits(0, None)))
    with pytest.raises(ProviderUnavailable):
        made(desk.with_ports(documents=None))
    assert desk.listed() == []
