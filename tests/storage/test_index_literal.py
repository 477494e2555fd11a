"""Which items hold some wordings, newest first, on either database?"""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.storage.index_samples import EVERYWHERE, a_chunk, index, sections
from tests.storage.samples import OTHER_SPACE, SPACE
from vademecum.model.items import Layer
from vademecum.ports.index import Scope
from vademecum.ports.storage import Storage
from vademecum.storage.index import literal
from vademecum.text.queries import literal_words


def containing(
    storage: Storage, keyword: str, scope: Scope = EVERYWHERE, limit: int = 100, offset: int = 0
) -> list[str]:
    """The items that hold every word between white space, in order."""
    words = [term.tokens for word in literal_words(keyword) for term in word.terms]
    return [item_id for _, item_id in keys(storage, words, scope, limit, offset)]


def keys(
    storage: Storage, words: Sequence[Sequence[str]], scope: Scope, limit: int, offset: int
) -> list[tuple[str, str]]:
    with storage.read() as tx:
        return tx.index.containing(words, scope, limit, offset)


def test_items_come_newest_saved_first(storage: Storage) -> None:
    index(storage, "oldest", a_chunk("otter"), minute=1)
    index(storage, "newest", a_chunk("otter"), minute=9)
    index(storage, "middle", a_chunk("otter"), minute=5)
    index(storage, "another", a_chunk("otter"), minute=5)
    assert containing(storage, "otter") == ["newest", "middle", "another", "oldest"]
    assert containing(storage, "otter", limit=2, offset=1) == ["middle", "another"]
    assert containing(storage, "otter", limit=0) == []


def test_words_may_stand_in_different_sections(storage: Storage) -> None:
    index(storage, "both", *sections("An otter. ", "Much between. ", "A salmon."))
    index(storage, "one", *sections("An otter. ", "A badger."))
    assert containing(storage, "otter salmon") == ["both"]
    assert containing(storage, "otter zebra") == []


def test_words_of_the_head_count(storage: Storage) -> None:
    index(storage, "item-1", a_chunk("Something.", head="Otters of the north"))
    assert containing(storage, "otters north something") == ["item-1"]


def test_a_run_of_characters_stands_side_by_side(storage: Storage) -> None:
    index(storage, "run", a_chunk("这里讲的是机器学习入门。"))
    index(storage, "apart", a_chunk("机器很新，学习很难。"))
    assert containing(storage, "机器学习") == ["run"]
    assert containing(storage, "机器") == ["run", "apart"] or containing(storage, "机器") == ["apart", "run"]
    assert containing(storage, "习") == containing(storage, "学习") == containing(storage, "机")


@pytest.mark.parametrize("cut", range(1, 4))
def test_a_run_that_the_end_of_a_section_cuts_is_found(storage: Storage, cut: int) -> None:
    word = "机器学习"
    index(storage, "cut", *sections(f"这里讲的是{word[:cut]}", f"{word[cut:]}这门课。"))
    index(storage, "turned", *sections(f"{word[cut:]}这门课。", f"这里讲的是{word[:cut]}"))
    index(storage, "apart", *sections(f"这里讲的是{word[:cut]}", "别的。", f"{word[cut:]}这门课。"))
    assert containing(storage, word) == ["cut"]


def test_the_ends_of_two_layers_do_not_meet(storage: Storage) -> None:
    index(storage, "item-1", a_chunk("讲机器"), a_chunk("学习。", layer=Layer.SUMMARY, ordinal=1))
    assert containing(storage, "机器学习") == []


def test_only_the_scope_is_searched(storage: Storage) -> None:
    index(storage, "item-1", a_chunk("otter"), minute=1)
    index(storage, "item-2", a_chunk("otter"), minute=2)
    index(storage, "item-3", a_chunk("otter"), a_chunk("salmon", layer=Layer.SUMMARY), space_id=OTHER_SPACE)
    assert containing(storage, "otter", Scope((OTHER_SPACE,))) == ["item-3"]
    assert keys(storage, [["otter"]], Scope((SPACE, OTHER_SPACE)), 2, 0) == [
        (SPACE, "item-2"),
        (OTHER_SPACE, "item-3"),
    ]
    assert containing(storage, "otter", Scope((SPACE,), frozenset({(SPACE, "item-1")}))) == ["item-1"]
    assert containing(storage, "salmon", Scope((OTHER_SPACE,), layer=Layer.AUTHORED)) == []
    assert containing(storage, "otter", Scope(())) == []


def test_no_words_hold_in_no_item(storage: Storage) -> None:
    index(storage, "item-1", a_chunk("otter"))
    assert keys(storage, [], EVERYWHERE, 10, 0) == []
    assert keys(storage, [[]], EVERYWHERE, 10, 0) == []


def test_words_above_the_budget_are_asked_of_the_items_that_hold_the_rarest(
    storage: Storage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(literal, "BUDGET", 3)
    monkeypatch.setattr(literal, "_PAGE", 2)
    for number in range(8):
        words = "otter salmon" if number % 2 else "otter"
        index(storage, f"item-{number}", *sections("river. ", words), minute=number)
    index(storage, "rare", *sections("zebra. ", "otter. ", "salmon."), minute=0)
    index(storage, "rarer", *sections("zebra. ", "otter."), minute=0)
    assert containing(storage, "zebra otter salmon") == ["rare"]
    newest = containing(storage, "otter salmon")
    assert newest[:1] == ["item-7"]
    assert set(newest) <= {"item-7", "item-5", "item-3", "item-1", "rare"}
