"""Which numbers does a chart show, and what does a calculation over a range come to?"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from vademecum.model.blocks import MOST_POINTS, Calculation, Chart, Number, Operation
from vademecum.model.errors import InvalidInput, TooLarge
from vademecum.model.sheets import EMPTY, Cell, CellKind, Workbook, read_range


@dataclass(frozen=True, slots=True)
class DataSeries:
    """The numbers of one series, None where there is none."""

    name: str
    values: tuple[Number | None, ...]


@dataclass(frozen=True, slots=True)
class ChartData:
    """What a chart shows; there are as many labels as the longest series has values."""

    labels: tuple[str, ...]
    series: tuple[DataSeries, ...]


def split_source(source: str) -> tuple[str, str | None]:
    """The path of a sheet file and the name of the sheet that a source means, None for its first."""
    path, _, sheet = source.partition("#")
    return (path, sheet) if sheet else (source, None)


def chart_data(chart: Chart, workbook: Workbook | None) -> ChartData:
    """Labels and values, read from the workbook that `source` names where they are ranges.

    Cells that hold no number count as missing. Raises InvalidInput for `source` when the workbook is missing,
    for `sheet_id` when it lacks the sheet, and TooLarge when a range holds more than 5,000 cells.
    """
    series = tuple(
        DataSeries(one.name, tuple(cell.number for cell in _cells(chart, one.values, workbook)))
        if isinstance(one.values, str)
        else DataSeries(one.name, one.values)
        for one in chart.series
    )
    labels = chart.labels
    if isinstance(labels, str):
        labels = tuple(cell.text for cell in _cells(chart, labels, workbook))
    points = max((len(one.values) for one in series), default=0)
    labels = labels[:points] + tuple(str(number + 1) for number in range(len(labels), points))
    return ChartData(labels, series)


def calculate(calculation: Calculation, workbook: Workbook) -> Cell:
    """What the calculation comes to: a number, or an error as a program for sheets has it.

    The first error within the range is its result; texts, truths and empty cells take no part. Raises
    InvalidInput and TooLarge as `read_range`.
    """
    sheet = split_source(calculation.source)[1]
    cells = [cell for row in read_range(workbook, calculation.range, sheet).rows for cell in row]
    if calculation.operation is Operation.COUNT_ALL:
        return _result(sum(cell.kind is not CellKind.EMPTY for cell in cells))
    numbers = [cell.number for cell in cells if cell.number is not None]
    if calculation.operation is Operation.COUNT:
        return _result(len(numbers))
    for cell in cells:
        if cell.kind is CellKind.ERROR:
            return cell
    if not numbers and calculation.operation in _NEED_NUMBERS:
        return Cell(CellKind.ERROR, "#DIV/0!" if calculation.operation is Operation.AVERAGE else "#NUM!")
    return _result(_REDUCED[calculation.operation](numbers))


def _cells(chart: Chart, reference: str, workbook: Workbook | None) -> list[Cell]:
    """The cells of a range row by row; what lies beyond the used area is cut off."""
    if workbook is None or chart.source is None:
        raise InvalidInput("source", "the sheet of this chart is not there")
    sheet = split_source(chart.source)[1]
    rows = read_range(workbook, reference, sheet).rows
    cells = [cell for row in rows for cell in row]
    if len(cells) > MOST_POINTS:
        raise TooLarge("range", MOST_POINTS, "cells")
    while cells and cells[-1] is EMPTY:
        cells.pop()
    return cells


def _result(number: Number) -> Cell:
    if not math.isfinite(number):
        return Cell(CellKind.ERROR, "#NUM!")
    return Cell(CellKind.NUMBER, int(number) if float(number).is_integer() else number)


def _sum(numbers: Sequence[Number]) -> float:
    try:
        return math.fsum(numbers)
    except OverflowError:
        return math.inf


def _average(numbers: Sequence[Number]) -> float:
    return _sum(numbers) / len(numbers)


_NEED_NUMBERS = frozenset({Operation.AVERAGE, Operation.MEDIAN})
_REDUCED: dict[Operation, Callable[[Sequence[Number]], Number]] = {
    Operation.SUM: _sum,
    Operation.AVERAGE: _average,
    Operation.MIN: lambda numbers: min(numbers, default=0),
    Operation.MAX: lambda numbers: max(numbers, default=0),
    Operation.MEDIAN: statistics.median,
}
