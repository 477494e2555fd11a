"""What is a sheet once it is read, and what does a range of it hold?"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from vademecum.model.errors import InvalidInput, TooLarge
from vademecum.model.ranges import Area, Reference, parse_reference

LARGEST_RANGE = 50_000  # cells of one answer, after the range is cut to what is used
MOST_ROWS_MADE = 20_000
MOST_CELLS_MADE = 100_000
LONGEST_CELL = 32_767  # characters, the bound of the .xlsx format

Value = str | int | float | bool | None
"""What a cell holds: text, number, truth or nothing; a date or time is ISO text, an error its own text."""

CellInput = str | int | float | bool | None
"""What can be written into a cell of a new sheet; a text stays text whatever it begins with."""


class CellKind(StrEnum):
    """What the value of a cell is."""

    EMPTY = "empty"
    TEXT = "text"
    NUMBER = "number"
    PERCENT = "percent"
    BOOLEAN = "boolean"
    DATE = "date"
    DATETIME = "datetime"
    TIME = "time"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Cell:
    """A computed value and what it is; `display` is how it is shown where that differs (`45.6%`)."""

    kind: CellKind
    value: Value
    display: str | None = None

    @property
    def text(self) -> str:
        """The cell as a reader sees it."""
        if self.display is not None:
            return self.display
        if isinstance(self.value, bool):
            return "TRUE" if self.value else "FALSE"
        return "" if self.value is None else str(self.value)

    @property
    def number(self) -> int | float | None:
        """The value where it is a number that can be reckoned with."""
        if isinstance(self.value, int | float) and not isinstance(self.value, bool):
            return self.value
        return None


EMPTY = Cell(CellKind.EMPTY, None)
Row = tuple[Cell, ...]


@dataclass(frozen=True)
class Sheet:
    """One sheet. The first row is row 1; rows are as long as they have cells, and missing cells are empty.

    `merged` are the merged areas, each with its value in the top left cell. `truncated` tells that the file
    holds more than was read.
    """

    name: str
    rows: tuple[Row, ...]
    merged: tuple[Area, ...] = ()
    truncated: bool = False

    @cached_property
    def used(self) -> Area | None:
        """The smallest area around all cells that are not empty, None for an empty sheet."""
        places = [
            (number, column)
            for number, row in enumerate(self.rows, 1)
            for column, cell in _ends(row)
            if cell.kind is not CellKind.EMPTY
        ]
        if not places:
            return None
        columns = [column for _, column in places]
        return Area(places[0][0], min(columns), places[-1][0], max(columns))

    def cells(self, area: Area) -> tuple[Row, ...]:
        """The cells of the area row by row, without rows and columns that lie beyond all used ones."""
        last_row = min(area.last_row, self.used.last_row if self.used else 0)
        last_column = min(area.last_column, self.used.last_column if self.used else 0)
        if area.first_row > last_row or area.first_column > last_column:
            return ()
        width = last_column - area.first_column + 1
        return tuple(
            _padded(row[area.first_column - 1 : last_column], width)
            for row in self.rows[area.first_row - 1 : last_row]
        )


@dataclass(frozen=True, slots=True)
class NamedArea:
    """A name that the file gives to cells of one of its sheets."""

    name: str
    reference: Reference


@dataclass(frozen=True, slots=True)
class Workbook:
    """The sheets of a file in their order. `calculated` is false when a formula without a stored value could
    not be computed; its cell is empty. `names` are those that the file gives to areas.
    """

    sheets: tuple[Sheet, ...]
    calculated: bool = True
    names: tuple[NamedArea, ...] = ()

    def sheet(self, name: str | None, field: str = "sheet_id") -> Sheet:
        """The sheet of that name, the first one for None; case and width of letters do not matter.

        Raises InvalidInput for the field when there is none.
        """
        if name is None and self.sheets:
            return self.sheets[0]
        exact = [sheet for sheet in self.sheets if sheet.name == name]
        alike = [sheet for sheet in self.sheets if name is not None and _folded(sheet.name) == _folded(name)]
        for sheet in (*exact, *alike):
            return sheet
        raise InvalidInput(field, "the file has no sheet of that name")

    def reference(self, text: str) -> Reference:
        """What a reference in A1 form, or else a name of the file, means. Raises InvalidInput (`range`)."""
        try:
            return parse_reference(text)
        except InvalidInput:
            for named in self.names:
                if _folded(named.name) == _folded(text.strip()):
                    return named.reference
            raise


@dataclass(frozen=True, slots=True)
class RangeContent:
    """What a range holds: the sheet, the area as asked for, its cells without what lies beyond the used area
    (no row at all when nothing of it is used), and the merged areas that it meets.
    """

    sheet: Sheet
    area: Area
    rows: tuple[Row, ...]
    merged: tuple[Area, ...]


def read_range(workbook: Workbook, reference: str | Reference, sheet_id: str | None = None) -> RangeContent:
    """The cells of a range of a sheet that is named in the reference or by `sheet_id`, else of the first; a
    name that the file gives to an area is a reference too.

    Raises InvalidInput for `range` or `sheet_id`, and TooLarge when more than 50,000 cells would be answered.
    """
    asked = workbook.reference(reference) if isinstance(reference, str) else reference
    if asked.sheet is not None and sheet_id is not None and _folded(asked.sheet) != _folded(sheet_id):
        raise InvalidInput("sheet_id", "the range names another sheet")
    sheet = workbook.sheet(sheet_id) if asked.sheet is None else workbook.sheet(asked.sheet, "range")
    used, area = sheet.used, asked.area
    if used is not None:
        rows = min(area.last_row, used.last_row) - area.first_row + 1
        columns = min(area.last_column, used.last_column) - area.first_column + 1
        if rows > 0 and rows * columns > LARGEST_RANGE:
            raise TooLarge("range", LARGEST_RANGE, "cells")
    merged = tuple(one for one in sheet.merged if one.meets(area))
    return RangeContent(sheet, area, sheet.cells(area), merged)


def _ends(row: Row) -> Iterator[tuple[int, Cell]]:
    """The first and the last cell of a row that are not empty, with their columns."""
    for columns in (range(len(row)), reversed(range(len(row)))):
        for column in columns:
            if row[column].kind is not CellKind.EMPTY:
                yield column + 1, row[column]
                break


def _padded(row: Row, width: int) -> Row:
    return row + (EMPTY,) * (width - len(row))


def _folded(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold()
