"""Which vectors came or went with which change?"""

from __future__ import annotations

from collections.abc import Sequence

from vademecum.storage.dialect import Database
from vademecum.storage.index.spaces import IndexedSpace

EVERY_CHUNK = 0  # stands for all vectors of a model
_ON_RECORD = 4_096  # changes of a space; whoever missed more reads everything anew
_TIDIED_EVERY = 256

_NOTE = """
INSERT OR IGNORE INTO index_change (space_id, sequence, chunk_id)
SELECT :space_id, :sequence, value FROM json_each(:chunks)
"""
_DROP = "DELETE FROM index_change WHERE space_id = :space_id AND sequence <= :through"
_DROPPED = "UPDATE index_space SET changes_since = :through WHERE space_id = :space_id"
_SINCE = """
SELECT chunk_id, MAX(sequence) AS sequence FROM index_change
WHERE space_id = :space_id AND sequence > :after GROUP BY chunk_id
"""


class VectorChanges:
    """The record by which what is held in memory follows; only the last few thousand changes are on it."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def note(self, space: IndexedSpace, chunk_ids: Sequence[int]) -> None:
        """The vectors of these sections came or went with the space's last change."""
        sequence = space.last_sequence
        self._database.run(_NOTE, space_id=space.space_id, sequence=sequence, chunks=list(chunk_ids))
        if sequence % _TIDIED_EVERY == 0 and sequence - space.changes_since > _ON_RECORD:
            through = sequence - _ON_RECORD
            self._database.run(_DROP, space_id=space.space_id, through=through)
            self._database.run(_DROPPED, space_id=space.space_id, through=through)

    def since(self, space: IndexedSpace, sequence: int) -> dict[int, int]:
        """The sections whose vectors came or went after that change, each with its last one."""
        rows = self._database.all(_SINCE, space_id=space.space_id, after=sequence)
        return {row["chunk_id"]: row["sequence"] for row in rows}
