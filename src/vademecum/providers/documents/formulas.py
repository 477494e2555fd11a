"""What do the formulas of a workbook come to?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import formualizer

from vademecum.model.ranges import LAST_COLUMN, LAST_ROW, column_name, sheet_reference
from vademecum.model.sheets import Cell, CellKind
from vademecum.providers.documents.cells import cell_of

WIDEST_AREA = 5_000_000
"""Cells of the area around all that one sheet holds; a sheet with a wider one is not read."""

_ROWS_AT_ONCE = 1_000
_UNFAMILIAR = "#VALUE!"
_ERRORS = {
    "Div": "#DIV/0!", "Na": "#N/A", "Name": "#NAME?", "Null": "#NULL!", "Num": "#NUM!", "Ref": "#REF!",
    "Value": "#VALUE!", "Spill": "#SPILL!", "Calc": "#CALC!", "Circ": "#CIRC!", "Error": "#ERROR!",
}  # fmt: skip

Rows = Iterator[list[Cell]]


def computed(content: bytes, names: Iterable[str]) -> dict[str, Rows] | None:
    """The rows of each sheet with the results of its formulas, also those into which a formula spills.

    None when the engine cannot read the file, and no sheet where results spill over too wide an area.
    """
    try:
        engine = formualizer.Workbook.from_bytes(content)
        engine.evaluate_all()
        areas = {name: _used(engine, name) for name in names}
    except (OSError, ValueError, RuntimeError):
        return None
    return {
        name: _rows(engine.sheet(name), name, rows, columns)
        for name, (rows, columns) in areas.items()
        if 0 < rows * columns <= WIDEST_AREA
    }


def _used(engine: formualizer.Workbook, name: str) -> tuple[int, int]:
    """How many rows and columns hold anything, told by how far whole columns and whole rows reach."""
    sheet = sheet_reference(name)
    down = engine.range_page(f"{sheet}!A:{column_name(LAST_COLUMN)}", limit=1, include_values=False)
    across = engine.range_page(f"{sheet}!1:{LAST_ROW}", limit=1, include_values=False)
    return down.total // LAST_COLUMN, across.total // LAST_ROW


def _rows(sheet: formualizer.Sheet, name: str, rows: int, columns: int) -> Rows:
    for first in range(1, rows + 1, _ROWS_AT_ONCE):
        last = min(first + _ROWS_AT_ONCE - 1, rows)
        for values in sheet.get_values(formualizer.RangeAddress(name, first, 1, last, columns)):
            yield [_cell(value) for value in values]


def _cell(value: Any) -> Cell:
    if isinstance(value, dict):
        return Cell(CellKind.ERROR, _ERRORS.get(str(value.get("kind")), _UNFAMILIAR))
    return cell_of(value)
