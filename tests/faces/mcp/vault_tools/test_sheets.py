"""Are cells and charts read as the person sees them (contracts 3.4.1)?"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.faces.installation import Installation
from tests.faces.mcp.vault_tools.filled import Filled, filled
from tests.providers.documents.samples import of_parts, sheet_xml, with_formulas
from vademecum.ports.documents import Documents

pytestmark = pytest.mark.anyio
SALES = '{"id":"b1","labels":"A2:A4","series":[{"name":"Sold","values":"B2:B4"}],"source":"%s","type":"bar"}'


@pytest.fixture
async def vault(installation: Installation, documents: Documents) -> AsyncIterator[Filled]:
    async with filled(installation, documents) as opened:
        yield opened


async def cells(vault: Filled, reference: str, path: str = "S.xlsx", **more: Any) -> dict[str, Any]:
    return await vault.ok("read_sheet_range", path=path, range=reference, **more)


def fence(data: str) -> str:
    block_id = json.loads(data)["id"]
    return f"```monthlet-block\nid: {block_id}\nlabel: Sales\ndata: {data}\n```\n"


async def note(vault: Filled, *blocks: str) -> str:
    made = await vault.ok("create_note", title="Chart", markdown="\n".join(map(fence, blocks)), folder="Tea")
    path: str = made["path"]
    return path


@pytest.mark.claims("read-sheet-range.overview")
async def test_without_a_range_the_file_is_told_in_outline(vault: Filled) -> None:
    vault.put_file("S.xlsx", with_formulas())
    assert await vault.ok("read_sheet_range", path="S.xlsx") == {
        "path": "S.xlsx",
        "sheet": "Budget 2027",
        "usedRange": "A1:F7",
        "sheets": [{"name": "Budget 2027", "usedRange": "A1:F7"}, {"name": "Other", "usedRange": "A1"}],
        "names": [{"name": "TOTALS", "range": "'Budget 2027'!D2:D4"}],
        "merged": ["A5:C5"],
        "truncated": False,
        "calculated": True,
    }
    other = await vault.ok("read_sheet_range", path="S.xlsx", sheet_id="other")
    assert (other["sheet"], other["usedRange"]) == ("Other", "A1")


@pytest.mark.claims("read-sheet-range.values")
async def test_cells_come_as_rows_of_values_with_what_they_are(vault: Filled) -> None:
    vault.put_file("S.xlsx", with_formulas())
    found = await cells(vault, "a2:f3")
    assert found["range"] == "A2:F3"
    assert [row[:5] for row in found["values"]] == [
        ["Lamp", 3, 12.5, 37.5, "2027-03-14"],
        ["机", 2, 100, 200, "2027-03-15T09:30:00"],
    ]
    assert found["typed"] == [
        {"cell": "E2", "type": "date"},
        {"cell": "F2", "type": "percent", "shown": "8.6%"},
        {"cell": "E3", "type": "datetime"},
        {"cell": "F3", "type": "percent", "shown": "46%"},
    ]
    assert (await cells(vault, "A4:B6"))["merged"] == ["A5:C5"]
    assert (await cells(vault, "A6"))["typed"] == [{"cell": "A6", "type": "error"}]


@pytest.mark.parametrize(
    ("reference", "range_", "rows"),
    [
        ("'Other'!A1", "A1", [["x / "]]),
        ("Z9", "Z9", []),
        ("totals", "D2:D4", [[37.5], [200], [201]]),
        ("A6:XFD1048576", "6:1048576", 2),
        ("A:A", "A:A", 7),
        ("7:7", "7:7", [[None, "椅子", None, None, None, None]]),
    ],
)
async def test_what_lies_beyond_the_used_cells_is_cut(
    vault: Filled, reference: str, range_: str, rows: object
) -> None:
    vault.put_file("S.xlsx", with_formulas())
    found = await cells(vault, reference)
    assert found["range"] == range_
    assert (len(found["values"]) if isinstance(rows, int) else found["values"]) == rows


async def test_delimited_files_are_sheets_too(vault: Filled) -> None:
    vault.put_file("rows.csv", "code;when\n00501;2027-03-14\n12345678901234567890;1.5\n".encode("utf-16"))
    found = await cells(vault, "A1:B3", "rows.csv")
    assert found["values"] == [["code", "when"], ["00501", "2027-03-14"], ["12345678901234567890", 1.5]]
    vault.put_file("rows.tsv", b"a\tb\n")
    assert (await cells(vault, "B1", "rows.tsv"))["values"] == [["b"]]


@pytest.mark.claims("read-sheet-range.refused")
@pytest.mark.parametrize(
    ("arguments", "code", "named"),
    [
        ({"range": "A1:"}, "INVALID_INPUT", "range: write it like"),
        ({"range": "A0"}, "INVALID_INPUT", "range: rows count"),
        ({"range": "XFE1"}, "INVALID_INPUT", "range: the last column"),
        ({"range": "Nowhere!A1"}, "INVALID_INPUT", "range: the file has no sheet"),
        ({"sheet_id": "Nowhere"}, "INVALID_INPUT", "sheet_id: the file has no sheet"),
        ({"range": "Other!A1", "sheet_id": "Budget 2027"}, "INVALID_INPUT", "sheet_id: the range names"),
    ],
)
async def test_a_range_that_cannot_be_is_refused(
    vault: Filled, arguments: dict[str, str], code: str, named: str
) -> None:
    vault.put_file("S.xlsx", with_formulas())
    assert (await vault.told("read_sheet_range", path="S.xlsx", **arguments)).startswith(f"{code}: {named}")


async def test_what_is_no_sheet_is_refused(vault: Filled) -> None:
    vault.put("Note.md", "x")
    vault.put_file("a.txt", b"x")
    assert "read_note" in await vault.told("read_sheet_range", path="Note.md")
    assert "read_file" in await vault.told("read_sheet_range", path="a.txt")


async def test_hostile_sheets_are_refused_within_bounds(vault: Filled) -> None:
    corner = '<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'
    files = {
        "bomb.xlsx": of_parts(sheet_xml(""), {"xl/media/image1.png": b"\0" * 200_000_000}),
        "corner.xlsx": of_parts(sheet_xml(corner)),
        "locked.xlsx": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600,
        "broken.xlsx": with_formulas()[:-400],
        "binary.csv": b"\0\x01\x02" * 5_000,
    }
    for name, content in files.items():
        vault.put_file(name, content)
        assert (await vault.told("read_sheet_range", path=name)).startswith("DOCUMENT_REFUSED: "), name
    vault.put_file("S.xlsx", with_formulas())
    assert (await cells(vault, "A2"))["values"] == [["Lamp"]]


async def test_a_huge_table_is_read_as_far_as_is_promised(vault: Filled) -> None:
    vault.put_file("huge.csv", b"1,2,3,4,5\n" * (100 * 1024 * 1024 // 10))
    outline = await vault.ok("read_sheet_range", path="huge.csv")
    assert (outline["usedRange"], outline["truncated"]) == ("A1:E100000", True)
    assert (await vault.told("read_sheet_range", path="huge.csv", range="A:E")).startswith("TOO_LARGE: range")
    row = ",".join(["x" * 30_000] * 3) + "\n"
    vault.put_file("wide.csv", (row * 10).encode())
    found = await cells(vault, "A1:C10", "wide.csv")
    assert (len(found["values"]), found["truncated"]) == (2, True)


@pytest.mark.claims("read-chart-data.answer")
async def test_a_chart_follows_its_sheet(vault: Filled) -> None:
    vault.put_file("Tea/S.xlsx", with_formulas())
    literal = '{"id":"b2","labels":["x"],"series":[{"name":"n","values":[1,null]}],"title":"T","type":"pie"}'
    path = await note(vault, SALES % "Tea/S.xlsx#Budget 2027", literal)
    first = {
        "id": "b1",
        "label": "Sales",
        "type": "bar",
        "labels": ["Lamp", "机", "椅子"],
        "series": [{"name": "Sold", "values": [3, 2, 4]}],
        "source": {"path": "Tea/S.xlsx", "range": "A2:B4", "sheet": "Budget 2027"},
    }
    second = {
        "id": "b2",
        "label": "Sales",
        "type": "pie",
        "labels": ["x", "2"],
        "series": [{"name": "n", "values": [1, None]}],
    }
    found = await vault.ok("read_chart_data", path=path)
    assert found == {"charts": [first, second], "truncated": False}
    assert (await vault.ok("read_chart_data", path=path, id="b2"))["charts"] == [second]
    assert (await vault.told("read_chart_data", path=path, id="b3")).startswith("INVALID_INPUT: id")


async def test_a_chart_whose_sheet_is_not_there_hides_no_other(vault: Filled) -> None:
    vault.put_file("broken.xlsx", b"no sheet")
    other = (
        '{"id":"b2","labels":[],"series":[{"name":"n","values":"A1"}],"source":"broken.xlsx","type":"line"}'
    )
    third = '{"id":"b3","labels":["x"],"series":[{"name":"n","values":[1]}],"title":"T","type":"pie"}'
    path = await note(vault, SALES % "gone.xlsx", other, third)
    found = (await vault.ok("read_chart_data", path=path))["charts"]
    assert [one.get("problem", "")[:20] for one in found] == [
        "There is no such ite",
        "The file is damaged,",
        "",
    ]
    assert [one["labels"] for one in found] == [[], [], ["x"]]
    assert found[0]["source"] == {"path": "gone.xlsx", "range": "A2:B4", "sheet": ""}


async def test_a_note_without_charts_has_none_and_a_sheet_is_no_note(vault: Filled) -> None:
    vault.put("Note.md", "```monthlet-block\nid: b1\nlabel: no data\n```\n")
    assert await vault.ok("read_chart_data", path="Note.md") == {"charts": [], "truncated": False}
    vault.put_file("S.xlsx", with_formulas())
    assert "read_sheet_range" in await vault.told("read_chart_data", path="S.xlsx")


async def test_a_chart_follows_a_sheet_that_was_moved(vault: Filled) -> None:
    vault.put_file("Tea/S.xlsx", with_formulas())
    path = await note(vault, SALES % "Tea/S.xlsx")
    await vault.ok("create_folder", path="Old")
    await vault.ok("move_folder", path="Tea", to_folder="Old")
    found = (await vault.ok("read_chart_data", path=f"Old/{path}"))["charts"]
    assert (found[0]["source"]["path"], found[0]["labels"][0]) == ("Old/Tea/S.xlsx", "Lamp")


@pytest.mark.claims(
    "create-sheet.answer", "create-sheet.text", "create-sheet.number", "create-sheet.searched"
)
async def test_a_sheet_is_made_found_and_read(vault: Filled) -> None:
    rows = [["Item", "Price"], ["halyard", 12.5], ["=1+1", True], [None, "00501"]]
    made = await vault.ok("create_sheet", title="Stores", rows=rows, folder="Boat")
    assert made == {"path": "Boat/Stores.xlsx", "title": "Stores"}
    found = await vault.ok("search_notes", query="halyard")
    assert [(one["path"], one["kind"]) for one in found["results"]] == [("Boat/Stores.xlsx", "sheet")]
    assert (await cells(vault, "A1:B4", made["path"]))["values"] == rows
    again = await vault.ok("create_sheet", title="Stores", rows=json.dumps(rows), folder="Boat")
    assert again["path"] == "Boat/Stores 2.xlsx"
    top = await vault.ok("create_sheet", title="Stores", rows=[])
    assert top["path"] == "Stores.xlsx"


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ("Item", "INVALID_INPUT: rows: a list"),
        ([["a"], "b"], "INVALID_INPUT: rows[1]: a list"),
        ([[{"a": 1}]], "INVALID_INPUT: rows[0][0]: a text is needed; or a number"),
        ([["x" * 32_768]], "TOO_LARGE: rows (A1)"),
        ([[1]] * 20_001, "INVALID_INPUT: rows: 0 to 20000"),
        ([["a"] * 1_000] * 101, "TOO_LARGE: rows: at most 100,000 cells"),
    ],
)
async def test_rows_that_make_no_sheet_are_refused(vault: Filled, rows: Any, said: str) -> None:
    assert (await vault.told("create_sheet", title="x", rows=rows)).startswith(said)
