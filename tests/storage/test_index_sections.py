"""How do sections stand in the index, and what stays when an item is indexed anew, on either database?"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import cast

import pytest

from tests.storage.index_samples import (
    MODEL,
    a_chunk,
    a_head,
    a_vector,
    found,
    index,
    items_of,
    near,
    numbers_of,
    sections,
)
from tests.storage.samples import OTHER_SPACE, SPACE, a_document
from vademecum.model.items import Layer
from vademecum.model.search import IndexedChunk
from vademecum.ports.index import NewChunk
from vademecum.ports.storage import Storage
from vademecum.storage.index.table import IndexTable


def indexed(number: int, chunk: NewChunk, version: int = 1) -> IndexedChunk:
    return IndexedChunk(
        space_id=SPACE,
        chunk_id=number,
        item_id="item-1",
        item_version=version,
        layer=chunk.layer,
        ordinal=chunk.ordinal,
        heading_path=chunk.heading_path,
        start=chunk.start,
        text=chunk.text,
        head=chunk.head,
        script=chunk.script,
        tokenizer_version=chunk.tokenizer_version,
        pages=chunk.pages,
    )


def stored(storage: Storage, item_id: str = "item-1") -> list[IndexedChunk]:
    with storage.read() as tx:
        return tx.index.chunks_of(SPACE, item_id)


def test_a_section_is_read_back_as_it_was_given(storage: Storage) -> None:
    first = a_chunk(
        "NUL \0, ends \r\n, 日本語, \x1a0 and 🦦.", "Head\nof 'it'", heading_path=("A", "日本"), start=7
    )
    second = a_chunk("", "", layer=Layer.RECOGNIZED, ordinal=3, pages=(2, 5), script="latin")
    long = a_chunk("otter " * 5000, layer=Layer.SUMMARY)
    index(storage, "item-1", first, long, second)
    numbers = numbers_of(storage, "item-1")
    expected = [indexed(number, chunk) for number, chunk in zip(numbers, (first, long, second), strict=True)]
    assert stored(storage) == expected
    with storage.read() as tx:
        keys = [(SPACE, numbers[2]), (SPACE, numbers[0]), (OTHER_SPACE, numbers[1]), (SPACE, 999_999)]
        assert tx.index.chunks(keys) == {(SPACE, numbers[0]): expected[0], (SPACE, numbers[2]): expected[2]}
        assert tx.index.chunks([]) == {}


def test_sections_come_by_layer_and_ordinal(storage: Storage) -> None:
    chunks = [
        a_chunk(f"{layer} {ordinal}", layer=layer, ordinal=ordinal)
        for layer in (Layer.RECOGNIZED, Layer.SUMMARY, Layer.AUTHORED)
        for ordinal in (10, 2)
    ]
    index(storage, "item-1", *chunks)
    assert [(chunk.layer, chunk.ordinal) for chunk in stored(storage)] == [
        (layer, ordinal) for layer in (Layer.AUTHORED, Layer.SUMMARY, Layer.RECOGNIZED) for ordinal in (2, 10)
    ]


def test_numbers_are_never_given_twice(storage: Storage) -> None:
    index(storage, "item-1", *sections("one", "two"))
    before = numbers_of(storage, "item-1")
    index(storage, "item-1")
    index(storage, "item-1", *sections("one", "two"))
    index(storage, "item-2", a_chunk("three"), space_id=OTHER_SPACE)
    after = numbers_of(storage, "item-1") + numbers_of(storage, "item-2", OTHER_SPACE)
    assert len({*before, *after}) == 5
    assert min(after) > max(before)


def test_an_unchanged_section_keeps_its_number_vectors_and_mark(storage: Storage) -> None:
    vectors = (a_vector(1, 0),)
    before = sections("first part. ", "second part. ", "third part.", vectors=vectors, complete=(MODEL,))
    index(storage, "item-1", *before)
    numbers = numbers_of(storage, "item-1")
    after = sections("another first part. ", "something between. ", "third part.")
    with storage.write() as tx:
        tx.index.replace(SPACE, "item-1", 2, after)
    kept = stored(storage)[2]
    assert kept == indexed(numbers[2], after[2], version=2)
    assert items_of(near(storage, 1, 0)) == ["item-1"]
    assert numbers_of(storage, "item-1")[2] == numbers[2]
    with storage.read() as tx:
        missing = tx.index.chunks_without(MODEL, [SPACE], 10)
    assert sorted(chunk.ordinal for chunk in missing) == [0, 1]


def test_the_vector_of_the_head_goes_with_any_change(storage: Storage) -> None:
    first, second = sections("one. ", "two.", complete=(MODEL,))
    index(storage, "item-1", replace(first, vectors=(a_head(1, 0), a_vector(1, 0))), second)
    index(storage, "item-1", first, *sections("one. ", "another.")[1:])
    assert near(storage, 1, 0, heads=True) == []
    moved = replace(second, ordinal=0, start=0)
    index(storage, "item-1", moved, replace(first, ordinal=1, start=4, complete=()))
    with storage.read() as tx:
        assert [chunk.ordinal for chunk in tx.index.chunks_without(MODEL, [SPACE], 10)] == [1]


def test_indexing_the_same_again_keeps_every_vector(storage: Storage) -> None:
    chunks = sections("one. ", "two.", vectors=(a_head(1, 0), a_vector(1, 0)), complete=(MODEL,))
    index(storage, "item-1", *chunks)
    numbers = numbers_of(storage, "item-1")
    bare = [replace(chunk, vectors=(), complete=()) for chunk in chunks]
    index(storage, "item-1", *bare)
    assert numbers_of(storage, "item-1") == numbers
    assert len(near(storage, 1, 0)) == 2
    with storage.read() as tx:
        assert tx.index.vector_share(MODEL, [SPACE]) == 1.0


def test_equal_sections_of_one_item_are_told_apart(storage: Storage) -> None:
    index(storage, "item-1", *sections("start. ", "same. ", "same. ", "same. "))
    before = numbers_of(storage, "item-1")
    index(storage, "item-1", *sections("begin. ", "same. ", "same. "))
    after = numbers_of(storage, "item-1")
    assert after[1:] == before[1:3]
    assert [chunk.ordinal for chunk in stored(storage)] == [0, 1, 2]
    with storage.read() as tx:
        assert tx.index.counts([SPACE])["chunks"] == 3


def test_purging_an_item_takes_everything_out(storage: Storage) -> None:
    index(storage, "item-1", a_chunk("The otter swims.", vectors=(a_vector(1, 0),), complete=(MODEL,)))
    index(storage, "item-2", a_chunk("The otter sleeps."))
    with storage.write() as tx:
        tx.items.purge(SPACE, "item-1")
    assert found(storage, "otter") == ["item-2"]
    assert near(storage, 1, 0) == []
    with storage.read() as tx:
        assert tx.index.counts([SPACE]) == {"chunks": 1, "vectors": 0}


def test_purging_a_space_takes_everything_out(storage: Storage) -> None:
    index(storage, "item-1", a_chunk("The otter swims.", vectors=(a_vector(1, 0),)), space_id=OTHER_SPACE)
    index(storage, "item-2", a_chunk("The otter sleeps."))
    with storage.write() as tx:
        tx.access.purge_space(OTHER_SPACE)
    assert found(storage, "otter") == ["item-2"]
    with storage.read() as tx:
        assert tx.index.counts([OTHER_SPACE, SPACE]) == {"chunks": 1, "vectors": 0}
        assert tx.index.vector_share(MODEL, [OTHER_SPACE]) == 1.0


def test_an_item_that_the_index_still_holds_cannot_go_unnoticed(storage: Storage) -> None:
    """The index takes its postings out itself, so nothing else may remove a section."""
    index(storage, "item-1", a_chunk("The otter swims."))
    with storage.write() as tx:
        assert not tx.items.add(a_document("item-1"), None)
    with pytest.raises(Exception, match=r"(?i)foreign key"):
        remove_row(storage, "item-1")
    assert found(storage, "otter") == ["item-1"]


def remove_row(storage: Storage, item_id: str) -> None:
    """Remove an item's row behind the back of the index."""
    with storage.write() as tx:
        database = cast("IndexTable", tx.index)._database
        database.run("DELETE FROM item WHERE item_id = :item_id", item_id=item_id)


def test_the_tokens_of_a_section_are_checked_against_the_index(storage: Storage) -> None:
    chunk = a_chunk("The otter swims. 机器学习", "Otters")
    empty = a_chunk("", "", ordinal=1)
    index(storage, "item-1", chunk, empty, a_chunk("otter " * 2000, ordinal=2))
    first, second, third = stored(storage)
    with storage.read() as tx:
        assert tx.index.postings(first.space_id)(first, chunk.head_tokens, chunk.body_tokens)
        assert tx.index.postings(second.space_id)(second, "", "")
        assert tx.index.postings(third.space_id)(third, "titl", " ".join(["otter"] * 2000))
        assert not tx.index.postings(first.space_id)(first, chunk.head_tokens, chunk.body_tokens + " more")
        assert not tx.index.postings(first.space_id)(first, chunk.body_tokens, chunk.head_tokens)
        assert not tx.index.postings(first.space_id)(replace(first, chunk_id=999_999), "", "")
        assert not tx.index.postings("space-3")(replace(first, space_id="space-3"), "", "")


def test_what_a_later_version_brought_is_not_replaced_by_an_earlier_one(storage: Storage) -> None:
    index(storage, "item-1", a_chunk("The otter swims."))
    with storage.write() as tx:
        tx.index.replace(SPACE, "item-1", 3, [a_chunk("The badger digs.")])
    with storage.write() as tx:
        tx.index.replace(SPACE, "item-1", 2, [a_chunk("The otter sleeps.")])
    assert (found(storage, "otter"), found(storage, "badger")) == ([], ["item-1"])
    with storage.write() as tx:
        tx.index.replace(SPACE, "item-1", 0, [])
    assert found(storage, "badger") == []


def test_vectors_that_come_while_their_section_goes_are_not_stored(storage: Storage) -> None:
    index(storage, "item-1", a_chunk("The otter swims."))
    (number,) = numbers_of(storage, "item-1")

    def add() -> bool:
        with storage.write() as tx:
            stored = tx.index.add_vectors(SPACE, number, [a_vector(1, 0)])
            tx.index.mark_complete(MODEL, [(SPACE, number)])
            return stored

    with ThreadPoolExecutor(1) as pool:
        with storage.write() as tx:
            tx.index.replace(SPACE, "item-1", 2, [a_chunk("The badger digs.")])
            adding = pool.submit(add)
        assert adding.result() is False
    assert near(storage, 1, 0) == []
    with storage.read() as tx:
        assert tx.index.vector_share(MODEL, [SPACE]) == 0.0
