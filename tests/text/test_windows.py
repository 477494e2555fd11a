"""Does reading on from window to window give the text exactly once?"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vademecum.model.errors import InvalidInput
from vademecum.text.windows import Window, window


@given(st.text(max_size=200), st.integers(min_value=1, max_value=50))
def test_windows_that_follow_each_other_give_the_text_once(text: str, length: int) -> None:
    read = ""
    start: int | None = 0
    while start is not None:
        part = window(text, start, length)
        assert (part.start, part.length, part.total) == (start, len(part.text), len(text))
        assert part.truncated is (part.next_start is not None)
        read += part.text
        start = part.next_start
    assert read == text


def test_a_window_tells_where_to_go_on() -> None:
    assert window("abcdef", 2, 3) == Window(2, 3, 6, "cde", 5)


@pytest.mark.parametrize("start", [3, 6])
def test_the_last_window_has_nothing_after_it(start: int) -> None:
    assert window("abcdef", start, 3).next_start is None


def test_lengths_are_counted_in_code_points() -> None:
    assert window("👨\u200d👩漢e\u0301", 1, 3) == Window(1, 3, 6, "\u200d👩漢", 4)


@pytest.mark.parametrize("start", [6, 7, 10**12])
def test_a_start_past_the_end_gives_an_empty_last_window(start: int) -> None:
    assert window("abcdef", start, 5) == Window(start, 0, 6, "", None)


def test_an_empty_text_has_one_empty_window() -> None:
    assert window("", 0, 1) == Window(0, 0, 0, "", None)


@pytest.mark.parametrize(
    ("start", "length", "field"), [(-1, 5, "windowStart"), (0, 0, "windowLength"), (0, -5, "windowLength")]
)
def test_what_no_window_can_be_is_refused_by_its_name(start: int, length: int, field: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        window("abc", start, length)
    assert refusal.value.field == field
