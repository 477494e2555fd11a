"""What does a file of delimited text hold?"""

from __future__ import annotations

import csv
import io
import re
from itertools import islice
from typing import Any

from vademecum.model.ranges import LAST_COLUMN, LAST_ROW
from vademecum.providers.documents.cells import MOST_CELLS
from vademecum.providers.documents.refusals import DAMAGED, refused
from vademecum.text.text_files import decode_text_file

SHEET_NAME = "Sheet1"

_LONGEST_FIELD = 10_000_000  # characters
_DELIMITERS = ",;\t"
_SAMPLE, _SAMPLE_LINES = 100_000, 20  # characters and lines that decide on the delimiter
_LINE = re.compile(r'(?:[^"\r\n]|"[^"]*")+')
_QUOTED = re.compile(r'"[^"]*"')
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,15})?(?:[eE][+-]?[0-9]{1,2})?")
_EXACT_DIGITS = 15  # a number of more digits would come back as another one


def read_delimited(content: bytes, suffix: str, *, is_cut: bool) -> dict[str, Any]:
    """The one sheet of a .csv or .tsv file as JSON has it; `is_cut` says that the content is its beginning.

    The delimiter of a .csv is a comma, semicolon or tab. A field is a number only where it would be written
    the same way again: leading zeros, long ids and dates stay text (cases X04). Raises DocumentRefused.
    """
    text = decode_text_file(content)
    if is_cut:
        text = text[: text.rfind("\n") + 1]
    csv.field_size_limit(_LONGEST_FIELD)
    delimiter = "\t" if suffix == ".tsv" else _delimiter(text[:_SAMPLE])
    try:
        rows, truncated = _rows(text, delimiter)
    except csv.Error as error:
        raise refused(DAMAGED) from error
    sheet = {"name": SHEET_NAME, "rows": rows, "merged": [], "truncated": truncated or is_cut}
    return {"sheets": [sheet], "calculated": True, "names": []}


def _rows(text: str, delimiter: str) -> tuple[list[list[Any]], bool]:
    rows: list[list[Any]] = []
    room = MOST_CELLS
    truncated = False
    for fields in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter):
        truncated = truncated or len(fields) > LAST_COLUMN
        row = [_value(field) for field in fields[:LAST_COLUMN]]
        while row and row[-1] is None:
            row.pop()
        room -= len(row)
        if room < 0 or len(rows) == LAST_ROW:
            return rows, True
        rows.append(row)
    while rows and not rows[-1]:
        rows.pop()
    return rows, truncated


def _delimiter(text: str) -> str:
    """The sign that stands most often outside quotes in the first lines, a comma where none does."""
    lines = islice(_LINE.finditer(text), _SAMPLE_LINES)
    head = [_QUOTED.sub("", line[0]) for line in lines]
    return max(_DELIMITERS, key=lambda sign: sum(line.count(sign) for line in head))


def _value(field: str) -> str | int | float | None:
    if not field:
        return None
    digits = sum(sign.isdigit() for sign in field)
    if digits > _EXACT_DIGITS or not _NUMBER.fullmatch(field):
        return field
    number = float(field)
    return int(number) if number.is_integer() and field.lstrip("-").isdigit() else number
