"""Which files of the blob store does a space refer to?"""

from __future__ import annotations

import builtins
from collections.abc import Sequence

from vademecum.model.ids import new_id
from vademecum.model.items import Blob
from vademecum.storage.dialect import Database

_ADD = """
INSERT INTO blob (space_id, content_hash, size, media_type)
VALUES (:space_id, :content_hash, :size, :media_type) ON CONFLICT DO NOTHING
"""
_SELECT = "SELECT content_hash, size, media_type FROM blob WHERE space_id = :space_id"
_FIND = f"{_SELECT} AND content_hash = :content_hash"
_LIST = f"{_SELECT} ORDER BY content_hash"
# What an item has now stands in its newest revision too.
_OF_ITEM = """
SELECT DISTINCT blob FROM revision WHERE space_id = :space_id AND item_id = :item_id AND blob IS NOT NULL
"""
_RELEASE = "INSERT INTO released_file (release_id, content_hash) VALUES (:release_id, :content_hash)"
_RELEASED = "SELECT release_id, content_hash FROM released_file ORDER BY release_id LIMIT :limit"


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

    def hashes_of(self, space_id: str, item_id: str) -> builtins.list[str]:
        """The files that the item has, or had in any version."""
        return [row["blob"] for row in self._database.all(_OF_ITEM, space_id=space_id, item_id=item_id)]

    def drop_unused(self, space_id: str, hashes: Sequence[str]) -> None:
        """Let go of those of the files that no version of an item has, and note that they were released."""
        if not hashes:
            return
        opened = self._database.dialect.list_rows("hashes")
        sql = f"""
        DELETE FROM blob WHERE space_id = :space_id AND content_hash IN {opened} AND NOT EXISTS (
            SELECT 1 FROM revision
            WHERE revision.space_id = blob.space_id AND revision.blob = blob.content_hash)
        RETURNING content_hash
        """
        rows = self._database.all(sql, space_id=space_id, hashes=hashes)
        if rows:
            noted = [{"release_id": new_id(), "content_hash": row["content_hash"]} for row in rows]
            self._database.run_many(_RELEASE, noted)

    def named(self, hashes: Sequence[str]) -> frozenset[str]:
        """Those of the files that any space has."""
        opened = self._database.dialect.list_rows("hashes")
        sql = f"SELECT DISTINCT content_hash FROM blob WHERE content_hash IN {opened}"
        return frozenset(row["content_hash"] for row in self._database.all(sql, hashes=hashes))

    def released(self, limit: int) -> builtins.list[tuple[str, str]]:
        """Notes of released files that are still to be looked at: the id of each, and the file's hash."""
        rows = self._database.all(_RELEASED, limit=limit)
        return [(row["release_id"], row["content_hash"]) for row in rows]

    def forget_released(self, release_ids: Sequence[str]) -> None:
        """Remove the notes."""
        opened = self._database.dialect.list_rows("release_ids")
        sql = f"DELETE FROM released_file WHERE release_id IN {opened}"
        self._database.run(sql, release_ids=release_ids)

    def used_bytes(self, spaces: Sequence[str]) -> int:
        """The size of all blobs, each counted once for each space that has it."""
        opened = self._database.dialect.list_rows("spaces")
        sql = f"SELECT CAST(COALESCE(SUM(size), 0) AS BIGINT) AS total FROM blob WHERE space_id IN {opened}"
        row = self._database.one(sql, spaces=spaces)
        return 0 if row is None else int(row["total"])
