"""How are items kept as they stand now?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from vademecum.model.errors import StoredDataDamaged
from vademecum.model.items import CaptureState, Document, IndexState, Item
from vademecum.model.names import name_key
from vademecum.model.tags import tag_key
from vademecum.ports.index import Index
from vademecum.ports.storage import ItemKey, NewItem
from vademecum.storage.dialect import Database, Row
from vademecum.storage.sql.blobs import BlobTable
from vademecum.storage.sql.keys import bounded
from vademecum.storage.sql.names import ItemNames
from vademecum.storage.sql.rows import (
    ITEM_COLUMNS,
    ITEM_SUMMARY,
    STATE_COLUMNS,
    frontmatter_from,
    item_from,
    layers_from,
    named_hashes,
    state_columns,
    texts_of,
)
from vademecum.storage.sql.texts import TextTable

TAG_KEY_STORED = (
    400  # characters; compatibility forms let the key of an allowed tag grow beyond any index entry
)

# What a new version sets; birth and the states of capture and index have statements of their own.
_OF_VERSION = (
    *STATE_COLUMNS,
    *("version", "file_key", "source_key", "trashed_at", "updated_at", "content_edited_at", "excerpt"),
)
_AT_BIRTH = (
    *("space_id", "item_id", "item_class", "created_at", "first_hash"),
    *("capture_state", "capture_reason", "index_state", "index_reason", "unpaid"),
)
_ALL = (*_AT_BIRTH, *_OF_VERSION)

_FIND = f"""
SELECT {ITEM_COLUMNS} FROM item {ITEM_SUMMARY} WHERE item.space_id = :space_id AND item.item_id = :item_id
"""
_ADD = f"""
INSERT INTO item ({", ".join(_ALL)}) VALUES ({", ".join(f":{column}" for column in _ALL)})
ON CONFLICT (space_id, item_id) DO NOTHING
"""
_REPLACE = f"""
UPDATE item SET {", ".join(f"{column} = :{column}" for column in _OF_VERSION)}
WHERE space_id = :space_id AND item_id = :item_id AND version = :expected_version
"""
_SET_CAPTURE = """
UPDATE item SET capture_state = :state, capture_reason = :reason
WHERE space_id = :space_id AND item_id = :item_id
"""
_SET_INDEX = """
UPDATE item SET index_state = :state, index_reason = :reason
WHERE space_id = :space_id AND item_id = :item_id AND version = :version
"""
_REMOVE_TAGS = "DELETE FROM item_tag WHERE space_id = :space_id AND item_id = :item_id"
_ADD_TAG = """
INSERT INTO item_tag (space_id, key, item_id) VALUES (:space_id, :key, :item_id) ON CONFLICT DO NOTHING
"""
_TAKE_TURN = "UPDATE space_sequence SET last_sequence = last_sequence WHERE space_id = :space_id"
_REMOVE_JOBS = "DELETE FROM job WHERE space_id = :space_id AND subject = :item_id"
_REMOVE = "DELETE FROM item WHERE space_id = :space_id AND item_id = :item_id"


class ItemTable(ItemNames):
    """Single items: found, loaded, written and purged."""

    def __init__(self, database: Database, index: Index) -> None:
        super().__init__(database)
        self._index = index
        self._texts = TextTable(database)
        self._blobs = BlobTable(database)

    def find(self, space_id: str, item_id: str) -> Item | None:
        row = self._database.one(_FIND, space_id=space_id, item_id=item_id)
        return None if row is None else item_from(row)

    def hold(self, space_id: str, item_id: str) -> Item | None:
        """As `find`, and until the transaction ends no other writes the item or its index.

        All that write take the space's turn before they touch a row of an item; whoever came from the other
        end would wait for one who waits for him.
        """
        self._database.run(_TAKE_TURN, space_id=space_id)
        return self.find(space_id, item_id)

    def load(self, space_id: str, item_id: str) -> Document | None:
        """The item with its texts; raises StoredDataDamaged when one of them cannot be read."""
        row = self._database.one(_FIND, space_id=space_id, item_id=item_id)
        if row is None:
            return None
        return _document(row, self._texts.load(space_id, named_hashes(row)))

    def load_all(self, keys: Sequence[ItemKey]) -> Iterator[Document]:
        """Those of the items that there are, in no order; of their texts few are in memory at once.

        Raises StoredDataDamaged when a text is missing or cannot be read.
        """
        rows = self._rows(keys)
        named = [set(named_hashes(row)) for row in rows]
        yield from (_document(row, {}) for row, hashes in zip(rows, named, strict=True) if not hashes)
        places: dict[tuple[str, str], list[int]] = {}
        for place, row in enumerate(rows):
            for content_hash in named[place]:
                places.setdefault((row["space_id"], content_hash), []).append(place)
        texts: dict[int, dict[str, str]] = {}
        for key, text in self._texts.each(list(places)):
            for place in places.pop(key):
                texts.setdefault(place, {})[key[1]] = text
                if len(texts[place]) == len(named[place]):
                    yield _document(rows[place], texts.pop(place))
        if places:
            raise StoredDataDamaged("A stored text is missing.")

    def find_all(self, keys: Sequence[ItemKey]) -> dict[ItemKey, Item]:
        return {(row["space_id"], row["item_id"]): item_from(row) for row in self._rows(keys)}

    def _rows(self, keys: Sequence[ItemKey]) -> list[Row]:
        opened = self._database.dialect.list_rows("keys", "space_id TEXT", "item_id TEXT")
        sql = f"""
        SELECT {ITEM_COLUMNS} FROM {opened} AS wanted CROSS JOIN item {ITEM_SUMMARY}
        WHERE item.space_id = wanted.space_id AND item.item_id = wanted.item_id
        """
        return self._database.all(sql, keys=keys)

    def add(self, document: Document, source_key: str | None) -> bool:
        """False, and nothing done, when the id is taken."""
        if not self._database.run(_ADD, **_columns(document, source_key)):
            return False
        self._store_around(document)
        return True

    def add_all(self, space_id: str, new: Sequence[NewItem]) -> None:
        """Add items of new ids with their names, all by few statements."""
        documents = [one.document for one in new]
        self._database.run_many(_ADD, [_columns(one.document, one.source_key) for one in new])
        self._texts.keep_all(
            space_id, {one.item.item_id: texts_of(one.layers, one.frontmatter) for one in documents}
        )
        self._add_tags(documents)
        self.add_names(space_id, {one.document.item.item_id: one.names for one in new})

    def replace(self, document: Document, source_key: str | None, expected_version: int) -> bool:
        """Compare and set in one statement; False, and nothing done, when the version is another by now.

        What belongs to the item's birth and the states of capture and index stay as they are.
        """
        columns = _columns(document, source_key)
        if not self._database.run(_REPLACE, **columns, expected_version=expected_version):
            return False
        self._database.run(_REMOVE_TAGS, space_id=document.item.space_id, item_id=document.item.item_id)
        self._store_around(document)
        return True

    def replace_texts(self, space_id: str, items: Sequence[NewItem]) -> bool:
        """The next versions of items that differ in their texts alone, with the state of their index."""
        rows = [
            _columns(one.document, one.source_key) | {"expected_version": one.document.item.version - 1}
            for one in items
        ]
        if self._database.run_many(_REPLACE, rows) != len(rows):
            return False
        documents = [one.document for one in items]
        self._texts.keep_all(
            space_id, {one.item.item_id: texts_of(one.layers, one.frontmatter) for one in documents}
        )
        states = [
            {
                "space_id": space_id,
                "item_id": one.item.item_id,
                "version": one.item.version,
                "state": one.item.index_state.value,
                "reason": one.item.index_reason,
            }
            for one in documents
        ]
        self._database.run_many(_SET_INDEX, states)
        return True

    def _store_around(self, document: Document) -> None:
        space_id, item_id = document.item.space_id, document.item.item_id
        self._texts.keep(space_id, item_id, texts_of(document.layers, document.frontmatter))
        self._add_tags([document])

    def _add_tags(self, documents: Sequence[Document]) -> None:
        rows = [
            {"space_id": document.item.space_id, "item_id": document.item.item_id, "key": key}
            for document in documents
            for key in dict.fromkeys(tag_key(tag)[:TAG_KEY_STORED] for tag in document.item.tags)
        ]
        if rows:
            self._database.run_many(_ADD_TAG, rows)

    def set_capture(self, space_id: str, item_id: str, state: CaptureState, reason: str | None) -> None:
        self._database.run(_SET_CAPTURE, space_id=space_id, item_id=item_id, state=state.value, reason=reason)

    def set_index(
        self, space_id: str, item_id: str, version: int, state: IndexState, reason: str | None
    ) -> None:
        """Only while the item still has that version."""
        self._database.run(
            _SET_INDEX, space_id=space_id, item_id=item_id, version=version, state=state.value, reason=reason
        )

    def purge(self, space_id: str, item_id: str) -> None:
        """Remove the item with everything of it in the index, and texts and files that nothing else uses."""
        self._database.run(_TAKE_TURN, space_id=space_id)
        hashes = self._texts.hashes_of(space_id, item_id)
        blobs = self._blobs.hashes_of(space_id, item_id)
        self._index.replace(space_id, item_id, 0, ())
        self._database.run(_REMOVE_JOBS, space_id=space_id, item_id=item_id)
        self._database.run(_REMOVE, space_id=space_id, item_id=item_id)
        self._texts.drop_unused(space_id, hashes)
        self._blobs.drop_unused(space_id, blobs)

    def text_bytes(self, spaces: Sequence[str]) -> int:
        """The size of all texts, those of former versions too, in bytes of UTF-8."""
        return self._texts.total_bytes(spaces)

    def broken_texts(self, space_id: str) -> list[str]:
        return self._texts.broken_items(space_id)


def _document(row: Row, texts: Mapping[str, str]) -> Document:
    return Document(item_from(row), layers_from(row, texts), frontmatter_from(row, texts))


def _columns(document: Document, source_key: str | None) -> dict[str, object]:
    item = document.item
    return state_columns(document.state) | {
        "space_id": item.space_id,
        "item_id": item.item_id,
        "version": item.version,
        "item_class": item.item_class.value,
        "file_key": name_key(item.file_name),
        "source_key": None if source_key is None else bounded(source_key),
        "created_at": item.created_at,
        "updated_at": item.updated_at,
        "content_edited_at": item.content_edited_at,
        "trashed_at": item.trashed_at,
        "capture_state": item.capture_state.value,
        "capture_reason": item.capture_reason,
        "index_state": item.index_state.value,
        "index_reason": item.index_reason,
        "first_hash": item.first_hash,
        "unpaid": int(item.unpaid),
        "excerpt": item.excerpt,
    }
