"""How does an agent read the cells of sheets, and the numbers of charts?"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from vademecum.faces.mcp.problems import problem_of
from vademecum.faces.mcp.tool.arguments import Arguments
from vademecum.faces.mcp.tool.declaration import Hints, Schema, Shape, Tool
from vademecum.faces.mcp.vault_tools.notes import PATH
from vademecum.library.charts import ChartReading, read_charts
from vademecum.library.context import Library
from vademecum.library.sheet_reading import SheetReading, read_sheet
from vademecum.library.sheets import create_sheet
from vademecum.model.access import Caller, Tier
from vademecum.model.blocks import ChartType
from vademecum.model.items import TITLE_LIMIT
from vademecum.model.ranges import LAST_COLUMN, Area, column_name
from vademecum.model.sheets import MOST_ROWS_MADE, Cell, CellKind, RangeContent, Row, Sheet

_TEXT: Schema = {"type": "string"}
_TYPED_MOST = 5_000
_TYPED = (CellKind.DATE, CellKind.DATETIME, CellKind.TIME, CellKind.PERCENT, CellKind.ERROR)
_VALUE: Schema = {
    "anyOf": [{"type": "string"}, {"type": "number"}, {"type": "boolean"}, {"type": "null"}],
}
_AREAS: Schema = {"type": "array", "items": _TEXT}


def _read_sheet_range(library: Library, caller: Caller, arguments: Arguments) -> Shape:
    reading = read_sheet(
        library,
        caller,
        arguments.text("path"),
        arguments.text_if_given("range"),
        arguments.text_if_given("sheet_id"),
    )
    shape: Shape = {
        "path": reading.path,
        "sheet": reading.sheet.name,
        "usedRange": _used(reading.sheet),
        "truncated": reading.truncated,
        "calculated": reading.workbook.calculated,
    }
    return shape | (_outline(reading) if reading.content is None else _cells(reading.content, reading.rows))


def _used(sheet: Sheet) -> str:
    return sheet.used.name if sheet.used else ""


def _outline(reading: SheetReading) -> Shape:
    sheets = [{"name": one.name, "usedRange": _used(one)} for one in reading.workbook.sheets]
    names = [{"name": one.name, "range": one.reference.name} for one in reading.workbook.names]
    return {"sheets": sheets, "names": names, "merged": _names(reading.sheet.merged)}


def _names(areas: Sequence[Area]) -> list[str]:
    return [area.name for area in areas]


def _cells(content: RangeContent, rows: Sequence[Row]) -> Shape:
    area = content.area
    typed = (
        _typed(f"{column_name(area.first_column + column)}{area.first_row + number}", cell)
        for number, row in enumerate(rows)
        for column, cell in enumerate(row)
        if cell.kind in _TYPED
    )
    return {
        "range": area.name,
        "values": [[cell.value for cell in row] for row in rows],
        "typed": list(islice(typed, _TYPED_MOST)),
        "merged": _names(content.merged),
    }


def _typed(name: str, cell: Cell) -> Shape:
    shape: Shape = {"cell": name, "type": cell.kind.value}
    return shape if cell.display is None else shape | {"shown": cell.display}


READ_SHEET_RANGE = Tool(
    name="read_sheet_range",
    tier=Tier.READ_ONLY,
    hints=Hints("Read cells of a sheet", read_only=True),
    description=(
        "Read cells of a sheet of the vault (.xlsx, .csv or .tsv), formulas with the values that they come"
        " to. Without range it tells the sheets of the file and the used range of each: begin there. values"
        " are rows of cells from the first of the range on, cut to what is used. Dates are ISO text; typed"
        " names the cells that hold dates, times, percentages and errors. Cells cannot be changed here."
    ),
    properties={
        "path": PATH,
        "range": {
            "type": "string",
            "description": (
                "In A1 form: B2, A1:C10, whole columns A:B, whole rows 2:5, 'Sheet name'!A1:C10; or one of"
                " names."
            ),
        },
        "sheet_id": {"type": "string", "description": "Name of the sheet. Default: the first one."},
    },
    required=("path",),
    outputs={
        "path": PATH,
        "sheet": {"type": "string", "description": "Name of the sheet that was read."},
        "usedRange": {"type": "string", "description": "What the sheet uses; empty for an empty sheet."},
        "sheets": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"name": _TEXT, "usedRange": _TEXT},
                "required": ["name", "usedRange"],
            },
        },
        "names": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"name": _TEXT, "range": _TEXT},
                "required": ["name", "range"],
            },
            "description": "Names that the file gives to areas: pass one as range.",
        },
        "range": {"type": "string", "description": "The range as it was understood."},
        "values": {"type": "array", "items": {"type": "array", "items": _VALUE}},
        "typed": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "cell": _TEXT,
                    "type": {"type": "string", "enum": [kind.value for kind in _TYPED]},
                    "shown": {"type": "string", "description": "As the sheet shows it, where that differs."},
                },
                "required": ["cell", "type"],
            },
        },
        "merged": {**_AREAS, "description": "Merged areas; the value stands in their first cell."},
        "truncated": {"type": "boolean", "description": "Whether rows are left out: ask for fewer at once."},
        "calculated": {
            "type": "boolean",
            "description": "False where a formula could not be computed; its cell is empty then.",
        },
    },
    answers=("path", "sheet", "usedRange", "truncated", "calculated"),
    run=_read_sheet_range,
)


def _create_sheet(library: Library, caller: Caller, arguments: Arguments) -> Shape:
    made = create_sheet(
        library, caller, arguments.text("title"), arguments.rows("rows"), arguments.text("folder")
    )
    return {"path": made.path, "title": made.item.title}


CREATE_SHEET = Tool(
    name="create_sheet",
    tier=Tier.EDIT,
    hints=Hints("Create a sheet"),
    description=(
        "Make a sheet (.xlsx) from rows of cells, at the top of the vault or in a folder, which is made if"
        " missing. Where a file of that name is there already the new one gets a number. Every text stays"
        " text: no formulas and no formats are made, and a date is ISO text. At most 20,000 rows and 100,000"
        " cells. Cells cannot be changed afterwards."
    ),
    properties={
        "title": {"type": "string", "maxLength": TITLE_LIMIT, "description": "Also the file's name."},
        "rows": {
            "type": "array",
            "items": {"type": "array", "items": _VALUE, "maxItems": LAST_COLUMN},
            "maxItems": MOST_ROWS_MADE,
            "description": 'Rows from the first on: [["Item", "Price"], ["Lamp", 12.5]].',
        },
        "folder": {"type": "string", "default": "", "description": "Path of the folder. Default: the top."},
    },
    required=("title", "rows"),
    outputs={"path": PATH, "title": _TEXT},
    answers=("path", "title"),
    run=_create_sheet,
)


def _read_chart_data(library: Library, caller: Caller, arguments: Arguments) -> Shape:
    found, truncated = read_charts(library, caller, arguments.text("path"), arguments.text_if_given("id"))
    return {"charts": [_chart(one) for one in found], "truncated": truncated}


def _chart(reading: ChartReading) -> Shape:
    chart, data = reading.chart, reading.data
    shape: Shape = {
        "id": chart.id,
        "label": reading.fence.label,
        "type": chart.type.value,
        "labels": list(data.labels) if data else [],
        "series": [{"name": one.name, "values": list(one.values)} for one in data.series] if data else [],
    }
    if reading.path is not None:
        source = {"path": reading.path, "range": reading.range or "", "sheet": reading.sheet or ""}
        shape["source"] = source
    if reading.problem is not None:
        shape["problem"] = problem_of(reading.problem).message
    return shape


READ_CHART_DATA = Tool(
    name="read_chart_data",
    tier=Tier.READ_ONLY,
    hints=Hints("Read the numbers of charts", read_only=True),
    description=(
        "The numbers behind the charts of a note, which read_note shows only as monthlet-block fences: labels"
        " and the values of each series, null where there is none. A chart that follows a sheet is read from"
        " it as it is now; source says which path and range. problem tells why a chart has no numbers."
    ),
    properties={
        "path": PATH,
        "id": {"type": "string", "description": "Only this chart: the id of its fence."},
    },
    required=("path",),
    outputs={
        "charts": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "id": _TEXT,
                    "label": _TEXT,
                    "type": {"type": "string", "enum": [kind.value for kind in ChartType]},
                    "labels": {"type": "array", "items": _TEXT},
                    "series": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "properties": {
                                "name": _TEXT,
                                "values": {
                                    "type": "array",
                                    "items": {"anyOf": [{"type": "number"}, {"type": "null"}]},
                                },
                            },
                            "required": ["name", "values"],
                        },
                    },
                    "source": {
                        "type": "object",
                        "properties": {
                            "path": _TEXT,
                            "range": {"type": "string", "description": "Around all cells that it reads."},
                            "sheet": {"type": "string", "description": "Empty for the first sheet."},
                        },
                        "required": ["path", "range"],
                    },
                    "problem": _TEXT,
                },
                "required": ["id", "label", "labels", "series"],
            },
        },
        "truncated": {"type": "boolean", "description": "Whether charts are left out: ask for them by id."},
    },
    answers=("charts", "truncated"),
    run=_read_chart_data,
)
