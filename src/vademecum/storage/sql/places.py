"""Which items lie where?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from vademecum.model.errors import StoredDataDamaged
from vademecum.model.items import Item, Kind
from vademecum.ports.places import Placed, PlacedText
from vademecum.storage.dialect import Database, Row
from vademecum.storage.sql.packing import unpack
from vademecum.storage.sql.rows import ITEM_COLUMNS, ITEM_SUMMARY, item_from

_LIVE = "item.space_id = :space_id AND item.trashed_at IS NULL AND item.item_class = 'user-doc'"
_LISTED = f"{_LIVE} AND (:archived_too = 1 OR item.archived = 0)"
_PLACED = f"""
SELECT item.item_id, item.version, item.kind, item.title, item.folder_id, item.file_name, item.blob,
    COALESCE(blob.size, COALESCE(body.size, 0) + COALESCE(frontmatter.size, 0)) AS size
FROM item
LEFT JOIN blob ON blob.space_id = item.space_id AND blob.content_hash = item.blob
LEFT JOIN text AS body ON body.space_id = item.space_id
    AND body.hash = COALESCE(item.authored_hash, item.extracted_hash)
LEFT JOIN text AS frontmatter ON frontmatter.space_id = item.space_id
    AND frontmatter.hash = item.frontmatter_hash
WHERE {_LIVE}
"""
_AT = f"""
{_PLACED} AND COALESCE(item.folder_id, '') = :folder_id AND item.file_key = :key
ORDER BY item.created_at, item.item_id
"""
_TEXTS = ("authored", "extracted", "frontmatter")
_TEXT_COLUMNS = ", ".join(
    f"{name}.encoding AS {name}_encoding, {name}.size AS {name}_size, {name}.content AS {name}_content"
    for name in _TEXTS
)
_TEXT_JOINS = " ".join(
    f"LEFT JOIN text AS {name} ON {name}.space_id = item.space_id AND {name}.hash = item.{name}_hash"
    for name in _TEXTS
)


class PlaceTable:
    """User documents out of the trash by folder and file name; the top of a space stands as an empty id."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def at(self, space_id: str, folder_id: str | None, key: str) -> Placed | None:
        """The item of that file name's key, the oldest where several bear it."""
        row = self._database.one(_AT, space_id=space_id, folder_id=folder_id or "", key=key)
        return None if row is None else _placed(row)

    def within(self, space_id: str, folders: Sequence[str | None] | None) -> list[Placed]:
        """All, or those that lie directly in one of the folders; in no order."""
        sql = f"{_PLACED} {self._in_folders(folders)}"
        return [_placed(row) for row in self._database.all(sql, space_id=space_id, folders=_ids(folders))]

    def recent(
        self,
        space_id: str,
        folders: Sequence[str | None] | None,
        endings: Sequence[str],
        *,
        archived: bool,
        limit: int,
    ) -> list[Item]:
        """Those whose file name has one of the endings, most recently updated first."""
        sql = f"""
        SELECT {ITEM_COLUMNS} FROM item {ITEM_SUMMARY}
        WHERE {_LISTED} {self._in_folders(folders)} {self._ending()}
        ORDER BY item.updated_at DESC, item.item_id DESC LIMIT :limit
        """
        rows = self._database.all(
            sql,
            space_id=space_id,
            folders=_ids(folders),
            endings=list(endings),
            archived_too=int(archived),
            limit=limit,
        )
        return [item_from(row) for row in rows]

    def counts(self, space_id: str, endings: Sequence[str]) -> Mapping[str | None, int]:
        """How many of those endings lie directly in each folder that has any."""
        sql = f"""
        SELECT item.folder_id, COUNT(*) AS amount FROM item WHERE {_LIVE} {self._ending()}
        GROUP BY item.folder_id
        """
        rows = self._database.all(sql, space_id=space_id, endings=list(endings))
        return {row["folder_id"]: row["amount"] for row in rows}

    def each_text(
        self, space_id: str, folders: Sequence[str | None] | None, endings: Sequence[str], *, archived: bool
    ) -> Iterator[PlacedText]:
        """The Markdown of those whose file name has one of the endings, one after another."""
        sql = f"""
        SELECT item.item_id, item.folder_id, item.file_name, item.authored_hash, item.extracted_hash,
            item.frontmatter_hash, {_TEXT_COLUMNS}
        FROM item {_TEXT_JOINS}
        WHERE {_LISTED} {self._in_folders(folders)} {self._ending()}
        """
        rows = self._database.each(
            sql, space_id=space_id, folders=_ids(folders), endings=list(endings), archived_too=int(archived)
        )
        return map(_text, rows)

    def _in_folders(self, folders: Sequence[str | None] | None) -> str:
        if folders is None:
            return ""
        return f"AND COALESCE(item.folder_id, '') IN {self._database.dialect.list_rows('folders')}"

    def _ending(self) -> str:
        opened = self._database.dialect.list_rows("endings")
        return f"""
        AND EXISTS (SELECT 1 FROM {opened} AS ending
            WHERE substr(item.file_key, length(item.file_key) - length(ending.value) + 1) = ending.value)
        """


def _ids(folders: Sequence[str | None] | None) -> list[str] | None:
    return None if folders is None else [folder or "" for folder in folders]


def _placed(row: Row) -> Placed:
    return Placed(**dict(row) | {"kind": Kind(row["kind"])})


def _text(row: Row) -> PlacedText:
    layer = "extracted" if row["authored_hash"] is None else "authored"
    place = row["item_id"], row["folder_id"], row["file_name"]
    try:
        return PlacedText(*place, _read(row, "frontmatter"), _read(row, layer))
    except StoredDataDamaged:
        return PlacedText(*place, None, None)


def _read(row: Row, name: str) -> str:
    """The text of that name, empty where the item has none."""
    if row[f"{name}_hash"] is None:
        return ""
    if row[f"{name}_content"] is None:
        raise StoredDataDamaged("A stored text is missing.")
    return unpack(row[f"{name}_encoding"], row[f"{name}_size"], row[f"{name}_content"])
