"""How are rows written as an .xlsx file?"""

from __future__ import annotations

import io
import math
import re
import zipfile
from collections.abc import Iterator, Sequence
from xml.sax.saxutils import escape

from vademecum.model.errors import InvalidInput, TooLarge
from vademecum.model.graphemes import cut
from vademecum.model.ranges import LAST_COLUMN, column_name
from vademecum.model.sheets import LONGEST_CELL, MOST_CELLS_MADE, MOST_ROWS_MADE, CellInput

_LONGEST_NAME = 31  # characters, a bound of the format
_NOT_IN_NAMES = re.compile(r"[\[\]:*?/\\\x00-\x1f]")
_NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_ESCAPE_LIKE = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")
_FIRST_DAY = (1980, 1, 1, 0, 0, 0)  # the earliest that an archive can say; the same rows make the same bytes
_FIELD = "rows"

_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"

_CONTENT_TYPES = (
    f'<Types xmlns="{_PACKAGE}/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="xml" ContentType="application/xml"/>'
    f'<Override PartName="/xl/workbook.xml" ContentType="{_TYPE}.sheet.main+xml"/>'
    f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{_TYPE}.worksheet+xml"/>'
    f'<Override PartName="/xl/styles.xml" ContentType="{_TYPE}.styles+xml"/>'
    "</Types>"
)
_RELATIONS = (
    f'<Relationships xmlns="{_PACKAGE}/relationships">'
    f'<Relationship Id="rId1" Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>'
)
_BOOK_RELATIONS = (
    f'<Relationships xmlns="{_PACKAGE}/relationships">'
    f'<Relationship Id="rId1" Type="{_OFFICE}/worksheet" Target="worksheets/sheet1.xml"/>'
    f'<Relationship Id="rId2" Type="{_OFFICE}/styles" Target="styles.xml"/></Relationships>'
)
_STYLES = (
    f'<styleSheet xmlns="{_MAIN}">'
    '<fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts>'
    '<fills count="2"><fill><patternFill patternType="none"/></fill>'
    '<fill><patternFill patternType="gray125"/></fill></fills>'
    '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>'
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>'
    '<cellXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/></cellXfs>'
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'
)


def write_workbook(title: str, rows: Sequence[Sequence[CellInput]]) -> bytes:
    """The file, its one sheet named after the title as far as names of sheets allow.

    A string is text whatever it looks like (decisions, Vault). Raises InvalidInput and TooLarge for `rows`.
    """
    _check(rows)
    name = escape(_sheet_name(title), {'"': "&quot;"})
    book = (
        f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}">'
        f'<sheets><sheet name="{name}" sheetId="1" r:id="rId1"/></sheets></workbook>'
    )
    sheet = f'<worksheet xmlns="{_MAIN}"><sheetData>{"".join(_rows(rows))}</sheetData></worksheet>'
    parts = {
        "[Content_Types].xml": _CONTENT_TYPES,
        "_rels/.rels": _RELATIONS,
        "xl/workbook.xml": book,
        "xl/_rels/workbook.xml.rels": _BOOK_RELATIONS,
        "xl/styles.xml": _STYLES,
        "xl/worksheets/sheet1.xml": sheet,
    }
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for path, text in parts.items():
            entry = zipfile.ZipInfo(path, _FIRST_DAY)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, (_HEAD + text).encode())
    return file.getvalue()


def _check(rows: Sequence[Sequence[CellInput]]) -> None:
    if len(rows) > MOST_ROWS_MADE:
        raise TooLarge(_FIELD, MOST_ROWS_MADE, "rows")
    if sum(map(len, rows)) > MOST_CELLS_MADE:
        raise TooLarge(_FIELD, MOST_CELLS_MADE, "cells")
    if any(len(row) > LAST_COLUMN for row in rows):
        raise TooLarge(_FIELD, LAST_COLUMN, "columns")
    for number, row in enumerate(rows, 1):
        for column, value in enumerate(row, 1):
            place = f"{column_name(column)}{number}"
            if isinstance(value, str) and len(value) > LONGEST_CELL:
                raise TooLarge(f"{_FIELD} ({place})", LONGEST_CELL)
            if isinstance(value, int | float) and not _fits(value):
                raise InvalidInput(_FIELD, f"{place} is not a number that a sheet can hold")


def _fits(number: float) -> bool:
    try:
        return math.isfinite(float(number))
    except OverflowError:
        return False


def _rows(rows: Sequence[Sequence[CellInput]]) -> Iterator[str]:
    for number, row in enumerate(rows, 1):
        cells = [
            _cell(f"{column_name(column)}{number}", value)
            for column, value in enumerate(row, 1)
            if value is not None and value != ""
        ]
        if cells:
            yield f'<row r="{number}">{"".join(cells)}</row>'


def _cell(place: str, value: str | float) -> str:
    if isinstance(value, bool):
        return f'<c r="{place}" t="b"><v>{int(value)}</v></c>'
    if isinstance(value, str):
        return f'<c r="{place}" t="inlineStr"><is><t xml:space="preserve">{_text(value)}</t></is></c>'
    return f'<c r="{place}"><v>{value!r}</v></c>'


def _text(value: str) -> str:
    """The string as the format writes it: what XML cannot hold, and what looks like its escape, escaped."""
    kept = _ESCAPE_LIKE.sub("_x005F_", value)
    kept = _NOT_IN_XML.sub(lambda found: f"_x{ord(found[0]):04X}_", kept)
    return escape(kept).replace("\r", "_x000D_")


def _sheet_name(title: str) -> str:
    name = cut(_NOT_IN_XML.sub("", _NOT_IN_NAMES.sub(" ", title)).strip().strip("'"), _LONGEST_NAME).strip()
    return name or "Sheet1"
