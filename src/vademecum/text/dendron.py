"""Is a note one of Dendron's, and where do its links have their target?"""

from __future__ import annotations

import re
from dataclasses import replace

from vademecum.text.link_scan import Link, Notation, wikilink
from vademecum.text.properties import Properties

_MILLISECONDS = re.compile(r"\d{12,13}")
_TARGET = re.compile(r"[^\s|]+")


def is_dendron(properties: Properties) -> bool:
    """Whether Dendron wrote the header: an id, a description, and both its times in milliseconds.

    The note says so itself, so it stays one of Dendron's wherever it goes and however it is edited.
    """
    times = (properties.literal("created"), properties.literal("updated"))
    return (
        properties.literal("id") is not None
        and properties.find("desc") is not None
        and all(time is not None and _MILLISECONDS.fullmatch(time) for time in times)
    )


def dendron_link(inside: str, offset: int) -> Link | None:
    """The wikilink whose brackets hold `inside`, which stands at `offset`, as Dendron reads it: the label
    stands first, the target behind the pipe. None when it names nothing.

    Dendron's targets hold no spaces; what has some behind the pipe is a label there, as everywhere else.
    """
    label, pipe, target = inside.partition("|")
    if not pipe or not label.strip() or not is_target(target):
        return wikilink(inside, offset)
    link = wikilink(target, offset + len(label) + 1)
    if link is None:
        return None
    shown = label.removesuffix("\\").strip()
    start, end = offset - 2, offset + len(inside) + 2
    return replace(link, notation=Notation.LABEL_FIRST, start=start, end=end, display=shown or None)


def is_target(text: str) -> bool:
    """Whether Dendron could mean a note by this text."""
    return _TARGET.fullmatch(text) is not None
