"""How is the data of placeholders kept?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from vademecum.ports.places import StoredBlock
from vademecum.storage.dialect import Database, Row

# SQLite would write out its postings at an insert that may update, so what stands there goes first.
_REMOVE = """
DELETE FROM block
WHERE space_id = :space_id AND item_id = :item_id AND block_id = :block_id AND version = :version
"""
_ADD = """
INSERT INTO block (space_id, item_id, block_id, version, kind, label, data)
VALUES (:space_id, :item_id, :block_id, :version, :kind, :label, :data)
"""
_OF_ITEM = """
SELECT block_id, kind, label, data FROM block
WHERE space_id = :space_id AND item_id = :item_id AND version <= :version ORDER BY version
"""
_IN_SPACE = """
SELECT item_id, block_id, kind, label, data FROM block
WHERE space_id = :space_id AND block_id = :block_id ORDER BY item_id, version
"""


class BlockTable:
    """Blocks by item, id and the version from which they hold."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of_item(self, space_id: str, item_id: str, version: int) -> Mapping[str, StoredBlock]:
        """By id, as they hold at the version."""
        rows = self._database.all(_OF_ITEM, space_id=space_id, item_id=item_id, version=version)
        return {row["block_id"]: _block(row) for row in rows}

    def put(self, space_id: str, item_id: str, version: int, blocks: Sequence[StoredBlock]) -> None:
        """Let them hold from the version on."""
        rows: list[dict[str, object]] = [
            {
                "space_id": space_id,
                "item_id": item_id,
                "version": version,
                "block_id": block.block_id,
                "kind": block.kind,
                "label": block.label,
                "data": block.data,
            }
            for block in blocks
        ]
        if rows:
            keys = ("space_id", "item_id", "version", "block_id")
            self._database.run_many(_REMOVE, [{key: row[key] for key in keys} for row in rows])
            self._database.run_many(_ADD, rows)

    def in_space(self, space_id: str, block_id: str) -> list[tuple[str, StoredBlock]]:
        """The newest data under that id, with the id of each item that has it."""
        rows = self._database.all(_IN_SPACE, space_id=space_id, block_id=block_id)
        return list({row["item_id"]: (row["item_id"], _block(row)) for row in rows}.values())


def _block(row: Row) -> StoredBlock:
    return StoredBlock(row["block_id"], row["kind"], row["label"], row["data"])
