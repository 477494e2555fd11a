"""How are links out of items kept, and how do they find their targets?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from vademecum.model.items import Item
from vademecum.ports.storage import StoredLink
from vademecum.storage.dialect import Database, Row
from vademecum.storage.sql.keys import bounded, whole
from vademecum.storage.sql.rows import ITEM_COLUMNS, ITEM_SUMMARY, item_from

_FIELDS = (
    *("ordinal", "kind", "target", "target_key", "whole_key", "heading", "display", "relation"),
    *("start_offset", "end_offset"),
)
_OWN = ", ".join(f"link.{field} AS link_{field}" for field in _FIELDS)
_COLUMNS = ("space_id", "item_id", *_FIELDS)

_REMOVE = "DELETE FROM link WHERE space_id = :space_id AND item_id = :item_id"
_ADD = f"INSERT INTO link ({', '.join(_COLUMNS)}) VALUES ({', '.join(f':{name}' for name in _COLUMNS)})"
_OUT_OF = f"SELECT {_OWN} FROM link WHERE space_id = :space_id AND item_id = :item_id ORDER BY ordinal"
_COUNT = "SELECT COUNT(*) AS amount FROM link WHERE space_id = :space_id"
_UNRESOLVED = f"""
SELECT link.item_id, {_OWN} FROM link
JOIN item ON item.space_id = link.space_id AND item.item_id = link.item_id
WHERE link.space_id = :space_id AND item.space_id = :space_id AND item.trashed_at IS NULL
AND link.target_key <> '' AND NOT EXISTS (
    SELECT 1 FROM item_name
    JOIN item AS bearer ON bearer.space_id = item_name.space_id AND bearer.item_id = item_name.item_id
    WHERE item_name.space_id = link.space_id AND item_name.key = link.target_key
        AND bearer.trashed_at IS NULL)
ORDER BY link.item_id, link.ordinal
"""


class LinkTable:
    """Links by the item they stand in and by the key of what they point to."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def replace(self, space_id: str, item_id: str, links: Sequence[StoredLink]) -> None:
        """Take out all links of the item and keep these instead."""
        self._database.run(_REMOVE, space_id=space_id, item_id=item_id)
        self.add_all(space_id, {item_id: links})

    def add_all(self, space_id: str, links: Mapping[str, Sequence[StoredLink]]) -> None:
        """Keep the links of items, by id, that have none yet."""
        rows = [
            {"space_id": space_id, "item_id": item_id, **_columns(link)}
            for item_id, of_item in links.items()
            for link in of_item
        ]
        if rows:
            self._database.run_many(_ADD, rows)

    def replace_all(self, space_id: str, links: Mapping[str, Sequence[StoredLink]]) -> None:
        """Take out all links of the items, by id, and keep these instead."""
        self._database.run_many(_REMOVE, [{"space_id": space_id, "item_id": item_id} for item_id in links])
        self.add_all(space_id, links)

    def out_of(self, space_id: str, item_id: str) -> list[StoredLink]:
        """In the order of their ordinals."""
        return [_link(row) for row in self._database.all(_OUT_OF, space_id=space_id, item_id=item_id)]

    def into(self, space_id: str, keys: Sequence[str]) -> list[tuple[Item, StoredLink]]:
        """Links of items out of the trash whose target has one of the keys; those of new items first."""
        opened = self._database.dialect.list_rows("keys")
        sql = f"""
        SELECT {ITEM_COLUMNS}, {_OWN}
        FROM (SELECT DISTINCT value FROM {opened} AS given) AS wanted
            CROSS JOIN link CROSS JOIN item {ITEM_SUMMARY}
        WHERE link.space_id = :space_id AND link.target_key = wanted.value AND link.target_key <> ''
            AND item.space_id = link.space_id AND item.item_id = link.item_id AND item.trashed_at IS NULL
        ORDER BY item.created_at DESC, item.item_id DESC, link.ordinal
        """
        rows = self._database.all(sql, space_id=space_id, keys=[bounded(key) for key in keys])
        return [(item_from(row), _link(row)) for row in rows]

    def unresolved(self, space_id: str) -> list[tuple[str, StoredLink]]:
        """Item id and link, for every link out of the trash to a name that no item out of it bears."""
        rows = self._database.all(_UNRESOLVED, space_id=space_id)
        return [(row["item_id"], _link(row)) for row in rows]

    def count(self, space_id: str) -> int:
        row = self._database.one(_COUNT, space_id=space_id)
        return 0 if row is None else int(row["amount"])


def _columns(link: StoredLink) -> dict[str, object]:
    return {
        "ordinal": link.ordinal,
        "kind": link.kind,
        "target": link.target,
        "target_key": bounded(link.target_key),
        "whole_key": whole(link.target_key),
        "heading": link.heading,
        "display": link.display,
        "relation": link.relation,
        "start_offset": link.start,
        "end_offset": link.end,
    }


def _link(row: Row) -> StoredLink:
    return StoredLink(
        ordinal=row["link_ordinal"],
        kind=row["link_kind"],
        target=row["link_target"],
        target_key=row["link_target_key"] if row["link_whole_key"] is None else row["link_whole_key"],
        heading=row["link_heading"],
        display=row["link_display"],
        relation=row["link_relation"],
        start=row["link_start_offset"],
        end=row["link_end_offset"],
    )
