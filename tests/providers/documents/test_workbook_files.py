"""Is a sheet that is made here the same to us and to other programs?"""

from __future__ import annotations

import io
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl import load_workbook

from vademecum.model.errors import InvalidInput, TooLarge
from vademecum.model.sheets import MOST_CELLS_MADE, CellInput
from vademecum.ports.documents import Documents
from vademecum.providers.documents.workbook_file import write_workbook

ROWS: list[list[CellInput]] = [
    ["=1+1", "007", "2027-01-01", 2.5, True, None, 3],
    [],
    [" lead\nand <tag> & more ", "#DIV/0!", "", "日本語", "-", 10**20, False],
]


def test_another_program_reads_every_string_as_text() -> None:
    book: Any = load_workbook(io.BytesIO(write_workbook("Trip", ROWS)))
    sheet = book.worksheets[0]
    assert [[cell.value for cell in row] for row in sheet.iter_rows()] == [
        ["=1+1", "007", "2027-01-01", 2.5, True, None, 3],
        [None] * 7,
        [" lead\nand <tag> & more ", "#DIV/0!", None, "日本語", "-", 10**20, False],
    ]
    assert {sheet[place].data_type for place in ("A1", "B1", "C1", "B3")} == {"s"}


def test_what_is_made_is_read_back(documents: Documents) -> None:
    (sheet,) = documents.read_sheet(documents.make_workbook("Trip", ROWS), ".xlsx").sheets
    first, second, third = ([cell.value for cell in row] for row in sheet.rows)
    assert first == ["=1+1", "007", "2027-01-01", 2.5, True, None, 3]
    assert second == []
    assert third == [" lead\nand <tag> & more ", "#DIV/0!", None, "日本語", "-", 1e20, False]
    assert sheet.name == "Trip"


def test_the_same_rows_make_the_same_bytes() -> None:
    assert write_workbook("Trip", ROWS) == write_workbook("Trip", [list(row) for row in ROWS])


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Budget [2027]: a/b?", "Budget  2027   a b"),
        ("'quoted'", "quoted"),
        ("", "Sheet1"),
        ("x" * 40, "x" * 31),
        ('a "b" & <c>', 'a "b" & <c>'),
        ("表" * 40, "表" * 31),
        ("a\ud800b\x00", "ab"),
    ],
)
def test_the_sheet_is_named_after_the_title(title: str, name: str) -> None:
    book: Any = load_workbook(io.BytesIO(write_workbook(title, [["x"]])))
    assert book.sheetnames == [name]


@settings(max_examples=60, deadline=None)
@given(st.text(min_size=1, max_size=40))
def test_any_text_comes_back_as_it_was(documents: Documents, text: str) -> None:
    ((row,),) = (
        sheet.rows for sheet in documents.read_sheet(write_workbook("T", [[text, "end"]]), ".xlsx").sheets
    )
    assert [cell.value for cell in row] == [text, "end"]


@pytest.mark.parametrize(
    ("rows", "place"),
    [([[1, float("nan")]], "B1"), ([[], [float("inf")]], "A2"), ([[10**400]], "A1")],
)
def test_numbers_that_no_sheet_holds_are_refused_with_their_place(
    rows: list[list[CellInput]], place: str
) -> None:
    with pytest.raises(InvalidInput) as refused:
        write_workbook("T", rows)
    assert refused.value.field == "rows"
    assert place in refused.value.reason


@pytest.mark.parametrize(
    "rows",
    [[["x"] * 16_385], [["x" * 32_768]], [[1]] * 20_001, [[1] * 1_000] * (MOST_CELLS_MADE // 1_000 + 1)],
)
def test_more_than_a_sheet_may_have_is_refused(rows: list[list[CellInput]]) -> None:
    with pytest.raises(TooLarge):
        write_workbook("T", rows)
