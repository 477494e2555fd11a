"""Does a range of a sheet give its cells, whatever part of it is used?"""

from __future__ import annotations

import pytest

from vademecum.model.errors import InvalidInput, TooLarge
from vademecum.model.ranges import Area
from vademecum.model.sheets import EMPTY, Cell, CellKind, RangeContent, Sheet, Workbook, read_range


def text(value: str) -> Cell:
    return Cell(CellKind.TEXT, value)


B2, D2, C4 = text("b2"), text("d2"), text("c4")
SHEET = Sheet("Trip", ((), (EMPTY, B2, EMPTY, D2), (), (EMPTY, EMPTY, C4)), (Area(2, 2, 3, 3),))
OTHER = Sheet("Budget 2027", ((text("x"),),))
BOOK = Workbook((SHEET, OTHER))


def values(content: RangeContent) -> list[list[object]]:
    return [[cell.value for cell in row] for row in content.rows]


def test_the_used_area_is_the_smallest_around_all_that_is_written() -> None:
    assert SHEET.used == Area(2, 2, 4, 4)
    assert Sheet("Empty", ((), (EMPTY,))).used is None


@pytest.mark.parametrize(
    ("reference", "rows"),
    [
        ("b2", [["b2"]]),
        ("A1:C2", [[None, None, None], [None, "b2", None]]),
        ("C:C", [[None], [None], [None], ["c4"]]),
        ("4:4", [[None, None, "c4", None]]),
        ("C3:Z99", [[None, None], ["c4", None]]),
        ("D4:B2", [["b2", None, "d2"], [None, None, None], [None, "c4", None]]),
        ("E1", []),
        ("A5:B900", []),
        ("A1:XFD1048576", [[None] * 4, [None, "b2", None, "d2"], [None] * 4, [None, None, "c4", None]]),
    ],
)
def test_a_range_gives_its_cells_without_what_lies_beyond_all_used_ones(
    reference: str, rows: list[list[object]]
) -> None:
    assert values(read_range(BOOK, reference)) == rows


def test_merged_areas_come_with_the_ranges_that_they_meet() -> None:
    assert read_range(BOOK, "C3").merged == (Area(2, 2, 3, 3),)
    assert read_range(BOOK, "D4").merged == ()


@pytest.mark.parametrize(
    ("reference", "sheet_id"),
    [
        ("'Budget 2027'!A1", None),
        ("A1", "Budget 2027"),
        ("'budget 2027'!A1", "BUDGET 2027"),
        ("A1", "ｂudget 2027"),
    ],
)
def test_a_sheet_is_found_by_its_name_in_the_range_or_beside_it(reference: str, sheet_id: str | None) -> None:
    content = read_range(BOOK, reference, sheet_id)
    assert (content.sheet, values(content)) == (OTHER, [["x"]])


@pytest.mark.parametrize(
    ("reference", "sheet_id", "field"),
    [("Nowhere!A1", None, "range"), ("A1", "Nowhere", "sheet_id"), ("Trip!A1", "Budget 2027", "sheet_id")],
)
def test_a_sheet_that_is_not_there_is_refused(reference: str, sheet_id: str | None, field: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        read_range(BOOK, reference, sheet_id)
    assert refused.value.field == field


def test_more_cells_than_an_answer_holds_are_refused_and_a_part_of_them_is_not() -> None:
    big = Workbook((Sheet("Big", ((text("x"),) * 100,) * 501),))
    with pytest.raises(TooLarge) as refused:
        read_range(big, "A:CV")
    assert (refused.value.field, refused.value.limit, refused.value.unit) == ("range", 50_000, "cells")
    assert len(read_range(big, "A1:CV500").rows) == 500


@pytest.mark.parametrize(
    ("cell", "shown", "number"),
    [
        (EMPTY, "", None),
        (Cell(CellKind.BOOLEAN, True), "TRUE", None),
        (Cell(CellKind.PERCENT, 0.456, "45.6%"), "45.6%", 0.456),
        (Cell(CellKind.NUMBER, 3), "3", 3),
        (Cell(CellKind.ERROR, "#DIV/0!"), "#DIV/0!", None),
    ],
)
def test_a_cell_is_shown_as_a_reader_sees_it(cell: Cell, shown: str, number: float | None) -> None:
    assert (cell.text, cell.number) == (shown, number)
