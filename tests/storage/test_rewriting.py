"""Are next versions that are stored together kept as each of them alone would be?"""

from __future__ import annotations

from dataclasses import replace

from tests.storage.index_samples import MODEL, a_chunk, a_vector, found, index, items_of, near, numbers_of
from tests.storage.samples import SPACE, a_change, a_document, a_job, add, at, save
from vademecum.model.items import Document, IndexState, Layers
from vademecum.model.jobs import LEASE, JobKind
from vademecum.model.revisions import Action
from vademecum.model.times import moment, stamp
from vademecum.ports.storage import NewItem, Storage, StoredLink

ONE, TWO = a_document("item-1", tags=("tea",)), a_document("item-2")


def rewritten(document: Document, text: str) -> Document:
    """The next version of the document with another text, all of whose vectors are missing."""
    state = replace(document.state, layers=Layers(authored=text))
    after = document.with_state(state, version=document.item.version + 1, at=at(2), trashed_at=None)
    return replace(
        after, item=replace(after.item, index_state=IndexState.KEYWORD, index_reason="vectors follow")
    )


def test_next_versions_are_loaded_as_they_were_stored(storage: Storage) -> None:
    with storage.write() as tx:
        for number, document in enumerate((ONE, TWO)):
            save(tx, document, f"change-{number}")
    after = [rewritten(ONE, "New"), rewritten(TWO, "New")]
    with storage.write() as tx:
        change = tx.revisions.begin(a_change("change-9"))
        assert tx.items.replace_texts(SPACE, [NewItem(document, "source", ()) for document in after])
        states = {document.item.item_id: (2, document.state) for document in after}
        tx.revisions.add_all(states, Action.UPDATE, change)
    with storage.read() as tx:
        assert [tx.items.load(SPACE, item_id) for item_id in ("item-1", "item-2")] == after
        assert len(tx.items.with_source([SPACE], "source")) == 2
        assert tx.items.broken_texts(SPACE) == tx.revisions.gaps(SPACE) == []
        kept = tx.revisions.find(SPACE, "item-2", 2)
        assert kept is not None
        assert (kept.state, kept.action, kept.change.change_id) == (after[1].state, Action.UPDATE, "change-9")


def test_one_that_was_written_meanwhile_is_told(storage: Storage) -> None:
    add(storage, ONE, TWO)
    after = [rewritten(ONE, "New"), rewritten(rewritten(TWO, "Meanwhile"), "New")]
    with storage.write() as tx:
        assert not tx.items.replace_texts(SPACE, [NewItem(document, None, ()) for document in after])


def test_links_take_the_place_of_those_before(storage: Storage) -> None:
    link = StoredLink(0, "wikilink", "T", "t", None, None, None, 1, 5)
    other = replace(link, target="U", target_key="u")
    add(storage, ONE, TWO, a_document("item-3"))
    with storage.write() as tx:
        for item_id in ("item-1", "item-2", "item-3"):
            tx.links.replace(SPACE, item_id, [link, replace(link, ordinal=1)])
        tx.links.replace_all(SPACE, {"item-1": [other], "item-2": []})
    with storage.read() as tx:
        kept = [tx.links.out_of(SPACE, item_id) for item_id in ("item-1", "item-2", "item-3")]
    assert kept == [[other], [], [link, replace(link, ordinal=1)]]


def test_a_job_takes_the_place_of_a_failed_one_and_none_of_one_that_waits(storage: Storage) -> None:
    with storage.write() as tx:
        tx.jobs.add(a_job("job-1", subject="item-1"))
        claimed = tx.jobs.claim([JobKind.EMBED], at(2), "lease", stamp(moment(at(2)) + LEASE))
        assert claimed is not None
        assert tx.jobs.fail(claimed, "reason")
        tx.jobs.add(a_job("job-2", subject="item-2"))
        again = [a_job("job-3", subject="item-1"), a_job("job-4", subject="item-2")]
        tx.jobs.add_all(again, again=True)
        tx.jobs.add_all([], again=True)
    with storage.read() as tx:
        queued = tx.jobs.queued(SPACE, JobKind.EMBED, ["item-1", "item-2"])
        assert sorted(job.job_id for job in queued) == ["job-2", "job-3"]
        assert tx.jobs.pending([SPACE])["failed"] == 0


def test_sections_are_replaced_item_by_item_and_those_that_stay_keep_their_vectors(storage: Storage) -> None:
    ready = a_chunk("a mast", ordinal=1, vectors=(a_vector(1),), complete=(MODEL,))
    index(storage, "item-1", a_chunk("a halyard"), ready)
    index(storage, "item-2", a_chunk("a halyard"))
    index(storage, "item-3", a_chunk("a halyard"))
    index(storage, "item-4", a_chunk("an oar"))
    mast = numbers_of(storage, "item-1")[1]
    with storage.write() as tx:
        tx.index.replace(SPACE, "item-3", 5, [a_chunk("a later halyard")])
        tx.index.replace_all(
            SPACE,
            {
                "item-1": (2, [a_chunk("a sail"), replace(ready, vectors=(), complete=())]),
                "item-2": (3, []),
                "item-3": (4, [a_chunk("too late")]),
                "item-4": (2, [a_chunk("an oar")]),
            },
        )
    assert (found(storage, "halyard"), found(storage, "sail"), found(storage, "late")) == (
        ["item-3"],
        ["item-1"],
        [],
    )
    assert (found(storage, "mast"), items_of(near(storage, 1)), found(storage, "oar")) == (
        ["item-1"],
        ["item-1"],
        ["item-4"],
    )
    assert mast in numbers_of(storage, "item-1")
    with storage.read() as tx:
        versions = {
            item_id: {chunk.item_version for chunk in tx.index.chunks_of(SPACE, item_id)}
            for item_id in ("item-1", "item-2", "item-3", "item-4")
        }
        assert versions == {"item-1": {2}, "item-2": set(), "item-3": {5}, "item-4": {2}}
        assert tx.index.counts([SPACE])["chunks"] == 4
        assert not tx.index.is_complete(MODEL, SPACE, "item-1")
