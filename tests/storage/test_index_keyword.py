"""What does keyword search find, in which order, on either database?"""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.storage.index_samples import a_chunk, found, index, numbers_of, search, sections, undone
from tests.storage.samples import OTHER_SPACE, SPACE
from vademecum.model.items import Layer
from vademecum.ports.index import Scope
from vademecum.ports.storage import Storage
from vademecum.storage.index import keyword
from vademecum.storage.index.fts_search import FtsSearch
from vademecum.storage.index.tsvector_search import TsvectorSearch
from vademecum.text.queries import parse_query


def test_a_word_finds_every_section_that_holds_it(storage: Storage) -> None:
    index(storage, "item-1", *sections("The otter swims.", "The beaver builds.", "An otter sleeps."))
    index(storage, "item-2", a_chunk("A badger digs."))
    first, _, third = numbers_of(storage, "item-1")
    assert {match.chunk_id for match in search(storage, "otter")} == {first, third}


def test_the_rarer_word_decides(storage: Storage) -> None:
    for number in range(6):
        index(storage, f"common-{number}", a_chunk("The river is long and the river is old."))
    index(storage, "rare", a_chunk("The otter is old."))
    assert found(storage, "river otter")[0] == "rare"


def test_a_word_of_the_head_counts_more_than_one_of_the_text(storage: Storage) -> None:
    index(storage, "text", a_chunk("Notes about the otter.", head="Animals"))
    index(storage, "head", a_chunk("Notes about the animal.", head="Otter"))
    assert found(storage, "otter") == ["head", "text"]


def test_more_occurrences_count_more(storage: Storage) -> None:
    index(storage, "once", a_chunk("The otter and the quick fox and the dog."))
    index(storage, "thrice", a_chunk("The otter and the otter and the otter."))
    assert found(storage, "otter") == ["thrice", "once"]


def test_a_section_with_some_of_the_words_is_found_below_one_with_all(storage: Storage) -> None:
    index(storage, "one", a_chunk("An otter swims here."))
    index(storage, "both", a_chunk("An otter hunts salmon."))
    index(storage, "none", a_chunk("A badger digs."))
    assert found(storage, "otter salmon") == ["both", "one"]


def test_coverage_tells_how_much_of_the_query_a_section_answers(storage: Storage) -> None:
    index(storage, "all", *sections("otter otter otter otter otter otter", head="Otter salmon otter"))
    index(storage, "half", a_chunk("otter otter otter otter otter otter", head="Otter"))
    index(storage, "other", a_chunk("Something else entirely."))
    whole, half = search(storage, "otter salmon")
    unknown = search(storage, "otter salmon zebra quagga okapi")[0]
    assert 1 > whole.coverage > half.coverage > 0
    assert unknown.coverage < whole.coverage


def test_two_character_words_are_found_inside_long_sentences(storage: Storage) -> None:
    index(storage, "zh", a_chunk("我们昨天在图书馆里讨论了机器学习的未来。"))
    index(storage, "ja", a_chunk("昨日は図書館で新しい本を読みました。"))
    assert found(storage, "学习") == ["zh"]
    assert set(found(storage, "図書館")) == {"zh", "ja"}  # both forms of the characters count as one


def test_longer_runs_stand_side_by_side_before_their_pairs_do(storage: Storage) -> None:
    index(storage, "apart", a_chunk("机器很新。器学不通。学习很难。"))
    index(storage, "run", a_chunk("这里讲的是机器学习这门课。"))
    assert found(storage, "机器学习")[0] == "run"


def test_a_single_character_finds_it_anywhere(storage: Storage) -> None:
    index(storage, "first", a_chunk("猫喜欢鱼。"))
    index(storage, "last", a_chunk("我有一只猫"))
    index(storage, "none", a_chunk("我有一只狗"))
    assert set(found(storage, "猫")) == {"first", "last"}


def test_a_quoted_phrase_of_common_words_comes_first(storage: Storage) -> None:
    for number in range(30):
        index(
            storage, f"apart-{number}", a_chunk("An open book on a door that is open and a door and a book.")
        )
    index(
        storage, "phrase", a_chunk("Behind this one there is an open door, and much else that says nothing.")
    )
    assert found(storage, '"open door"', limit=5)[0] == "phrase"


def test_a_literal_is_kept_when_better_scores_would_leave_it_out(storage: Storage) -> None:
    filler = "and much else that says nothing of it at all in a long text " * 10
    for number in range(8):
        index(storage, f"words-{number}", a_chunk("otter salmon " * 20, head="Otter salmon"))
    index(storage, "literal", a_chunk(f"ABC-1234 {filler}"))
    assert "literal" in found(storage, "otter salmon abc-1234", limit=3)


def test_identifiers_are_found_whole(storage: Storage) -> None:
    index(storage, "ticket", a_chunk("See ABC-1234 for the details."))
    index(storage, "other", a_chunk("See ABC-9999 for the details."))
    assert found(storage, "ABC-1234")[0] == "ticket"


def test_equal_scores_come_in_the_order_of_indexing(storage: Storage) -> None:
    for number in range(5):
        index(storage, f"item-{number}", a_chunk("The same text."))
    assert found(storage, "same") == [f"item-{number}" for number in range(5)]


def test_the_limit_takes_the_best(storage: Storage) -> None:
    index(storage, "weak", a_chunk("otter " + "and other words of a long text " * 5))
    index(storage, "strong", a_chunk("otter otter"))
    assert found(storage, "otter", limit=1) == ["strong"]
    assert found(storage, "otter", limit=0) == []


@pytest.mark.parametrize("query", ["", "?!", '""', "zebra", '"no such phrase here"'])
def test_a_query_without_known_words_finds_nothing(storage: Storage, query: str) -> None:
    index(storage, "item-1", a_chunk("The otter swims."))
    assert found(storage, query) == []


@pytest.mark.parametrize(
    "query",
    [
        'otter" OR body : "x',
        "otter * ^ NEAR(a b)",
        "otter' | 'x':*",
        "otter AND NOT body",
        "otter \\ ' \" ; --",
    ],
)
def test_the_languages_of_the_databases_mean_nothing_in_a_query(storage: Storage, query: str) -> None:
    index(storage, "item-1", a_chunk("The otter swims."))
    assert found(storage, query) == ["item-1"]


def test_a_query_of_a_thousand_words_is_answered(storage: Storage) -> None:
    index(storage, "item-1", a_chunk("word12 stands here"))
    assert found(storage, " ".join(f"word{number}" for number in range(1000))) == ["item-1"]


def test_only_the_spaces_of_the_scope_are_searched(storage: Storage) -> None:
    index(storage, "item-1", a_chunk("The otter swims."))
    index(storage, "item-1", a_chunk("The otter sleeps."), space_id=OTHER_SPACE)
    matches = search(storage, "otter", Scope((OTHER_SPACE,)))
    assert [(match.space_id, match.item_id) for match in matches] == [(OTHER_SPACE, "item-1")]
    assert len(search(storage, "otter", Scope((SPACE, OTHER_SPACE)))) == 2
    assert search(storage, "otter", Scope(("space-3",))) == []
    assert search(storage, "otter", Scope(())) == []


def test_only_allowed_items_are_found(storage: Storage) -> None:
    for number in range(4):
        index(storage, f"item-{number}", a_chunk("The otter swims."))
    allowed = frozenset({(SPACE, "item-1"), (SPACE, "item-3"), (OTHER_SPACE, "item-2"), (SPACE, "gone")})
    assert found(storage, "otter", Scope((SPACE,), allowed)) == ["item-1", "item-3"]
    assert found(storage, "otter", Scope((SPACE,), frozenset())) == []


def test_many_allowed_items_are_taken_as_few_are(storage: Storage) -> None:
    for number in range(4):
        index(storage, f"item-{number}", a_chunk("The otter swims."))
    others = {(SPACE, f"gone-{number}") for number in range(1000)}
    allowed = frozenset(others | {(SPACE, "item-1"), (SPACE, "item-3")})
    assert found(storage, "otter", Scope((SPACE,), allowed)) == ["item-1", "item-3"]


def test_only_the_layer_of_the_scope_is_searched(storage: Storage) -> None:
    authored, summary = sections("An otter.", "An otter, in short.")
    index(storage, "item-1", authored, replace(summary, layer=Layer.SUMMARY, ordinal=0))
    index(storage, "item-2", replace(summary, layer=Layer.SUMMARY))
    assert found(storage, "otter", Scope((SPACE,), layer=Layer.SUMMARY)) == ["item-1", "item-2"]
    allowed = frozenset({(SPACE, "item-2")})
    assert found(storage, "otter", Scope((SPACE,), allowed, Layer.SUMMARY)) == ["item-2"]
    assert found(storage, "otter", Scope((SPACE,), allowed, Layer.AUTHORED)) == []


def test_what_is_replaced_or_taken_out_is_not_found_any_more(storage: Storage) -> None:
    index(storage, "item-1", a_chunk("The otter swims."))
    index(storage, "item-1", a_chunk("The badger digs."))
    assert (found(storage, "otter"), found(storage, "badger")) == ([], ["item-1"])
    index(storage, "item-1")
    assert found(storage, "badger") == []


def test_postings_roll_back_with_their_transaction(storage: Storage) -> None:
    index(storage, "item-1", a_chunk("The otter swims."))
    with undone(storage) as tx:
        tx.index.replace(SPACE, "item-1", 2, [a_chunk("The badger digs.")])
    assert (found(storage, "otter"), found(storage, "badger")) == (["item-1"], [])


def test_a_transaction_finds_what_it_has_written_itself(storage: Storage) -> None:
    index(storage, "item-1", a_chunk("The otter swims."))
    with storage.write() as tx:
        tx.index.replace(SPACE, "item-1", 2, [a_chunk("The badger digs.")])
        scope = Scope((SPACE,))
        matches = tx.index.keyword(parse_query("badger"), scope, 10)
    assert [match.item_id for match in matches] == ["item-1"]


@pytest.fixture
def small_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three sections may be ranked for a query, and one more than asked for is scored."""
    monkeypatch.setattr(FtsSearch, "budget", 3)
    monkeypatch.setattr(TsvectorSearch, "budget", 3)
    monkeypatch.setattr(keyword, "_SPARE", 1)


@pytest.mark.usefixtures("small_budget")
def test_common_words_add_to_what_rare_ones_bring_in(storage: Storage) -> None:
    for number in range(6):
        index(storage, f"common-{number}", a_chunk("The river is wide."))
    index(storage, "rare", a_chunk("The otter is wide, of which much could be said."))
    index(storage, "both", a_chunk("The otter and the river, of which much could be said."))
    assert found(storage, "river otter") == ["both", "rare"]


@pytest.mark.usefixtures("small_budget")
def test_where_every_word_is_common_the_newest_are_ranked(storage: Storage) -> None:
    for number in range(12):
        index(storage, f"item-{number:02}", a_chunk("The river is wide."))
    assert set(found(storage, "river")) == {"item-09", "item-10", "item-11"}
    allowed = frozenset((SPACE, f"item-{number:02}") for number in range(6))
    assert set(found(storage, "river", Scope((SPACE,), allowed))) == {"item-03", "item-04", "item-05"}
    assert len(found(storage, "river", Scope((SPACE,), layer=Layer.AUTHORED))) == 3


@pytest.mark.usefixtures("small_budget")
def test_a_literal_is_looked_for_apart_from_what_is_common(storage: Storage) -> None:
    index(
        storage,
        "literal",
        a_chunk("Here the river ABC-1234 is wide, and much more is said of it than of others."),
    )
    for number in range(12):
        index(storage, f"item-{number:02}", a_chunk("The river is wide. abc 1234 abc 1234"))
    assert "literal" in found(storage, "river wide ABC-1234", limit=2)


@pytest.mark.usefixtures("small_budget")
def test_a_filter_finds_what_lies_beyond_the_newest(storage: Storage) -> None:
    index(storage, "oldest", a_chunk("The river is wide."))
    for number in range(12):
        index(storage, f"item-{number:02}", a_chunk("The river is wide."))
    assert found(storage, "river", Scope((SPACE,), frozenset({(SPACE, "oldest")}))) == ["oldest"]


def test_the_words_of_a_section_that_was_never_committed_are_not_remembered(storage: Storage) -> None:
    """Its number may be given to another section, which must be scored by its own words."""
    for number in range(3):
        index(storage, f"other-{number}", a_chunk("A badger digs."))
    with undone(storage) as tx:
        tx.index.replace(SPACE, "other-0", 2, [a_chunk("otter and salmon")])
        (seen,) = tx.index.keyword(parse_query("otter salmon"), Scope((SPACE,)), 5)
        assert seen.item_id == "other-0"
    index(storage, "item-1", a_chunk("otter otter", head="Salmon"))
    (remembered,) = search(storage, "otter salmon")
    with storage.write() as tx:
        assert tx.index.keyword(parse_query("otter salmon"), Scope((SPACE,)), 5) == [remembered]
    assert (remembered.item_id, numbers_of(storage, "item-1")) == ("item-1", [remembered.chunk_id])


def test_a_section_that_is_remembered_goes_with_its_item(storage: Storage) -> None:
    index(storage, "item-1", a_chunk("otter"))
    index(storage, "item-2", a_chunk("otter"))
    assert found(storage, "otter") == ["item-1", "item-2"]
    index(storage, "item-1", a_chunk("badger"))
    assert found(storage, "otter") == ["item-2"]
    assert found(storage, "badger") == ["item-1"]
