"""How is a paragraph put into a text without touching any other byte of it?"""

from __future__ import annotations

import re

from vademecum.model.errors import InvalidInput
from vademecum.text.markdown_lines import LINE_END, line_end_of, with_line_end

_BLANK_LINE = re.compile(r"(?:\A|\r\n|\r(?!\n)|\n)[ \t]*(?:\r\n|\r|\n)\Z")
_NEXT_LINE = re.compile(r"[ \t]*(?:\r\n|\r|\n|\Z)")


def with_paragraph(body: str, paragraph: str, at: int | None = None) -> tuple[str, int]:
    """The body with the paragraph, of one or more lines without the last one's end, at a place in code
    points, or at its end; and where it begins. Blank lines part it from its neighbours.

    Its lines end as those of the body do. Raises InvalidInput (`at`) where no line begins.
    """
    line_end = line_end_of(body)
    place = len(body) if at is None else at
    if not 0 <= place <= len(body) or (at is not None and not _begins_line(body, place)):
        raise InvalidInput("at", "is no place where a line begins")
    before, after = body[:place], body[place:]
    ending = "" if not before or before.endswith(("\n", "\r")) else line_end
    blank = "" if not before.strip() or _BLANK_LINE.search(before + ending) else line_end
    head = before + ending + blank
    tail = after if _NEXT_LINE.match(after) else line_end + after
    return f"{head}{with_line_end(paragraph, line_end)}{line_end}{tail}", len(head)


def _begins_line(body: str, place: int) -> bool:
    if body[place - 1 : place] == "\r" and body[place : place + 1] == "\n":
        return False
    return place == 0 or LINE_END.fullmatch(body[place - 1]) is not None
