"""Is everything in the library as it should be, and how far is work that is still queued?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from vademecum.library.context import Library
from vademecum.library.indexing import prepare
from vademecum.model.access import Caller
from vademecum.model.items import Document, Space
from vademecum.ports.index import NewChunk, Postings
from vademecum.ports.storage import Transaction


@dataclass(frozen=True, slots=True)
class Status:
    """Counts of the caller's spaces: items by kind and index state, jobs by kind, vectors' share by model."""

    counts: dict[str, int]
    index: dict[str, int]
    jobs: dict[str, int]
    vector_share: dict[str, float]
    links: int
    storage_bytes: int


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that doctor found. `is_damage` makes it end with 1; the rest is told only (operations)."""

    code: str
    subject: str
    detail: str
    advice: str
    is_damage: bool = True


def status(library: Library, caller: Caller) -> Status:
    """How much there is, and how far it is indexed."""
    with library.storage.read() as tx:
        models = [model for model in (library.embedder, library.second_stage) if model]
        return Status(
            counts=tx.items.counts(caller.spaces),
            index=tx.index.counts(caller.spaces),
            jobs=tx.jobs.pending(caller.spaces),
            vector_share={model.name: tx.index.vector_share(model.name, caller.spaces) for model in models},
            links=sum(tx.links.count(space_id) for space_id in caller.spaces),
            storage_bytes=tx.items.text_bytes(caller.spaces) + tx.blobs.used_bytes(caller.spaces),
        )


def examine(library: Library) -> Iterator[Problem]:
    """Compare texts, revisions, links and index with each other and check what holds them (operations).

    Problems come one by one, those of a space from one snapshot of it: serving goes on meanwhile.
    """
    for detail in library.storage.integrity_problems():
        yield Problem("database", "database", detail, "Restore the newest backup.")
    with library.storage.read() as tx:
        spaces = tx.access.spaces()
    for space in spaces:
        yield from _examine_space(library, space)


def _examine_space(library: Library, space: Space) -> Iterator[Problem]:
    with library.storage.read() as tx:
        for item_id in tx.items.broken_texts(space.space_id):
            yield Problem(
                "text", item_id, "a stored text is missing or altered", "Restore the newest backup."
            )
        for item_id in tx.revisions.gaps(space.space_id):
            yield Problem("revisions", item_id, "the versions have a gap", "Restore the newest backup.")
        for blob in tx.blobs.list(space.space_id):
            if not library.blobs.has(blob.content_hash):
                yield Problem(
                    "blob", blob.content_hash, "a file is not in the store", "Restore the newest backup."
                )
        postings = tx.index.postings(space.space_id)
        for item_id in tx.items.every_id(space.space_id):
            document = tx.items.load(space.space_id, item_id)
            if document is not None:
                yield from _examine_item(library, tx, document, postings)


def _examine_item(
    library: Library, tx: Transaction, document: Document, postings: Postings
) -> Iterator[Problem]:
    item = document.item
    advice = "Run `vade reindex`."
    prepared = prepare(library, document.state, embed_now=False)
    if tx.links.out_of(item.space_id, item.item_id) != list(prepared.links):
        yield Problem("links", item.item_id, "stored links differ from the text", advice)
    stored = tx.index.chunks_of(item.space_id, item.item_id)
    wanted = prepared.chunks
    if sorted((chunk.layer, chunk.ordinal, chunk.text, chunk.head) for chunk in stored) != sorted(
        (chunk.layer, chunk.ordinal, chunk.text, chunk.head) for chunk in wanted
    ):
        yield Problem("index", item.item_id, "the index holds other text than the item", advice)
        return
    tokens = {(chunk.layer, chunk.ordinal): chunk for chunk in wanted}
    for chunk in stored:
        fresh: NewChunk = tokens[chunk.layer, chunk.ordinal]
        if not postings(chunk, fresh.head_tokens, fresh.body_tokens):
            yield Problem(
                "index", item.item_id, f"section {chunk.ordinal} is not indexed as its text reads", advice
            )


def queued_work(library: Library) -> Iterator[Problem]:
    """What still waits or has failed in the background: told, never counted as damage (operations)."""
    with library.storage.read() as tx:
        spaces = [space.space_id for space in tx.access.spaces()]
        for kind, number in tx.jobs.pending(spaces).items():
            if number:
                advice = (
                    "Look at `vade status`." if kind == "failed" else "Nothing: it goes on while serving."
                )
                yield Problem(
                    "jobs", kind, f"{number} {'failed' if kind == 'failed' else 'waiting'}", advice, False
                )
