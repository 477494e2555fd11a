"""Does a reference mean the cells that a program for sheets would take it for?"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vademecum.model.errors import InvalidInput
from vademecum.model.ranges import (
    LAST_COLUMN,
    LAST_ROW,
    Area,
    Reference,
    column_name,
    column_number,
    parse_reference,
)


@pytest.mark.parametrize(
    ("text", "area"),
    [
        ("B2", Area(2, 2, 2, 2)),
        ("$B$2", Area(2, 2, 2, 2)),
        ("a1:c3", Area(1, 1, 3, 3)),
        ("C3:A1", Area(1, 1, 3, 3)),
        ("$A1:C$3", Area(1, 1, 3, 3)),
        ("C1:A3", Area(1, 1, 3, 3)),
        ("A:A", Area(1, 1, LAST_ROW, 1)),
        ("$D:$B", Area(1, 2, LAST_ROW, 4)),
        ("2:5", Area(2, 1, 5, LAST_COLUMN)),
        ("$5:$2", Area(2, 1, 5, LAST_COLUMN)),
        ("XFD1048576", Area(LAST_ROW, LAST_COLUMN, LAST_ROW, LAST_COLUMN)),
        (" B2 ", Area(2, 2, 2, 2)),
        ("Ｂ２：Ｃ３", Area(2, 2, 3, 3)),
    ],
)
def test_a_reference_means_an_area(text: str, area: Area) -> None:
    assert parse_reference(text) == Reference(area)


@pytest.mark.parametrize(
    ("text", "sheet"),
    [
        ("Summary!A1", "Summary"),
        ("'Budget 2027'!A1", "Budget 2027"),
        ("Budget 2027!A1", "Budget 2027"),
        ("'Ada''s'!A1", "Ada's"),
        ("'a!b'!A1", "a!b"),
        ("预算!A1", "预算"),
    ],
)
def test_a_sheet_is_named_plainly_or_in_quotes(text: str, sheet: str) -> None:
    assert parse_reference(text) == Reference(Area(1, 1, 1, 1), sheet)


@pytest.mark.parametrize(
    "text",
    ["", "A", "5", "A1:", ":A1", "A1:B", "A:5", "1A", "A0", "A1:B2:C3", "XFE1", "A1048577", "AAAA1", "!A1",
     "'Budget!A1", "''!A1", "Sheet1!", "R1C1", "A1;B2", "A-1", "A1,B2", "x" * 501, "=A1", ":", "0:4"],
)  # fmt: skip
def test_anything_else_is_refused_by_the_name_of_the_argument(text: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        parse_reference(text)
    assert refused.value.field == "range"


@given(st.integers(1, LAST_COLUMN))
def test_the_letters_of_a_column_and_its_number_are_one(number: int) -> None:
    assert column_number(column_name(number)) == number


@given(
    st.tuples(st.integers(1, LAST_ROW), st.integers(1, LAST_ROW)),
    st.tuples(st.integers(1, LAST_COLUMN), st.integers(1, LAST_COLUMN)),
    st.one_of(st.none(), st.text(min_size=1, max_size=31).filter(lambda name: name == name.strip())),
)
def test_the_name_of_a_reference_means_the_same_reference(
    rows: tuple[int, int], columns: tuple[int, int], sheet: str | None
) -> None:
    reference = Reference(Area(min(rows), min(columns), max(rows), max(columns)), sheet)
    assert parse_reference(reference.name) == reference


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Summary", "Summary!A:A"),
        ("Q1", "'Q1'!A:A"),
        ("Budget 2027", "'Budget 2027'!A:A"),
        ("Ada's", "'Ada''s'!A:A"),
    ],
)
def test_a_name_is_quoted_where_it_could_be_taken_for_something_else(name: str, shown: str) -> None:
    assert Reference(Area(1, 1, LAST_ROW, 1), name).name == shown
