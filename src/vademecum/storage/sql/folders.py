"""How is the tree of a space kept, and what it was before?"""

from __future__ import annotations

import builtins

from vademecum.model.items import Folder
from vademecum.model.revisions import Change, FolderAction, FolderRevision
from vademecum.storage.dialect import Database, Row

_SELECT = """
SELECT space_id, folder_id, parent_id, name, created_at, removed_at FROM folder WHERE space_id = :space_id
"""
_FIND = f"{_SELECT} AND folder_id = :folder_id"
_NAMED = f"{_SELECT} AND COALESCE(parent_id, '') = :parent_id AND key = :key AND removed_at IS NULL"
_LIST = f"{_SELECT} AND removed_at IS NULL ORDER BY key, folder_id"
_ADD = """
INSERT INTO folder (space_id, folder_id, parent_id, name, key, created_at, change_id)
VALUES (:space_id, :folder_id, :parent_id, :name, :key, :created_at, :change_id) ON CONFLICT DO NOTHING
"""
_SET = """
UPDATE folder SET parent_id = :parent_id, name = :name, key = :key, change_id = :change_id, removed_at = NULL
WHERE space_id = :space_id AND folder_id = :folder_id AND NOT EXISTS (
    SELECT 1 FROM folder AS other WHERE other.space_id = :space_id AND other.folder_id <> :folder_id
        AND COALESCE(other.parent_id, '') = COALESCE(:parent_id, '') AND other.key = :key
        AND other.removed_at IS NULL)
"""
_REMOVE = """
UPDATE folder SET removed_at = :at, change_id = :change_id
WHERE space_id = :space_id AND folder_id = :folder_id
"""
_NOTE = """
INSERT INTO folder_revision (space_id, folder_id, number, action, parent_id, name, change_id)
SELECT :space_id, :folder_id, COALESCE(MAX(number), 0) + 1, :action, :parent_id, :name, :change_id
FROM folder_revision WHERE space_id = :space_id AND folder_id = :folder_id
"""
_REVISIONS = """
SELECT space_id, folder_id, number, action, parent_id, name, change_id FROM folder_revision
WHERE space_id = :space_id
"""
_OF_CHANGE = f"{_REVISIONS} AND change_id = :change_id ORDER BY folder_id, number"
_HISTORY = f"{_REVISIONS} AND folder_id = :folder_id ORDER BY number"


class FolderTable:
    """Folders by id and by name within their parent, each with its history."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def find(self, space_id: str, folder_id: str) -> Folder | None:
        """The folder, in the tree or removed."""
        row = self._database.one(_FIND, space_id=space_id, folder_id=folder_id)
        return None if row is None else _folder(row)

    def named(self, space_id: str, parent_id: str | None, key: str) -> Folder | None:
        """The folder of that key in the parent, at the top of the space where that is None."""
        row = self._database.one(_NAMED, space_id=space_id, parent_id=parent_id or "", key=key)
        return None if row is None else _folder(row)

    def add(self, folder: Folder, key: str, change: Change) -> bool:
        """False, and nothing done, when the parent already has a folder of that key."""
        added = self._database.run(
            _ADD,
            space_id=folder.space_id,
            folder_id=folder.folder_id,
            parent_id=folder.parent_id,
            name=folder.name,
            key=key,
            created_at=folder.created_at,
            change_id=change.change_id,
        )
        return added == 1 and self._noted(folder, FolderAction.CREATE, change)

    def move(self, folder: Folder, key: str, change: Change) -> bool:
        """Give the folder that name and parent; False, and nothing done, when the name is taken there."""
        return self._set(folder, key, change) and self._noted(folder, FolderAction.MOVE, change)

    def revive(self, folder: Folder, key: str, change: Change) -> bool:
        """Put a removed folder back; False, and nothing done, when its name is taken by now."""
        return self._set(folder, key, change) and self._noted(folder, FolderAction.REVIVE, change)

    def _set(self, folder: Folder, key: str, change: Change) -> bool:
        changed = self._database.run(
            _SET,
            space_id=folder.space_id,
            folder_id=folder.folder_id,
            parent_id=folder.parent_id,
            name=folder.name,
            key=key,
            change_id=change.change_id,
        )
        return changed == 1

    def remove(self, folder: Folder, change: Change) -> None:
        """Take the folder out of the tree; its row stays for what lies in the trash."""
        self._database.run(
            _REMOVE,
            space_id=folder.space_id,
            folder_id=folder.folder_id,
            at=change.made_at,
            change_id=change.change_id,
        )
        self._noted(folder, FolderAction.REMOVE, change)

    def _noted(self, folder: Folder, action: FolderAction, change: Change) -> bool:
        return bool(
            self._database.run(
                _NOTE,
                space_id=folder.space_id,
                folder_id=folder.folder_id,
                action=action.value,
                parent_id=folder.parent_id,
                name=folder.name,
                change_id=change.change_id,
            )
        )

    def list(self, space_id: str) -> builtins.list[Folder]:
        """All folders of the tree, by key."""
        return [_folder(row) for row in self._database.all(_LIST, space_id=space_id)]

    def of_change(self, space_id: str, change_id: str) -> builtins.list[FolderRevision]:
        """What the change made of folders, by folder and number."""
        rows = self._database.all(_OF_CHANGE, space_id=space_id, change_id=change_id)
        return [_revision(row) for row in rows]

    def history(self, space_id: str, folder_id: str) -> builtins.list[FolderRevision]:
        """Oldest first."""
        rows = self._database.all(_HISTORY, space_id=space_id, folder_id=folder_id)
        return [_revision(row) for row in rows]


def _folder(row: Row) -> Folder:
    # Each by its name: a tree has thousands, and a mapping of each would take twice the time.
    return Folder(
        row["space_id"],
        row["folder_id"],
        row["parent_id"],
        row["name"],
        row["created_at"],
        row["removed_at"],
    )


def _revision(row: Row) -> FolderRevision:
    return FolderRevision(**dict(row) | {"action": FolderAction(row["action"])})
