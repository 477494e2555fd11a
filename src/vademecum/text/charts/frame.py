"""Where do title, legend, axes and notes of a chart stand?"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from vademecum.text.charts.drawing import FONT, INK, colour, element, fitted, hint, width, words
from vademecum.text.charts.scale import Scale, number_text

WIDTH, HEIGHT = 720, 420
MARGIN = 16.0
_TITLE = 16  # pixels of the title's text
_LINE = 20.0  # from one line of text to the next
_KEY = 12.0  # the side of a coloured square in the legend
_GAP = 18.0
_LEGEND_LINES = 3
_FAINT = 0.18
_WIDEST_LABEL = 110.0
_NARROWEST_LABEL = 44.0


@dataclass(frozen=True, slots=True)
class Plot:
    """The rectangle in which marks are drawn, in pixels."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        return self.right - self.left


def head(title: str, names: Sequence[str]) -> tuple[list[str], float]:
    """Title and legend, and where what follows may begin."""
    drawn, y = [], MARGIN
    if title:
        y += _TITLE
        drawn.append(
            element(
                "g", words(fitted(title, WIDTH - 2 * MARGIN, _TITLE), MARGIN, y, size=_TITLE), font_weight=600
            )
        )
        y += 10
    if names:
        keys, y = _legend(names, y)
        drawn += keys
    return drawn, y + 14


def foot(note: str) -> tuple[list[str], float]:
    """What is said below a chart, and where what stands above has to end."""
    if not note:
        return [], HEIGHT - MARGIN
    y = HEIGHT - MARGIN / 2
    return [element("g", words(fitted(note, WIDTH - 2 * MARGIN), MARGIN, y), opacity=0.75)], y - _LINE


def value_axis(scale: Scale, plot: Plot) -> list[str]:
    """Numbers at the left, and a faint line through the plot for each."""
    drawn = []
    for tick in scale.ticks():
        y = scale.at(tick)
        drawn += [
            _line(plot.left, y, plot.right, y, 1.0 if tick == 0 else _FAINT),
            words(number_text(tick, scale.step), plot.left - 8, y + FONT / 3, "end"),
        ]
    return drawn


def number_axis(scale: Scale, plot: Plot) -> list[str]:
    """Numbers below the plot, and a faint line for each."""
    drawn = [_line(plot.left, plot.bottom, plot.right, plot.bottom, 1.0)]
    room = plot.width / max(1, len(scale.ticks()) - 1)
    for tick in scale.ticks():
        x = scale.at(tick)
        text = fitted(number_text(tick, scale.step), room)
        drawn += [
            _line(x, plot.top, x, plot.bottom, _FAINT),
            words(text, x, plot.bottom + _LINE - 2, "middle"),
        ]
    return drawn


def label_axis(labels: Sequence[str], places: Sequence[float], plot: Plot) -> list[str]:
    """Labels below the plot, as many as can be read."""
    drawn = [_line(plot.left, plot.bottom, plot.right, plot.bottom, 1.0)]
    if not labels:
        return drawn
    each = plot.width / len(labels)
    widest = max(width(label) for label in labels) + 10
    wanted = min(max(widest, _NARROWEST_LABEL), _WIDEST_LABEL)
    every = max(1, math.ceil(wanted / each))
    for number in range(0, len(labels), every):
        room = min(
            each * every - 6, 2 * (places[number] - MARGIN / 2), 2 * (WIDTH - MARGIN / 2 - places[number])
        )
        text = fitted(labels[number], max(room, _NARROWEST_LABEL))
        label = element(
            "g", hint(labels[number]) + words(text, places[number], plot.bottom + _LINE - 2, "middle")
        )
        drawn.append(label)
    return drawn


def plot_for(scale: Scale, top: float, bottom: float) -> Plot:
    """The plot beside the numbers of its axis and above a line of labels."""
    numbers = max(width(number_text(tick, scale.step)) for tick in scale.ticks())
    return Plot(MARGIN + numbers + 10, top, WIDTH - MARGIN, bottom - _LINE)


def nothing(top: float, bottom: float) -> str:
    """What stands in a chart that has no number to show."""
    return words("No data", WIDTH / 2, (top + bottom) / 2, "middle")


def key(x: float, y: float, number: int) -> str:
    """The coloured square of a series, `y` the base of the line that it stands on."""
    return element("rect", x=x, y=y - _KEY + 2, width=_KEY, height=_KEY, rx=2, fill=colour(number))


def _legend(names: Sequence[str], top: float) -> tuple[list[str], float]:
    drawn, x, y, lines = [], MARGIN, top + FONT, 1
    for number, name in enumerate(names):
        text = fitted(name, WIDTH / 3)
        taken = _KEY + 6 + width(text) + _GAP
        if x + taken > WIDTH - MARGIN and x > MARGIN:
            if lines == _LEGEND_LINES:
                drawn.append(words(f"+{len(names) - number}", WIDTH - MARGIN, y, "end"))
                break
            x, y, lines = MARGIN, y + _LINE, lines + 1
        drawn += [key(x, y, number), words(text, x + _KEY + 6, y)]
        x += taken
    return drawn, y + 6


def _line(x1: float, y1: float, x2: float, y2: float, opacity: float) -> str:
    return element(
        "line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=INK, stroke_opacity=str(opacity), stroke_width=1
    )
