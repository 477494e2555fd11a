"""Is what a sheet shows found as text, section by section?"""

from __future__ import annotations

from vademecum.model.ranges import Area
from vademecum.model.sheets import EMPTY, Cell, CellKind, Sheet, Workbook
from vademecum.text.sheet_text import LONGEST_SHEET_TEXT, SheetText, sheet_text


def text(value: str) -> Cell:
    return Cell(CellKind.TEXT, value)


def test_each_sheet_is_a_section_with_a_line_for_each_row() -> None:
    share = Cell(CellKind.PERCENT, 0.456, "45.6%")
    book = Workbook(
        (
            Sheet(
                "Budget\n2027",
                ((text("Item"), EMPTY, text("a\tb\r\nc")), (), (EMPTY, share)),
                (Area(1, 1, 1, 2),),
            ),
            Sheet("Empty", ()),
            Sheet("表", ((Cell(CellKind.NUMBER, 3), Cell(CellKind.BOOLEAN, True), EMPTY),)),
        )
    )
    assert sheet_text(book) == SheetText(
        "# Budget 2027\n\nItem\t\ta b c\n\t45.6%\n\n# Empty\n\n\n# 表\n\n3\tTRUE"
    )


def test_a_workbook_without_sheets_has_no_text() -> None:
    assert sheet_text(Workbook(())) == SheetText("")


def test_more_than_the_bound_is_left_out_by_whole_rows_and_told() -> None:
    book = Workbook((Sheet("S", ((text("x" * 9_999),),) * 300),))
    found = sheet_text(book)
    assert found.truncated
    assert len(found.text) <= LONGEST_SHEET_TEXT
    assert {len(line) for line in found.text.splitlines()[2:]} == {9_999}


def test_a_sheet_that_was_not_read_to_its_end_is_told() -> None:
    assert sheet_text(Workbook((Sheet("S", (), truncated=True),))).truncated
