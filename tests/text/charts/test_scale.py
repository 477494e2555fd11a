"""Are the numbers at an axis round, and are words measured well enough to fit?"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vademecum.text.charts.drawing import fitted, width
from vademecum.text.charts.scale import LARGEST_DRAWN, number_text, scale

drawable = st.floats(-LARGEST_DRAWN, LARGEST_DRAWN, allow_nan=False)


@pytest.mark.parametrize(
    ("values", "with_zero", "ticks"),
    [
        ([3, 97], True, [0, 20, 40, 60, 80, 100]),
        ([3, 97], False, [0, 20, 40, 60, 80, 100]),
        ([90, 97], False, [90, 92, 94, 96, 98]),
        ([90, 97], True, [0, 20, 40, 60, 80, 100]),
        ([-7, 12], True, [-10, -5, 0, 5, 10, 15]),
        ([0.1, 0.3], True, pytest.approx([0, 0.1, 0.2, 0.3])),
        ([-5, -5], True, [-5, -4, -3, -2, -1, 0]),
        ([0, 0], True, pytest.approx([0, 0.2, 0.4, 0.6, 0.8, 1])),
        ([5e-324], True, pytest.approx([0, 0.2, 0.4, 0.6, 0.8, 1])),
        ([5, 5], False, [2, 3, 4, 5, 6, 7, 8]),
    ],
)
def test_an_axis_has_round_numbers(values: list[float], with_zero: bool, ticks: object) -> None:
    assert scale(values, with_zero=with_zero).ticks() == ticks


@given(st.lists(drawable, min_size=1, max_size=20), st.booleans())
def test_an_axis_holds_every_value_and_few_numbers(values: list[float], with_zero: bool) -> None:
    axis = scale(values, with_zero=with_zero).between(0, 100)
    assert 1 <= len(axis.ticks()) <= 14
    for value in values:
        assert -0.5 <= axis.at(value) <= 100.5
    assert all(number_text(tick, axis.step) for tick in axis.ticks())


@pytest.mark.parametrize(
    ("value", "step", "text"),
    [
        (1250, 250, "1,250"), (0, 0.1, "0.0"), (-0.0000001, 0.1, "0.0"), (2.5, 2.5, "2.5"),
        (0.25, 0.25, "0.25"), (1234567, 0, "1,234,567"), (0.125, 0, "0.125"), (3e15, 1e15, "3e+15"),
        (-4, 0, "-4"), (2e-9, 0, "2e-09"), (0, 0, "0"), (-1500, 500, "-1,500"),
    ],
)  # fmt: skip
def test_numbers_are_written_as_people_write_them(value: float, step: float, text: str) -> None:
    assert number_text(value, step) == text


def test_characters_of_east_asia_are_twice_as_wide_as_small_letters() -> None:
    assert width("预算") == 24
    assert width("ab") < 16
    assert width("e\u0301") == width("e")


@pytest.mark.parametrize(
    "text", ["a label that is much too long for its place", "研究开发部门与客户服务支持部门"]
)
def test_a_text_that_does_not_fit_ends_in_an_ellipsis_and_fits(text: str) -> None:
    short = fitted(text, 100)
    assert short.endswith("…")
    assert width(short) <= 100
    assert text.startswith(short[:-1])
    assert fitted(text, 1000) == text
    assert fitted(text, 1) == ""
