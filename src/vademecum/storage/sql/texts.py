"""How are texts kept: once for a space, however many items and revisions name them?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from vademecum.model.errors import StoredDataDamaged
from vademecum.model.ids import content_hash
from vademecum.storage.dialect import Database, Row
from vademecum.storage.sql.packing import pack, unpack
from vademecum.storage.sql.rows import TEXT_HASHES

_PAGE = 50  # texts read at once when all are examined

_KEEP = """
INSERT INTO text (space_id, hash, size, encoding, content)
VALUES (:space_id, :hash, :size, :encoding, :content) ON CONFLICT DO NOTHING
"""
_USE = """
INSERT INTO item_text (space_id, hash, item_id) VALUES (:space_id, :hash, :item_id) ON CONFLICT DO NOTHING
"""
_HASHES_OF_ITEM = "SELECT hash FROM item_text WHERE space_id = :space_id AND item_id = :item_id"
_NEXT = """
SELECT hash, size, encoding, content FROM text
WHERE space_id = :space_id AND hash > :after ORDER BY hash LIMIT :limit
"""
_NAMED_BUT_MISSING = " UNION ".join(
    f"""
    SELECT named.item_id FROM {table} AS named
    WHERE named.space_id = :space_id AND named.{column} IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM text WHERE text.space_id = named.space_id AND text.hash = named.{column})
    """
    for table in ("item", "revision")
    for column in TEXT_HASHES
)


class TextTable:
    """Texts by the hash of their content; a text goes with the last item that ever had it."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def keep(self, space_id: str, item_id: str, texts: Iterable[str]) -> None:
        """Store the texts that are not there yet, and that the item has them all."""
        by_hash = {content_hash(text): text for text in texts}
        if not by_hash:
            return
        known = self._known(space_id, item_id, list(by_hash))
        packed = [_packed(space_id, name, text) for name, text in by_hash.items() if name not in known]
        if packed:
            self._database.run_many(_KEEP, packed)
        used = [
            {"space_id": space_id, "hash": name, "item_id": item_id}
            for name in by_hash
            if not known.get(name)
        ]
        if used:
            self._database.run_many(_USE, used)

    def keep_all(self, space_id: str, texts: Mapping[str, Iterable[str]]) -> None:
        """The same for items, by id, that had no texts before."""
        named = {
            item_id: {content_hash(text): text for text in of_item} for item_id, of_item in texts.items()
        }
        by_hash = {name: text for of_item in named.values() for name, text in of_item.items()}
        opened = self._database.dialect.list_rows("hashes")
        sql = f"SELECT hash FROM text WHERE space_id = :space_id AND hash IN {opened}"
        rows = self._database.all(sql, space_id=space_id, hashes=list(by_hash))
        known = {row["hash"] for row in rows}
        packed = [_packed(space_id, name, text) for name, text in by_hash.items() if name not in known]
        if packed:
            self._database.run_many(_KEEP, packed)
        used = [
            {"space_id": space_id, "hash": name, "item_id": item_id}
            for item_id, of_item in named.items()
            for name in of_item
        ]
        if used:
            self._database.run_many(_USE, used)

    def _known(self, space_id: str, item_id: str, hashes: Sequence[str]) -> dict[str, bool]:
        """Which of the texts are there, and whether the item has them."""
        sql = f"""
        SELECT text.hash, item_text.item_id FROM text LEFT JOIN item_text
            ON item_text.space_id = text.space_id AND item_text.hash = text.hash
            AND item_text.item_id = :item_id
        WHERE text.space_id = :space_id AND text.hash IN {self._database.dialect.list_rows("hashes")}
        """
        rows = self._database.all(sql, space_id=space_id, item_id=item_id, hashes=hashes)
        return {row["hash"]: row["item_id"] is not None for row in rows}

    def load(self, space_id: str, hashes: Iterable[str]) -> dict[str, str]:
        """The texts by their hash; raises StoredDataDamaged when one is missing or cannot be read."""
        wanted = sorted(set(hashes))
        if not wanted:
            return {}
        opened = self._database.dialect.list_rows("hashes")
        sql = f"""
        SELECT hash, size, encoding, content FROM text WHERE space_id = :space_id AND hash IN {opened}
        """
        rows = self._database.all(sql, space_id=space_id, hashes=wanted)
        texts = {row["hash"]: unpack(row["encoding"], row["size"], row["content"]) for row in rows}
        if len(texts) < len(wanted):
            raise StoredDataDamaged("A stored text is missing.")
        return texts

    def each(self, keys: Sequence[tuple[str, str]]) -> Iterator[tuple[tuple[str, str], str]]:
        """Texts by space and hash, one after another and in no order; what is missing is left out.

        Raises StoredDataDamaged when one cannot be read.
        """
        opened = self._database.dialect.list_rows("keys", "space_id TEXT", "hash TEXT")
        sql = f"""
        SELECT text.space_id, text.hash, text.size, text.encoding, text.content
        FROM {opened} AS wanted CROSS JOIN text
        WHERE text.space_id = wanted.space_id AND text.hash = wanted.hash
        """
        for row in self._database.each(sql, keys=keys):
            yield (row["space_id"], row["hash"]), unpack(row["encoding"], row["size"], row["content"])

    def hashes_of(self, space_id: str, item_id: str) -> list[str]:
        """The hashes of every text that the item ever had."""
        rows = self._database.all(_HASHES_OF_ITEM, space_id=space_id, item_id=item_id)
        return [row["hash"] for row in rows]

    def drop_unused(self, space_id: str, hashes: Sequence[str]) -> None:
        """Remove those of the texts that no item has."""
        opened = self._database.dialect.list_rows("hashes")
        sql = f"""
        DELETE FROM text WHERE space_id = :space_id AND hash IN {opened} AND NOT EXISTS (
            SELECT 1 FROM item_text
            WHERE item_text.space_id = text.space_id AND item_text.hash = text.hash)
        """
        self._database.run(sql, space_id=space_id, hashes=hashes)

    def total_bytes(self, spaces: Sequence[str]) -> int:
        """The size of all texts in UTF-8, each counted once for its space."""
        opened = self._database.dialect.list_rows("spaces")
        sql = f"SELECT CAST(COALESCE(SUM(size), 0) AS BIGINT) AS total FROM text WHERE space_id IN {opened}"
        row = self._database.one(sql, spaces=spaces)
        return 0 if row is None else int(row["total"])

    def broken_items(self, space_id: str) -> list[str]:
        """Ids of items that name a text which is missing or whose content does not have its hash."""
        missing = {row["item_id"] for row in self._database.all(_NAMED_BUT_MISSING, space_id=space_id)}
        return sorted(missing | self._items_with(space_id, self._broken_hashes(space_id)))

    def _broken_hashes(self, space_id: str) -> list[str]:
        broken: list[str] = []
        after = ""
        while rows := self._database.all(_NEXT, space_id=space_id, after=after, limit=_PAGE):
            broken += [row["hash"] for row in rows if not _is_sound(row)]
            after = rows[-1]["hash"]
        return broken

    def _items_with(self, space_id: str, hashes: Sequence[str]) -> set[str]:
        opened = self._database.dialect.list_rows("hashes")
        sql = f"SELECT item_id FROM item_text WHERE space_id = :space_id AND hash IN {opened}"
        return {row["item_id"] for row in self._database.all(sql, space_id=space_id, hashes=hashes)}


def _packed(space_id: str, name: str, text: str) -> dict[str, object]:
    size, encoding, content = pack(text)
    return {"space_id": space_id, "hash": name, "size": size, "encoding": encoding, "content": content}


def _is_sound(row: Row) -> bool:
    try:
        text = unpack(row["encoding"], row["size"], row["content"])
    except StoredDataDamaged:
        return False
    return content_hash(text) == str(row["hash"])
