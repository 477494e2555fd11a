"""Which cells of which sheet does a reference such as `'Budget 2027'!A1:B2` mean?"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from vademecum.model.errors import InvalidInput

LAST_ROW = 1_048_576
LAST_COLUMN = 16_384
"""The bounds of a sheet in the .xlsx format."""

LONGEST_REFERENCE = 500  # characters; a sheet's name has at most 31, each of which may be a doubled quote
_FIELD = "range"
_LETTERS = 26
_QUOTED = re.compile(r"'((?:[^']|'')+)'!(.*)", re.DOTALL)
_CORNERS = re.compile(r"\$?([A-Z]{1,3})?\$?([0-9]{1,7})?(?::\$?([A-Z]{1,3})?\$?([0-9]{1,7})?)?")
_PLAIN_NAME = re.compile(r"[^\W\d]\w*")


@dataclass(frozen=True, slots=True, order=True)
class Area:
    """A rectangle of cells; rows and columns count from 1, the last ones belong to it."""

    first_row: int
    first_column: int
    last_row: int
    last_column: int

    @property
    def rows(self) -> int:
        return self.last_row - self.first_row + 1

    @property
    def columns(self) -> int:
        return self.last_column - self.first_column + 1

    @property
    def size(self) -> int:
        """How many cells it has."""
        return self.rows * self.columns

    @property
    def name(self) -> str:
        """The shortest reference that means this area: `B2`, `A1:C3`, `A:B` for columns, `2:5` for rows."""
        first, last = column_name(self.first_column), column_name(self.last_column)
        if (self.first_row, self.last_row) == (1, LAST_ROW):
            return f"{first}:{last}"
        if (self.first_column, self.last_column) == (1, LAST_COLUMN):
            return f"{self.first_row}:{self.last_row}"
        if self.size == 1:
            return f"{first}{self.first_row}"
        return f"{first}{self.first_row}:{last}{self.last_row}"

    def meets(self, other: Area) -> bool:
        """Whether the two have a cell in common."""
        return (
            self.first_row <= other.last_row
            and other.first_row <= self.last_row
            and self.first_column <= other.last_column
            and other.first_column <= self.last_column
        )


@dataclass(frozen=True, slots=True)
class Reference:
    """An area, and the sheet that was named with it."""

    area: Area
    sheet: str | None = None

    @property
    def name(self) -> str:
        """The reference as a program for sheets writes it."""
        if self.sheet is None:
            return self.area.name
        return f"{sheet_reference(self.sheet)}!{self.area.name}"


def parse_reference(text: str) -> Reference:
    """What a reference in A1 form means: a cell, a range, whole columns (`A:C`) or whole rows (`2:5`).

    Letters may be lower case or of full width, corners in any order and with `$`, the sheet's name plain or
    in quotes (a quote in it doubled). Raises InvalidInput for `range` when it is none of these, or leaves the
    1,048,576 rows and 16,384 columns that a sheet can have (contracts 3.4.1).
    """
    if len(text) > LONGEST_REFERENCE:
        raise InvalidInput(_FIELD, f"at most {LONGEST_REFERENCE} characters")
    sheet, corners = _split(text.strip())
    folded = unicodedata.normalize("NFKC", corners).strip().upper()
    found = _CORNERS.fullmatch(folded)
    if found is None:
        raise _malformed()
    return Reference(_area(*found.groups(), is_pair=":" in folded), sheet)


def column_name(number: int) -> str:
    """The letters of a column: `A` for 1, `AA` for 27."""
    letters = ""
    while number > 0:
        number, letter = divmod(number - 1, _LETTERS)
        letters = chr(ord("A") + letter) + letters
    return letters


def column_number(letters: str) -> int:
    """The number of a column of upper-case letters: 1 for `A`."""
    number = 0
    for letter in letters:
        number = number * _LETTERS + ord(letter) - ord("A") + 1
    return number


def sheet_reference(name: str) -> str:
    """A sheet's name as it stands before `!`: in quotes where it is more than one plain word."""
    if _PLAIN_NAME.fullmatch(name) and _CORNERS.fullmatch(name.upper()) is None:
        return name
    return "'" + name.replace("'", "''") + "'"


def _split(text: str) -> tuple[str | None, str]:
    """The sheet's name, if one stands there, and the rest."""
    if text.startswith("'"):
        quoted = _QUOTED.fullmatch(text)
        if quoted is None:
            raise _malformed()
        return quoted[1].replace("''", "'"), quoted[2]
    name, mark, corners = text.rpartition("!")
    if mark and not name.strip():
        raise _malformed()
    return (name.strip() if mark else None), corners


def _area(
    column: str | None, row: str | None, other_column: str | None, other_row: str | None, *, is_pair: bool
) -> Area:
    """The area between two corners, which must be of one kind: two cells, two columns or two rows."""
    if not is_pair:
        if column is None or row is None:
            raise _malformed()
        other_column, other_row = column, row
    if (column is None) != (other_column is None) or (row is None) != (other_row is None):
        raise _malformed()
    if column is None and row is None:
        raise _malformed()
    columns = sorted((_column(column, 1), _column(other_column, LAST_COLUMN)))
    rows = sorted((_row(row, 1), _row(other_row, LAST_ROW)))
    return Area(rows[0], columns[0], rows[1], columns[1])


def _column(letters: str | None, otherwise: int) -> int:
    number = otherwise if letters is None else column_number(letters)
    if number > LAST_COLUMN:
        raise InvalidInput(_FIELD, f"the last column is {column_name(LAST_COLUMN)}")
    return number


def _row(digits: str | None, otherwise: int) -> int:
    number = otherwise if digits is None else int(digits)
    if not 1 <= number <= LAST_ROW:
        raise InvalidInput(_FIELD, f"rows count from 1 to {LAST_ROW:,}")
    return number


def _malformed() -> InvalidInput:
    return InvalidInput(_FIELD, "write it like B2, A1:C10, A:B, 2:5 or 'Sheet name'!A1:C10")
