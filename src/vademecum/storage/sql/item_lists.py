"""Which items of some spaces are there, newest first or counted?"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from vademecum.model.items import IndexState, Item, Kind, Layer
from vademecum.model.search import Filters
from vademecum.ports.storage import ItemKey
from vademecum.storage.dialect import Database, Dialect
from vademecum.storage.sql.items import TAG_KEY_STORED
from vademecum.storage.sql.keys import bounded
from vademecum.storage.sql.rows import ITEM_COLUMNS, ITEM_SUMMARY, item_from

_LAST = "~"  # sorts behind every stamp

_LISTED = "item.trashed_at IS NULL AND item.item_class = 'user-doc'"
_IN_TRASH = f"""
SELECT {ITEM_COLUMNS} FROM item {ITEM_SUMMARY}
WHERE item.space_id = :space_id AND item.trashed_at IS NOT NULL AND item.item_class = 'user-doc'
ORDER BY item.trashed_at DESC, item.item_id DESC LIMIT :limit
"""
_EVERY_ID = "SELECT item_id FROM item WHERE space_id = :space_id ORDER BY item_id"


class ItemLists:
    """Lists of items over several spaces."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def list_recent(
        self, spaces: Sequence[str], filters: Filters, limit: int, before: tuple[str, str] | None = None
    ) -> list[Item]:
        """User documents out of the trash, newest first by (created_at, item_id), those before `before`."""
        sql = f"""
        SELECT {ITEM_COLUMNS} FROM {_source(self._database.dialect, filters)} {ITEM_SUMMARY}
        WHERE {_conditions(self._database.dialect, filters)} AND {_HAS_LAYER}
        ORDER BY item.created_at DESC, item.item_id DESC LIMIT :limit
        """
        parameters = _parameters(filters, before) | {"limit": limit}
        found = [
            item_from(row)
            for space_id in spaces
            for row in self._database.all(sql, space_id=space_id, **parameters)
        ]
        return _newest(found, limit, lambda item: (item.created_at, item.item_id))

    def matching(self, spaces: Sequence[str], filters: Filters) -> frozenset[ItemKey]:
        """All user documents out of the trash that pass the filters, apart from `layer`."""
        sql = f"""
        SELECT item.space_id, item.item_id FROM {_source(self._database.dialect, filters)}
        WHERE {_conditions(self._database.dialect, filters)}
        """
        parameters = _parameters(filters, None)
        return frozenset(
            (row["space_id"], row["item_id"])
            for space_id in spaces
            for row in self._database.all(sql, space_id=space_id, **parameters)
        )

    def every_id(self, space_id: str) -> list[str]:
        """The ids of all items of the space, in the trash or out of it, whatever their class."""
        return [row["item_id"] for row in self._database.all(_EVERY_ID, space_id=space_id)]

    def trashed(self, spaces: Sequence[str], limit: int) -> list[Item]:
        """User documents in the trash, those trashed last first."""
        found = [
            item_from(row)
            for space_id in spaces
            for row in self._database.all(_IN_TRASH, space_id=space_id, limit=limit)
        ]
        return _newest(found, limit, lambda item: (item.trashed_at or "", item.item_id))

    def trashed_before(self, spaces: Sequence[str], at: str) -> list[Item]:
        """What went into the trash before the stamp `at`, whatever its class, oldest first."""
        opened = self._database.dialect.list_rows("spaces")
        sql = f"""
        SELECT {ITEM_COLUMNS} FROM item {ITEM_SUMMARY}
        WHERE item.space_id IN {opened} AND item.trashed_at < :at ORDER BY item.trashed_at, item.item_id
        """
        return [item_from(row) for row in self._database.all(sql, spaces=spaces, at=at)]

    def with_source(self, spaces: Sequence[str], source_key: str) -> list[Item]:
        """Items that came from the address, in the trash or out of it, newest first."""
        opened = self._database.dialect.list_rows("spaces")
        sql = f"""
        SELECT {ITEM_COLUMNS} FROM item {ITEM_SUMMARY}
        WHERE item.space_id IN {opened} AND item.source_key = :source_key
        ORDER BY item.created_at DESC, item.item_id DESC
        """
        return [
            item_from(row) for row in self._database.all(sql, spaces=spaces, source_key=bounded(source_key))
        ]

    def counts(self, spaces: Sequence[str]) -> dict[str, int]:
        """User documents: `items` out of the trash and `trashed` ones, then those out of the trash by kind
        (`kind.note` …) and by index state (`index.keyword` …), zeros too.
        """
        opened = self._database.dialect.list_rows("spaces")
        sql = f"""
        SELECT kind, index_state, CASE WHEN trashed_at IS NULL THEN 0 ELSE 1 END AS is_trashed,
            COUNT(*) AS amount
        FROM item WHERE space_id IN {opened} AND item_class = 'user-doc' GROUP BY 1, 2, 3
        """
        names = [
            "items",
            "trashed",
            *(f"kind.{kind}" for kind in Kind),
            *(f"index.{state}" for state in IndexState),
        ]
        counted = dict.fromkeys(names, 0)
        for row in self._database.all(sql, spaces=spaces):
            counts_in = ("items", f"kind.{row['kind']}", f"index.{row['index_state']}")
            for name in ("trashed",) if row["is_trashed"] else counts_in:
                counted[name] += row["amount"]
        return counted


def _newest(items: list[Item], limit: int, age: Callable[[Item], tuple[str, str]]) -> list[Item]:
    return sorted(items, key=age, reverse=True)[:limit]


_HAS_LAYER = (
    "(:layer = '' "
    + "".join(f"OR (:layer = '{layer.value}' AND item.{layer.value}_hash IS NOT NULL) " for layer in Layer)
    + ")"
)


def _source(dialect: Dialect, filters: Filters) -> str:
    """Where items are looked for: along the time of saving, or from the tags where any are wanted."""
    return f"({_having_all_tags(dialect)}) AS tagged CROSS JOIN item" if filters.tags else "item"


def _conditions(dialect: Dialect, filters: Filters) -> str:
    """What an item of one space must meet; the pair `before` bounds both the range and the page."""
    tagged = "AND item.item_id = tagged.item_id" if filters.tags else ""
    return f"""
    item.space_id = :space_id AND {_LISTED} {tagged}
    AND item.created_at >= :created_from AND (item.created_at, item.item_id) < (:before_at, :before_id)
    AND (:any_kind = 1 OR item.kind IN {dialect.list_rows("kinds")})
    AND (:archived_too = 1 OR item.archived = 0)
    """


def _having_all_tags(dialect: Dialect) -> str:
    """Ids of items that carry each wanted tag or one below it: `0` is the character after `/`."""
    carrying = f"""
    SELECT wanted.value AS tag, item_tag.item_id
    FROM {dialect.list_rows("tags")} AS wanted CROSS JOIN item_tag
    WHERE item_tag.space_id = :space_id AND
    """
    return f"""
    SELECT item_id FROM (
        {carrying} item_tag.key = wanted.value
        UNION ALL
        {carrying} item_tag.key >= wanted.value || '/' AND item_tag.key < wanted.value || '0'
    ) AS carrying GROUP BY item_id HAVING COUNT(DISTINCT tag) = :tag_count
    """


def _parameters(filters: Filters, before: tuple[str, str] | None) -> dict[str, object]:
    tags = list(dict.fromkeys(tag[:TAG_KEY_STORED] for tag in filters.tags))
    created_from, created_to = filters.created or ("", _LAST)
    before_at, before_id = min((created_to, ""), before or (_LAST, ""))
    return {
        "created_from": created_from,
        "before_at": before_at,
        "before_id": before_id,
        "any_kind": 0 if filters.kinds else 1,
        "kinds": [kind.value for kind in filters.kinds],
        "archived_too": int(filters.archived),
        "layer": "" if filters.layer is None else filters.layer.value,
        "tags": tags,
        "tag_count": len(tags),
    }
