"""How are moments written, read and compared?"""

from __future__ import annotations

import re
from datetime import UTC, datetime, time, timedelta, tzinfo

from vademecum.model.errors import InvalidInput

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


def stamp(moment: datetime) -> str:
    """The stored form: ISO 8601 in UTC with microseconds and `Z`, so that texts sort as moments do."""
    # Not by strftime, which writes years before 1000 with fewer digits.
    return moment.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"


def moment(text: str) -> datetime:
    """The moment of a stored stamp."""
    return datetime.fromisoformat(text)


def range_bounds(start: str | None, end: str | None, zone: tzinfo) -> tuple[str, str] | None:
    """The half-open range of stamps that a `start` and `end` mean; None when neither is given.

    Both or neither (contracts 2.4.2); `start` is inclusive, `end` exclusive for times and inclusive for
    whole dates (decisions, Library); a value without a zone is in `zone`, the owner's (design 5).
    Raises InvalidInput naming the field.
    """
    if start is None and end is None:
        return None
    if start is None or end is None:
        raise InvalidInput("start" if start is None else "end", "give both start and end, or neither")
    low = _read("start", start, zone)
    high = _read("end", end, zone)
    is_day = _DATE.fullmatch(end.strip()) is not None
    if is_day:
        high = _after_that_day("end", high)
    # A day that ends when the range begins lies before it.
    if high < low or (is_day and high == low):
        raise InvalidInput("end", "lies before start")
    return stamp(low), stamp(high)


def _read(field: str, text: str, zone: tzinfo) -> datetime:
    cleaned = text.strip()
    try:
        if _DATE.fullmatch(cleaned):
            found = datetime.combine(datetime.fromisoformat(cleaned).date(), time.min)
        else:
            found = datetime.fromisoformat(cleaned)
        aware = found if found.tzinfo else found.replace(tzinfo=zone)
        return aware.astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise InvalidInput(field, "an ISO date or time is needed, such as 2026-11-30") from error


def _after_that_day(field: str, midnight: datetime) -> datetime:
    try:
        return midnight + timedelta(days=1)
    except OverflowError as error:
        raise InvalidInput(field, "lies beyond the calendar") from error
