"""Which text of a sheet file is searched, and read where a tool shows text?"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from vademecum.model.sheets import Row, Workbook

LONGEST_SHEET_TEXT = 2_000_000  # characters of one file
_BREAKS = re.compile(r"[\t\r\n\v\f\x1c-\x1e\x85\u2028\u2029]+")


@dataclass(frozen=True, slots=True)
class SheetText:
    """The text of a file: a section for each sheet; `truncated` when cells are left out."""

    text: str
    truncated: bool = False


def sheet_text(workbook: Workbook) -> SheetText:
    """The computed values: a heading with each sheet's name, and a line for each row that is not empty, its
    cells parted by tabs (decisions, Layers in search).

    Line breaks and tabs within a cell become spaces. Over two million characters, rows are left out.
    """
    kept: list[str] = []
    room = LONGEST_SHEET_TEXT
    for line in _lines(workbook):
        room -= len(line) + 1
        if room < 0:
            return SheetText("\n".join(kept), truncated=True)
        kept.append(line)
    return SheetText("\n".join(kept), any(sheet.truncated for sheet in workbook.sheets))


def _lines(workbook: Workbook) -> Iterator[str]:
    for number, sheet in enumerate(workbook.sheets):
        if number:
            yield ""
        yield f"# {_plain(sheet.name)}"
        yield ""
        yield from filter(None, map(_line, sheet.rows))


def _line(row: Row) -> str:
    return "\t".join(_plain(cell.text) for cell in row).rstrip("\t")


def _plain(text: str) -> str:
    return _BREAKS.sub(" ", text).strip()
