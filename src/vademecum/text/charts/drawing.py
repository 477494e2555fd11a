"""How are shapes and words written as SVG, and how wide is a word?"""

from __future__ import annotations

import re
import unicodedata
from typing import Literal
from xml.sax.saxutils import escape, quoteattr

from vademecum.model.graphemes import cut

FONT = 12  # pixels of ordinary text
INK = "currentColor"
# Each reads on white and on near-black paper; a page may set its own.
COLOURS = ("#3f7fc1", "#c8661c", "#2f9150", "#9065c9", "#d1495b", "#1f8f94", "#8a8026", "#c05a9a")

_LONGEST = 300  # characters of a text that is measured or drawn
_WIDE, _ORDINARY, _CAPITAL, _NARROW = 1.0, 0.56, 0.68, 0.3  # of the size of the font
_THIN = frozenset("iIjl.,:;'|!()[] ft")
_NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")

Anchor = Literal["start", "middle", "end"]


def colour(number: int) -> str:
    """The colour of a series, which a page may change by `--chart-1` and so on."""
    place = number % len(COLOURS)
    return f"var(--chart-{place + 1}, {COLOURS[place]})"


def element(name: str, inside: str = "", /, **attributes: str | float) -> str:
    """A piece of SVG; `_` in the name of an attribute stands for `-`."""
    told = "".join(
        f" {key.rstrip('_').replace('_', '-')}={quoteattr(_plain(value))}"
        for key, value in attributes.items()
    )
    return f"<{name}{told}>{inside}</{name}>" if inside else f"<{name}{told}/>"


def words(text: str, x: float, y: float, anchor: Anchor = "start", size: int = FONT) -> str:
    """A line of text whose base stands at a place."""
    return element("text", escaped(text), x=x, y=y, text_anchor=anchor, font_size=size)


def hint(text: str) -> str:
    """What a reader is told of the element it stands in."""
    return element("title", escaped(text))


def escaped(text: str) -> str:
    """The text as content of an element, cut to 300 characters."""
    return escape(_NOT_IN_XML.sub("", cut(text, _LONGEST)))


def width(text: str, size: int = FONT) -> float:
    """About how many pixels a line of text takes; characters of East Asia are as wide as the font is high."""
    return size * sum(map(_width, text[:_LONGEST]))


def fitted(text: str, room: float, size: int = FONT) -> str:
    """The text, or as much of its beginning as there is room for, with an ellipsis."""
    text = " ".join(text[:_LONGEST].split())
    if width(text, size) <= room:
        return text
    kept = len(text)
    while kept and width(text[:kept] + "…", size) > room:
        kept -= 1
    return cut(text, kept).rstrip() + "…" if kept else ""


def rounded(value: float) -> str:
    """A length without digits that no eye sees."""
    return f"{value:.1f}".removesuffix(".0")


def _plain(value: str | float) -> str:
    return value if isinstance(value, str) else rounded(value)


def _width(character: str) -> float:
    if unicodedata.combining(character):
        return 0.0
    if unicodedata.east_asian_width(character) in "WF":
        return _WIDE
    if character in _THIN:
        return _NARROW
    return _CAPITAL if character.isupper() else _ORDINARY
