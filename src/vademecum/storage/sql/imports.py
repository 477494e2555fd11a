"""What did imports make of which files?"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from vademecum.ports.storage import ImportedFile
from vademecum.storage.dialect import Database

# Sources and paths may be longer than an index entry, so their hashes are the key.
# Two statements: at one that inserts or updates, SQLite writes out all postings of the transaction so far,
# which for an import of many files takes a tenth of the time.
_UPDATE = """
UPDATE import_file SET content_hash = :content_hash, item_id = :item_id, item_version = :item_version
WHERE space_id = :space_id AND source_hash = :source_hash AND path_hash = :path_hash
"""
_ADD = """
INSERT INTO import_file (space_id, source_hash, path_hash, source, path, content_hash, item_id, item_version)
VALUES (:space_id, :source_hash, :path_hash, :source, :path, :content_hash, :item_id, :item_version)
ON CONFLICT DO NOTHING
"""
_KNOWN = """
SELECT space_id, source, path, content_hash, item_id, item_version FROM import_file
WHERE space_id = :space_id AND source_hash = :source_hash ORDER BY path
"""


class ImportTable:
    """Imported files by space, source and path; one goes when its item is purged."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def known(self, space_id: str, source: str) -> dict[str, ImportedFile]:
        """By path."""
        rows = self._database.all(_KNOWN, space_id=space_id, source_hash=_hash(source))
        return {row["path"]: ImportedFile(**dict(row)) for row in rows}

    def add(self, imported: Sequence[ImportedFile]) -> None:
        """Keep files of which nothing is known."""
        rows = [_columns(one) | {"source": one.source, "path": one.path} for one in imported]
        self._database.run_many(_ADD, rows)

    def replace(self, imported: ImportedFile) -> None:
        """Keep it instead of what is known of the same file."""
        self._database.run(_UPDATE, **_columns(imported))


def _columns(imported: ImportedFile) -> dict[str, object]:
    return {
        "space_id": imported.space_id,
        "source_hash": _hash(imported.source),
        "path_hash": _hash(imported.path),
        "content_hash": imported.content_hash,
        "item_id": imported.item_id,
        "item_version": imported.item_version,
    }


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
