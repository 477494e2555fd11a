"""What does a second model add to what the first one found, and when does it add nothing?"""

from __future__ import annotations

from typing import Any

import pytest

from tests.library.fakes import WordEmbedder
from tests.library.home import Home, an_id
from vademecum.library.candidates import Asked, Candidates, SecondView, gather, second_view
from vademecum.library.changing import begin_change
from vademecum.library.editing import update_tags
from vademecum.library.indexing import prepare
from vademecum.library.searching import SearchRequest, search
from vademecum.library.trash import delete_item
from vademecum.library.writing import Write, add_document
from vademecum.model.items import Birth, ItemClass, Kind, Layers, State, new_document
from vademecum.model.revisions import Action
from vademecum.model.search import SearchAnswer
from vademecum.ports.index import KeywordMatch, Scope, VectorMatch
from vademecum.ports.models import Embedder, Nearness
from vademecum.text.queries import parse_query

FILLER = "nothing of note happens in this sentence either. " * 20
MEANINGS = {"genoa": "spinnaker"}
HALF_NEAR = "genoa rope mast keel"  # 0.5 for the second model, when asked for a spinnaker


def with_second(home: Home, floor: float = 0.45) -> Home:
    """The library with a second model that knows that a genoa is much like a spinnaker."""
    return home.with_ports(second_stage=WordEmbedder("second", meanings=MEANINGS, floor=floor))


def ask(home: Home, query: str = "spinnaker", **more: Any) -> SearchAnswer:
    return search(home.library, home.owner, SearchRequest(query, **more))


def titles(answer: SearchAnswer) -> list[str]:
    return [found.item.title for found in answer.results]


@pytest.fixture
def both(home: Home) -> Home:
    """A library with both models, and a note that the first of them finds."""
    made = with_second(home)
    made.save("spinnaker", "spinnaker")
    return made


def test_what_only_the_second_model_finds_is_found(home: Home, both: Home) -> None:
    both.save("genoa", "genoa")
    both.save("anchor", "anchor")
    both.work_off()
    answer = ask(both)
    assert (titles(answer), answer.rerank_applied) == (["spinnaker", "genoa"], True)
    assert home.found("spinnaker") == ["spinnaker"]


@pytest.mark.parametrize(("floor", "found"), [(0.45, True), (0.55, False)])
def test_below_its_floor_the_second_model_finds_nothing(
    home: Home, both: Home, floor: float, *, found: bool
) -> None:
    both.save(HALF_NEAR, HALF_NEAR)
    both.work_off()
    answer = ask(with_second(home, floor))
    assert (HALF_NEAR in titles(answer), answer.rerank_applied) == (found, True)


def test_where_the_first_model_finds_nothing_the_second_proposes_nothing(home: Home) -> None:
    both = with_second(home)
    both.save("genoa", "genoa")
    both.work_off()
    answer = ask(both)
    assert (answer.results, answer.vector_search_applied, answer.rerank_applied) == ((), True, False)


def test_while_a_vector_of_what_was_found_is_missing_the_second_model_is_not_heard(both: Home) -> None:
    both.save("genoa", "genoa")
    both.work_off()
    both.save("spinnaker", "new spinnaker")
    answer = ask(both)
    assert (sorted(titles(answer)), answer.rerank_applied) == (["new spinnaker", "spinnaker"], False)
    both.work_off()
    assert "genoa" in titles(ask(both))


@pytest.mark.parametrize("filters", [{"tags": ["boat"]}, {"start": "2026-11-30", "end": "2026-11-30"}])
def test_filters_hold_for_what_the_second_model_finds(home: Home, filters: dict[str, Any]) -> None:
    both = with_second(home)
    update_tags(both.library, both.owner, both.save("spinnaker", "spinnaker"), ["boat"], 1)
    both.clock.pass_by(days=3)
    both.save("genoa", "genoa")
    both.work_off()
    assert titles(ask(both)) == ["spinnaker", "genoa"]
    assert titles(ask(both, **filters)) == ["spinnaker"]


def test_the_second_model_looks_only_at_the_layer_that_is_asked_for(both: Home) -> None:
    _put(both, State("clip", Kind.ARTICLE, Layers(extracted="spinnaker")))
    _put(both, State("clipped", Kind.ARTICLE, Layers(extracted="genoa")))
    both.save("genoa", "genoa")
    both.work_off()
    assert sorted(titles(ask(both, provenance="authored"))) == ["genoa", "spinnaker"]
    assert sorted(titles(ask(both, provenance="clipped"))) == ["clip", "clipped"]


def test_the_second_model_brings_up_nothing_that_is_hidden(both: Home) -> None:
    delete_item(both.library, both.owner, both.save("genoa", "trashed"), 1)
    both.save("genoa", "another's", both.somebody("ada"))
    for kept in (ItemClass.AGENT_MEMORY, ItemClass.PROFILE):
        _put(both, State(kept, Kind.NOTE, Layers(authored="genoa")), kept)
    both.work_off()
    answer = ask(both)
    assert (titles(answer), answer.rerank_applied) == (["spinnaker"], True)


def _put(home: Home, state: State, item_class: ItemClass = ItemClass.USER_DOCUMENT) -> None:
    """Add an item as another way in than a save makes one."""
    library, owner = home.library, home.owner
    prepared = prepare(library, state)
    with library.storage.write() as tx:
        change = begin_change(library, tx, owner, owner.spaces[0], "put")
        birth = Birth(owner.spaces[0], an_id(), change.made_at, "hash", item_class=item_class)
        assert add_document(tx, Write(owner, change, Action.CREATE, prepared), new_document(birth, state))


def test_the_section_that_the_second_model_found_is_shown(both: Home) -> None:
    both.save(f"{FILLER}\n\n## Sails\n\n{'genoa ' * 200}", "Boats")
    both.work_off()
    found = ask(both).results[1]
    assert found.chunk is not None
    assert (found.item.title, found.chunk.heading_path) == ("Boats", ("Sails",))


def test_names_count_for_what_the_second_model_found_too(home: Home) -> None:
    both = _with_a_shy_first(home)
    both.save("道具 docker compose", "道具 docker compose")
    both.save("docker with compose, rope, mast, keel, anchor, sheet", "proposed")
    both.save("道具", "one")
    both.work_off()
    found, _ = _viewed(both, "道具 Docker compose")
    with both.library.storage.read() as tx:
        items = tx.items.find_all(sorted(found.named))
    assert {item.title for item in items.values()} == {"道具 docker compose", "proposed"}


def test_models_are_compared_over_all_that_they_listed(home: Home) -> None:
    both = _with_a_shy_first(home)
    for title in ("spinnaker", "spinnaker rope", "anchor"):
        both.save(title, title)
    both.save("spinnaker, anchor, keel, sheet", "mast")
    both.work_off()
    found, view = _viewed(both, "spinnaker")
    assert view is not None
    assert len(found.near()) == len(view.nearness) == 3
    assert [sorted(round(near, 2) for near in sample) for sample in view.samples] == [[0, 0.45, 0.71, 1]] * 2


def test_the_model_counts_more_among_whose_list_an_item_stands_out(home: Home) -> None:
    first = WordEmbedder(meanings={"jib": "sail"}, floor=0.4)
    second = WordEmbedder("second", meanings={"genoa": "sail", "boom": "sail"})
    both = home.with_ports(embedder=first, second_stage=second)
    for title in ("jib jib genoa", "jib genoa genoa"):
        both.save(title, title)
    for number in range(6):  # the second model finds all these a little near, the first one not at all
        both.save("boom rope mast keel sheet", f"boom rope mast keel sheet{number}")
    both.work_off()
    assert home.with_ports(embedder=first).found("sail") == ["jib jib genoa", "jib genoa genoa"]
    assert both.found("sail", limit=2) == ["jib genoa genoa", "jib jib genoa"]


def _with_a_shy_first(home: Home) -> Home:
    """With two models that see the same, of which the first calls hardly anything near."""
    return home.with_ports(embedder=WordEmbedder(floor=0.9), second_stage=WordEmbedder("second", floor=0.1))


def _viewed(home: Home, text: str) -> tuple[Candidates, SecondView | None]:
    first, second = _asked(home.library.embedder, text), _asked(home.library.second_stage, text)
    query, scope = parse_query(text), Scope(home.owner.spaces)
    with home.library.storage.read() as tx:
        found = gather(tx, query, scope, first, whole=True)
        return found, second_view(tx, query, scope, found, first, second)


def _asked(model: Embedder | None, text: str) -> Asked:
    assert model is not None
    vectors = model.embed_query(text)
    assert vectors is not None
    return Asked(model.name, model.nearness, vectors)


def test_what_joins_lies_on_the_floor_or_where_it_lay_above_it() -> None:
    found = Candidates()
    found.add_words([KeywordMatch("s", 1, "words", 1.0, 0.1)])
    found.add_windows([VectorMatch("s", 1, "words", 1, 0.12), VectorMatch("s", 2, "near", 1, 0.5)], 0.2, 0.0)
    windows = [
        VectorMatch("s", number, item, 1, 0.4) for number, item in enumerate(("words", "near", "new"), 1)
    ]
    heads = [VectorMatch("s", 4, "headed", 0, 0.6), VectorMatch("s", 5, "far", 0, 0.4)]
    joined = found.join(heads, windows, Nearness(head_floor=0.5, window_floor=0.3), 0.2)
    assert joined == {("s", item) for item in ("words", "near", "new", "headed")}
    assert {one.key[1]: one.near for one in found.near()} == {
        "words": 0.2,
        "near": 0.5,
        "new": 0.2,
        "headed": 0.2,
    }
    assert [found.of(("s", item)).chunk_shown(0.35) for item in ("new", "headed")] == [("s", 3), ("s", 4)]
