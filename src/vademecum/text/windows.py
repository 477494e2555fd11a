"""Which stretch of a long text is served, and where does the next one begin?"""

from __future__ import annotations

from dataclasses import dataclass

from vademecum.model.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class Window:
    """A stretch of a text, measured in code points: `total` is the whole text's length, `next_start` where to
    go on reading, None at the end (contracts 2.4.3).
    """

    start: int
    length: int
    total: int
    text: str
    next_start: int | None

    @property
    def truncated(self) -> bool:
        """Whether more of the text follows."""
        return self.next_start is not None


def window(text: str, start: int, length: int) -> Window:
    """The stretch of at most `length` code points that begins at `start`.

    Windows that follow each `next_start` give the text exactly once. A start at or after the end gives an
    empty last window. Raises InvalidInput for a negative start and for a length below one.
    """
    if start < 0:
        raise InvalidInput("windowStart", "0 or more")
    if length < 1:
        raise InvalidInput("windowLength", "1 or more")
    served = text[start : start + length]
    end = start + len(served)
    return Window(start, len(served), len(text), served, end if end < len(text) else None)
