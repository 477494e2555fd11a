"""Which sections are near, and when are their vectors complete, on either database?"""

from __future__ import annotations

import pytest

from tests.storage.index_samples import (
    MODEL,
    OTHER_MODEL,
    a_chunk,
    a_head,
    a_vector,
    index,
    items_of,
    near,
    numbers_of,
    sections,
    undone,
    vector,
)
from tests.storage.samples import OTHER_SPACE, SPACE
from vademecum.model.items import Layer
from vademecum.ports.index import Scope, VectorMatch
from vademecum.ports.storage import Storage


def placed(storage: Storage, item_id: str, *components: int, space_id: str = SPACE) -> None:
    """An item of one section with one vector of its text."""
    index(storage, item_id, a_chunk(item_id, vectors=(a_vector(*components),)), space_id=space_id)


def test_the_nearest_comes_first_with_its_cosine(storage: Storage) -> None:
    placed(storage, "far", -3, 0)
    placed(storage, "near", 100, 0)
    placed(storage, "between", 3, 4)
    assert items_of(near(storage, 1, 0)) == ["near", "between", "far"]
    assert [match.similarity for match in near(storage, 1, 0)] == pytest.approx([1.0, 0.6, -1.0], abs=1e-3)


def test_a_section_comes_once_by_its_best_part(storage: Storage) -> None:
    vectors = tuple(
        a_vector(*components, part=part) for part, components in enumerate([(0, 1), (5, 1), (1, 1)], 1)
    )
    index(storage, "item-1", a_chunk("text", vectors=vectors))
    placed(storage, "item-2", 1, 2)
    (number,) = numbers_of(storage, "item-1")
    first, second = near(storage, 1, 0)
    assert first._replace(similarity=0) == VectorMatch(SPACE, number, "item-1", 2, 0)
    assert second.item_id == "item-2"
    assert items_of(near(storage, 1, 0, limit=1)) == ["item-1"]


def test_many_parts_of_one_section_do_not_hide_another(storage: Storage) -> None:
    crowd = tuple(a_vector(100, part, part=part) for part in range(1, 40))
    index(storage, "crowd", a_chunk("text", vectors=crowd))
    placed(storage, "alone", 1, 1)
    assert items_of(near(storage, 1, 0, limit=2)) == ["crowd", "alone"]


def test_heads_and_windows_are_looked_at_apart(storage: Storage) -> None:
    index(storage, "item-1", a_chunk("text", vectors=(a_head(1, 0), a_vector(0, 1))))
    index(storage, "item-2", a_chunk("text", vectors=(a_head(0, 1), a_vector(1, 0))))
    assert items_of(near(storage, 1, 0, heads=True)) == ["item-1", "item-2"]
    assert items_of(near(storage, 1, 0, heads=False)) == ["item-2", "item-1"]


@pytest.mark.parametrize("heads", [True, False])
def test_what_is_farther_than_asked_for_is_left_out(storage: Storage, heads: bool) -> None:
    vectors = {"near": (100, 0), "between": (3, 4), "far": (-3, 0)}
    for name, components in vectors.items():
        made = a_head(*components) if heads else a_vector(*components)
        index(storage, name, a_chunk(name, vectors=(made,)))
    with storage.read() as tx:
        for least, expected in ((0.9, 1), (0.5, 2), (-2.0, 3), (1.1, 0), (None, 3)):
            asked = vector(1, 0)
            matches = tx.index.nearest(MODEL, asked, Scope((SPACE,)), 5, heads=heads, least=least)
            assert items_of(matches) == list(vectors)[:expected]


def test_equal_ones_come_in_the_order_of_their_numbers(storage: Storage) -> None:
    for number in range(20):
        placed(storage, f"item-{number:02}", 1, 1)
    expected = [f"item-{number:02}" for number in range(20)]
    assert items_of(near(storage, 1, 0, limit=7)) == expected[:7]
    assert items_of(near(storage, 1, 0)) == expected


def test_vectors_of_two_models_never_mix(storage: Storage) -> None:
    index(storage, "item-1", a_chunk("text", vectors=(a_vector(1, 0), a_vector(0, 1, model=OTHER_MODEL))))
    index(storage, "item-2", a_chunk("text", vectors=(a_vector(0, 1, model=OTHER_MODEL),)))
    assert items_of(near(storage, 1, 0)) == ["item-1"]
    assert items_of(near(storage, 1, 0, model=OTHER_MODEL)) == ["item-1", "item-2"]
    assert items_of(near(storage, 1, 0, model="model-c")) == []


def test_a_vector_of_another_length_is_never_compared(storage: Storage) -> None:
    placed(storage, "item-1", 1, 0)
    index(storage, "item-2", a_chunk("text", vectors=(a_vector(*range(1, 17)),)))
    assert items_of(near(storage, 1, 0)) == ["item-1"]
    assert items_of(near(storage, *range(1, 17))) == ["item-2"]


def test_a_vector_without_length_is_far_from_everything(storage: Storage) -> None:
    placed(storage, "nothing", 0, 0)
    placed(storage, "near", 1, 0)
    placed(storage, "opposite", -1, 0)
    assert items_of(near(storage, 1, 0)) == ["near", "nothing", "opposite"]
    assert [match.similarity for match in near(storage, 0, 0)] == pytest.approx([0, 0, 0])


def test_only_the_spaces_of_the_scope_are_scanned(storage: Storage) -> None:
    placed(storage, "item-1", 1, 0)
    placed(storage, "item-2", 1, 1, space_id=OTHER_SPACE)
    assert items_of(near(storage, 1, 0, scope=Scope((OTHER_SPACE,)))) == ["item-2"]
    assert items_of(near(storage, 1, 0, scope=Scope((OTHER_SPACE, SPACE)))) == ["item-1", "item-2"]
    assert near(storage, 1, 0, scope=Scope(("space-3",))) == []


@pytest.mark.parametrize("others", [3, 60])
def test_a_filter_is_applied_before_the_scan(storage: Storage, others: int) -> None:
    """Few allowed rows among many are gathered, many among few are masked; neither loses one."""
    for number in range(others):
        placed(storage, f"near-{number}", 1, 0)
    placed(storage, "allowed-1", -1, 0)
    placed(storage, "allowed-2", -1, 1)
    allowed = frozenset(
        {(SPACE, "allowed-1"), (SPACE, "allowed-2"), (SPACE, "gone"), (OTHER_SPACE, "near-0")}
    )
    assert items_of(near(storage, 1, 0, scope=Scope((SPACE,), allowed), limit=2)) == [
        "allowed-2",
        "allowed-1",
    ]
    assert near(storage, 1, 0, scope=Scope((SPACE,), frozenset())) == []


def test_only_the_layer_of_the_scope_is_scanned(storage: Storage) -> None:
    authored = a_chunk("text", vectors=(a_vector(1, 0),))
    summary = a_chunk("short", layer=Layer.SUMMARY, vectors=(a_vector(0, 1),))
    index(storage, "item-1", authored, summary)
    index(storage, "item-2", authored)
    first, _ = numbers_of(storage, "item-1")
    assert [match.chunk_id for match in near(storage, 1, 0, scope=Scope((SPACE,), layer=Layer.SUMMARY))] == [
        first + 1
    ]
    assert near(storage, 1, 0, scope=Scope((SPACE,), layer=Layer.RECOGNIZED)) == []


def test_a_search_sees_every_change_that_was_committed_before_it(storage: Storage) -> None:
    placed(storage, "item-1", 1, 0)
    assert items_of(near(storage, 1, 0)) == ["item-1"]
    placed(storage, "item-2", 2, 1)
    assert items_of(near(storage, 1, 0)) == ["item-1", "item-2"]
    placed(storage, "item-1", 0, 1)
    assert items_of(near(storage, 1, 0)) == ["item-2", "item-1"]
    index(storage, "item-2")
    assert items_of(near(storage, 1, 0)) == ["item-1"]


def test_vectors_that_come_later_are_found(storage: Storage) -> None:
    index(storage, "item-1", a_chunk("text"))
    (number,) = numbers_of(storage, "item-1")
    assert near(storage, 1, 0) == []
    with storage.write() as tx:
        assert tx.index.add_vectors(SPACE, number, [a_vector(1, 0), a_head(0, 1)])
    assert items_of(near(storage, 1, 0)) == ["item-1"]
    with storage.write() as tx:
        assert tx.index.add_vectors(SPACE, number, [a_vector(0, 1)])
    assert near(storage, 1, 0)[0].similarity == pytest.approx(0)
    assert counts(storage) == {"chunks": 1, "vectors": 2}


def test_vectors_of_a_section_that_is_gone_are_not_stored(storage: Storage) -> None:
    placed(storage, "item-1", 1, 0)
    (number,) = numbers_of(storage, "item-1")
    index(storage, "item-1")
    with storage.write() as tx:
        assert not tx.index.add_vectors(SPACE, number, [a_vector(1, 0)])
        assert not tx.index.add_vectors("space-3", number, [a_vector(1, 0)])
    assert counts(storage) == {"chunks": 0, "vectors": 0}


def test_vectors_roll_back_with_their_transaction(storage: Storage) -> None:
    placed(storage, "item-1", 1, 0)
    (number,) = numbers_of(storage, "item-1")
    seen: list[VectorMatch] = []
    with undone(storage) as tx:
        tx.index.add_vectors(SPACE, number, [a_vector(0, 1)])
        seen += tx.index.nearest(MODEL, vector(1, 0), Scope((SPACE,)), 5, heads=False)
    assert [round(match.similarity, 2) for match in seen] == [0]
    assert near(storage, 1, 0)[0].similarity == pytest.approx(1)
    placed(storage, "item-2", 1, 0)
    assert [round(match.similarity, 2) for match in near(storage, 1, 0)] == [1, 1]


def test_a_reader_goes_on_in_the_state_in_which_it_began(storage: Storage) -> None:
    placed(storage, "item-1", 1, 0)
    placed(storage, "item-2", 1, 1)
    everywhere = Scope((SPACE,))
    with storage.read() as tx:
        before = tx.index.nearest(MODEL, vector(1, 0), everywhere, 5, heads=False)
        placed(storage, "item-3", 1, 0)
        index(storage, "item-2")
        assert items_of(near(storage, 1, 0)) == ["item-1", "item-3"]
        assert tx.index.nearest(MODEL, vector(1, 0), everywhere, 5, heads=False) == before


def test_similarities_are_those_of_the_best_part(storage: Storage) -> None:
    vectors = (a_head(1, 0), a_vector(0, 1, part=1), a_vector(3, 4, part=2))
    index(storage, "item-1", a_chunk("text", vectors=vectors))
    index(storage, "item-2", a_chunk("text", vectors=(a_vector(1, 0, model=OTHER_MODEL),)))
    placed(storage, "item-3", -1, 0, space_id=OTHER_SPACE)
    (one,), (two,) = numbers_of(storage, "item-1"), numbers_of(storage, "item-2")
    (three,) = numbers_of(storage, "item-3", OTHER_SPACE)
    keys = [(SPACE, one), (SPACE, two), (OTHER_SPACE, three), (SPACE, 999_999), ("space-3", one)]
    with storage.read() as tx:
        windows = tx.index.similarities(MODEL, vector(1, 0), keys, heads=False)
        heads = tx.index.similarities(MODEL, vector(1, 0), keys, heads=True)
        nothing = tx.index.similarities(MODEL, vector(1, 0), [], heads=True)
    assert windows == pytest.approx({(SPACE, one): 0.6, (OTHER_SPACE, three): -1.0}, abs=1e-3)
    assert heads == pytest.approx({(SPACE, one): 1.0}, abs=1e-3)
    assert nothing == {}


def test_a_forgotten_model_leaves_nothing_and_the_other_stays(storage: Storage) -> None:
    index(
        storage,
        "item-1",
        a_chunk(
            "text",
            vectors=(a_vector(1, 0), a_vector(1, 0, model=OTHER_MODEL)),
            complete=(MODEL, OTHER_MODEL),
        ),
    )
    placed(storage, "item-2", 1, 0, space_id=OTHER_SPACE)
    assert items_of(near(storage, 1, 0)) == ["item-1"]
    with storage.write() as tx:
        tx.index.forget_vectors(MODEL, [SPACE, "space-3"])
    assert near(storage, 1, 0) == []
    assert items_of(near(storage, 1, 0, model=OTHER_MODEL)) == ["item-1"]
    assert items_of(near(storage, 1, 0, scope=Scope((OTHER_SPACE,)))) == ["item-2"]
    assert (share(storage), share(storage, OTHER_MODEL)) == (0.0, 1.0)
    placed(storage, "item-3", 1, 0)
    assert items_of(near(storage, 1, 0)) == ["item-3"]


def counts(storage: Storage, *spaces: str) -> dict[str, int]:
    with storage.read() as tx:
        return tx.index.counts(spaces or (SPACE,))


def share(storage: Storage, model: str = MODEL, spaces: tuple[str, ...] = (SPACE,)) -> float:
    with storage.read() as tx:
        return tx.index.vector_share(model, spaces)


def missing(
    storage: Storage, limit: int = 100, item_id: str | None = None, *spaces: str
) -> list[tuple[str, int]]:
    """Item and ordinal of the sections that are not complete, in the order given."""
    with storage.read() as tx:
        chunks = tx.index.chunks_without(MODEL, spaces or (SPACE,), limit, item_id)
        return [(chunk.item_id, chunk.ordinal) for chunk in chunks]


def test_sections_without_all_vectors_come_newest_first(storage: Storage) -> None:
    index(storage, "item-1", *sections("one", "two"))
    index(storage, "item-2", *sections("three", "four", complete=(MODEL,)))
    index(storage, "item-3", a_chunk("five"), space_id=OTHER_SPACE)
    assert missing(storage) == [("item-1", 1), ("item-1", 0)]
    assert missing(storage, 1) == [("item-1", 1)]
    assert missing(storage, 2, None, SPACE, OTHER_SPACE) == [("item-3", 0), ("item-1", 1)]
    assert missing(storage, 100, "item-2") == []
    assert missing(storage, 100, "item-1") == [("item-1", 1), ("item-1", 0)]


def test_marks_make_sections_complete(storage: Storage) -> None:
    index(storage, "item-1", *sections("one", "two"))
    first, second = numbers_of(storage, "item-1")
    assert share(storage) == 0.0
    with storage.write() as tx:
        tx.index.mark_complete(MODEL, [(SPACE, second), (SPACE, 999_999), ("space-3", first)])
        tx.index.mark_complete(MODEL, [(SPACE, second)])
        assert not tx.index.is_complete(MODEL, SPACE, "item-1")
    assert share(storage) == 0.5
    assert missing(storage) == [("item-1", 0)]
    with storage.write() as tx:
        tx.index.mark_complete(MODEL, [(SPACE, first)])
        assert tx.index.is_complete(MODEL, SPACE, "item-1")
        assert not tx.index.is_complete(OTHER_MODEL, SPACE, "item-1")
    assert (share(storage), missing(storage)) == (1.0, [])


def test_the_share_follows_what_comes_and_goes(storage: Storage) -> None:
    assert share(storage) == 1.0
    index(storage, "item-1", *sections("one", "two", complete=(MODEL,)))
    index(storage, "item-2", *sections("three", "four"))
    index(storage, "item-3", a_chunk("five"), space_id=OTHER_SPACE)
    assert share(storage) == 0.5
    assert share(storage, spaces=(SPACE, OTHER_SPACE)) == pytest.approx(0.4)
    index(storage, "item-1", a_chunk("changed"))
    assert share(storage) == 0.0
    index(storage, "item-2")
    index(storage, "item-1", a_chunk("changed again", complete=(MODEL,)))
    assert share(storage) == 1.0


def test_counts_are_those_of_the_spaces(storage: Storage) -> None:
    index(storage, "item-1", *sections("one", "two", vectors=(a_vector(1, 0), a_head(1, 0))))
    placed(storage, "item-2", 1, 0, space_id=OTHER_SPACE)
    assert counts(storage) == {"chunks": 2, "vectors": 4}
    assert counts(storage, SPACE, OTHER_SPACE) == {"chunks": 3, "vectors": 5}
    assert counts(storage, "space-3") == {"chunks": 0, "vectors": 0}
