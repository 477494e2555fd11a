"""Are the values of a sheet read as the person who made it sees them, whatever the file does?"""

from __future__ import annotations

from datetime import timedelta

import pytest
from openpyxl import Workbook as Book

from tests.providers.documents.samples import of_parts, saved, sheet_xml, with_formulas
from vademecum.model.errors import DocumentRefused, InvalidInput
from vademecum.model.ranges import Area
from vademecum.model.sheets import Cell, CellKind, Workbook, read_range
from vademecum.ports.documents import Documents
from vademecum.providers.documents.formulas import computed
from vademecum.providers.documents.refusals import DAMAGED, LOCKED, NOT_A_SHEET, TOO_LARGE


def cell(book: Workbook, reference: str) -> Cell:
    ((found,),) = read_range(book, reference).rows
    return found


def refusal(documents: Documents, content: bytes, suffix: str = ".xlsx") -> str:
    with pytest.raises(DocumentRefused) as refused:
        documents.read_sheet(content, suffix)
    return refused.value.reason


@pytest.fixture(scope="module")
def book(documents: Documents) -> Workbook:
    return documents.read_sheet(with_formulas(), ".XLSX")


@pytest.mark.parametrize(
    ("reference", "expected"),
    [
        ("A2", Cell(CellKind.TEXT, "Lamp")),
        ("B2", Cell(CellKind.NUMBER, 3)),
        ("D2", Cell(CellKind.NUMBER, 37.5)),
        ("D4", Cell(CellKind.NUMBER, 201)),
        ("E2", Cell(CellKind.DATE, "2027-03-14")),
        ("E3", Cell(CellKind.DATETIME, "2027-03-15T09:30:00")),
        ("E4", Cell(CellKind.DATE, "1900-01-15")),
        ("E6", Cell(CellKind.TIME, "09:30:00")),
        ("A6", Cell(CellKind.ERROR, "#DIV/0!")),
        ("B6", Cell(CellKind.TEXT, "Lamp")),
        ("B7", Cell(CellKind.TEXT, "椅子")),
        ("C6", Cell(CellKind.DATE, "2027-02-01")),
        ("D6", Cell(CellKind.BOOLEAN, True)),
        ("F6", Cell(CellKind.TEXT, "x / Item")),
        ("Other!A1", Cell(CellKind.TEXT, "x / ")),
    ],
)
def test_values_are_computed_where_the_file_has_none(book: Workbook, reference: str, expected: Cell) -> None:
    assert cell(book, reference) == expected


def test_a_share_is_a_number_that_is_shown_in_percent(book: Workbook) -> None:
    tenths, whole = cell(book, "F2"), cell(book, "F3")
    assert (tenths.kind, tenths.display) == (CellKind.PERCENT, "8.6%")
    assert tenths.number == pytest.approx(37.5 / 438.5)
    assert whole.display == "46%"


def test_merged_areas_hidden_rows_and_all_sheets_are_there(book: Workbook) -> None:
    budget, other = book.sheets
    assert (budget.name, other.name, book.calculated) == ("Budget 2027", "Other", True)
    assert budget.merged == (Area(5, 1, 5, 3),)
    assert budget.used == Area(1, 1, 7, 6)
    assert cell(book, "A3").value == "机"


def test_a_name_that_the_file_gives_to_an_area_is_a_range(book: Workbook) -> None:
    assert [(one.name, one.reference.name) for one in book.names] == [("TOTALS", "'Budget 2027'!D2:D4")]
    assert [row[0].value for row in read_range(book, " Totals ").rows] == [37.5, 200, 201]
    with pytest.raises(InvalidInput, match="range"):
        read_range(book, "TAXES")


def test_stored_values_are_believed_and_only_missing_ones_computed(documents: Documents) -> None:
    rows = (
        '<row r="1"><c r="A1"><v>2</v></c><c r="B1"><f>A1+1</f><v>99</v></c><c r="C1"><f>A1+1</f></c>'
        '<c r="D1" t="str"><f>UNHEARDOF(A1)</f><v>kept</v></c></row>'
    )
    (row,) = documents.read_sheet(of_parts(sheet_xml(rows)), ".xlsx").sheets[0].rows
    assert [found.value for found in row] == [2, 99, 3, "kept"]


@pytest.mark.parametrize(
    ("formula", "shown"),
    [
        ("B1", "#CIRC!"), ("UNHEARDOF(1)", "#NAME?"), ("1+", "#ERROR!"), ("NA()", "#N/A"), ("#REF!", "#REF!"),
        ("(" * 20_000 + "1" + ")" * 20_000, "#ERROR!"), ('REPT("x",1E9)', "#VALUE!"),
        ('WEBSERVICE("http://127.0.0.1:1/")', "#NAME?"), ("1+1", 2),
    ],
)  # fmt: skip
def test_a_formula_that_comes_to_nothing_hides_no_other(
    documents: Documents, formula: str, shown: object
) -> None:
    rows = f'<row r="1"><c r="A1"><f>6*7</f></c><c r="B1"><f>{formula}</f></c></row>'
    found = documents.read_sheet(of_parts(sheet_xml(rows)), ".xlsx")
    assert [one.value for one in found.sheets[0].rows[0]] == [42, shown]
    assert found.calculated


def test_results_spill_beyond_what_was_used(documents: Documents) -> None:
    rows = '<row r="1"><c r="B1"><f>SEQUENCE(1200,2)</f></c></row>'
    (sheet,) = documents.read_sheet(of_parts(sheet_xml(rows)), ".xlsx").sheets
    assert sheet.used == Area(1, 2, 1200, 3)
    assert sheet.rows[1199][2].value == 2400


def test_a_formula_shared_by_cells_is_computed_in_each(documents: Documents) -> None:
    rows = (
        '<row r="1"><c r="A1"><v>1</v></c><c r="B1"><f t="shared" ref="B1:B2" si="0">A1*2</f></c></row>'
        '<row r="2"><c r="A2"><v>4</v></c><c r="B2"><f t="shared" si="0"/></c></row>'
    )
    (sheet,) = documents.read_sheet(of_parts(sheet_xml(rows)), ".xlsx").sheets
    assert [row[1].value for row in sheet.rows] == [2, 8]


def test_a_file_that_the_engine_cannot_read_has_no_results() -> None:
    assert computed(b"no workbook", ["S"]) is None


def test_cells_without_references_stand_where_they_follow(documents: Documents) -> None:
    rows = '<row><c><v>1</v></c><c t="e"><v>#N/A</v></c></row><row><c t="e"><v>#REF!</v></c></row>'
    found = documents.read_sheet(of_parts(sheet_xml(rows)), ".xlsx").sheets[0].rows
    assert [[one.value for one in row] for row in found] == [[1, "#N/A"], ["#REF!"]]


def test_texts_that_look_like_numbers_and_long_times_stay_what_they_are(documents: Documents) -> None:
    book = Book()
    sheet = book.active
    assert sheet is not None
    sheet.append(["00501", "12345678901234567890", "2027-03-14", timedelta(hours=26, minutes=5)])
    found = documents.read_sheet(saved(book), ".xlsx")
    values = [one.value for one in found.sheets[0].rows[0]]
    assert values == ["00501", "12345678901234567890", "2027-03-14", "26:05:00"]


def test_a_sheet_of_a_million_cells_is_cut_and_the_cut_is_told(documents: Documents) -> None:
    row = "<row>" + '<c t="str"><v>x</v></c>' * 1000 + "</row>"
    (sheet,) = documents.read_sheet(of_parts(sheet_xml(row * 600)), ".xlsx").sheets
    assert (len(sheet.rows), sheet.truncated) == (500, True)


def test_a_sheet_with_a_cell_in_its_last_corner_is_refused(documents: Documents) -> None:
    corner = '<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'
    assert refusal(documents, of_parts(sheet_xml(corner))) == TOO_LARGE


def test_a_lone_cell_far_below_is_read(documents: Documents) -> None:
    far = '<row r="1048576"><c r="B1048576"><v>7</v></c></row>'
    found = documents.read_sheet(of_parts(sheet_xml(far)), ".xlsx")
    assert cell(found, "B1048576").value == 7
    assert found.sheets[0].used == Area(1_048_576, 2, 1_048_576, 2)


def test_an_archive_that_would_fill_the_memory_is_refused_unopened(documents: Documents) -> None:
    bomb = of_parts(sheet_xml(""), {"xl/media/image1.png": b"\0" * 200_000_000})
    assert len(bomb) < 1_000_000
    assert refusal(documents, bomb) == TOO_LARGE


def test_entities_that_unfold_without_end_are_refused(documents: Documents) -> None:
    entities = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 20}">' for n in range(1, 12))
    data = f'<!DOCTYPE x [<!ENTITY e0 "ha">{entities}]>' + sheet_xml('<row><c t="str"><v>&e11;</v></c></row>')
    assert refusal(documents, of_parts(data)) == DAMAGED


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", DAMAGED),
        (b"PK\x03\x04 and nothing more", DAMAGED),
        (with_formulas()[:-400], DAMAGED),
        (of_parts("<worksheet"), DAMAGED),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, LOCKED),
    ],
)
def test_what_is_no_sheet_is_refused_with_its_reason(
    documents: Documents, content: bytes, reason: str
) -> None:
    assert refusal(documents, content) == reason


def test_another_kind_of_file_is_refused(documents: Documents) -> None:
    assert refusal(documents, b"x", ".ods") == NOT_A_SHEET


def test_an_archive_that_is_no_workbook_is_refused(documents: Documents) -> None:
    assert refusal(documents, of_parts("").replace(b"xl/workbook.xml", b"xl/worktime.xml")) == DAMAGED
