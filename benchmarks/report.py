"""How are measurements shown and kept?"""

from __future__ import annotations

import json
import math
import os
import platform
import time
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Target:
    """A figure with what it should reach: at least or at most `bound`."""

    name: str
    value: float
    bound: float
    at_least: bool
    unit: str = ""

    @property
    def holds(self) -> bool:
        return self.value >= self.bound if self.at_least else self.value <= self.bound

    def line(self) -> str:
        """The figure, its bound, and whether it holds, for people."""
        bound = f"{'at least' if self.at_least else 'at most'} {_number(self.bound)}{self.unit}"
        verdict = "holds" if self.holds else "SHORT"
        return f"  {verdict}  {self.name}: {_number(self.value)}{self.unit} ({bound})"


@dataclass(slots=True)
class Part:
    """What one part of the benchmark found: a table, figures with targets, and what a reader must know."""

    name: str
    title: str
    columns: Sequence[str] = ()
    rows: list[Sequence[object]] = field(default_factory=list)
    targets: list[Target] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def text(self) -> str:
        """The part as it is printed."""
        lines = ["", f"== {self.title} ({self.seconds:.0f} s)"]
        if self.rows:
            lines += table(self.columns, self.rows)
        lines += [target.line() for target in self.targets]
        lines += [f"  note: {note}" for note in self.notes]
        return "\n".join(lines)

    def shape(self) -> dict[str, Any]:
        """The part as it is kept in the file of results."""
        return {
            "title": self.title,
            "seconds": round(self.seconds, 1),
            "rows": [dict(zip(self.columns, row, strict=True)) for row in self.rows],
            "targets": [
                {
                    "name": one.name,
                    "value": one.value,
                    "bound": one.bound,
                    "atLeast": one.at_least,
                    "holds": one.holds,
                }
                for one in self.targets
            ],
            "notes": self.notes,
        }


def table(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> list[str]:
    """Lines of a plain table: the first column to the left, the others to the right."""
    cells = [[str(name) for name in columns], *([_number(value) for value in row] for row in rows)]
    widths = [max(_width(row[place]) for row in cells) for place in range(len(columns))]
    return [
        "  " + "  ".join(_padded(cell, widths, place) for place, cell in enumerate(row)).rstrip()
        for row in cells
    ]


def machine() -> dict[str, Any]:
    """What the figures depend on, apart from the code."""
    return {
        "processors": os.cpu_count(),
        "load": [round(value, 2) for value in os.getloadavg()],
        "python": platform.python_version(),
        "system": platform.system(),
        "architecture": platform.machine(),
    }


def write_results(path: Path, parts: Sequence[Part], *, quick: bool) -> None:
    """The results of a run as JSON, the newest run in the place of the one before."""
    path.parent.mkdir(parents=True, exist_ok=True)
    result = {
        "at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "quick": quick,
        "machine": machine(),
        "parts": {part.name: part.shape() for part in parts},
    }
    path.write_text(json.dumps(result, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")


def percentile(values: Sequence[float], share: float) -> float:
    """The value under which that share of them lies, by nearest rank. Raises ValueError for no values."""
    if not values:
        raise ValueError("no values")
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


def _number(value: object) -> str:
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 1_000 else f"{value:.3g}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def _width(text: str) -> int:
    """How many columns of a terminal the text takes: East Asian characters take two."""
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)


def _padded(cell: str, widths: Sequence[int], place: int) -> str:
    space = " " * (widths[place] - _width(cell))
    return cell + space if place == 0 else space + cell
