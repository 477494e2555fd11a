"""Which spellings of a text count as the same when it is searched?"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import resources
from itertools import accumulate, chain, count, repeat

_MARKS_MOST = 16  # combining marks in a row; more carry no meaning, and ordering them takes quadratic time
_LATIN_OR_GREEK = re.compile("[A-Za-z\u00aa-\u024f\u0370-\u03ff\u1e00-\u1fff]")
_DROPPED = re.compile(  # accents, variation selectors, vowel points, stretching, skin tones
    "[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed\u180b-\u180d\u1ab0-\u1aff"
    "\u1dc0-\u1dff\u20d0-\u20ff\u3099\u309a\ufe00-\ufe0f\ufe20-\ufe2f\U0001f3fb-\U0001f3ff\U000e0100-\U000e01ef]"
)
_JAMO = (
    (0x1160, 0x11FF),
    (0x3131, 0x318E),
    (0xD7B0, 0xD7FB),
    (0xFFA0, 0xFFDC),
)  # vowels and finals of Hangul
_PLAIN = {
    **dict.fromkeys("\u2018\u2019\u201a\u201b\u02bb\u02bc\u02b9\u2032\u05f3", "'"),
    **dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033\u05f4", '"'),
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
    **dict(zip("\u00f8\u0142\u0111\u00f0\u0131\u0127\u0167", "olddiht", strict=True)),
    "\u00fe": "th",
    "\u00e6": "ae",
    "\u0153": "oe",
    "\u0451": "\u0435",  # Russian is mostly written without the two dots
    "\u200b": " ",
}


def fold(text: str) -> str:
    """The text as it is compared: two texts that fold alike are one to a search.

    Folded are compatibility forms and width (NFKC, before anything else), case, accents of Latin and Greek,
    hiragana and katakana, the simplified, traditional and Japanese forms of Han characters, digits of all
    scripts, quotation marks, dashes and white space. Deterministic and in linear time.
    """
    if text.isascii():
        return text.lower().translate(_CONTROLS)
    if _stands_apart(text):
        return "".join(map(_PIECES.__getitem__, text))
    return _folded(text)


def _stands_apart(text: str) -> bool:
    """Whether no character of the text may compose with the one before."""
    return not any(map(_CONTINUES.__getitem__, set(text)))


def _folded(text: str) -> str:
    """The folded form of whole pieces; what stood apart for a mark that is dropped is joined (Hangul)."""
    return unicodedata.normalize("NFC", "".join(map(_FOLDS.__getitem__, _composed(text))))


@dataclass(frozen=True, slots=True)
class Folded:
    """A folded text that knows where each of its characters stood in the original, in code points."""

    text: str
    starts: Sequence[int]
    ends: Sequence[int]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The range of the original from which the folded characters `start` to `end` came (not empty)."""
        return self.starts[start], self.ends[end - 1]


def fold_with_positions(text: str) -> Folded:
    """The same as `fold`, with the way back to the original."""
    if text.isascii():
        return Folded(fold(text), range(len(text)), range(1, len(text) + 1))
    if _stands_apart(text):
        folded = [*map(_PIECES.__getitem__, text)]
        lengths = [*map(len, folded)]
        if lengths.count(1) == len(lengths):
            return Folded("".join(folded), range(len(text)), range(1, len(text) + 1))
        return Folded("".join(folded), _repeated(range(len(text)), lengths), _repeated(count(1), lengths))
    pieces = _piece_pattern().findall(text)
    folded = [_PIECES[piece] if len(piece) == 1 else _folded(piece) for piece in pieces]
    lengths = [*map(len, folded)]
    ends = [*accumulate(map(len, pieces))]
    return Folded("".join(folded), _repeated([0, *ends[:-1]], lengths), _repeated(ends, lengths))


def _repeated(values: Iterable[int], times: Iterable[int]) -> list[int]:
    return [*chain.from_iterable(map(repeat, values, times))]


class _Folds(dict[str, str]):
    """The folded form of each character met so far; a text uses few of the million that there are."""

    def __missing__(self, char: str) -> str:
        folded = self[char] = _fold_character(char)
        return folded


class _Pieces(dict[str, str]):
    """The folded form of each character met so far as it stood in the original."""

    def __missing__(self, char: str) -> str:
        folded = self[char] = "".join(map(_FOLDS.__getitem__, _composed(char)))
        return folded


class _Continues(dict[str, bool]):
    """Whether each character met so far may compose with the one before: asked of all that there are at the
    first text, it would take longer than the text.
    """

    def __missing__(self, char: str) -> bool:
        continues = self[char] = _is_mark(char) or any(first <= ord(char) <= last for first, last in _JAMO)
        return continues


_FOLDS = _Folds()
_PIECES = _Pieces()
_CONTINUES = _Continues()
_CONTROLS = dict.fromkeys((*range(32), 127), " ")


def _composed(text: str) -> str:
    """NFKC in linear time: what follows the sixteenth of a row of combining marks is left out."""
    # A row that is too long covers at least one of every sixteen places.
    if not _stands_apart(text[::_MARKS_MOST]):
        text = _mark_row_pattern().sub(r"\1", text)
    return unicodedata.normalize("NFKC", text)


def _fold_character(char: str) -> str:
    """The folded form of one character that NFKC leaves as it is."""
    category = unicodedata.category(char)
    if char in _PLAIN:
        return _PLAIN[char]
    if category in ("Cc", "Zs", "Zl", "Zp"):
        return " "
    if category == "Cf" or _DROPPED.match(char):
        return ""
    if category == "Nd":
        return str(unicodedata.digit(char))
    if "\u3041" <= char <= "\u3096" or "\u309d" <= char <= "\u309e":
        return chr(ord(char) + 0x60)
    return _han_variants().get(char) or _fold_letter(char)


def _fold_letter(char: str) -> str:
    """Case and, for Latin and Greek, accents; elsewhere, as in Cyrillic, an accent makes another letter."""
    lowered = unicodedata.normalize("NFKC", char.casefold())
    decomposed = unicodedata.normalize("NFKD", lowered)
    if _LATIN_OR_GREEK.match(decomposed):
        lowered = _DROPPED.sub("", decomposed)
    return "".join(_PLAIN.get(part, part) for part in lowered)


@functools.cache
def _han_variants() -> dict[str, str]:
    """From each traditional, regional or Japanese form to the simplified one."""
    lines = resources.files(__package__).joinpath("han_variants.tsv").read_text("utf-8").split("\n")
    pairs = (line.split("\t") for line in lines if line and not line.startswith("#"))
    return {form: simplified for simplified, forms in pairs for form in forms}


def _is_mark(char: str) -> bool:
    """A combining mark, or a half-width voice mark that becomes one."""
    return unicodedata.category(char)[0] == "M" or char in "\uff9e\uff9f"


@functools.cache
def _marks() -> frozenset[str]:
    """All marks; none stands outside these places."""
    return frozenset(filter(_is_mark, map(chr, (*range(0x300, 0x1F000), *range(0xE0100, 0xE01F0)))))


@functools.cache
def _continuing() -> frozenset[str]:
    """All characters that may compose with the one before: marks, and the vowels and finals of Hangul."""
    return _marks() | {chr(code) for first, last in _JAMO for code in range(first, last + 1)}


@functools.cache
def _mark_row_pattern() -> re.Pattern[str]:
    marks = _inside_of_class(_marks())
    return re.compile(f"([{marks}]{{{_MARKS_MOST}}})[{marks}]+")


@functools.cache
def _piece_pattern() -> re.Pattern[str]:
    """A character with all that may compose with it."""
    return re.compile(f".[{_inside_of_class(_continuing())}]*", re.DOTALL)


def _inside_of_class(chars: frozenset[str]) -> str:
    ranges: list[list[int]] = []
    for code in sorted(map(ord, chars)):
        if ranges and ranges[-1][1] == code - 1:
            ranges[-1][1] = code
        else:
            ranges.append([code, code])
    return "".join(f"{chr(first)}-{chr(last)}" for first, last in ranges)
