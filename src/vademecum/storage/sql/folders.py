"""How is the tree of a space kept?"""

from __future__ import annotations

import builtins

from vademecum.model.items import Folder
from vademecum.model.revisions import Change
from vademecum.storage.dialect import Database, Row

_SELECT = "SELECT space_id, folder_id, parent_id, name, created_at FROM folder WHERE space_id = :space_id"
_FIND = f"{_SELECT} AND folder_id = :folder_id"
_NAMED = f"{_SELECT} AND COALESCE(parent_id, '') = :parent_id AND key = :key"
_LIST = f"{_SELECT} ORDER BY key, folder_id"
_ADD = """
INSERT INTO folder (space_id, folder_id, parent_id, name, key, created_at, change_id)
VALUES (:space_id, :folder_id, :parent_id, :name, :key, :created_at, :change_id) ON CONFLICT DO NOTHING
"""


class FolderTable:
    """Folders by id and by name within their parent."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def find(self, space_id: str, folder_id: str) -> Folder | None:
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
        return added == 1

    def list(self, space_id: str) -> builtins.list[Folder]:
        """All folders of the space, by key."""
        return [_folder(row) for row in self._database.all(_LIST, space_id=space_id)]


def _folder(row: Row) -> Folder:
    return Folder(**dict(row))
