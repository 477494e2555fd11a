"""What does an account have, and what does it cost?"""

from __future__ import annotations

from dataclasses import dataclass

PLAN = "self-hosted"
CAPTURE_CREDITS = 1  # one credit per enriched capture, given back if the capture fails (decisions, Library)


@dataclass(frozen=True, slots=True)
class Limits:
    """What the installation grants each account; None means unlimited, the default of a self-hosted plan."""

    storage_bytes: int | None = None
    credits_monthly: int | None = None
    link_bytes: int = 5 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Quota:
    """What an account has and has used. `resets_at` is a stamp, None where nothing is counted."""

    tier: str
    storage_bytes: int | None
    storage_used_bytes: int
    item_count: int
    link_bytes: int
    credits_remaining: int | None
    credits_monthly: int | None
    credits_used: int
    resets_at: str | None
    plan: str = PLAN
    status: str = "active"


def month_of(stamp: str) -> str:
    """The month (`2026-11`) in which a stamp lies; credits are counted by it, in UTC."""
    return stamp[:7]


def next_month(stamp: str) -> str:
    """The first moment of the month after the stamp's, when credits begin anew."""
    year, month = int(stamp[:4]), int(stamp[5:7])
    year, month = (year + 1, 1) if month == 12 else (year, month + 1)
    return f"{year:04}-{month:02}-01T00:00:00.000000Z"
