"""What does an .xlsx file hold, formulas computed?"""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from datetime import date
from typing import Any, TypeVar

import formualizer
from lxml import etree
from python_calamine import CalamineError, CalamineSheet, CalamineWorkbook

from vademecum.model.sheets import EMPTY, Cell, CellKind
from vademecum.providers.documents.archive import open_archive
from vademecum.providers.documents.cells import MOST_CELLS, cell_of, pack, percent
from vademecum.providers.documents.refusals import DAMAGED, TOO_LARGE, refused
from vademecum.providers.documents.sheet_parts import Place, SheetParts, read_parts

_MOST_SHEETS = 255
_WIDEST_AREA = 5_000_000  # cells of the area that the reader lays out for one sheet

Grid = list[list[Cell]]
T = TypeVar("T")


def read_spreadsheet(content: bytes) -> dict[str, Any]:
    """The sheets as JSON has them.

    Values stored in the file are taken as they are; where a formula has none, all formulas are computed and
    fill the cells that are empty, also those into which a formula spills. Raises DocumentRefused.
    """
    parts = _parts(content)
    grids, merged = _stored(content, parts)
    calculated = True
    if any(sheet.uncomputed for sheet in parts.values()):
        calculated = _compute(content, parts, grids)
    room = MOST_CELLS
    sheets = []
    for name, grid in grids.items():
        rows, cut = _packed(grid, room)
        room -= sum(map(len, rows))
        sheets.append({"name": name, "rows": rows, "merged": merged[name], "truncated": cut})
    return {"sheets": sheets, "calculated": calculated}


def _parts(content: bytes) -> dict[str, SheetParts]:
    try:
        with open_archive(content) as archive:
            parts = read_parts(archive)
    except (KeyError, ValueError, OSError, EOFError, etree.LxmlError) as error:
        raise refused(DAMAGED) from error
    areas = [sheet.last_row * sheet.last_column for sheet in parts.values()]
    if len(parts) > _MOST_SHEETS or max(areas, default=0) > _WIDEST_AREA:
        raise refused(TOO_LARGE)
    return parts


def _stored(
    content: bytes, parts: Mapping[str, SheetParts]
) -> tuple[dict[str, Grid], dict[str, list[tuple[int, int, int, int]]]]:
    """The values that the file holds, as many as are read, and the merged areas."""
    grids, merged = {}, {}
    try:
        with CalamineWorkbook.from_filelike(io.BytesIO(content)) as book:
            for name, sheet in parts.items():
                found = book.get_sheet_by_name(name)
                grids[name] = _grid(found, sheet)
                merged[name] = [
                    (top + 1, left + 1, bottom + 1, right + 1)
                    for (top, left), (bottom, right) in found.merged_cell_ranges or []
                ]
    except (CalamineError, ValueError, OSError) as error:
        raise refused(DAMAGED) from error
    return grids, merged


def _grid(found: CalamineSheet, parts: SheetParts) -> Grid:
    """The cells row by row, without empty ends; when there are too many, a row more than is kept."""
    grid: Grid = []
    room = MOST_CELLS
    left = [EMPTY] * (found.start[1] if found.start else 0)  # rows come without the columns that none uses
    for values in found.iter_rows():
        row = _trimmed([*left, *map(cell_of, values)])
        grid.append(row)
        room -= len(row)
        if room < 0:
            break
    _put(grid, parts.errors, lambda _, error: Cell(CellKind.ERROR, error))
    _put(grid, parts.percents, percent)
    return grid


def _trimmed(cells: list[Cell]) -> list[Cell]:
    while cells and cells[-1] is EMPTY:
        cells.pop()
    return cells


def _put(grid: Grid, told: Mapping[Place, T], change: Callable[[Cell, T], Cell]) -> None:
    """Change the cells of which something more is told; the ends of rows may have been left out as empty."""
    for (row, column), value in told.items():
        if row <= len(grid):
            cells = grid[row - 1]
            cells += [EMPTY] * (column - len(cells))
            cells[column - 1] = change(cells[column - 1], value)


def _compute(content: bytes, parts: dict[str, SheetParts], grids: dict[str, Grid]) -> bool:
    """Fill empty cells with what the formulas give; false when the engine cannot read the file.

    The values are stored into a copy of the file first, since that shows where results spill into.
    """
    try:
        computed = bytes(formualizer.recalculate_xlsx_bytes(content)["bytes"])
        engine = formualizer.Workbook.from_bytes(content)
        engine.evaluate_all()
    except (OSError, ValueError, RuntimeError):
        return False
    computed_parts = _parts(computed)
    filled, _ = _stored(computed, computed_parts)
    for name, sheet in parts.items():
        dates = _dates(engine, name, sheet)
        _put(filled[name], dates, lambda _, found: cell_of(found))
        grids[name] = _merged(grids[name], filled[name])
    return True


def _dates(engine: formualizer.Workbook, name: str, sheet: SheetParts) -> dict[Place, date]:
    """Results that are dates though their cells have no format for dates."""
    results = {place: engine.get_value(name, *place) for place in sheet.uncomputed}
    return {place: value for place, value in results.items() if isinstance(value, date)}


def _merged(stored: Grid, computed: Grid) -> Grid:
    """The stored cells, with computed ones in place of those that are empty or missing."""
    grid = []
    for number in range(max(len(stored), len(computed))):
        row = list(stored[number]) if number < len(stored) else []
        other = computed[number] if number < len(computed) else []
        row += [EMPTY] * (len(other) - len(row))
        for column, cell in enumerate(other):
            if row[column] is EMPTY:
                row[column] = cell
        grid.append(row)
    return grid


def _packed(grid: Grid, room: int) -> tuple[list[list[Any]], bool]:
    """The rows without empty ends, as many as there is room for, and whether some were left out."""
    rows: list[list[Any]] = []
    for cells in grid:
        kept = _trimmed(cells)
        room -= len(kept)
        if room < 0:
            return rows, True
        rows.append([pack(cell) for cell in kept])
    while rows and not rows[-1]:
        rows.pop()
    return rows, False
