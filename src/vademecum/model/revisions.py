"""What is a change, who made it, and which writer may write?"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from vademecum.model.errors import VersionConflict
from vademecum.model.items import State


class ActorKind(StrEnum):
    """What kind of hand made a change (design 5)."""

    PERSON = "person"
    KEY = "key"
    CONNECTION = "connection"
    VAULT = "vault"
    IMPORT = "import"
    CAPTURE = "capture"
    OUTSIDE = "outside"
    SYSTEM = "system"


class Action(StrEnum):
    """What a revision did to its item."""

    CREATE = "create"
    UPDATE = "update"
    TAGS = "tags"
    CAPTURE = "capture"
    ENRICH = "enrich"
    MOVE = "move"
    TRASH = "trash"
    RESTORE = "restore"
    REVERT = "revert"
    ATTACH = "attach"
    UNDO = "undo"


class FolderAction(StrEnum):
    """What a change made of a folder."""

    CREATE = "create"
    MOVE = "move"
    REMOVE = "remove"
    REVIVE = "revive"


@dataclass(frozen=True, slots=True)
class FolderRevision:
    """What a change left of a folder: its parent and its name from then on. Numbers count from 1."""

    space_id: str
    folder_id: str
    number: int
    action: FolderAction
    parent_id: str | None
    name: str
    change_id: str


@dataclass(frozen=True, slots=True)
class Change:
    """One writing use case: every revision, folder row and rewritten link names it (design 5).

    `sequence` grows by one with each change of the space, in the order in which they were committed.
    `client_name` is untrusted text that the client gave of itself.
    """

    space_id: str
    change_id: str
    sequence: int
    account_id: str
    actor_kind: ActorKind
    credential_id: str | None
    client_name: str | None
    tool: str
    session_id: str | None
    made_at: str


@dataclass(frozen=True, slots=True)
class Revision:
    """A whole stored state of an item (design 3) with the change that made it."""

    space_id: str
    item_id: str
    version: int
    action: Action
    state: State
    change: Change


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """A revision without the texts of its state, so that a history of any length can be listed."""

    version: int
    action: Action
    title: str
    tags: tuple[str, ...]
    change: Change


def check_version(expected: int, current: int) -> None:
    """Raise VersionConflict unless the writer read the version that is current."""
    if expected != current:
        raise VersionConflict(expectedVersion=expected, currentVersion=current)
