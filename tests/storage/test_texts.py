"""Do texts come back as they were, and is damage noticed?"""

from __future__ import annotations

import tracemalloc
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.storage.opening import change_rows
from tests.storage.samples import OTHER_SPACE, SPACE, a_document, add, save
from vademecum.model.errors import StoredDataDamaged
from vademecum.model.ids import content_hash
from vademecum.model.items import Layers
from vademecum.ports.storage import Storage
from vademecum.storage.sql.packing import PLAIN, ZLIB, pack, unpack

LONG = "The same sentence over and over. " * 500


@given(st.text())
def test_every_text_is_unpacked_as_it_was(text: str) -> None:
    assert unpack(*_turned(pack(text))) == text
    assert unpack(*_turned(pack(text * 50))) == text * 50


def _turned(packed: tuple[int, str, bytes]) -> tuple[str, int, bytes]:
    size, encoding, content = packed
    return encoding, size, content


def test_a_text_is_packed_only_where_that_makes_it_smaller() -> None:
    assert pack("short") == (5, PLAIN, b"short")
    size, encoding, content = pack(LONG)
    assert (size, encoding, len(content) < size / 50) == (len(LONG), ZLIB, True)
    noise = "".join(chr(33 + n * 7919 % 94) for n in range(40)) * 4
    assert pack(noise[:127])[1] == PLAIN


def test_unpacking_takes_no_more_than_was_stored() -> None:
    bomb = zlib.compress(b"x" * 10_000_000)
    tracemalloc.start()
    with pytest.raises(StoredDataDamaged):
        unpack(ZLIB, 10, bomb)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 1_000_000


@pytest.mark.parametrize(
    ("encoding", "size", "content"),
    [
        (PLAIN, 4, b"short"),
        (PLAIN, 1, b"\xff"),
        (ZLIB, 5, b"not zlib"),
        (ZLIB, 3, zlib.compress(b"xyz")[:-6]),
        ("lzma", 5, b"short"),
    ],
)
def test_what_was_not_packed_here_is_damage(encoding: str, size: int, content: bytes) -> None:
    with pytest.raises(StoredDataDamaged):
        unpack(encoding, size, content)


def test_one_text_is_kept_once_in_a_space(storage: Storage) -> None:
    add(
        storage,
        a_document("a", layers=Layers(authored=LONG, extracted=LONG)),
        a_document("b", layers=Layers(extracted=LONG)),
        a_document("c", layers=Layers(authored=LONG), space_id=OTHER_SPACE),
        a_document("d", layers=Layers(authored="日本")),
    )
    with storage.read() as tx:
        assert tx.items.text_bytes([SPACE]) == len(LONG) + 6
        assert tx.items.text_bytes([SPACE, OTHER_SPACE]) == 2 * len(LONG) + 6
        assert tx.items.text_bytes([]) == 0


def test_sound_texts_are_not_called_broken(storage: Storage) -> None:
    add(storage, *(a_document(f"{n}", layers=Layers(authored=f"{n} {LONG}")) for n in range(60)))
    with storage.read() as tx:
        assert tx.items.broken_texts(SPACE) == []


@pytest.mark.parametrize("damage", ["content = x'00'", "size = 3", "encoding = 'plain'"])
def test_a_damaged_text_is_told(library_url: str, storage: Storage, damage: str) -> None:
    add(storage, a_document("good"), a_document("bad", layers=Layers(authored=LONG)))
    with storage.write() as tx:
        save(tx, a_document("also-bad", layers=Layers(authored="mine", summary=LONG)), "change-1")
    change_rows(library_url, f"UPDATE text SET {damage} WHERE hash = '{content_hash(LONG)}'")
    with storage.read() as tx:
        assert tx.items.broken_texts(SPACE) == ["also-bad", "bad"]
        assert tx.items.broken_texts(OTHER_SPACE) == []
        assert tx.items.load(SPACE, "good") == a_document("good")
    for item_id in ("bad", "also-bad"):
        with pytest.raises(StoredDataDamaged), storage.read() as tx:
            tx.items.load(SPACE, item_id)


def test_a_changed_text_of_the_right_length_is_told(library_url: str, storage: Storage) -> None:
    add(storage, a_document(layers=Layers(authored="abc")))
    change_rows(library_url, "UPDATE text SET content = x'616264'")
    with storage.read() as tx:
        assert tx.items.broken_texts(SPACE) == ["item-1"]


def test_a_missing_text_is_told_also_when_only_history_has_it(library_url: str, storage: Storage) -> None:
    with storage.write() as tx:
        save(tx, a_document(layers=Layers(authored="gone")), "change-1")
        assert tx.items.replace(a_document(layers=Layers(authored="kept"), version=2), None, 1)
    change_rows(library_url, f"DELETE FROM text WHERE hash = '{content_hash('gone')}'")
    with storage.read() as tx:
        assert tx.items.broken_texts(SPACE) == ["item-1"]
    with pytest.raises(StoredDataDamaged), storage.read() as tx:
        tx.revisions.find(SPACE, "item-1", 1)
