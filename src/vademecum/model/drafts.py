"""What is a draft, and when does it count as somebody's editing?"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from vademecum.model.times import moment, stamp

EDITING = timedelta(minutes=10)  # since the draft last changed (decisions, Drafts)


@dataclass(frozen=True, slots=True)
class Draft:
    """The text that a person has in an editor and has not saved.

    One of an item has the item's id and the version that it began from; one of a new note has an id of its
    own and neither. `changed_at` is a stamp.
    """

    space_id: str
    draft_id: str
    account_id: str
    title: str
    content: str
    changed_at: str
    item_id: str | None = None
    base_version: int | None = None


def editing_since(now: str) -> str:
    """The stamp from which on a change of a draft means that its item is being edited at `now`."""
    return stamp(moment(now) - EDITING)
