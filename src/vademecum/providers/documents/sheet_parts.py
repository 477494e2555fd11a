"""What do the parts of an .xlsx file say that its reader does not tell: formats, errors, missing values?"""

from __future__ import annotations

import re
import zipfile
from dataclasses import dataclass, field
from posixpath import dirname, join, normpath
from typing import Any
from xml.parsers import expat

from lxml import etree

from vademecum.model.errors import Refusal
from vademecum.model.ranges import column_number, parse_reference

Place = tuple[int, int]
"""Row and column, both from 1."""

_WHOLE_PERCENT, _FINE_PERCENT = "9", "10"  # the two formats for percent that need no definition
BROKEN_PARTS = (KeyError, ValueError, etree.LxmlError, expat.ExpatError)
"""What a file raises whose parts are not what they should be."""

_MOST_NAMES = 1_000
_QUOTED = re.compile(r'"[^"]*"|\\.|\[[^\]]*\]')
_DECIMALS = re.compile(r"\.([0#?]+)")
_REFERENCE = re.compile(r"([A-Z]{1,3})([0-9]{1,7})")
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_STRICT_RELATION = "{http://purl.oclc.org/ooxml/officeDocument/relationships}id"


@dataclass(slots=True)
class SheetParts:
    """Of one sheet: the error values, the decimals of the cells shown in percent, whether a formula has no
    stored value, and the last row and column that hold anything.
    """

    errors: dict[Place, str] = field(default_factory=dict)
    percents: dict[Place, int] = field(default_factory=dict)
    uncomputed: bool = False
    last_row: int = 0
    last_column: int = 0


def read_parts(archive: zipfile.ZipFile) -> dict[str, SheetParts]:
    """What the parts say of each sheet by its name, charts that fill a sheet left out.

    Raises one of `BROKEN_PARTS` for a damaged file. Takes some two millionths of a second a cell.
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


def read_names(archive: zipfile.ZipFile) -> list[tuple[str, str]]:
    """The names that the file gives to areas of its sheets, each with its reference; those of a program's own
    and those that stand for formulas are left out. Raises as `read_parts`.
    """
    found: list[tuple[str, str]] = []
    for one in _root(archive, _book_part(archive)).iter("{*}definedName"):
        name, text = str(one.get("name")), str(one.text or "")
        if one.get("hidden") or name.startswith("_xlnm.") or len(found) == _MOST_NAMES:
            continue
        try:
            reference = parse_reference(text)
        except Refusal:
            continue  # a formula, a list of areas, or cells that are gone
        if reference.sheet is not None:
            found.append((name, reference.name))
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
    """One pass over the cells by events, since a tree of a million of them would take a minute to build."""
    reader = _SheetReader(percents)
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartDoctypeDeclHandler = _refuse_entities
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.take
    with archive.open(part) as stream:
        parser.ParseFile(stream)
    return reader.found


def _refuse_entities(*_: object) -> None:
    """Sheets have no document type; one that has could unfold without end."""
    raise ValueError


class _SheetReader:
    """What is known of the cell at which the parser is, and what was found so far."""

    def __init__(self, percents: dict[str, int]) -> None:
        self.found = SheetParts()
        self._percents = percents
        self._row = self._column = 0
        self._attributes: dict[str, str] = {}
        self._value: str | None = None
        self._within_value = self._has_formula = self._has_text = False

    def start(self, name: str, attributes: dict[str, str]) -> None:
        match name.rpartition(":")[2]:
            case "row":
                self._row, self._column = int(attributes.get("r") or self._row + 1), 0
            case "c":
                reference = _REFERENCE.fullmatch(attributes.get("r", ""))
                self._column = column_number(reference[1]) if reference else self._column + 1
                self._row = int(reference[2]) if reference else self._row
                self._attributes, self._value = attributes, None
                self._has_formula = self._has_text = False
            case "f":
                self._has_formula = True
            case "is":
                self._has_text = True
            case "v":
                self._within_value, self._value = True, ""

    def take(self, text: str) -> None:
        if self._within_value:
            self._value = (self._value or "") + text

    def end(self, name: str) -> None:
        match name.rpartition(":")[2]:
            case "v":
                self._within_value = False
            case "c":
                self._end_cell()

    def _end_cell(self) -> None:
        found, kind, place = self.found, self._attributes.get("t"), (self._row, self._column)
        is_stored = bool(self._value) or (self._value == "" and kind == "str")
        if not (is_stored or self._has_formula or self._has_text):
            return
        found.last_row = max(found.last_row, self._row)
        found.last_column = max(found.last_column, self._column)
        if self._has_formula and not is_stored:
            found.uncomputed = True
        if kind == "e" and self._value:
            found.errors[place] = self._value
        style = self._attributes.get("s")
        if style in self._percents:
            found.percents[place] = self._percents[style]


def _root(archive: zipfile.ZipFile, part: str) -> Any:
    parser = etree.XMLParser(resolve_entities=False, load_dtd=False, no_network=True)
    return etree.fromstring(archive.read(part), parser)
