"""What does a chart look like?"""

from __future__ import annotations

import math
from collections.abc import Sequence

from vademecum.model.blocks import ChartType, Number
from vademecum.model.chart_data import ChartData, DataSeries
from vademecum.text.charts import frame, marks
from vademecum.text.charts.drawing import FONT, INK, element, escaped
from vademecum.text.charts.pie import MOST_SLICES, pie, slices
from vademecum.text.charts.scale import LARGEST_DRAWN, Scale, number_text, scale

MOST_MARKS = 2_000
"""Numbers that are drawn of one chart; of more, every n-th is, and the chart says so."""

_FONTS = "system-ui, 'Noto Sans', 'Noto Sans CJK SC', 'Hiragino Sans', sans-serif"


def draw_chart(kind: ChartType, title: str, data: ChartData) -> str:
    """The chart as an SVG document of 720 by 420 units that grows and shrinks with its place.

    Text and axes have the colour of the text around; series have `--chart-1` to `--chart-8` where a page sets
    them, the paper between the parts of a pie `--chart-paper`. It holds no script, no style and no reference,
    and every word of it is escaped. Numbers that are missing leave gaps (design 5).
    """
    drawable = _drawable(data)
    shown, note = (drawable, _pie_note(data)) if kind is ChartType.PIE else _thinned(drawable)
    inside = _pie(title, shown, note) if kind is ChartType.PIE else _with_axes(kind, title, shown, note)
    about = element("title", escaped(title or f"{kind} chart")) + element(
        "desc", escaped(_described(kind, data))
    )
    return element(
        "svg",
        about + "".join(inside),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {frame.WIDTH} {frame.HEIGHT}",
        role="img",
        fill=INK,
        font_family=_FONTS,
        font_size=FONT,
    )


def _with_axes(kind: ChartType, title: str, data: ChartData, note: str) -> list[str]:
    head, top = frame.head(title, _names(title, data))
    foot, bottom = frame.foot(note)
    values = [value for one in data.series for value in one.values if value is not None]
    if not values:
        return [*head, frame.nothing(top, bottom), *foot]
    axis = scale(values, with_zero=kind in (ChartType.BAR, ChartType.AREA))
    plot = frame.plot_for(axis, top, bottom)
    axis = axis.between(plot.bottom, plot.top)
    if kind is ChartType.SCATTER:
        return [*head, *frame.value_axis(axis, plot), *_scatter(data, axis, plot), *foot]
    below = frame.label_axis(data.labels, marks.places(len(data.labels), plot), plot)
    if kind is ChartType.BAR:
        drawn = marks.bars(data, axis, plot)
    else:
        drawn = marks.lines(data, axis, plot, is_filled=kind is ChartType.AREA)
    return [*head, *frame.value_axis(axis, plot), *below, *drawn, *foot]


def _scatter(data: ChartData, axis: Scale, plot: frame.Plot) -> list[str]:
    """Points whose place across is their label, where all labels are numbers, else their number in order."""
    across = _numbers(data.labels) or [float(number + 1) for number in range(len(data.labels))]
    below = scale(across, with_zero=False).between(plot.left, plot.right)
    drawn = frame.number_axis(below, plot)
    for number, one in enumerate(data.series):
        for x, label, value in zip(across, data.labels, one.values, strict=False):
            if value is not None:
                told = marks.told_of(one.name, label, value)
                drawn.append(marks.mark((below.at(x), axis.at(value), told), number))
    return drawn


def _pie(title: str, data: ChartData, note: str) -> list[str]:
    head, top = frame.head(title, ())
    foot, bottom = frame.foot(note)
    parts = slices(data.labels, data.series[0].values) if data.series else []
    drawn = pie(parts, top, bottom) if parts else [frame.nothing(top, bottom)]
    return [*head, *drawn, *foot]


def _pie_note(data: ChartData) -> str:
    said = []
    if len(data.series) > 1:
        said.append(f"The first of {len(data.series)} series.")
    if data.series and any(value is not None and value < 0 for value in data.series[0].values):
        said.append("Negative numbers are left out.")
    if data.series and sum(value is not None and value > 0 for value in data.series[0].values) > MOST_SLICES:
        said.append("The smallest parts stand together.")
    return " ".join(said)


def _thinned(data: ChartData) -> tuple[ChartData, str]:
    """As many numbers as are drawn, and what is said of those left out."""
    every = math.ceil(len(data.labels) * max(1, len(data.series)) / MOST_MARKS)
    if every <= 1:
        return data, ""
    series = tuple(DataSeries(one.name, one.values[::every]) for one in data.series)
    return ChartData(data.labels[::every], series), f"One of every {every} numbers is drawn."


def _drawable(data: ChartData) -> ChartData:
    return ChartData(data.labels, tuple(DataSeries(one.name, _finite(one.values)) for one in data.series))


def _finite(values: Sequence[Number | None]) -> tuple[Number | None, ...]:
    return tuple(None if value is None or abs(value) > LARGEST_DRAWN else value for value in values)


def _numbers(labels: Sequence[str]) -> list[float] | None:
    """The labels as numbers, None when one of them is none."""
    try:
        found = [float(label.replace(",", "")) for label in labels]
    except ValueError:
        return None
    return found if all(math.isfinite(one) and abs(one) <= LARGEST_DRAWN for one in found) else None


def _names(title: str, data: ChartData) -> list[str]:
    """The names for the legend; one series that is called as the chart is, or not at all, needs none."""
    names = [one.name or f"Series {number}" for number, one in enumerate(data.series, 1)]
    return [] if len(names) == 1 and data.series[0].name in ("", title) else names


def _described(kind: ChartType, data: ChartData) -> str:
    """The chart in words, for those who do not see it."""
    values = [value for one in data.series for value in one.values if value is not None]
    reach = f", from {number_text(min(values))} to {number_text(max(values))}" if values else ", without data"
    names = ", ".join(name for one in data.series if (name := one.name))
    said = f"{kind.capitalize()} chart of {len(data.series)} series with {len(data.labels)} labels{reach}."
    return f"{said} Series: {names}." if names else said
