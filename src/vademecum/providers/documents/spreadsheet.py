"""What does an .xlsx file hold, formulas computed?"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from python_calamine import CalamineError, CalamineSheet, CalamineWorkbook

from vademecum.model.sheets import EMPTY, Cell, CellKind
from vademecum.providers.documents.archive import open_archive
from vademecum.providers.documents.cells import MOST_CELLS, cell_of, pack, percent
from vademecum.providers.documents.formulas import WIDEST_AREA, computed
from vademecum.providers.documents.refusals import DAMAGED, TOO_LARGE, refused
from vademecum.providers.documents.sheet_parts import BROKEN_PARTS, Place, SheetParts, read_names, read_parts

_MOST_SHEETS = 255

Grid = list[list[Cell]]
T = TypeVar("T")


def read_spreadsheet(content: bytes) -> dict[str, Any]:
    """The sheets as JSON has them.

    Values stored in the file are taken as they are; where a formula has none, all formulas are computed and
    fill the cells that are empty, also those into which a formula spills. Raises DocumentRefused.
    """
    parts, names = _parts(content)
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
    return {"sheets": sheets, "calculated": calculated, "names": names}


def _parts(content: bytes) -> tuple[dict[str, SheetParts], list[tuple[str, str]]]:
    try:
        with open_archive(content) as archive:
            parts, names = read_parts(archive), read_names(archive)
    except (*BROKEN_PARTS, zipfile.BadZipFile, OSError, EOFError) as error:
        raise refused(DAMAGED) from error
    areas = [sheet.last_row * sheet.last_column for sheet in parts.values()]
    if len(parts) > _MOST_SHEETS or max(areas, default=0) > WIDEST_AREA:
        raise refused(TOO_LARGE)
    return parts, names


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
    """Fill the cells that are empty with what the formulas come to; false when that could not be told."""
    found = computed(content, parts)
    if found is None:
        return False
    for name, rows in found.items():
        grid, room = grids[name], MOST_CELLS
        for number, cells in enumerate(map(_trimmed, rows)):
            if number == len(grid):
                grid.append([])
            _fill(grid[number], cells)
            room -= len(cells)
            if room < 0:
                break
        _put(grid, parts[name].percents, percent)
    return all(name in found for name, sheet in parts.items() if sheet.uncomputed)


def _fill(row: list[Cell], cells: list[Cell]) -> None:
    row += [EMPTY] * (len(cells) - len(row))
    for column, cell in enumerate(cells):
        if row[column] is EMPTY:
            row[column] = cell


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
