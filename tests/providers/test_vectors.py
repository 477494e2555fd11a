"""What is done to texts and vectors on both sides of a model?"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vademecum.model.errors import ProviderUnavailable
from vademecum.providers.vectors import fitted, quantised, unit_rows


@pytest.mark.parametrize(
    ("text", "length"),
    [("a" * 1_000_000, 600), ("港" * 1_000_000, 250), ("한" * 400, 250), ("\U00020000" * 400, 250)],
)
def test_a_window_holds_600_letters_or_250_wide_characters(text: str, length: int) -> None:
    assert fitted(text) == text[:length]


def test_a_short_text_stays_as_it_is() -> None:
    assert fitted("Tide 潮 tables") == "Tide 潮 tables"


@settings(deadline=None)
@given(st.text(st.characters(exclude_categories=()), max_size=700))
def test_every_window_can_be_encoded_and_is_no_longer_than_its_text(text: str) -> None:
    window = fitted(text)
    assert "\0" not in window
    assert len(window) <= min(len(text), 600)
    window.encode()


def test_rows_of_any_length_become_unit_rows() -> None:
    assert unit_rows([[0, -7], [0, 1e-3]], 2, 2).tolist() == [[0, -1], [0, 1]]


@pytest.mark.parametrize(
    "rows",
    [
        [[0.0, 0.0], [1.0, 0.0]],
        [[float("nan"), 1.0], [1.0, 0.0]],
        [[float("inf"), 1.0], [1.0, 0.0]],
        [[1.0, 0.0]],
        [[1.0, 0.0, 0.0], [1.0, 0.0, 0.0]],
        [[1.0], [1.0, 2.0]],
        [["a", "b"], ["c", "d"]],
        [None, None],
        [],
        [[], []],
        "text",
    ],
)
def test_vectors_that_would_silently_find_nothing_are_refused(rows: object) -> None:
    with pytest.raises(ProviderUnavailable):
        unit_rows(rows, 2, 2)


@settings(deadline=None)
@given(
    st.lists(st.floats(-1, 1, width=32), min_size=8, max_size=8).filter(lambda row: np.linalg.norm(row) > 0.1)
)
def test_a_vector_of_bytes_keeps_its_direction(row: list[float]) -> None:
    unit = unit_rows([row], 1, 8)
    steps = np.frombuffer(quantised(unit, 1.0)[0], dtype=np.int8).astype(np.float64)
    assert steps @ unit[0] / np.linalg.norm(steps) > 0.999


def test_a_component_over_the_scale_is_cut_to_it() -> None:
    assert quantised(np.array([[0.6, -0.8]], dtype=np.float32), 0.5) == [b"\x7f\x81"]
