"""Where does one character, as a reader sees it, end and the next begin?"""

from __future__ import annotations

import regex

_NEARBY = 256  # code points; a longer cluster than this is no writing and may be cut
_CLUSTER = regex.compile(r"\X")
_SURE_START = regex.compile(r"[A-Za-z0-9 \t\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff]")


def boundary_before(text: str, index: int) -> int:
    """The last place at or before `index` that divides no grapheme cluster, in bounded time."""
    if index <= 0 or index >= len(text):
        return max(0, min(index, len(text)))
    start, _ = _cluster_around(text, index)
    return start


def boundary_after(text: str, index: int) -> int:
    """The first place at or after `index` that divides no grapheme cluster, in bounded time."""
    if index <= 0 or index >= len(text):
        return max(0, min(index, len(text)))
    start, end = _cluster_around(text, index)
    return index if start == index else end


def _cluster_around(text: str, index: int) -> tuple[int, int]:
    """The cluster that holds the character at `index`."""
    lowest = max(0, index - _NEARBY)
    start = index
    while start > lowest and not _SURE_START.match(text, start - 1):
        start -= 1
    start = max(lowest, start - 1)
    # A copy of the neighbourhood, since the pattern looks back over all flags before its place.
    nearby = text[start : index + _NEARBY]
    for cluster in _CLUSTER.finditer(nearby):
        if start + cluster.end() > index:
            return start + cluster.start(), start + cluster.end()
    return index, index
