"""What are the parts of a note that Markdown cannot express: charts, embeds and calculations over a sheet?"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from vademecum.model.errors import InvalidInput, TooLarge
from vademecum.model.graphemes import cut
from vademecum.model.ranges import parse_reference

LONGEST_DATA = 500_000  # characters of a block as JSON
MOST_SERIES = 50
MOST_POINTS = 5_000  # of one series, and labels of one chart
LONGEST_TITLE = 200  # characters
_LONGEST_TEXT = 1_000  # characters of a source, target or label

_IDENTITY = re.compile(r"[A-Za-z0-9_-]{1,64}")
_SPACES = re.compile(r"\s+")
_EMBED, _CALCULATION = "embed", "calculation"

Number = int | float
Values = str | tuple[Number | None, ...]
"""A range of the source in A1 form, or the numbers themselves, None where one is missing."""


class ChartType(StrEnum):
    """How a chart is drawn."""

    BAR = "bar"
    LINE = "line"
    AREA = "area"
    PIE = "pie"
    SCATTER = "scatter"


class Operation(StrEnum):
    """What is reckoned over a range."""

    SUM = "sum"
    AVERAGE = "average"
    MIN = "min"
    MAX = "max"
    MEDIAN = "median"
    COUNT = "count"  # of numbers
    COUNT_ALL = "countA"  # of cells that are not empty


@dataclass(frozen=True, slots=True)
class Series:
    """A row of numbers with a name."""

    name: str
    values: Values


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart, whose labels and values are literal or ranges of `source`.

    `source` is the path of a sheet, with `#` and the name of one of its sheets where the first is not meant.
    """

    id: str
    type: ChartType
    title: str
    labels: str | tuple[str, ...]
    series: tuple[Series, ...]
    source: str | None = None


@dataclass(frozen=True, slots=True)
class Embed:
    """A saved page or video shown within a note; `target` is the id of an item or an address."""

    id: str
    target: str
    title: str


@dataclass(frozen=True, slots=True)
class Calculation:
    """A number that is reckoned over a range of a sheet."""

    id: str
    operation: Operation
    source: str
    range: str
    title: str


Block = Chart | Embed | Calculation


def block_from_json(data: str) -> Block:
    """The block that the JSON holds; members that no block has are ignored.

    Raises TooLarge, and InvalidInput naming the member: `series[0].values`.
    """
    if len(data) > LONGEST_DATA:
        raise TooLarge("data", LONGEST_DATA)
    try:
        told = json.loads(data)
        json.dumps(told, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise InvalidInput("data", "holds half of a character, which no text can hold") from error
    except (ValueError, RecursionError) as error:
        raise InvalidInput("data", "is not JSON") from error
    return block_from(told)


def block_from(told: object) -> Block:
    """The block that a value from JSON means. Raises as `block_from_json`."""
    if not isinstance(told, dict):
        raise InvalidInput("data", "must be an object")
    match told.get("type"):
        case "embed":
            return Embed(_identity(told), _text(told, "target"), _title(told))
        case "calculation":
            return _calculation(told)
        case str(name) if name in list(ChartType):
            return _chart(told, ChartType(name))
        case _:
            kinds = ", ".join([*ChartType, _EMBED, _CALCULATION])
            raise InvalidInput("type", f"must be one of {kinds}")


def block_to_json(block: Block) -> str:
    """The block as one line of JSON; the same block always gives the same line."""
    return json.dumps(_members(block), ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def label_of(block: Block) -> str:
    """What a reader of the Markdown sees of the block, one line (contracts 3.5)."""
    match block:
        case Chart():
            return f"{block.title or 'Untitled'} ({block.type} chart)"
        case Embed():
            return f"{block.title or one_line(block.target)} (embed)"
        case Calculation():
            return f"{block.title or block.range} ({block.operation})"


def one_line(text: str) -> str:
    """The text without line breaks, cut to the length of a title."""
    return cut(_SPACES.sub(" ", text).strip(), LONGEST_TITLE)


def _members(block: Block) -> dict[str, Any]:
    match block:
        case Chart():
            members: dict[str, Any] = {
                "id": block.id,
                "type": block.type,
                "title": block.title,
                "labels": block.labels,
                "series": [{"name": one.name, "values": one.values} for one in block.series],
            }
            return members if block.source is None else {**members, "source": block.source}
        case Embed():
            return {"id": block.id, "type": _EMBED, "title": block.title, "target": block.target}
        case Calculation():
            return {
                "id": block.id,
                "type": _CALCULATION,
                "title": block.title,
                "operation": block.operation,
                "source": block.source,
                "range": block.range,
            }


def _calculation(told: Mapping[str, Any]) -> Calculation:
    operation = told.get("operation")
    if operation not in list(Operation):
        raise InvalidInput("operation", f"must be one of {', '.join(Operation)}")
    cells = _range(told.get("range"), "range")
    return Calculation(_identity(told), Operation(operation), _text(told, "source"), cells, _title(told))


def _chart(told: Mapping[str, Any], kind: ChartType) -> Chart:
    source = _text(told, "source") if told.get("source") is not None else None
    series = _list(told.get("series"), "series", MOST_SERIES)
    if not series:
        raise InvalidInput("series", "at least one is needed")
    chart = Chart(
        _identity(told),
        kind,
        _title(told),
        _labels(told.get("labels", [])),
        tuple(_series(one, f"series[{number}]") for number, one in enumerate(series)),
        source,
    )
    has_range = isinstance(chart.labels, str) or any(isinstance(one.values, str) for one in chart.series)
    if has_range and source is None:
        raise InvalidInput("source", "ranges need the path of a sheet")
    return chart


def _series(told: object, field: str) -> Series:
    if not isinstance(told, dict):
        raise InvalidInput(field, "must be an object with name and values")
    name, values = told.get("name", ""), told.get("values")
    if not isinstance(name, str):
        raise InvalidInput(f"{field}.name", "must be text")
    if isinstance(values, str):
        return Series(one_line(name), _range(values, f"{field}.values"))
    numbers = _list(values, f"{field}.values", MOST_POINTS)
    return Series(
        one_line(name), tuple(_number(one, f"{field}.values[{at}]") for at, one in enumerate(numbers))
    )


def _labels(told: object) -> str | tuple[str, ...]:
    if isinstance(told, str):
        return _range(told, "labels")
    labels = []
    for number, one in enumerate(_list(told, "labels", MOST_POINTS)):
        if isinstance(one, bool) or not isinstance(one, str | int | float):
            raise InvalidInput(f"labels[{number}]", "must be text or a number")
        labels.append(one_line(str(one)))
    return tuple(labels)


def _number(told: object, field: str) -> Number | None:
    if told is None:
        return None
    if isinstance(told, bool) or not isinstance(told, int | float):
        raise InvalidInput(field, "must be a number or null")
    try:
        finite = math.isfinite(float(told))
    except OverflowError:
        finite = False
    if not finite:
        raise InvalidInput(field, "must be finite")
    return told


def _range(told: object, field: str) -> str:
    if not isinstance(told, str):
        raise InvalidInput(field, "must be a range such as D2:D4")
    try:
        return parse_reference(told).name
    except InvalidInput as refusal:
        raise InvalidInput(field, refusal.reason) from refusal


def _list(told: object, field: str, most: int) -> list[Any]:
    if not isinstance(told, list):
        raise InvalidInput(field, "must be a list")
    if len(told) > most:
        raise TooLarge(field, most, "entries")
    return told


def _identity(told: Mapping[str, Any]) -> str:
    found = told.get("id")
    if not isinstance(found, str) or not _IDENTITY.fullmatch(found):
        raise InvalidInput("id", "must be up to 64 letters, digits, - or _")
    return found


def _title(told: Mapping[str, Any]) -> str:
    title = told.get("title", "")
    if not isinstance(title, str):
        raise InvalidInput("title", "must be text")
    return one_line(title)


def _text(told: Mapping[str, Any], field: str) -> str:
    found = told.get(field)
    if not isinstance(found, str) or not found.strip():
        raise InvalidInput(field, "must be text")
    if len(found) > _LONGEST_TEXT:
        raise TooLarge(field, _LONGEST_TEXT)
    return found
