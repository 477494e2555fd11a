"""Is a chart drawn legibly, whatever its data, and can nothing in it do harm?"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vademecum.model.blocks import MOST_POINTS, ChartType
from vademecum.model.chart_data import ChartData, DataSeries
from vademecum.text.charts.drawing import COLOURS
from vademecum.text.charts.svg import MOST_MARKS, draw_chart

MONTHS = ("Jan", "Feb", "三月", "Apr")
SALES = ChartData(MONTHS, (DataSeries("Lamps", (3, 5.5, None, 2)), DataSeries("椅子", (1, -2, 4, 0))))
SPACE = "{http://www.w3.org/2000/svg}"
SHAPES = {"svg", "title", "desc", "g", "text", "line", "rect", "path", "circle", "polygon"}


def parsed(drawn: str) -> ET.Element:
    return ET.fromstring(drawn)


def texts(drawn: str) -> list[str]:
    return [one.text or "" for one in parsed(drawn).iter(f"{SPACE}text")]


def hints(drawn: str) -> list[str]:
    return [one.text or "" for one in parsed(drawn).iter(f"{SPACE}title")][1:]


@pytest.mark.parametrize("kind", ChartType)
def test_every_kind_is_a_picture_with_words_for_those_who_do_not_see_it(kind: ChartType) -> None:
    root = parsed(draw_chart(kind, "Sales", SALES))
    assert root.get("role") == "img"
    assert root.findtext(f"{SPACE}title") == "Sales"
    described = root.findtext(f"{SPACE}desc") or ""
    assert described.startswith(f"{kind.capitalize()} chart of 2 series with 4 labels, from -2 to 5.5.")
    assert "Lamps, 椅子" in described


@pytest.mark.parametrize("kind", ChartType)
def test_no_word_of_the_data_becomes_anything_but_text(kind: ChartType) -> None:
    evil = '"><script>alert(1)</script><image href="https://x.example/"/>&amp;\x00\x1b\ud800]]>'
    data = ChartData((evil, "b"), (DataSeries(evil, (1, 2)), DataSeries("b", (3, 4))))
    drawn = draw_chart(kind, evil, data)
    elements = list(parsed(drawn).iter())
    assert {one.tag.removeprefix(SPACE) for one in elements} <= SHAPES
    attributes = {name for one in elements for name in one.attrib}
    assert not {name for name in attributes if name.startswith("on") or "href" in name or name == "style"}
    assert "url(" not in "".join(value for one in elements for value in one.attrib.values())


def test_bars_stand_on_zero_and_tell_their_numbers() -> None:
    drawn = draw_chart(ChartType.BAR, "Sales", SALES)
    assert hints(drawn)[-7:] == [
        "Jan, Lamps: 3", "Feb, Lamps: 5.5", "Apr, Lamps: 2",
        "Jan, 椅子: 1", "Feb, 椅子: -2", "三月, 椅子: 4", "Apr, 椅子: 0",
    ]  # fmt: skip
    assert {"Sales", "Lamps", "椅子", "三月", "0"} <= set(texts(drawn))


def test_a_line_has_a_gap_where_a_number_is_missing() -> None:
    drawn = draw_chart(
        ChartType.LINE, "", ChartData(("a", "b", "c", "d"), (DataSeries("s", (1, 2, None, 4)),))
    )
    (path,) = parsed(drawn).iter(f"{SPACE}path")
    assert (path.get("d") or "").count("M") == 2


def test_an_area_is_filled_down_to_zero() -> None:
    drawn = draw_chart(ChartType.AREA, "", ChartData(("a", "b"), (DataSeries("s", (1, 2)),)))
    filled, outline = parsed(drawn).iter(f"{SPACE}path")
    assert (filled.get("d") or "").endswith("Z")
    assert outline.get("fill") == "none"


def test_points_stand_where_their_labels_are_numbers_say() -> None:
    data = ChartData(("10", "20", "100"), (DataSeries("s", (1, 2, 3)),))
    places = [
        float(one.get("cx") or 0)
        for one in parsed(draw_chart(ChartType.SCATTER, "", data)).iter(f"{SPACE}circle")
    ]
    assert places[1] - places[0] == pytest.approx((places[2] - places[0]) / 9, abs=0.2)


def test_a_pie_shows_each_part_with_its_share_and_says_what_is_left_out() -> None:
    data = ChartData(
        ("Rent", "Food", "Debt"), (DataSeries("EUR", (750, 250, -10)), DataSeries("USD", (1, 1, 1)))
    )
    shown = texts(draw_chart(ChartType.PIE, "Spending", data))
    assert shown == [
        "Spending", "Rent", "750 (75.0%)", "Food", "250 (25.0%)",
        "The first of 2 series. Negative numbers are left out.",
    ]  # fmt: skip


def test_the_smallest_of_many_parts_stand_together() -> None:
    data = ChartData(tuple("abcdefghij"), (DataSeries("s", (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)),))
    shown = texts(draw_chart(ChartType.PIE, "", data))
    assert shown[:-1:2] == ["d", "e", "f", "g", "h", "i", "j", "Other"]
    assert shown[-2] == "6 (10.9%)"


@pytest.mark.parametrize("kind", ChartType)
@pytest.mark.parametrize(
    "data",
    [
        ChartData((), ()),
        ChartData((), (DataSeries("s", ()),)),
        ChartData(("a",), (DataSeries("s", (None,)),)),
        ChartData(("a",), (DataSeries("s", (1.7e308,)),)),
    ],
)
def test_a_chart_without_numbers_says_so(kind: ChartType, data: ChartData) -> None:
    assert "No data" in texts(draw_chart(kind, "Sales", data))


@pytest.mark.parametrize("kind", [ChartType.BAR, ChartType.LINE, ChartType.AREA, ChartType.SCATTER])
def test_of_too_many_numbers_some_are_drawn_and_that_is_told(kind: ChartType) -> None:
    numbers = tuple(range(MOST_POINTS))
    data = ChartData(tuple(map(str, numbers)), tuple(DataSeries(f"s{one}", numbers) for one in range(50)))
    drawn = draw_chart(kind, "", data)
    assert "One of every 125 numbers is drawn." in texts(drawn)
    assert len(hints(drawn)) <= MOST_MARKS + 100
    assert len(drawn) < 1_000_000


def test_one_series_that_needs_no_name_has_no_legend() -> None:
    data = ChartData(("a",), (DataSeries("Sales", (1,)),))
    assert texts(draw_chart(ChartType.BAR, "Sales", data)).count("Sales") == 1
    assert texts(draw_chart(ChartType.BAR, "2027", data)).count("Sales") == 1


def test_the_legend_of_many_series_says_how_many_more_there_are() -> None:
    data = ChartData(("a",), tuple(DataSeries(f"A series with a long name {one}", (1,)) for one in range(40)))
    assert any(re.fullmatch(r"\+[0-9]+", text) for text in texts(draw_chart(ChartType.BAR, "", data)))


numbers = st.one_of(
    st.none(), st.integers(-(10**12), 10**12), st.floats(allow_nan=False, allow_infinity=False)
)


@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from(ChartType),
    st.text(max_size=80),
    st.lists(st.tuples(st.text(max_size=60), numbers, numbers), max_size=40),
)
def test_nothing_is_drawn_outside_the_picture(
    kind: ChartType, title: str, rows: list[tuple[str, float | None, float | None]]
) -> None:
    data = ChartData(
        tuple(label for label, _, _ in rows),
        (
            DataSeries("a", tuple(one for _, one, _ in rows)),
            DataSeries("b", tuple(one for _, _, one in rows)),
        ),
    )
    for one in parsed(draw_chart(kind, title, data)).iter():
        for name, bound in (
            ("x", 720),
            ("cx", 720),
            ("x1", 720),
            ("x2", 720),
            ("y", 420),
            ("cy", 420),
            ("y1", 420),
        ):
            assert -1 <= float(one.get(name) or 0) <= bound
        right = float(one.get("x") or 0) + float(one.get("width") or 0)
        below = float(one.get("y") or 0) + float(one.get("height") or 0)
        assert (right <= 721, below <= 421) == (True, True)


def _luminance(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("paper", ["#ffffff", "#16181d"])
@pytest.mark.parametrize("colour", COLOURS)
def test_every_colour_reads_on_light_and_on_dark_paper(colour: str, paper: str) -> None:
    darker, lighter = sorted((_luminance(colour), _luminance(paper)))
    assert (lighter + 0.05) / (darker + 0.05) >= 3
