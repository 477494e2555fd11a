"""How are changes kept, and the states that they left?"""

from __future__ import annotations

import builtins
import json
from collections.abc import Mapping
from dataclasses import replace

from vademecum.model.errors import StoredDataDamaged
from vademecum.model.items import State
from vademecum.model.revisions import Action, Change, HistoryEntry, Revision
from vademecum.ports.places import Written
from vademecum.storage.dialect import Database, Row
from vademecum.storage.sql.rows import (
    CHANGE_FIELDS,
    STATE_COLUMNS,
    change_from,
    named_hashes,
    state_columns,
    state_from,
    texts_of,
)
from vademecum.storage.sql.texts import TextTable

_NEXT_SEQUENCE = """
INSERT INTO space_sequence (space_id, last_sequence) VALUES (:space_id, 1)
ON CONFLICT (space_id) DO UPDATE SET last_sequence = space_sequence.last_sequence + 1
RETURNING last_sequence
"""
_CHANGE_COLUMNS = ("space_id", *CHANGE_FIELDS)
_ADD_CHANGE = f"""
INSERT INTO change ({", ".join(_CHANGE_COLUMNS)}) VALUES ({", ".join(f":{name}" for name in _CHANGE_COLUMNS)})
"""
_COLUMNS = ("space_id", "item_id", "version", "action", "change_id", "trashed", *STATE_COLUMNS)
_ADD = f"INSERT INTO revision ({', '.join(_COLUMNS)}) VALUES ({', '.join(f':{name}' for name in _COLUMNS)})"
_WITH_CHANGE = f"""
    {", ".join(f"change.{name}" for name in CHANGE_FIELDS if name != "change_id")}
FROM revision
JOIN change ON change.space_id = revision.space_id AND change.change_id = revision.change_id
WHERE revision.space_id = :space_id
"""
_SELECT = f"SELECT {', '.join(f'revision.{name}' for name in _COLUMNS)}, {_WITH_CHANGE}"
_ENTRY_COLUMNS = ("space_id", "version", "action", "change_id", "title", "tags")
_ENTRIES = f"""
SELECT {", ".join(f"revision.{name}" for name in _ENTRY_COLUMNS)}, {_WITH_CHANGE}
    AND revision.item_id = :item_id ORDER BY revision.version DESC
"""
_ONE = f"{_SELECT} AND revision.item_id = :item_id AND revision.version = :version"
_OF_CHANGE = f"{_SELECT} AND revision.change_id = :change_id ORDER BY revision.item_id, revision.version"
_CHANGE = (
    f"SELECT {', '.join(_CHANGE_COLUMNS)} FROM change WHERE space_id = :space_id AND change_id = :change_id"
)
_LAST_SEQUENCE = "SELECT last_sequence FROM space_sequence WHERE space_id = :space_id"
_SINCE = """
JOIN change ON change.space_id = written.space_id AND change.change_id = written.change_id
WHERE written.space_id = :space_id AND change.sequence > :sequence
"""
_ITEMS_SINCE = f"SELECT DISTINCT written.item_id FROM revision AS written {_SINCE} ORDER BY written.item_id"
_FOLDERS_SINCE = f"""
SELECT DISTINCT written.folder_id FROM folder_revision AS written {_SINCE} ORDER BY written.folder_id
"""
_GAPS = """
SELECT item.item_id FROM item LEFT JOIN (
    SELECT item_id, COUNT(*) AS kept, MIN(version) AS first_version, MAX(version) AS last_version
    FROM revision WHERE space_id = :space_id GROUP BY item_id
) AS history ON history.item_id = item.item_id
WHERE item.space_id = :space_id AND (history.item_id IS NULL OR history.first_version <> 1
    OR history.last_version <> item.version OR history.kept <> item.version)
ORDER BY item.item_id
"""


class RevisionTable:
    """Changes of a space and revisions of its items."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._texts = TextTable(database)

    def begin(self, change: Change) -> Change:
        """Store the change and return it with its sequence, one more than the space's last.

        From here to the end of the transaction no other writer begins a change in the space.
        """
        row = self._database.one(_NEXT_SEQUENCE, space_id=change.space_id)
        if row is None:
            raise StoredDataDamaged("The space's changes cannot be counted.")
        begun = replace(change, sequence=row["last_sequence"])
        fields = {name: getattr(begun, name) for name in CHANGE_FIELDS}
        self._database.run(
            _ADD_CHANGE, **fields | {"space_id": begun.space_id, "actor_kind": begun.actor_kind.value}
        )
        return begun

    def add(self, item_id: str, version: int, action: Action, state: State, change: Change) -> None:
        """Keep the whole state as the item's version, under the change that made it."""
        self._database.run(_ADD, **_columns_of(state, action, change), item_id=item_id, version=version)
        self._texts.keep(change.space_id, item_id, texts_of(state.layers, state.frontmatter))

    def add_all(self, states: Mapping[str, tuple[int, State]], action: Action, change: Change) -> None:
        """A version and its state for each of the items, by id, that are stored with their texts."""
        rows = [
            _columns_of(state, action, change) | {"item_id": item_id, "version": version}
            for item_id, (version, state) in states.items()
        ]
        self._database.run_many(_ADD, rows)

    def list(self, space_id: str, item_id: str) -> builtins.list[HistoryEntry]:
        """Newest first, without texts: `find` reads those of one."""
        return [
            HistoryEntry(
                version=row["version"],
                action=Action(row["action"]),
                title=row["title"],
                tags=tuple(json.loads(row["tags"])),
                change=change_from(row),
            )
            for row in self._database.each(_ENTRIES, space_id=space_id, item_id=item_id)
        ]

    def find(self, space_id: str, item_id: str, version: int) -> Revision | None:
        row = self._database.one(_ONE, space_id=space_id, item_id=item_id, version=version)
        return None if row is None else self._read(space_id, [row])[0]

    def of_change(self, space_id: str, change_id: str) -> builtins.list[Revision]:
        """By item and version."""
        return self._read(space_id, self._database.all(_OF_CHANGE, space_id=space_id, change_id=change_id))

    def _read(self, space_id: str, rows: builtins.list[Row]) -> builtins.list[Revision]:
        texts = self._texts.load(space_id, {name for row in rows for name in named_hashes(row)})
        return [
            Revision(
                space_id=space_id,
                item_id=row["item_id"],
                version=row["version"],
                action=Action(row["action"]),
                state=state_from(row, texts),
                change=change_from(row),
            )
            for row in rows
        ]

    def change(self, space_id: str, change_id: str) -> Change | None:
        row = self._database.one(_CHANGE, space_id=space_id, change_id=change_id)
        return None if row is None else change_from(row)

    def last_sequence(self, space_id: str) -> int:
        """The sequence of the space's last change, 0 before the first."""
        row = self._database.one(_LAST_SEQUENCE, space_id=space_id)
        return 0 if row is None else int(row["last_sequence"])

    def written_since(self, space_id: str, sequence: int) -> Written:
        """What changes after the one of that sequence wrote, each item and folder once."""
        last = self.last_sequence(space_id)
        if last <= sequence:
            return Written((), (), last)
        items = self._database.all(_ITEMS_SINCE, space_id=space_id, sequence=sequence)
        folders = self._database.all(_FOLDERS_SINCE, space_id=space_id, sequence=sequence)
        return Written(
            tuple(row["item_id"] for row in items), tuple(row["folder_id"] for row in folders), last
        )

    def gaps(self, space_id: str) -> builtins.list[str]:
        """Ids of items whose versions are not 1 … n with the last equal to the item's."""
        return [row["item_id"] for row in self._database.all(_GAPS, space_id=space_id)]


def _columns_of(state: State, action: Action, change: Change) -> dict[str, object]:
    """What does not tell which item's version a revision is."""
    return state_columns(state) | {
        "space_id": change.space_id,
        "action": action.value,
        "change_id": change.change_id,
        "trashed": int(state.trashed),
    }
