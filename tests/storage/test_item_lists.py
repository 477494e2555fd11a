"""Are items listed, filtered and counted as the port says?"""

from __future__ import annotations

import pytest

from tests.storage.samples import OTHER_SPACE, SPACE, a_document, add, at, ids
from vademecum.model.items import IndexState, ItemClass, Kind, Layer, Layers
from vademecum.model.search import Filters
from vademecum.model.tags import tag_key
from vademecum.ports.storage import Storage
from vademecum.storage.sql import item_lists

EVERYTHING = Filters()
BOTH = [SPACE, OTHER_SPACE]


def test_the_newest_come_first_over_all_spaces(storage: Storage) -> None:
    old, new = a_document("a", created_at=at(1)), a_document("b", created_at=at(3))
    other = a_document("c", created_at=at(2), space_id=OTHER_SPACE)
    add(storage, old, new, other)
    with storage.read() as tx:
        assert tx.items.list_recent(BOTH, EVERYTHING, 10) == [new.item, other.item, old.item]
        assert tx.items.list_recent(BOTH, EVERYTHING, 2) == [new.item, other.item]
        assert tx.items.list_recent([SPACE], EVERYTHING, 10) == [new.item, old.item]
        assert tx.items.list_recent([], EVERYTHING, 10) == []


def test_items_of_one_moment_are_ordered_by_id(storage: Storage) -> None:
    add(storage, a_document("b"), a_document("c"), a_document("a"))
    with storage.read() as tx:
        assert ids(tx.items.list_recent([SPACE], EVERYTHING, 10)) == ["c", "b", "a"]


def test_pages_join_without_a_gap_or_a_repetition(storage: Storage) -> None:
    add(storage, *(a_document(f"{n:02}", created_at=at(n // 3)) for n in range(20)))
    seen: list[str] = []
    before: tuple[str, str] | None = None
    with storage.read() as tx:
        while page := tx.items.list_recent([SPACE], EVERYTHING, 3, before):
            seen += ids(page)
            before = (page[-1].created_at, page[-1].item_id)
    assert seen == [f"{n:02}" for n in reversed(range(20))]


def test_trash_and_other_classes_are_not_listed(storage: Storage) -> None:
    add(
        storage,
        a_document("shown"),
        a_document("trashed", trashed_at=at(2)),
        a_document("memory", item_class=ItemClass.AGENT_MEMORY),
        a_document("profile", item_class=ItemClass.PROFILE),
    )
    with storage.read() as tx:
        assert ids(tx.items.list_recent([SPACE], EVERYTHING, 10)) == ["shown"]
        assert tx.items.matching([SPACE], EVERYTHING) == {(SPACE, "shown")}
        assert tx.items.every_id(SPACE) == ["memory", "profile", "shown", "trashed"]


FILTERED = [
    (Filters(created=(at(2), at(3))), ["b"]),
    (Filters(created=(at(1), at(3))), ["b", "a"]),
    (Filters(kinds=(Kind.PDF,)), ["c"]),
    (Filters(kinds=(Kind.PDF, Kind.NOTE)), ["c", "b", "a"]),
    (Filters(archived=False), ["c", "a"]),
    (Filters(tags=("time",)), ["c", "b", "a"]),
    (Filters(tags=("time/space",)), ["c"]),
    (Filters(tags=("time", "place")), ["b"]),
    (Filters(tags=("tim",)), []),
    (Filters(tags=("time", "nowhere")), []),
    (Filters(tags=("time",), kinds=(Kind.PDF,), created=(at(3), at(9)), archived=False), ["c"]),
]


@pytest.mark.parametrize("few", [0, 2000])
@pytest.mark.parametrize(("filters", "expected"), FILTERED)
def test_filters_narrow_lists_and_searches_alike(
    storage: Storage, monkeypatch: pytest.MonkeyPatch, filters: Filters, expected: list[str], few: int
) -> None:
    """Few carriers of a tag and many are found in different ways."""
    monkeypatch.setattr(item_lists, "_FEW", few)
    add(
        storage,
        a_document("a", created_at=at(1), tags=("#Time",)),
        a_document("b", created_at=at(2), tags=("time", "Place"), archived=True),
        a_document("c", created_at=at(3), tags=("ＴＩＭＥ/Space", "timeless", "time0"), kind=Kind.PDF),
    )
    with storage.read() as tx:
        assert ids(tx.items.list_recent([SPACE], filters, 10)) == expected
        assert tx.items.matching([SPACE], filters) == {(SPACE, found) for found in expected}


def test_changed_tags_filter_from_then_on(storage: Storage) -> None:
    add(storage, a_document(tags=("old", "both")))
    with storage.write() as tx:
        assert tx.items.replace(a_document(version=2, tags=("new", "both")), None, 1)
    with storage.read() as tx:
        found = {tag: tx.items.matching([SPACE], Filters(tags=(tag,))) for tag in ("old", "new", "both")}
    assert found == {"old": frozenset(), "new": {(SPACE, "item-1")}, "both": {(SPACE, "item-1")}}


def test_a_tag_whose_key_grows_beyond_measure_filters_still(storage: Storage) -> None:
    tag = "\ufdfa" * 100
    add(storage, a_document(tags=(tag,)))
    with storage.read() as tx:
        assert tx.items.matching([SPACE], Filters(tags=(tag_key(tag),))) == {(SPACE, "item-1")}
        assert tx.items.find(SPACE, "item-1") == a_document(tags=(tag,)).item


@pytest.mark.parametrize("layer", Layer)
def test_a_list_may_ask_for_a_layer(storage: Storage, layer: Layer) -> None:
    add(storage, *(a_document(own.value, layers=Layers(**{own.value: "text"})) for own in Layer))
    with storage.read() as tx:
        assert ids(tx.items.list_recent([SPACE], Filters(layer=layer), 10)) == [layer.value]
        assert len(tx.items.matching([SPACE], Filters(layer=layer))) == len(Layer)


def test_the_trash_lists_what_was_trashed_last_first(storage: Storage) -> None:
    add(
        storage,
        a_document("a", trashed_at=at(5)),
        a_document("b", trashed_at=at(7)),
        a_document("c", trashed_at=at(6), space_id=OTHER_SPACE),
        a_document("d"),
        a_document("e", trashed_at=at(8), item_class=ItemClass.AGENT_MEMORY),
    )
    with storage.read() as tx:
        assert ids(tx.items.trashed(BOTH, 10)) == ["b", "c", "a"]
        assert ids(tx.items.trashed(BOTH, 2)) == ["b", "c"]
        assert ids(tx.items.trashed_before(BOTH, at(6), 10)) == ["a"]
        assert ids(tx.items.trashed_before(BOTH, at(9), 10)) == ["a", "c", "b", "e"]
        assert ids(tx.items.trashed_before(BOTH, at(9), 2)) == ["a", "c"]


def test_items_are_found_by_their_source(storage: Storage) -> None:
    long = "example.org/" + "x" * 4000
    add(storage, a_document("a"), a_document("b", created_at=at(2), trashed_at=at(3)), source_key=long)
    add(storage, a_document("c"), source_key=long + "y")
    add(storage, a_document("d"))
    with storage.read() as tx:
        assert ids(tx.items.with_source([SPACE], long)) == ["b", "a"]
        assert tx.items.with_source([OTHER_SPACE], long) == []
        assert tx.items.with_source([SPACE], "example.org") == []


def test_counts_tell_everything_apart(storage: Storage) -> None:
    add(
        storage,
        a_document("a", index_state=IndexState.INDEXED),
        a_document("b", kind=Kind.PDF, space_id=OTHER_SPACE),
        a_document("c", trashed_at=at(2)),
        a_document("d", item_class=ItemClass.AGENT_MEMORY),
    )
    zeros = {f"kind.{kind}": 0 for kind in Kind} | {f"index.{state}": 0 for state in IndexState}
    with storage.read() as tx:
        assert tx.items.counts(BOTH) == zeros | {
            "items": 2,
            "trashed": 1,
            "kind.note": 1,
            "kind.pdf": 1,
            "index.indexed": 1,
            "index.queued": 1,
        }
        assert tx.items.counts([]) == zeros | {"items": 0, "trashed": 0}
