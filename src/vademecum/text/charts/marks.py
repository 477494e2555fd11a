"""How do bars, lines, areas and points stand for numbers?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from vademecum.model.blocks import Number
from vademecum.model.chart_data import ChartData
from vademecum.text.charts.drawing import colour, element, hint, rounded
from vademecum.text.charts.frame import Plot
from vademecum.text.charts.scale import Scale, number_text

Point = tuple[float, float, str]
"""Where a mark stands, and what it tells."""

_GROUP = 0.78  # share of the room of a label that its bars take
_WIDEST_BAR = 72.0
_MARKED = 60  # points of a line that get a mark each; more would hide the line
_RADIUS = 3.5
_POINTED = ("circle", "square", "diamond", "triangle")


def places(count: int, plot: Plot) -> list[float]:
    """The middle of each label's room."""
    each = plot.width / max(1, count)
    return [plot.left + each * (number + 0.5) for number in range(count)]


def bars(data: ChartData, scale: Scale, plot: Plot) -> list[str]:
    """Groups of bars from zero, one bar for each series."""
    each = plot.width / max(1, len(data.labels))
    thick = min(each * _GROUP / max(1, len(data.series)), _WIDEST_BAR)
    zero = scale.at(0)
    drawn = []
    for number, one in enumerate(data.series):
        shift = (number - len(data.series) / 2) * thick
        shapes = [
            element(
                "rect",
                hint(told),
                x=x + shift,
                y=min(y, zero),
                width=max(thick - 1, 0.5),
                height=max(abs(zero - y), 0.5),
            )
            for x, y, told in _points(one.name, one.values, data.labels, scale, plot)
        ]
        drawn.append(element("g", "".join(shapes), fill=colour(number)))
    return drawn


def lines(data: ChartData, scale: Scale, plot: Plot, *, is_filled: bool) -> list[str]:
    """A line for each series, broken where a number is missing; an area reaches down to zero."""
    drawn = []
    for number, one in enumerate(data.series):
        runs = list(_runs(one.name, one.values, data.labels, scale, plot))
        if is_filled:
            drawn += [_area(run, scale.at(0), number) for run in runs]
        path = " ".join("M" + " L".join(f"{rounded(x)} {rounded(y)}" for x, y, _ in run) for run in runs)
        drawn.append(
            element(
                "path", d=path, fill="none", stroke=colour(number), stroke_width=2, stroke_linejoin="round"
            )
        )
        is_marked = len(one.values) <= _MARKED
        drawn += [mark(point, number) for run in runs for point in run if is_marked or len(run) == 1]
    return drawn


def mark(point: Point, number: int) -> str:
    """A small shape, another one for each of four series, so that colour is not all that tells them apart."""
    x, y, told = point
    size = _RADIUS
    match _POINTED[number % len(_POINTED)]:
        case "circle":
            return element("circle", hint(told), cx=x, cy=y, r=size, fill=colour(number))
        case "square":
            side = 2 * size - 1
            return element(
                "rect",
                hint(told),
                x=x - side / 2,
                y=y - side / 2,
                width=side,
                height=side,
                fill=colour(number),
            )
        case "diamond":
            corners = [(x, y - size - 1), (x + size + 1, y), (x, y + size + 1), (x - size - 1, y)]
        case _:
            corners = [(x, y - size - 1), (x + size + 1, y + size), (x - size - 1, y + size)]
    pairs = " ".join(f"{rounded(a)},{rounded(b)}" for a, b in corners)
    return element("polygon", hint(told), points=pairs, fill=colour(number))


def told_of(name: str, label: str, value: float) -> str:
    """What a mark stands for, in words."""
    return f"{label}, {name}: {number_text(value)}" if name else f"{label}: {number_text(value)}"


def _points(
    name: str, values: Sequence[Number | None], labels: Sequence[str], scale: Scale, plot: Plot
) -> Iterator[Point]:
    for x, label, value in zip(places(len(labels), plot), labels, values, strict=False):
        if value is not None:
            yield x, scale.at(value), told_of(name, label, value)


def _runs(
    name: str, values: Sequence[Number | None], labels: Sequence[str], scale: Scale, plot: Plot
) -> Iterator[list[Point]]:
    """Points that follow one another without a gap."""
    run: list[Point] = []
    for x, label, value in zip(places(len(labels), plot), labels, values, strict=False):
        if value is not None:
            run.append((x, scale.at(value), told_of(name, label, value)))
        elif run:
            yield run
            run = []
    if run:
        yield run


def _area(run: Sequence[Point], zero: float, number: int) -> str:
    outline = [(run[0][0], zero), *((x, y) for x, y, _ in run), (run[-1][0], zero)]
    path = "M" + " L".join(f"{rounded(x)} {rounded(y)}" for x, y in outline) + " Z"
    return element("path", d=path, fill=colour(number), fill_opacity="0.25")
