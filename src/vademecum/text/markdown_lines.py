"""Where do the lines of a text begin, and how do they end?"""

from __future__ import annotations

import re

# Only these end a line; Python's own splitting also breaks at form feeds and U+2028 and shifts every number.
LINE_END = re.compile(r"\r\n|\n|\r")
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+\Z")


def split_lines(text: str) -> list[str]:
    """The lines of a text with their ends; joined they are the text again."""
    return _LINE.findall(text)


def line_starts(text: str) -> list[int]:
    """The position at which each line begins; the last entry is the length of the text.

    A text that ends in a line end has no empty line after it; the empty text has no line.
    """
    starts = [0, *(match.end() for match in LINE_END.finditer(text))]
    return starts if starts[-1] == len(text) else [*starts, len(text)]


def line_end_of(text: str, default: str = "\n") -> str:
    """The line end that the text uses most, `default` for a text of one line (cases A16)."""
    windows = text.count("\r\n")
    counts = {"\r\n": windows, "\n": text.count("\n") - windows, "\r": text.count("\r") - windows}
    most = max(counts, key=lambda end: counts[end])
    return most if counts[most] else default


def with_line_end(text: str, line_end: str) -> str:
    """The text with every line end replaced by the given one."""
    return LINE_END.sub(lambda _: line_end, text)
