"""What stands in the cells of a sheet of the vault?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from vademecum.library.context import Library
from vademecum.library.file_kinds import suffix_key, what_it_is
from vademecum.library.files import PlacedFile, content_of, documents_of, file_at
from vademecum.model.access import Caller
from vademecum.model.errors import InvalidInput
from vademecum.model.sheets import RangeContent, Row, Sheet, Workbook, read_range
from vademecum.ports.documents import SHEET_SUFFIXES
from vademecum.ports.storage import Transaction

LONGEST_RANGE = 200_000  # characters of the cells of one answer


@dataclass(frozen=True, slots=True)
class SheetReading:
    """A sheet file, or a range of one of its sheets.

    `sheet` is the sheet that was asked for. `content` is None where no range was; then the file is told in
    outline. `rows` are those of the content, or as many of them as are answered at once: `truncated` tells
    that there are more, there or in the file.
    """

    path: str
    workbook: Workbook
    sheet: Sheet
    content: RangeContent | None
    rows: tuple[Row, ...]
    truncated: bool


def read_sheet(
    library: Library, caller: Caller, path: str, reference: str | None, sheet_id: str | None
) -> SheetReading:
    """The cells of a range of the sheet at the path, .xlsx, .csv or .tsv, with computed values; without a
    range the file in outline. `sheet_id` is the name of a sheet, the first one for None.

    Raises NotFound, InvalidInput for the path, the range and the sheet, TooLarge for a range of over 50,000
    cells, and DocumentRefused for a file that cannot be read.
    """
    with library.storage.read() as tx:
        file = sheet_file_at(tx, caller, path)
    workbook = workbook_of(library, file)
    if reference is None or not reference.strip():
        sheet = workbook.sheet(sheet_id)
        return SheetReading(file.path, workbook, sheet, None, (), sheet.truncated)
    content = read_range(workbook, reference, sheet_id)
    rows = _answered(content.rows)
    truncated = len(rows) < len(content.rows) or content.sheet.truncated
    return SheetReading(file.path, workbook, content.sheet, content, rows, truncated)


def sheet_file_at(tx: Transaction, caller: Caller, path: str) -> PlacedFile:
    """The sheet file at the path. Raises NotFound, and InvalidInput (`path`) for any other."""
    file = file_at(tx, caller, path)
    if suffix_key(file.name) not in SHEET_SUFFIXES:
        raise InvalidInput("path", f"is {what_it_is(file.name)}; a sheet is a .xlsx, .csv or .tsv file")
    return file


def workbook_of(library: Library, file: PlacedFile) -> Workbook:
    """The sheets of the file. Raises DocumentRefused."""
    return documents_of(library).read_sheet(content_of(library, file), suffix_key(file.name))


def _answered(rows: Sequence[Row]) -> tuple[Row, ...]:
    """As many whole rows as have room in an answer, at least one."""
    room = LONGEST_RANGE
    for number, row in enumerate(rows):
        room -= sum(len(cell.text) for cell in row)
        if room < 0:
            return tuple(rows[: max(1, number)])
    return tuple(rows)
