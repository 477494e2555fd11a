"""Which files of the blob store does a space refer to?"""

from __future__ import annotations

import builtins
from collections.abc import Sequence

from vademecum.model.items import Blob
from vademecum.storage.dialect import Database

_ADD = """
INSERT INTO blob (space_id, content_hash, size, media_type)
VALUES (:space_id, :content_hash, :size, :media_type) ON CONFLICT DO NOTHING
"""
_SELECT = "SELECT content_hash, size, media_type FROM blob WHERE space_id = :space_id"
_FIND = f"{_SELECT} AND content_hash = :content_hash"
_LIST = f"{_SELECT} ORDER BY content_hash"


class BlobTable:
    """Blobs by space and hash."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, space_id: str, blob: Blob) -> None:
        """Nothing is done when the space already has it."""
        self._database.run(
            _ADD,
            space_id=space_id,
            content_hash=blob.content_hash,
            size=blob.size,
            media_type=blob.media_type,
        )

    def find(self, space_id: str, content_hash: str) -> Blob | None:
        row = self._database.one(_FIND, space_id=space_id, content_hash=content_hash)
        return None if row is None else Blob(**dict(row))

    def list(self, space_id: str) -> builtins.list[Blob]:
        """By hash."""
        return [Blob(**dict(row)) for row in self._database.all(_LIST, space_id=space_id)]

    def used_bytes(self, spaces: Sequence[str]) -> int:
        """The size of all blobs, each counted once for each space that has it."""
        opened = self._database.dialect.list_rows("spaces")
        sql = f"SELECT CAST(COALESCE(SUM(size), 0) AS BIGINT) AS total FROM blob WHERE space_id IN {opened}"
        row = self._database.one(sql, spaces=spaces)
        return 0 if row is None else int(row["total"])
