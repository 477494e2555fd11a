"""How is a whole shown by its parts?"""

from __future__ import annotations

import math
from collections.abc import Sequence

from vademecum.text.charts.drawing import colour, element, fitted, hint, rounded, width, words
from vademecum.text.charts.frame import MARGIN, WIDTH, key
from vademecum.text.charts.scale import number_text

Slice = tuple[str, float]

MOST_SLICES = 8
"""As many as there are colours; smaller ones are shown together."""

_LEGEND_LINE = 24.0


def slices(labels: Sequence[str], values: Sequence[float | None]) -> list[Slice]:
    """The parts above zero in their order, the smallest together as `Other` where there are too many."""
    found = [
        (label, float(value))
        for label, value in zip(labels, values, strict=False)
        if value is not None and value > 0
    ]
    if len(found) <= MOST_SLICES:
        return found
    largest = sorted(found, key=lambda one: -one[1])[: MOST_SLICES - 1]
    threshold = largest[-1][1]
    kept = [one for one in found if one[1] >= threshold][: MOST_SLICES - 1]
    rest = math.fsum(value for _, value in found) - math.fsum(value for _, value in kept)
    return [*kept, ("Other", rest)]


def pie(parts: Sequence[Slice], top: float, bottom: float) -> list[str]:
    """The circle at the left, and beside it each part with its number and share."""
    total = math.fsum(value for _, value in parts)
    radius = min((bottom - top) / 2, WIDTH / 4)
    middle = (MARGIN + radius, (top + bottom) / 2)
    drawn, turned = [], 0.0
    for number, (label, value) in enumerate(parts):
        share = value / total
        told = hint(f"{label}: {number_text(value)} ({share:.1%})")
        drawn.append(_sector(told, middle, radius, turned, turned + share, colour(number)))
        turned += share
    return drawn + _legend(parts, total, 2 * radius + 3 * MARGIN, middle[1])


def _sector(
    told: str, middle: tuple[float, float], radius: float, start: float, end: float, fill: str
) -> str:
    x, y = middle
    if end - start > 0.9999:
        return element("circle", told, cx=x, cy=y, r=radius, fill=fill)
    x1, y1 = _on_circle(middle, radius, start)
    x2, y2 = _on_circle(middle, radius, end)
    large = 1 if end - start > 0.5 else 0
    size = rounded(radius)
    arc = f"A{size} {size} 0 {large} 1 {x2:.2f} {y2:.2f}"
    path = f"M{rounded(x)} {rounded(y)} L{x1:.2f} {y1:.2f} {arc} Z"
    return element("path", told, d=path, fill=fill, stroke="var(--chart-paper, #fff)", stroke_width=1)


def _on_circle(middle: tuple[float, float], radius: float, share: float) -> tuple[float, float]:
    angle = 2 * math.pi * share
    return middle[0] + radius * math.sin(angle), middle[1] - radius * math.cos(angle)


def _legend(parts: Sequence[Slice], total: float, left: float, middle: float) -> list[str]:
    drawn = []
    y = middle - (len(parts) - 1) * _LEGEND_LINE / 2 + 4
    for number, (label, value) in enumerate(parts):
        said = f"{number_text(value)} ({value / total:.1%})"
        room = WIDTH - MARGIN - left - 20 - width(said) - 12
        drawn += [
            key(left, y, number),
            element("g", hint(label) + words(fitted(label, room), left + 20, y)),
            words(said, WIDTH - MARGIN, y, "end"),
        ]
        y += _LEGEND_LINE
    return drawn
