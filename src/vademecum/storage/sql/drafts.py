"""How are texts kept that a person has not saved?"""

from __future__ import annotations

import builtins
from collections.abc import Mapping

from vademecum.model.drafts import Draft
from vademecum.storage.dialect import Database

_COLUMNS = (
    *("space_id", "draft_id", "account_id", "item_id", "base_version", "title", "content"),
    "changed_at",
)
_PUT = f"""
INSERT INTO draft ({", ".join(_COLUMNS)}) VALUES ({", ".join(f":{name}" for name in _COLUMNS)})
ON CONFLICT (space_id, draft_id, account_id) DO UPDATE SET base_version = EXCLUDED.base_version,
    title = EXCLUDED.title, content = EXCLUDED.content, changed_at = EXCLUDED.changed_at
"""
_SELECT = f"SELECT {', '.join(_COLUMNS)} FROM draft WHERE space_id = :space_id AND account_id = :account_id"
_FIND = f"{_SELECT} AND draft_id = :draft_id"
_LIST = f"{_SELECT} ORDER BY changed_at DESC, draft_id"
_REMOVE = """
DELETE FROM draft WHERE space_id = :space_id AND draft_id = :draft_id AND account_id = :account_id
"""
_EDITED = """
SELECT item_id, MAX(changed_at) AS changed_at FROM draft
WHERE space_id = :space_id AND item_id IS NOT NULL AND changed_at >= :since GROUP BY item_id
"""


class DraftTable:
    """Drafts by space, id and account."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def put(self, draft: Draft) -> None:
        """Keep the draft instead of the one of the same id and account."""
        self._database.run(_PUT, **{name: getattr(draft, name) for name in _COLUMNS})

    def find(self, space_id: str, draft_id: str, account_id: str) -> Draft | None:
        row = self._database.one(_FIND, space_id=space_id, draft_id=draft_id, account_id=account_id)
        return None if row is None else Draft(**dict(row))

    def list(self, space_id: str, account_id: str) -> builtins.list[Draft]:
        """The last changed first."""
        rows = self._database.all(_LIST, space_id=space_id, account_id=account_id)
        return [Draft(**dict(row)) for row in rows]

    def remove(self, space_id: str, draft_id: str, account_id: str) -> bool:
        """Whether there was one."""
        removed = self._database.run(_REMOVE, space_id=space_id, draft_id=draft_id, account_id=account_id)
        return removed == 1

    def edited(self, space_id: str, since: str) -> Mapping[str, str]:
        """Items with a draft that changed at or after the stamp, and when it last did."""
        rows = self._database.all(_EDITED, space_id=space_id, since=since)
        return {row["item_id"]: row["changed_at"] for row in rows}
