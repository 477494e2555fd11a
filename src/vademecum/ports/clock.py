"""What time is it?"""

from __future__ import annotations

from datetime import datetime
from typing import Protocol


class Clock(Protocol):
    """The only source of time for the core, so that tests can hold it."""

    def now(self) -> datetime:
        """The moment, with zone."""
