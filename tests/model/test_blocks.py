"""Are blocks checked before they are kept, and is their JSON always the same?"""

from __future__ import annotations

import json
from typing import Any

import pytest

from vademecum.model.blocks import (
    Calculation,
    Chart,
    ChartType,
    Embed,
    Operation,
    Series,
    block_from_json,
    block_to_json,
    label_of,
)
from vademecum.model.chart_data import ChartData, DataSeries, calculate, chart_data, split_source
from vademecum.model.errors import InvalidInput, Refusal, TooLarge
from vademecum.model.sheets import EMPTY, Cell, CellKind, Sheet, Workbook

LINKED = Chart(
    "b1",
    ChartType.BAR,
    "Sales by month",
    "A2:A4",
    (Series("Lamps", "B2:B4"), Series("Desks", (1, 2.5, None))),
    "sheets/budget.xlsx#Budget 2027",
)
CLIP = Embed("e1", "https://example.org/v", "A talk")
TOTAL = Calculation("c1", Operation.SUM, "sheets/budget.xlsx", "B2:B4", "")


def number(value: float) -> Cell:
    return Cell(CellKind.NUMBER, value)


def text(value: str) -> Cell:
    return Cell(CellKind.TEXT, value)


BUDGET = Sheet(
    "Budget 2027",
    (
        (text("Month"), text("Lamps")),
        (text("Jan"), number(3)),
        (text("Feb"), text("none yet")),
        (text("三月"), Cell(CellKind.PERCENT, 0.5, "50%")),
        (text("bad"), Cell(CellKind.ERROR, "#DIV/0!")),
    ),
)
BOOK = Workbook((Sheet("First", ()), BUDGET))


@pytest.mark.parametrize("block", [LINKED, CLIP, TOTAL])
def test_a_block_comes_back_from_its_json(block: Any) -> None:
    line = block_to_json(block)
    assert block_from_json(line) == block
    assert block_to_json(block_from_json(line)) == line
    assert "\n" not in line
    assert list(json.loads(line)) == sorted(json.loads(line))


@pytest.mark.parametrize(
    ("block", "label"),
    [
        (LINKED, "Sales by month (bar chart)"),
        (CLIP, "A talk (embed)"),
        (TOTAL, "B2:B4 (sum)"),
        (Embed("e", "https://example.org/v", ""), "https://example.org/v (embed)"),
    ],
)
def test_the_label_says_what_the_block_is(block: Any, label: str) -> None:
    assert label_of(block) == label


GOOD: dict[str, Any] = {"id": "x", "type": "line", "labels": ["a"], "series": [{"name": "s", "values": [1]}]}


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"type": "radar"}, "type"),
        ({"type": None}, "type"),
        ({"id": "no spaces"}, "id"),
        ({"id": "x" * 65}, "id"),
        ({"id": 7}, "id"),
        ({"title": 7}, "title"),
        ({"series": []}, "series"),
        ({"series": "B2:B4"}, "series"),
        ({"series": [7]}, "series[0]"),
        ({"series": [{"name": 7, "values": [1]}]}, "series[0].name"),
        ({"series": [{"name": "s", "values": [1, "2"]}]}, "series[0].values[1]"),
        ({"series": [{"name": "s", "values": [True]}]}, "series[0].values[0]"),
        ({"series": [{"name": "s", "values": [float("nan")]}]}, "series[0].values[0]"),
        ({"series": [{"name": "s", "values": [10**400]}]}, "series[0].values[0]"),
        ({"series": [{"name": "s", "values": [1] * 5_001}]}, "series[0].values"),
        ({"series": [{"name": "s", "values": [1]}] * 51}, "series"),
        ({"series": [{"name": "s", "values": "nonsense"}], "source": "a.xlsx"}, "series[0].values"),
        ({"series": [{"name": "s", "values": "B2:B4"}]}, "source"),
        ({"labels": "A2:A4"}, "source"),
        ({"labels": [None]}, "labels[0]"),
        ({"source": " "}, "source"),
        ({"source": "x" * 1_001}, "source"),
        ({"type": "embed"}, "target"),
        ({"type": "calculation", "operation": "guess"}, "operation"),
        ({"type": "calculation", "operation": "sum", "range": 7}, "range"),
        ({"type": "calculation", "operation": "sum", "range": "A1"}, "source"),
    ],
)
def test_a_block_that_is_not_sound_is_refused_by_its_member(change: dict[str, Any], field: str) -> None:
    with pytest.raises(Refusal) as refused:
        block_from_json(json.dumps({**GOOD, **change}))
    assert refused.value.data["field"] == field


@pytest.mark.parametrize("data", ["", "{", "[]", "7", "[" * 100_000, '{"type": ["bar"]}'])
def test_what_is_no_block_at_all_is_refused(data: str) -> None:
    with pytest.raises(InvalidInput):
        block_from_json(data)


def test_more_data_than_a_block_may_have_is_refused_unread() -> None:
    with pytest.raises(TooLarge):
        block_from_json(" " * 500_001)


def test_a_linked_chart_shows_what_the_sheet_holds() -> None:
    assert chart_data(LINKED, BOOK) == ChartData(
        ("Jan", "Feb", "三月"),
        (DataSeries("Lamps", (3, None, 0.5)), DataSeries("Desks", (1, 2.5, None))),
    )


def test_a_chart_of_whole_columns_ends_where_the_sheet_does() -> None:
    chart = Chart("x", ChartType.LINE, "", "A:A", (Series("s", "B:B"),), "b.xlsx#Budget 2027")
    found = chart_data(chart, BOOK)
    assert found.labels == ("Month", "Jan", "Feb", "三月", "bad")
    assert found.series[0].values == (None, 3, None, 0.5, None)


def test_missing_labels_are_numbered_and_literal_charts_need_no_sheet() -> None:
    chart = Chart("x", ChartType.PIE, "", ("a",), (Series("s", (1, 2, 3)),))
    assert chart_data(chart, None).labels == ("a", "2", "3")


@pytest.mark.parametrize("book", [None, Workbook((Sheet("Other", ()),))])
def test_a_chart_without_its_sheet_is_refused(book: Workbook | None) -> None:
    with pytest.raises(InvalidInput):
        chart_data(LINKED, book)


@pytest.mark.parametrize(
    ("operation", "cells", "result"),
    [
        (Operation.SUM, "B1:B4", 3.5), (Operation.AVERAGE, "B1:B4", 1.75), (Operation.MIN, "B1:B4", 0.5),
        (Operation.MAX, "B1:B4", 3), (Operation.MEDIAN, "B1:B4", 1.75), (Operation.COUNT, "A1:B9", 2),
        (Operation.COUNT_ALL, "A1:B9", 10), (Operation.SUM, "B1:B5", "#DIV/0!"), (Operation.SUM, "Z1:Z9", 0),
        (Operation.AVERAGE, "Z1:Z9", "#DIV/0!"), (Operation.MEDIAN, "A1:A3", "#NUM!"),
    ],
)  # fmt: skip
def test_a_calculation_takes_numbers_and_passes_errors_on(
    operation: Operation, cells: str, result: object
) -> None:
    asked = Calculation("c", operation, "b.xlsx#Budget 2027", cells, "")
    assert calculate(asked, BOOK).value == result


def test_a_sum_beyond_all_numbers_is_an_error() -> None:
    book = Workbook((Sheet("S", ((number(1.7e308), number(1.7e308), EMPTY),)),))
    assert calculate(Calculation("c", Operation.SUM, "b.xlsx", "1:1", ""), book).value == "#NUM!"


def test_a_source_names_a_file_and_perhaps_a_sheet() -> None:
    assert split_source("a/b.xlsx#Budget #1") == ("a/b.xlsx", "Budget #1")
    assert split_source("a/b.xlsx") == ("a/b.xlsx", None)
    assert split_source("a/b.xlsx#") == ("a/b.xlsx#", None)
