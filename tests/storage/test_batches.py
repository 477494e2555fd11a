"""Are items that are stored together kept as each of them alone would be?"""

from __future__ import annotations

from tests.storage.index_samples import MODEL, a_chunk, a_vector, found, index, items_of, near, sections
from tests.storage.samples import SPACE, a_change, a_document, a_job
from vademecum.model.items import Document, Layers
from vademecum.model.jobs import JobKind
from vademecum.model.revisions import Action
from vademecum.ports.storage import ItemName, NewItem, Storage, StoredLink, Transaction

DOCUMENTS = [
    a_document("item-1", tags=("tea", "Tea", "港"), frontmatter="---\na: 1\n---\n"),
    a_document("item-2", layers=Layers(authored="one text", summary="one text"), tags=("tea",)),
    a_document("item-3", layers=Layers(authored="one text"), frontmatter="---\na: 1\n---\n"),
    a_document("item-4", layers=Layers()),
]
IDS = [document.item.item_id for document in DOCUMENTS]
NAMES = {"item-1": [ItemName("t", "T", "title"), ItemName("x" * 3_000, "X", "alias")], "item-2": []}
LINKS = {
    "item-1": [
        StoredLink(0, "wikilink", "T", "t", "h", "shown", None, 1, 5),
        StoredLink(1, "markdown", "https://example.org", "", None, None, None, 6, 9),
    ]
}


def new(document: Document) -> NewItem:
    return NewItem(document, f"source of {document.item.item_id}", NAMES.get(document.item.item_id, ()))


def stored_together(tx: Transaction) -> None:
    change = tx.revisions.begin(a_change())
    tx.items.add_all(SPACE, [new(document) for document in DOCUMENTS])
    states = {document.item.item_id: (1, document.state) for document in DOCUMENTS}
    tx.revisions.add_all(states, Action.CREATE, change)


def test_items_are_loaded_as_they_were_added(storage: Storage) -> None:
    with storage.write() as tx:
        stored_together(tx)
    with storage.read() as tx:
        assert [tx.items.load(SPACE, item_id) for item_id in IDS] == DOCUMENTS
        assert [tx.items.names(SPACE, item_id) for item_id in IDS] == [NAMES["item-1"], [], [], []]
        assert [item.item_id for item in tx.items.with_source([SPACE], "source of item-2")] == ["item-2"]
        assert tx.items.broken_texts(SPACE) == tx.revisions.gaps(SPACE) == []


def test_each_has_a_first_version(storage: Storage) -> None:
    with storage.write() as tx:
        stored_together(tx)
    with storage.read() as tx:
        kept = [tx.revisions.find(SPACE, item_id, 1) for item_id in IDS]
        assert [one and one.state for one in kept] == [document.state for document in DOCUMENTS]
        assert {one.change.change_id for one in kept if one} == {"change-1"}


def test_a_text_that_several_have_stays_until_the_last_of_them_goes(storage: Storage) -> None:
    with storage.write() as tx:
        stored_together(tx)
    with storage.write() as tx:
        tx.items.purge(SPACE, "item-2")
    with storage.read() as tx:
        assert tx.items.load(SPACE, "item-3") == DOCUMENTS[2]
        assert tx.items.broken_texts(SPACE) == []
    with storage.write() as tx:
        for item_id in ("item-1", "item-3", "item-4"):
            tx.items.purge(SPACE, item_id)
        assert tx.items.text_bytes([SPACE]) == 0


def test_texts_that_are_there_already_are_taken(storage: Storage) -> None:
    with storage.write() as tx:
        assert tx.items.add(a_document("item-0", layers=Layers(authored="one text")), None)
        before = tx.items.text_bytes([SPACE])
        tx.items.add_all(SPACE, [new(DOCUMENTS[1])])
        assert tx.items.text_bytes([SPACE]) == before


def test_links_and_jobs_of_several_items_are_kept(storage: Storage) -> None:
    with storage.write() as tx:
        stored_together(tx)
        tx.links.add_all(SPACE, {**LINKS, "item-2": []})
        tx.links.add_all(SPACE, {"item-3": []})
        tx.jobs.add_all([a_job("job-1", subject="item-1"), a_job("job-2", subject="item-2")])
        tx.jobs.add_all([])
    with storage.read() as tx:
        assert [tx.links.out_of(SPACE, item_id) for item_id in IDS] == [LINKS["item-1"], [], [], []]
        queued = tx.jobs.queued(SPACE, JobKind.EMBED, IDS)
        assert sorted(job.job_id for job in queued) == ["job-1", "job-2"]


def test_sections_of_several_items_are_found_and_counted(storage: Storage) -> None:
    index(storage, "item-0", a_chunk("a halyard"))
    with storage.write() as tx:
        stored_together(tx)
        ready = a_chunk("a halyard", vectors=(a_vector(1),), complete=(MODEL,))
        tx.index.add_all(SPACE, {"item-1": sections("a rope ", "and a halyard"), "item-2": [ready]})
        tx.index.add_all(SPACE, {"item-3": []})
    assert sorted(found(storage, "halyard")) == ["item-0", "item-1", "item-2"]
    assert items_of(near(storage, 1)) == ["item-2"]
    with storage.read() as tx:
        assert [chunk.text for chunk in tx.index.chunks_of(SPACE, "item-1")] == ["a rope ", "and a halyard"]
        assert [chunk.item_version for chunk in tx.index.chunks_of(SPACE, "item-1")] == [1, 1]
        assert tx.index.counts([SPACE])["chunks"] == 4
        assert tx.index.is_complete(MODEL, SPACE, "item-2")
        assert not tx.index.is_complete(MODEL, SPACE, "item-1")
    with storage.write() as tx:
        tx.index.replace(SPACE, "item-1", 2, [a_chunk("a sail")])
    assert sorted(found(storage, "halyard")) == ["item-0", "item-2"]
    assert found(storage, "sail") == ["item-1"]
