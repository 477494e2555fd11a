"""Which sections of an item stay as they are when it is indexed anew?"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from vademecum.ports.index import NewChunk


@dataclass(frozen=True, slots=True)
class NewSection:
    """A section to be indexed, with the columns of its content."""

    chunk: NewChunk
    columns: dict[str, object]
    content: Hashable


@dataclass(frozen=True, slots=True)
class Replacement:
    """`kept` are sections that stay (by number), with what they are now; `gone` go and `fresh` come."""

    kept: tuple[tuple[int, NewSection], ...]
    gone: tuple[int, ...]
    fresh: tuple[NewSection, ...]


def replacement(stored: Sequence[tuple[int, Hashable]], sections: Sequence[NewSection]) -> Replacement:
    """What becomes of the stored sections (number and content), given the new ones; both in order.

    A section whose content is the same stays, and with it its vectors, which take long to make. The first one
    holds the vector of the whole item's head, so it stays only when nothing changes at all.
    """
    if [content for _, content in stored] == [section.content for section in sections]:
        return Replacement(tuple(zip([number for number, _ in stored], sections, strict=True)), (), ())
    spare: dict[Hashable, list[int]] = defaultdict(list)
    for number, content in reversed(stored[1:]):
        spare[content].append(number)
    kept: list[tuple[int, NewSection]] = []
    fresh = list(sections[:1])
    for section in sections[1:]:
        if spare[section.content]:
            kept.append((spare[section.content].pop(), section))
        else:
            fresh.append(section)
    staying = {number for number, _ in kept}
    gone = tuple(number for number, _ in stored if number not in staying)
    return Replacement(tuple(kept), gone, tuple(fresh))
