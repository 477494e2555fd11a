"""What do the parts of an .xlsx file say that its reader does not tell: formats, errors, missing values?"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from posixpath import dirname, join, normpath
from typing import Any

from lxml import etree

from vademecum.model.ranges import column_number

Place = tuple[int, int]
"""Row and column, both from 1."""

_WHOLE_PERCENT, _FINE_PERCENT = "9", "10"  # the two formats for percent that need no definition
_QUOTED = re.compile(r'"[^"]*"|\\.|\[[^\]]*\]')
_DECIMALS = re.compile(r"\.([0#?]+)")
_REFERENCE = re.compile(r"([A-Z]{1,3})([0-9]{1,7})")
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_STRICT_RELATION = "{http://purl.oclc.org/ooxml/officeDocument/relationships}id"


@dataclass(slots=True)
class SheetParts:
    """Of one sheet: the error values, the decimals of the cells shown in percent, the formulas without a
    stored value, the place of the last row and column that hold anything.
    """

    errors: dict[Place, str] = field(default_factory=dict)
    percents: dict[Place, int] = field(default_factory=dict)
    uncomputed: set[Place] = field(default_factory=set)
    last_row: int = 0
    last_column: int = 0


def read_parts(archive: zipfile.ZipFile) -> dict[str, SheetParts]:
    """What the parts say of each sheet by its name, charts that fill a sheet left out.

    Raises KeyError and etree.XMLSyntaxError for a damaged file. Time grows with the number of cells: about
    three millionths of a second each.
    """
    book = _book_part(archive)
    targets = _relations(archive, book)
    styles = [target for kind, target in targets.values() if kind == "styles"]
    percents = _percent_styles(archive, styles[0]) if styles else {}
    found = {}
    for sheet in _root(archive, book).iter("{*}sheet"):
        identity = sheet.get(_RELATION) or sheet.get(_STRICT_RELATION) or ""
        kind, target = targets[identity]
        if kind == "worksheet":
            found[str(sheet.get("name"))] = _read_sheet(archive, target, percents)
    return found


def _book_part(archive: zipfile.ZipFile) -> str:
    kinds = dict(_relations(archive, "").values())
    return kinds["officeDocument"]


def _relations(archive: zipfile.ZipFile, part: str) -> dict[str, tuple[str, str]]:
    """What a part points to: by id the last word of the kind, and the name of the part."""
    folder = dirname(part)
    name = join(folder, "_rels", f"{part.rpartition('/')[2]}.rels")
    return {
        str(one.get("Id")): (
            str(one.get("Type")).rpartition("/")[2],
            normpath(join("/", folder, str(one.get("Target")))).lstrip("/"),
        )
        for one in _root(archive, name).iter("{*}Relationship")
    }


def _percent_styles(archive: zipfile.ZipFile, part: str) -> dict[str, int]:
    """The styles that show percent, by their number, each with its decimals."""
    root = _root(archive, part)
    formats = {_WHOLE_PERCENT: 0, _FINE_PERCENT: 2}
    for one in root.iter("{*}numFmt"):
        code = _QUOTED.sub("", str(one.get("formatCode")).partition(";")[0])
        if "%" in code:
            decimals = _DECIMALS.search(code)
            formats[str(one.get("numFmtId"))] = len(decimals[1]) if decimals else 0
    styles = [one.get("numFmtId") for used in root.iter("{*}cellXfs") for one in used.iter("{*}xf")]
    return {str(number): formats[one] for number, one in enumerate(styles) if one in formats}


def _read_sheet(archive: zipfile.ZipFile, part: str, percents: dict[str, int]) -> SheetParts:
    found = SheetParts()
    for (row, column), cell in _cells(archive, part):
        value, formula = cell.find("{*}v"), cell.find("{*}f")
        is_stored = value is not None and (bool(value.text) or cell.get("t") == "str")
        if not is_stored and formula is None and cell.find("{*}is") is None:
            continue
        found.last_row, found.last_column = max(found.last_row, row), max(found.last_column, column)
        if formula is not None and not is_stored:
            found.uncomputed.add((row, column))
        if cell.get("t") == "e" and value is not None:
            found.errors[row, column] = str(value.text)
        if cell.get("s") in percents:
            found.percents[row, column] = percents[str(cell.get("s"))]
    return found


def _cells(archive: zipfile.ZipFile, part: str) -> Iterator[tuple[Place, Any]]:
    """The cells of a sheet one after another; what was read is let go of."""
    row = column = 0
    with archive.open(part) as stream:
        for _, element in _events(stream):
            if etree.QName(element).localname == "c":
                reference = _REFERENCE.fullmatch(element.get("r") or "")
                column = column_number(reference[1]) if reference else column + 1
                line = reference[2] if reference else element.getparent().get("r")
                yield (int(line or row + 1), column), element
                continue
            row, column = int(element.get("r") or row + 1), 0
            element.clear()
            while element.getprevious() is not None:
                del element.getparent()[0]


def _events(stream: Any) -> Any:
    return etree.iterparse(
        stream,
        events=("end",),
        tag=("{*}c", "{*}row"),
        resolve_entities=False,
        load_dtd=False,
        no_network=True,
    )


def _root(archive: zipfile.ZipFile, part: str) -> Any:
    parser = etree.XMLParser(resolve_entities=False, load_dtd=False, no_network=True)
    return etree.fromstring(archive.read(part), parser)
