"""Is an item read in windows and sections, and are items listed newest first?"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.library.home import Home, an_id
from vademecum.library.capturing import Captured, begin_capture, record_extraction
from vademecum.library.editing import update_note
from vademecum.library.history import revisions
from vademecum.library.reading import ListRequest, list_items, read_chunks, read_window
from vademecum.library.saving import save_link
from vademecum.library.searching import SearchRequest, search
from vademecum.library.trash import delete_item
from vademecum.model.errors import InvalidInput, NotFound, TooLarge
from vademecum.model.items import Kind

LONG = "".join(f"{number:05}-" for number in range(5000))  # 30,000 characters
EMOJI = "👩‍👩‍👧‍👦𠮷e\u0301"


def test_without_arguments_the_first_8000_characters_are_read(home: Home) -> None:
    reading = read_window(home.library, home.owner, home.save(LONG))
    assert (reading.content, reading.start, reading.total) == (LONG[:8000], 0, 30_000)
    assert (reading.next_start, reading.ordinals) == (8000, None)


def test_windows_are_counted_in_code_points_and_join_to_the_whole(home: Home) -> None:
    text = EMOJI * 3000
    item_id = home.save(text)
    readings = [read_window(home.library, home.owner, item_id, 0, 7001)]
    while (start := readings[-1].next_start) is not None:
        readings.append(read_window(home.library, home.owner, item_id, start, 7001))
        assert readings[-1].content == text[start : start + 7001]
    assert "".join(reading.content for reading in readings) == text


def test_a_window_of_more_than_20000_is_cut_to_20000(home: Home) -> None:
    reading = read_window(home.library, home.owner, home.save(LONG), 0, 50_000)
    assert (len(reading.content), reading.next_start) == (20_000, 20_000)


def test_a_window_that_ends_with_the_text_is_the_last(home: Home) -> None:
    item_id = home.save("x" * 8000)
    assert read_window(home.library, home.owner, item_id).next_start is None
    assert read_window(home.library, home.owner, item_id, 7999, 1).next_start is None
    assert read_window(home.library, home.owner, item_id, 7998, 1).next_start == 7999


def test_a_window_beyond_the_text_is_empty(home: Home) -> None:
    reading = read_window(home.library, home.owner, home.save("text"), 10_000)
    assert (reading.content, reading.total, reading.next_start) == ("", 4, None)


def test_an_empty_item_is_read_as_empty_text(home: Home) -> None:
    reading = read_window(home.library, home.owner, home.save(""))
    assert (reading.content, reading.total, reading.next_start) == ("", 0, None)
    assert read_chunks(home.library, home.owner, reading.item.item_id, 0).content == ""


@pytest.mark.parametrize(("field", "window"), [("windowStart", (-1, 10)), ("windowLength", (0, 0))])
def test_windows_out_of_bounds_are_refused_by_name(
    sqlite_home: Home, field: str, window: tuple[int, int]
) -> None:
    with pytest.raises(InvalidInput) as refused:
        read_window(sqlite_home.library, sqlite_home.owner, sqlite_home.save("x"), *window)
    assert refused.value.field == field


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=40)
@given(
    text=st.text(alphabet=st.characters(codec="utf-8"), max_size=300),
    start=st.integers(0, 400),
    length=st.integers(1, 400),
)
def test_any_window_is_a_slice_and_the_next_begins_where_it_ends(
    sqlite_home: Home, text: str, start: int, length: int
) -> None:
    item_id = sqlite_home.save(text)
    reading = read_window(sqlite_home.library, sqlite_home.owner, item_id, start, length)
    assert reading.content == text[start : start + length]
    assert reading.next_start == (start + length if start + length < len(text) else None)


def _sections(count: int) -> str:
    return "".join(f"## Section {number}\n\n{f'word{number} ' * 150}\n\n" for number in range(count))


def test_a_section_is_read_with_its_neighbours(home: Home) -> None:
    text = _sections(6)
    item_id = home.save(text, "Sections")
    answer = search(home.library, home.owner, SearchRequest("word3"))
    chunk = answer.results[0].chunk
    assert chunk is not None
    assert (chunk.ordinal, chunk.heading_path) == (3, ("Section 3",))
    alone = read_chunks(home.library, home.owner, item_id, 3, 0)
    assert alone.ordinals == (3,)
    assert "word3" in alone.content
    assert "word2" not in alone.content
    with_neighbours = read_chunks(home.library, home.owner, item_id, 3)
    assert with_neighbours.ordinals == (2, 3, 4)
    assert with_neighbours.content == text[with_neighbours.start :][: len(with_neighbours.content)]
    assert alone.content in with_neighbours.content
    assert read_chunks(home.library, home.owner, item_id, 0, 3).ordinals == (0, 1, 2, 3)
    assert read_chunks(home.library, home.owner, item_id, 5, 3).ordinals == (2, 3, 4, 5)


def test_all_sections_together_are_the_whole_text(home: Home) -> None:
    text = f"Before any heading.\r\n\r\n{_sections(4)}\n\n```\n# no heading\n```\n{EMOJI * 900}"
    item_id = home.save(text, "Sections")
    whole = "".join(
        read_chunks(home.library, home.owner, item_id, ordinal, 0).content
        for ordinal in range(_count(home, item_id))
    )
    assert whole == text


def _count(home: Home, item_id: str) -> int:
    with home.library.storage.read() as tx:
        return len(tx.index.chunks_of(home.owner.spaces[0], item_id))


@pytest.mark.parametrize("radius", [-1, 4])
def test_a_radius_outside_0_to_3_is_refused(sqlite_home: Home, radius: int) -> None:
    item_id = sqlite_home.save(_sections(2))
    with pytest.raises(InvalidInput) as refused:
        read_chunks(sqlite_home.library, sqlite_home.owner, item_id, 0, radius)
    assert refused.value.field == "chunkRadius"


def test_an_ordinal_that_an_edit_made_void_is_refused(home: Home) -> None:
    item_id = home.save(_sections(3))
    assert read_chunks(home.library, home.owner, item_id, 2).ordinals == (1, 2)
    update_note(home.library, home.owner, item_id, "Short now.", 1, None)
    for ordinal in (2, 1, -1):
        with pytest.raises(InvalidInput) as refused:
            read_chunks(home.library, home.owner, item_id, ordinal)
        assert refused.value.field == "chunk"
    assert read_chunks(home.library, home.owner, item_id, 0).content == "Short now."


def test_what_is_unknown_trashed_or_no_id_is_not_found(home: Home) -> None:
    trashed = home.save("Text")
    delete_item(home.library, home.owner, trashed, 1)
    for unknown in (trashed, an_id(), "", "1", "../../etc/passwd", "x" * 5000):
        with pytest.raises(NotFound):
            read_window(home.library, home.owner, unknown)
        with pytest.raises(NotFound):
            read_chunks(home.library, home.owner, unknown, 0)


def test_a_capture_without_text_reads_as_empty(home: Home) -> None:
    item_id = an_id()
    save_link(home.library, home.owner, item_id, "https://example.org/")
    reading = read_window(home.library, home.owner, item_id)
    assert (reading.content, reading.total, reading.item.body_layer) == ("", 0, None)


def test_a_list_shows_the_newest_first_ten_by_default(home: Home) -> None:
    for number in range(12):
        home.save(f"Text {number}", f"{number}")
    assert home.listed() == [str(number) for number in range(11, 1, -1)]
    assert home.listed(limit=3) == ["11", "10", "9"]
    assert len(home.listed(limit=50)) == len(home.listed(limit=5000)) == 12


def test_an_edit_does_not_make_an_item_newer(home: Home) -> None:
    first = home.save("Text", "first")
    home.save("Text", "second")
    update_note(home.library, home.owner, first, "edited", 1, None)
    assert home.listed() == ["second", "first"]


@pytest.mark.parametrize("limit", [0, -1])
def test_a_limit_of_none_or_less_is_refused(sqlite_home: Home, limit: int) -> None:
    with pytest.raises(InvalidInput) as of_list:
        sqlite_home.listed(limit=limit)
    with pytest.raises(InvalidInput) as of_search:
        sqlite_home.found("x", limit=limit)
    assert of_list.value.field == of_search.value.field == "limit"


def test_the_excerpt_is_the_beginning_of_the_body_whatever_matched(home: Home) -> None:
    home.save(f"The beginning. {'filler ' * 400} halyard", "Title")
    (item,) = list_items(home.library, home.owner, ListRequest(keyword="halyard"))
    assert item.excerpt.startswith("The beginning. filler")


def _on(home: Home, day: int, hour: int = 12, title: str | None = None) -> None:
    home.clock.moment = datetime(2026, 11, day, hour, tzinfo=UTC)
    home.save("Text", title or f"{day} {hour}")


def test_whole_dates_are_inclusive_at_both_ends(home: Home) -> None:
    for day in (9, 10, 11, 12, 13):
        _on(home, day, 0, f"{day} early")
        _on(home, day, 23, f"{day} late")
    assert home.listed(start="2026-11-10", end="2026-11-12", limit=50) == [
        "12 late", "12 early", "11 late", "11 early", "10 late", "10 early",
    ]  # fmt: skip
    assert home.listed(start="2026-11-13", end="2026-11-13") == ["13 late", "13 early"]


def test_times_are_inclusive_at_the_start_and_exclusive_at_the_end(home: Home) -> None:
    home.clock.moment = datetime(2026, 11, 10, 11, 59, 59, tzinfo=UTC)
    home.save("Text", "at noon")
    home.clock.moment = datetime(2026, 11, 10, 12, 59, 59, tzinfo=UTC)
    home.save("Text", "at one")
    assert home.listed(start="2026-11-10T12:00:00Z", end="2026-11-10T13:00:00Z") == ["at noon"]
    assert home.listed(start="2026-11-10T21:00:00+09:00", end="2026-11-10T22:00:01+09:00") == [
        "at one",
        "at noon",
    ]
    assert home.listed(start="2026-11-10T12:00:01Z", end="2026-11-10T12:00:01Z") == []


def test_dates_without_a_zone_are_those_of_the_owner(home: Home) -> None:
    _on(home, 10, 15)  # already the 11th in Tokyo
    tokyo = replace(home.owner, zone="Asia/Tokyo")
    assert home.listed(tokyo, start="2026-11-11", end="2026-11-11") == ["10 15"]
    assert home.listed(tokyo, start="2026-11-10", end="2026-11-10") == []
    assert home.listed(start="2026-11-10", end="2026-11-10") == ["10 15"]
    assert home.found("Text", tokyo, start="2026-11-11", end="2026-11-11") == ["10 15"]
    assert home.found("Text", tokyo, start="2026-11-10T23:59:59", end="2026-11-11T00:00:02") == ["10 15"]


@pytest.mark.parametrize(
    ("field", "start", "end"),
    [
        ("end", "2026-11-10", None),
        ("start", None, "2026-11-10"),
        ("start", "yesterday", "2026-11-10"),
        ("end", "2026-11-10", "2026-02-30"),
        ("end", "2026-11-10", "2026-11-09"),
        ("start", "", ""),
        ("end", "2026-11-10", "9999-12-31"),
    ],
)
def test_a_range_that_is_half_or_no_range_is_refused(
    sqlite_home: Home, field: str, start: str | None, end: str | None
) -> None:
    with pytest.raises(InvalidInput) as refused:
        sqlite_home.listed(start=start, end=end)
    assert refused.value.field == field
    with pytest.raises(InvalidInput):
        sqlite_home.found("x", start=start, end=end)


def test_a_list_can_be_narrowed_to_items_that_have_a_layer(home: Home) -> None:
    home.save("Text", "note")
    item_id = an_id()
    save_link(home.library, home.owner, item_id, "https://example.org/")
    job = home.claim()
    assert job is not None
    begin_capture(home.library, job)
    record_extraction(home.library, job, Captured("page", "Text", Kind.ARTICLE, b"x", "text/html"))
    assert home.listed(provenance="authored") == ["note"]
    assert home.listed(provenance="clipped") == ["page"]
    assert home.listed(provenance="ocr") == home.listed(provenance="ai_summary") == []
    assert len(home.listed(provenance="any")) == 2
    with pytest.raises(InvalidInput) as refused:
        home.listed(provenance="extracted")
    assert refused.value.field == "provenance"


def test_a_keyword_beyond_the_limit_is_too_large(sqlite_home: Home) -> None:
    with pytest.raises(TooLarge):
        sqlite_home.listed(keyword="x" * 2001)


def test_reading_leaves_no_revision_and_no_version(home: Home) -> None:
    item_id = home.save(_sections(3), "Title")
    read_window(home.library, home.owner, item_id)
    read_chunks(home.library, home.owner, item_id, 0)
    home.found("word1")
    home.listed(keyword="word1")
    assert len(revisions(home.library, home.owner, item_id)) == home.item(item_id).version == 1
