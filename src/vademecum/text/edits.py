"""How is one passage or section of a text changed, with every other byte left as it is?"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from vademecum.model.errors import Ambiguous, InvalidInput, TooLarge
from vademecum.text.markdown_lines import line_end_of, split_lines, with_line_end
from vademecum.text.outline import Heading, read_outline
from vademecum.text.plain import plain

EDITED_LIMIT = 32 * 1024 * 1024  # code points of a text after an edit
_COMPARED = 1_000  # code points of a heading
_CANDIDATES = 100
_READ_WITHOUT_MARKS = 1_000
_MARK = re.compile(r"[*_`<\[&~\\]")
_HASHES = re.compile(r"\s*(#{1,6})(?:[ \t]+|\Z)")


@dataclass(frozen=True, slots=True)
class Edit:
    """A text after a change, and in how many places it was changed."""

    text: str
    count: int


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and the range of what stands below it, deeper headings included."""

    heading: Heading
    start: int
    end: int


def replace_text(text: str, old: str, new: str, *, every: bool = False) -> Edit:
    """The text with `old` replaced by `new`, compared exactly, white space and line ends included.

    Raises InvalidInput for an empty `old` and where it does not occur, Ambiguous where it occurs more than
    once, overlapping included, and `every` is false; both carry the `count`. With `every` all occurrences
    from the left are replaced. Raises TooLarge when the result would pass 32 Mi characters.
    """
    if not old:
        raise InvalidInput("old_string", "may not be empty")
    first = text.find(old)
    if first < 0:
        refusal = InvalidInput("old_string", "does not occur in the text; nothing was changed")
        refusal.data["count"] = 0
        raise refusal
    count = text.count(old)
    if not every and text.find(old, first + 1) >= 0:
        count = max(count, 2)
        raise Ambiguous(
            f"The passage occurs {count} times; nothing was changed.", field="old_string", count=count
        )
    if len(text) + count * (len(new) - len(old)) > EDITED_LIMIT:
        raise TooLarge("new_string", EDITED_LIMIT)
    return Edit(text.replace(old, new), count)


def find_section(text: str, heading: str) -> Section:
    """The section under the one heading of that text, with or without hash marks, whatever its case.

    A section ends before the next heading of the same or a higher level. Raises InvalidInput where there
    is no such heading and Ambiguous where there are several, both with up to 100 `candidates`.
    """
    headings = read_outline(text).headings
    found = _matching(headings, heading)
    if not found:
        refusal = InvalidInput("section", "no heading of the text reads like that")
        refusal.data["candidates"] = [_shown(one) for one in headings[:_CANDIDATES]]
        raise refusal
    if len(found) > 1:
        several = [
            f"{_shown(headings[index])} (line {headings[index].line + 1})" for index in found[:_CANDIDATES]
        ]
        raise Ambiguous("Several headings read like that.", field="section", candidates=several)
    one = headings[found[0]]
    following = (other.start for other in headings[found[0] + 1 :] if other.level <= one.level)
    return Section(one, one.end, next(following, len(text)))


def _matching(headings: tuple[Heading, ...], wanted: str) -> list[int]:
    """Which headings are meant: those written like that, else those that read so without their marks."""
    marks = _HASHES.match(wanted)
    key = _key(wanted[marks.end() :] if marks else wanted)
    levels = (len(marks[1]),) if marks else range(1, 7)
    written = [index for index, one in enumerate(headings) if one.level in levels and _key(one.text) == key]
    if written:
        return written
    marked = [index for index, one in enumerate(headings) if one.level in levels and _MARK.search(one.text)]
    return [
        index
        for index in marked[:_READ_WITHOUT_MARKS]
        if _key(plain(headings[index].text[:_COMPARED])) == key
    ]


def replace_section(text: str, heading: str, content: str) -> str:
    """The text with all below the heading replaced by the content; the heading and all else stay.

    One blank line stands around the content, in the line ends of the text; a first line of the content
    that repeats the heading is left out (cases A38). Refuses like `find_section`.
    """
    section = find_section(text, heading)
    line_end = line_end_of(text, line_end_of(content))
    head, rest = text[: section.start], text[section.end :]
    inner = _without_heading(content, section.heading).strip("\r\n")
    if not head.endswith(("\n", "\r")):
        head += line_end if inner or rest else ""
    if not inner:
        return head + (line_end if rest else "") + rest
    ends_open = not rest and not text.endswith(("\n", "\r"))
    tail = "" if ends_open else line_end * 2 if rest else line_end
    return head + line_end + with_line_end(inner, line_end) + tail + rest


def append(text: str, content: str) -> str:
    """The text without white space at its end, a blank line, and the content; as it is for no content."""
    if not content:
        return text
    line_end = line_end_of(text, line_end_of(content))
    kept = text.rstrip(" \t\r\n")
    return kept + (line_end * 2 if kept.strip("\ufeff") else "") + with_line_end(content, line_end)


def prepend(text: str, content: str) -> str:
    """The content, a blank line, and the text, whose byte-order mark stays first; as it is for no content."""
    if not content:
        return text
    line_end = line_end_of(text, line_end_of(content))
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    rest = text[len(mark) :]
    inner = with_line_end(content, line_end)
    return mark + (inner.rstrip("\r\n") + line_end * 2 + rest if rest else inner)


def _key(text: str) -> str:
    return unicodedata.normalize("NFC", " ".join(text.split())).casefold()


def _shown(heading: Heading) -> str:
    return "#" * heading.level + " " + heading.text[:_COMPARED]


def _without_heading(content: str, heading: Heading) -> str:
    lines = split_lines(content.lstrip("\ufeff\r\n"))
    wanted = _HASHES.match(lines[0]) if lines else None
    repeats = wanted is not None and _key(lines[0][wanted.end() :].rstrip("# \t\r\n")) == _key(heading.text)
    return "".join(lines[1:]) if repeats else content
