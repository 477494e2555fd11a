"""Are missing vectors filled in, and can all that is derived be made anew?"""

from __future__ import annotations

import pytest

from tests.library.fakes import WordEmbedder
from tests.library.home import Home, an_id, going_on
from vademecum.library.checking import examine
from vademecum.library.editing import update_note
from vademecum.library.importing import ImportRun, Incoming, import_batch, plan
from vademecum.library.reindexing import (
    embed_item,
    forget_vectors,
    items_to_reindex,
    reindex_item,
)
from vademecum.library.searching import SearchRequest, search
from vademecum.library.trash import delete_item, purge
from vademecum.model.errors import ProviderUnavailable
from vademecum.model.items import IndexState, Layers
from vademecum.model.jobs import JobKind
from vademecum.ports.models import Embedder

LONG = "".join(f"## Part {number}\n\n{f'word{number} ' * 160}\n\n" for number in range(40))


def share(home: Home, model: str = "words-1") -> float:
    with home.library.storage.read() as tx:
        return tx.index.vector_share(model, home.owner.spaces)


def embedder(home: Home) -> WordEmbedder:
    found: Embedder | None = home.library.embedder
    assert isinstance(found, WordEmbedder)
    return found


def test_a_save_embeds_the_head_and_three_windows_and_a_job_the_rest(home: Home) -> None:
    item_id = home.save(LONG, "Long")
    assert len(embedder(home).embedded) == 4
    assert home.item(item_id).index_state is IndexState.KEYWORD
    assert home.waiting() == {"embed": 1}
    assert 0 < share(home) < 0.5
    home.work_off()
    assert home.item(item_id).index_state is IndexState.INDEXED
    assert (share(home), home.waiting()) == (1.0, {})


def test_a_short_note_needs_no_job(home: Home) -> None:
    home.save("Short.", "Title")
    assert (share(home), home.waiting()) == (1.0, {})


def test_a_job_that_is_told_to_stop_leaves_the_rest_to_the_next(home: Home) -> None:
    item_id = home.save(LONG, "Long")
    job = home.claim()
    assert job is not None
    told: list[tuple[int, int]] = []

    def stop(done: int, total: int) -> bool:
        told.append((done, total))
        return False

    embed_item(home.library, job, stop)
    with home.library.storage.read() as tx:
        total = len(tx.index.chunks_of(job.space_id, item_id))
    assert told == [(16, total)]
    assert home.item(item_id).index_state is IndexState.KEYWORD
    part = len(embedder(home).embedded)
    embed_item(home.library, job, going_on)
    assert home.item(item_id).index_state is IndexState.INDEXED
    assert share(home) == 1.0
    assert len(embedder(home).embedded) > part
    whole = len(embedder(home).embedded)
    embed_item(home.library, job, going_on)
    assert len(embedder(home).embedded) == whole


def test_a_model_that_does_not_answer_leaves_the_job_to_be_tried_again(home: Home) -> None:
    home.save(LONG, "Long")
    job = home.claim()
    assert job is not None
    embedder(home).fails = True
    with pytest.raises(ProviderUnavailable):
        embed_item(home.library, job, going_on)
    embedder(home).fails = False
    embed_item(home.library, job, going_on)
    assert share(home) == 1.0


def test_vectors_of_what_was_edited_or_purged_meanwhile_are_not_kept(home: Home) -> None:
    item_id = home.save(LONG, "Long")
    job = home.claim()
    assert job is not None

    def edit(done: int, total: int) -> bool:
        if home.item(item_id).version == 1:
            update_note(home.library, home.owner, item_id, "Short now.", 1, None)
        return True

    embed_item(home.library, job, edit)
    item = home.item(item_id)
    assert (item.version, item.index_state, share(home)) == (2, IndexState.INDEXED, 1.0)
    delete_item(home.library, home.owner, item_id, 2)
    purge(home.library, home.owner, item_id)
    embed_item(home.library, job, going_on)
    assert list(examine(home.library)) == []


def test_an_imported_note_gets_its_head_vector_from_the_job(home: Home) -> None:
    run = ImportRun(home.owner, home.owner.spaces[0], "folder", an_id())
    note = Incoming("Tea.md", "hash", (), "Tea.md", "Spinnaker", layers=Layers("unrelated words"))
    import_batch(home.library, run, [plan(home.library, run, note, None)])
    assert (share(home), home.waiting()) == (0.0, {"embed": 1})
    home.work_off()
    answer = search(home.library, home.owner, SearchRequest("spinnaker"))
    assert [found.item.title for found in answer.results] == ["Spinnaker"]
    assert answer.vector_search_applied


def test_reindexing_brings_back_postings_links_and_names_that_were_lost(home: Home) -> None:
    item_id = home.save("halyard [[Target]]", "Title")
    home.save("Text", "Target")
    space_id = home.owner.spaces[0]
    with home.library.storage.write() as tx:
        tx.index.replace(space_id, item_id, 1, ())
        tx.links.replace(space_id, item_id, [])
        tx.items.set_names(space_id, item_id, [])
    assert home.found("halyard") == []
    assert {problem.code for problem in examine(home.library)} == {"index", "links", "names"}
    assert reindex_item(home.library, space_id, item_id)
    home.work_off()
    assert (list(examine(home.library)), home.found("halyard")) == ([], ["Title"])
    assert home.found("Title") == ["Title"]
    assert home.item(item_id).version == 1


def test_every_item_of_every_space_is_made_anew(home: Home) -> None:
    ada = home.somebody()
    ids = {home.save("1"), home.save("2"), home.save("3", caller=ada)}
    delete_item(home.library, home.owner, min(ids & set(_ids(home))), 1)
    todo = items_to_reindex(home.library)
    assert {item_id for _, item_id in todo} == ids
    assert all(reindex_item(home.library, *one) for one in todo)
    home.work_off()
    assert list(examine(home.library)) == []
    assert not reindex_item(home.library, home.owner.spaces[0], an_id())


def _ids(home: Home) -> list[str]:
    with home.library.storage.read() as tx:
        return tx.items.every_id(home.owner.spaces[0])


def test_past_titles_survive_reindexing(home: Home) -> None:
    item_id = home.save("Text", "First")
    update_note(home.library, home.owner, item_id, "Text", 1, "Second")
    with home.library.storage.read() as tx:
        before = tx.items.names(home.owner.spaces[0], item_id)
    reindex_item(home.library, home.owner.spaces[0], item_id)
    with home.library.storage.read() as tx:
        assert tx.items.names(home.owner.spaces[0], item_id) == before


def test_forgotten_vectors_are_made_anew_by_the_jobs_that_reindexing_queues(home: Home) -> None:
    knowing = home.with_ports(embedder=WordEmbedder(meanings={"茶": "tea"}))
    knowing.save("茶", "茶")
    forget_vectors(knowing.library, "words-1")
    assert (share(home), knowing.found("tea")) == (0.0, [])
    for one in items_to_reindex(knowing.library):
        reindex_item(knowing.library, *one)
    assert home.waiting() == {"embed": 1}
    knowing.work_off()
    assert (share(home), knowing.found("tea")) == (1.0, ["茶"])


def test_another_model_finds_nothing_by_the_vectors_of_the_first(home: Home) -> None:
    home.save("halyard", "Title")
    other = home.with_ports(embedder=WordEmbedder("words-2"))
    answer = search(other.library, home.owner, SearchRequest("halyard"))
    assert (len(answer.results), answer.vector_search_applied) == (1, False)
    for one in items_to_reindex(other.library):
        reindex_item(other.library, *one)
    other.work_off()
    assert search(other.library, home.owner, SearchRequest("halyard")).vector_search_applied
    assert share(home, "words-2") == 1.0


def test_the_second_model_has_jobs_of_its_own(home: Home) -> None:
    second = WordEmbedder("second")
    both = home.with_ports(second_stage=second)
    both.save("halyard", "Title")
    assert both.waiting() == {"second-stage": 1}
    assert both.claim(JobKind.EMBED) is None
    both.work_off()
    assert share(home, "second") == 1.0
    assert second.embedded
