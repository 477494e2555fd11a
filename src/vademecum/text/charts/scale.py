"""Which round numbers stand at an axis, and where on it does a value lie?"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from vademecum.model.blocks import Number

LARGEST_DRAWN = 1e300
"""A number beyond it, on either side of zero, is not drawn."""

_NOTHING = 1e-300  # what is nearer to zero is zero
_STEPS = (1, 2, 2.5, 5, 10)
_INTERVALS = 5
_SAME = 1e-12  # relative; values nearer to each other are one
_PLAIN_BELOW, _PLAIN_FROM = 1e12, 1e-6  # numbers outside are written with an exponent


@dataclass(frozen=True, slots=True)
class Scale:
    """An axis from `low` to `high`, both round, drawn from the pixel `start` to the pixel `end`."""

    low: float
    high: float
    step: float
    start: float
    end: float

    def at(self, value: float) -> float:
        """The pixel of a value."""
        share = (value / 2 - self.low / 2) / (self.high / 2 - self.low / 2)
        return self.start + share * (self.end - self.start)

    def ticks(self) -> list[float]:
        """The round numbers from low to high."""
        count = round((self.high - self.low) / self.step)
        return [self.low + number * self.step for number in range(count + 1)]

    def between(self, start: float, end: float) -> Scale:
        """The same axis at another place."""
        return Scale(self.low, self.high, self.step, start, end)


def scale(values: Iterable[Number], *, with_zero: bool) -> Scale:
    """An axis that holds all values, and zero where bars or areas begin there."""
    found = [float(value) if abs(value) > _NOTHING else 0.0 for value in values]
    low, high = min(found, default=0.0), max(found, default=1.0)
    if with_zero or _is_near_zero(low, high):
        low, high = min(low, 0.0), max(high, 0.0)
    if high - low <= _SAME * max(abs(low), abs(high)):
        room = abs(high) / 2 or 1.0
        low, high = (low - room, high + room) if not with_zero else (min(low, 0.0), max(high, room))
    step = _round_step((high - low) / _INTERVALS)
    return Scale(math.floor(low / step + _SAME) * step, math.ceil(high / step - _SAME) * step, step, 0.0, 1.0)


def number_text(value: float, step: float = 0.0) -> str:
    """A number as people write it: `1,250`, `0.25`; with as many decimals as the step of its axis has."""
    size = max(abs(value), step)
    if size >= _PLAIN_BELOW or 0 < size < _PLAIN_FROM:
        return f"{value:.3g}"
    if step:
        decimals = max(0, -math.floor(math.log10(step)) + (1 if _is_quarter(step) else 0))
        shown = 0.0 if abs(value) < step / 2 else value
        return f"{shown:,.{decimals}f}"
    return f"{value:,.6f}".rstrip("0").rstrip(".")


def _round_step(rough: float) -> float:
    power = 10.0 ** math.floor(math.log10(rough))
    return next((one * power for one in _STEPS if one * power >= rough * (1 - _SAME)), 10 * power)


def _is_quarter(step: float) -> bool:
    return math.isclose(step / 10.0 ** math.floor(math.log10(step)), 2.5)


def _is_near_zero(low: float, high: float) -> bool:
    """Whether an axis from zero wastes no more than half of the paper."""
    return (0 <= low <= high / 2) or (low / 2 <= high <= 0)
