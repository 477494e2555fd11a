"""How does a value of a library for sheets become a cell, and travel between two processes?"""

from __future__ import annotations

import math
from datetime import date, datetime, time, timedelta
from typing import Any

from vademecum.model.sheets import EMPTY, Cell, CellKind

MOST_CELLS = 500_000  # read of one file, empty ones between others included

_EXACT = 10**15  # below it a number without fraction is shown whole
_NOT_FINITE = "#NUM!"


def cell_of(value: object) -> Cell:
    """The cell for a value as the reader of sheets or the engine of formulas gives it."""
    match value:
        case None | "":
            return EMPTY
        case bool():
            return Cell(CellKind.BOOLEAN, value)
        case str():
            return Cell(CellKind.TEXT, value)
        case int() | float():
            return _number(value)
        case date() | time() | timedelta():
            return _moment(value)
        case _:
            return Cell(CellKind.ERROR, "#VALUE!")


def percent(cell: Cell, decimals: int) -> Cell:
    """A number as it is shown in percent, any other cell as it is."""
    number = cell.number
    if number is None:
        return cell
    return Cell(CellKind.PERCENT, number, f"{number * 100:.{min(decimals, 15)}f}%")


def pack(cell: Cell) -> Any:
    """The cell as a value that JSON has, short where it can be."""
    if cell.kind in (CellKind.EMPTY, CellKind.TEXT, CellKind.NUMBER, CellKind.BOOLEAN):
        return cell.value
    return [cell.kind, cell.value] if cell.display is None else [cell.kind, cell.value, cell.display]


def unpack(packed: Any) -> Cell:
    """The cell that was packed. Raises ValueError or TypeError for anything else."""
    if isinstance(packed, list):
        kind, value, *display = packed
        if not isinstance(value, str | int | float):
            raise TypeError
        return Cell(CellKind(kind), value, str(display[0]) if display else None)
    if packed is None or isinstance(packed, str | int | float):
        return cell_of(packed)
    raise TypeError


def _number(value: float) -> Cell:
    if not math.isfinite(value):
        return Cell(CellKind.ERROR, _NOT_FINITE)
    whole = float(value).is_integer() and abs(value) < _EXACT
    return Cell(CellKind.NUMBER, int(value) if whole else value)


def _moment(value: date | time | timedelta) -> Cell:
    if isinstance(value, timedelta):
        return Cell(CellKind.TIME, _clock(value))
    if isinstance(value, datetime):
        return Cell(CellKind.DATETIME, value.isoformat())
    return Cell(CellKind.TIME if isinstance(value, time) else CellKind.DATE, value.isoformat())


def _clock(length: timedelta) -> str:
    """A length of time as hours, which may be more than a day's, minutes and seconds."""
    seconds = round(length.total_seconds())
    sign, seconds = ("-", -seconds) if seconds < 0 else ("", seconds)
    return f"{sign}{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
