"""Which names does an item bear, and who bears a name?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from vademecum.model.items import Item
from vademecum.ports.storage import ItemKey, ItemName
from vademecum.storage.dialect import Database
from vademecum.storage.sql.keys import bounded, whole
from vademecum.storage.sql.rows import ITEM_COLUMNS, ITEM_SUMMARY, item_from

_LAST_CHARACTERS = "\U0010ffff" * 4  # what begins with a prefix sorts before the prefix with these

ORIGINS = ("title", "file", "alias", "past")  # best first

_REMOVE = "DELETE FROM item_name WHERE space_id = :space_id AND item_id = :item_id"
_ADD = """
INSERT INTO item_name (space_id, item_id, ordinal, key, whole_key, text, origin)
VALUES (:space_id, :item_id, :ordinal, :key, :whole_key, :text, :origin)
"""
_OF_ITEM = """
SELECT COALESCE(whole_key, key) AS key, text, origin FROM item_name
WHERE space_id = :space_id AND item_id = :item_id ORDER BY ordinal
"""
_RANK = (
    "CASE origin " + " ".join(f"WHEN '{origin}' THEN {rank}" for rank, origin in enumerate(ORIGINS)) + " END"
)
_FILE_KEYS = """
SELECT file_key FROM item
WHERE space_id = :space_id AND COALESCE(folder_id, '') = :folder_id AND trashed_at IS NULL
    AND file_key >= :prefix AND file_key < :beyond
"""


class ItemNames:
    """Names under which links and readers reach items."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def named(self, spaces: Sequence[str], key: str) -> list[tuple[Item, str]]:
        """Items out of the trash that bear the name, each once with its best origin: those that bear it as
        title, as file name, as alias, then as a past title; among equals the oldest first.
        """
        opened = self._database.dialect.list_rows("spaces")
        sql = f"""
        SELECT {ITEM_COLUMNS}, item_name.origin
        FROM item_name CROSS JOIN item {ITEM_SUMMARY}
        WHERE item_name.space_id IN {opened} AND item_name.key = :key AND item.trashed_at IS NULL
            AND item.space_id = item_name.space_id AND item.item_id = item_name.item_id
        ORDER BY {_RANK}, item.created_at, item.item_id
        """
        found: dict[ItemKey, tuple[Item, str]] = {}
        for row in self._database.all(sql, spaces=spaces, key=bounded(key)):
            found.setdefault((row["space_id"], row["item_id"]), (item_from(row), row["origin"]))
        return list(found.values())

    def set_names(self, space_id: str, item_id: str, names: Sequence[ItemName]) -> None:
        """Replace all names of the item."""
        self._database.run(_REMOVE, space_id=space_id, item_id=item_id)
        self.add_names(space_id, {item_id: names})

    def add_names(self, space_id: str, names: Mapping[str, Sequence[ItemName]]) -> None:
        """Give items, by id, that have no names theirs."""
        rows = [
            {
                "space_id": space_id,
                "item_id": item_id,
                "ordinal": ordinal,
                "key": bounded(name.key),
                "whole_key": whole(name.key),
                "text": name.text,
                "origin": name.origin,
            }
            for item_id, of_item in names.items()
            for ordinal, name in enumerate(of_item)
        ]
        if rows:
            self._database.run_many(_ADD, rows)

    def names(self, space_id: str, item_id: str) -> list[ItemName]:
        """The names as they were given."""
        rows = self._database.all(_OF_ITEM, space_id=space_id, item_id=item_id)
        return [ItemName(row["key"], row["text"], row["origin"]) for row in rows]

    def taken_file_keys(self, space_id: str, folder_id: str | None, prefix: str) -> frozenset[str]:
        """Keys of file names in the folder, trash apart, that begin with `prefix`."""
        beyond = prefix + _LAST_CHARACTERS
        rows = self._database.all(
            _FILE_KEYS, space_id=space_id, folder_id=folder_id or "", prefix=prefix, beyond=beyond
        )
        return frozenset(row["file_key"] for row in rows)
