"""Are figures shown and judged as they are?"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.report import Part, Target, percentile, table, write_results


@pytest.mark.parametrize(
    ("value", "bound", "at_least", "holds"),
    [
        (2.0, 1.5, True, True),
        (1.5, 1.5, True, True),
        (1.4, 1.5, True, False),
        (1.4, 1.5, False, True),
        (1.6, 1.5, False, False),
    ],
)
def test_a_figure_holds_on_its_side_of_the_bound(
    value: float, bound: float, at_least: bool, holds: bool
) -> None:
    assert Target("figure", value, bound, at_least=at_least).holds is holds


@pytest.mark.parametrize(("share", "value"), [(0.0, 1.0), (0.5, 5.0), (0.9, 9.0), (0.95, 10.0), (1.0, 10.0)])
def test_a_percentile_is_the_nearest_rank(share: float, value: float) -> None:
    assert percentile([float(number) for number in range(10, 0, -1)], share) == value


def test_no_values_have_no_percentile() -> None:
    with pytest.raises(ValueError, match="no values"):
        percentile([], 0.5)


def test_columns_stand_under_each_other_also_with_wide_characters() -> None:
    assert table(("kind", "ms"), [("汉字", 1.5), ("word", 12)]) == [
        "  kind   ms",
        "  汉字  1.5",
        "  word   12",
    ]


def test_results_are_kept_as_json(tmp_path: Path) -> None:
    part = Part(
        "one", "First", ("a", "b"), [(1, 2.5)], [Target("speed", 2.0, 1.0, at_least=True)], ["a note"], 3.0
    )
    write_results(tmp_path / "kept" / "results.json", [part], quick=True)
    kept = json.loads((tmp_path / "kept" / "results.json").read_text(encoding="utf-8"))
    assert kept["quick"] is True
    assert kept["parts"] == {
        "one": {
            "title": "First",
            "seconds": 3.0,
            "rows": [{"a": 1, "b": 2.5}],
            "targets": [{"name": "speed", "value": 2.0, "bound": 1.0, "atLeast": True, "holds": True}],
            "notes": ["a note"],
        }
    }
