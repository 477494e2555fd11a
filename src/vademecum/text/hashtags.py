"""Which tags stand in the running text of a note?"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator

from vademecum.model.tags import TAG_LIMIT, distinct_tags
from vademecum.text.link_scan import scan_links
from vademecum.text.outline import read_outline

_HASH = re.compile(r"#(?=[^\s#!-&(-,./:-@\[-^`{-~])")
_ADDRESS = re.compile(
    r"(?:(?<![A-Za-z0-9+.-])[A-Za-z][A-Za-z0-9+.-]{0,31}://|(?<![A-Za-z0-9])www\.)[^\s<>]*+"
)
_BEFORE = frozenset("([{*_~|>,;、。，；：！？・…）」』】》〉”’")
_JOINING = frozenset("_-/\u200c\u200d")
_APOSTROPHES = frozenset("'\u2019")
_COLOUR = re.compile(r"(?=[A-Fa-f]*[0-9])(?:[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})\Z")
_WORD = re.compile(r"[^\W\d_]")


def find_tags(body: str) -> list[str]:
    """The tags of the form `#tag` in order, the first spelling of each, without the hash.

    A tag is letters, marks, digits and emoji of any script, joined by `-`, `_`, `/` for a level and an
    apostrophe within a word; not all of it digits, and no colour of six or eight hexadecimal digits. Before
    the hash stands white space, an opening bracket or punctuation, so addresses and entities hold none; nor
    do code, links, formulas and headings' marks (cases A03, A42).
    """
    if _HASH.search(body) is None:
        return []
    outline = read_outline(body)
    links = ((link.start, link.end) for link in scan_links(body, outline))
    hidden = _merged([*outline.code, *links])
    found: list[str] = []
    for start, end in outline.prose:
        addresses = _merged([address.span() for address in _ADDRESS.finditer(body, start, end)])
        for sign in _HASH.finditer(body, start, end):
            place = sign.start()
            is_hidden = _covers(hidden, place) or _covers(addresses, place)
            if not is_hidden and _may_stand_before(body[place - 1] if place > start else " "):
                found += _tag_at(body, place + 1, end)
    return list(distinct_tags(found))


def _merged(ranges: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The ranges in order, those that overlap made one."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(ranges):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _covers(ranges: list[tuple[int, int]], place: int) -> bool:
    index = bisect_right(ranges, place, key=lambda one: one[0])
    return index > 0 and place < ranges[index - 1][1]


def _may_stand_before(character: str) -> bool:
    return character.isspace() or character in _BEFORE or unicodedata.category(character) in ("Ps", "Pi")


def _tag_at(body: str, start: int, end: int) -> Iterator[str]:
    place = start
    while place < min(end, start + TAG_LIMIT + 1) and _continues(body, place, start, end):
        place += 1
    tag = body[start:place].rstrip("/-'\u2019")
    if len(tag) <= TAG_LIMIT and not _COLOUR.match(tag) and _has_more_than_digits(tag):
        yield tag


def _continues(body: str, place: int, start: int, end: int) -> bool:
    character = body[place]
    if character in _APOSTROPHES:
        return start < place < end - 1 and bool(_WORD.match(body[place - 1]) and _WORD.match(body[place + 1]))
    return character in _JOINING or unicodedata.category(character)[0] in "LMN" or _is_emoji(character)


def _is_emoji(character: str) -> bool:
    return character > "\u2000" and unicodedata.category(character) in ("So", "Sk")


def _has_more_than_digits(tag: str) -> bool:
    return any(not character.isdigit() and character not in _JOINING for character in tag)
