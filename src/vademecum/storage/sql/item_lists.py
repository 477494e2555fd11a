"""Which items of some spaces are there, newest first or counted?"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from vademecum.model.items import IndexState, Item, Kind, Layer
from vademecum.model.search import Filters
from vademecum.ports.storage import ItemKey
from vademecum.storage.dialect import Database
from vademecum.storage.sql.items import TAG_KEY_STORED
from vademecum.storage.sql.keys import bounded
from vademecum.storage.sql.rows import ITEM_COLUMNS, ITEM_SUMMARY, item_from

_LAST = "~"  # sorts behind every stamp

_FEW = 2000  # items that are sooner looked up one by one than met along the time of saving

# What stands below a tag sorts between the tag with `/` and with the character after that, which is `0`.
_CARRIERS = """
SELECT item_id FROM item_tag WHERE space_id = :space_id AND key = :tag
UNION SELECT item_id FROM item_tag WHERE space_id = :space_id AND key >= :below AND key < :beyond
"""
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
        found: list[Item] = []
        for space_id in spaces:
            carriers = self._carriers(space_id, filters.tags)
            sql = f"""
            SELECT {ITEM_COLUMNS} FROM {self._passing(filters, carriers)} AND {_HAS_LAYER}
            ORDER BY item.created_at DESC, item.item_id DESC LIMIT :limit
            """
            parameters = _parameters(filters, before) | {"carriers": carriers, "limit": limit}
            found += map(item_from, self._database.all(sql, space_id=space_id, **parameters))
        return _newest(found, limit, lambda item: (item.created_at, item.item_id))

    def matching(self, spaces: Sequence[str], filters: Filters) -> frozenset[ItemKey]:
        """All user documents out of the trash that pass the filters, apart from `layer`."""
        found: set[ItemKey] = set()
        for space_id in spaces:
            carriers = self._carriers(space_id, filters.tags)
            found.update((space_id, item_id) for item_id in self._matching(space_id, filters, carriers))
        return frozenset(found)

    def _matching(self, space_id: str, filters: Filters, carriers: Sequence[str] | None) -> set[str]:
        """Ids that pass; many carriers of tags meet the others here, faster than in the database."""
        few = None if carriers is None or len(carriers) > _FEW else carriers
        sql = f"SELECT item.item_id FROM {self._passing(filters, few, summary=False)}"
        rows = self._database.all(sql, space_id=space_id, carriers=few, **_parameters(filters, None))
        passing = {row["item_id"] for row in rows}
        return passing if carriers is None else passing.intersection(carriers)

    def _carriers(self, space_id: str, tags: Sequence[str]) -> list[str] | None:
        """Ids of items that carry each of the tags or one below it; None where no tag is wanted."""
        found: set[str] | None = None
        for tag in tags:
            key = tag[:TAG_KEY_STORED]
            rows = self._database.all(
                _CARRIERS, space_id=space_id, tag=key, below=f"{key}/", beyond=f"{key}0"
            )
            carriers = {row["item_id"] for row in rows}
            found = carriers if found is None else found & carriers
        return None if found is None else sorted(found)

    def _passing(self, filters: Filters, carriers: Sequence[str] | None, *, summary: bool = True) -> str:
        """What follows FROM: items of one space that pass; few carriers of tags are looked up one by one,
        else the way leads along the time of saving.
        """
        opened = self._database.dialect.list_rows("carriers")
        source, among = "item", ""
        if carriers is not None and len(carriers) <= _FEW:
            source, among = f"{opened} AS wanted CROSS JOIN item", "AND item.item_id = wanted.value"
        elif carriers is not None:
            among = f"AND item.item_id || '' IN {opened}"  # which no index offers to look up one by one
        kinds = f"AND item.kind IN {self._database.dialect.list_rows('kinds')}" if filters.kinds else ""
        return f"""
        {source} {ITEM_SUMMARY if summary else ""}
        WHERE item.space_id = :space_id AND item.trashed_at IS NULL AND item.item_class = 'user-doc' {among}
        AND item.created_at >= :created_from AND (item.created_at, item.item_id) < (:before_at, :before_id)
        AND (:archived_too = 1 OR item.archived = 0) {kinds}
        AND (:bare_too = 1 OR item.index_state <> '{IndexState.SKIPPED}' OR item.source_url IS NOT NULL)
        """

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

    def trashed_before(self, spaces: Sequence[str], at: str, limit: int) -> list[Item]:
        """What went into the trash before the stamp `at`, whatever its class, oldest first."""
        opened = self._database.dialect.list_rows("spaces")
        sql = f"""
        SELECT {ITEM_COLUMNS} FROM item {ITEM_SUMMARY}
        WHERE item.space_id IN {opened} AND item.trashed_at < :at
        ORDER BY item.trashed_at, item.item_id LIMIT :limit
        """
        return [item_from(row) for row in self._database.all(sql, spaces=spaces, at=at, limit=limit)]

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


def _parameters(filters: Filters, before: tuple[str, str] | None) -> dict[str, object]:
    created_from, created_to = filters.created or ("", _LAST)
    before_at, before_id = min((created_to, ""), before or (_LAST, ""))
    return {
        "created_from": created_from,
        "before_at": before_at,
        "before_id": before_id,
        "kinds": [kind.value for kind in filters.kinds],
        "archived_too": int(filters.archived),
        "bare_too": int(filters.bare_files),
        "layer": "" if filters.layer is None else filters.layer.value,
    }
