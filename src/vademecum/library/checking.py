"""Is everything in the library as it should be, and how far is work that is still queued?"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count, islice

from vademecum.library.context import Library
from vademecum.library.indexing import prepare
from vademecum.library.naming import names_of
from vademecum.model.access import Caller
from vademecum.model.errors import StoredDataDamaged
from vademecum.model.items import Space
from vademecum.model.search import IndexedChunk
from vademecum.ports.index import NewChunk, Postings
from vademecum.ports.storage import ItemKey, Transaction

Told = Callable[[int, int], None]  # items done, and of how many
_RESTORE = "Restore the newest backup."
_REINDEX = "Run `vade reindex`."
_FILES_AT_ONCE = 500


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


def examine(library: Library, told: Told | None = None) -> Iterator[Problem]:
    """Compare texts, revisions, links and index with each other and check what holds them (operations).

    Problems come one by one, those of a space from one snapshot of it: serving goes on meanwhile. `told`
    hears how many items are done, and of how many.
    """
    for detail in library.storage.integrity_problems():
        yield Problem("database", "database", detail, _RESTORE)
    with library.storage.read() as tx:
        spaces = tx.access.spaces()
        total = sum(len(tx.items.every_id(space.space_id)) for space in spaces)
    done = count(1)

    def advance() -> None:
        if told is not None:
            told(next(done), total)

    for space in spaces:
        yield from _examine_space(library, space, advance)


def _examine_space(library: Library, space: Space, told: Callable[[], None]) -> Iterator[Problem]:
    with library.storage.read() as tx:
        broken = tx.items.broken_texts(space.space_id)
        for item_id in broken:
            yield Problem("text", item_id, "a stored text is missing or altered", _RESTORE)
        for item_id in tx.revisions.gaps(space.space_id):
            yield Problem("revisions", item_id, "the versions have a gap", _RESTORE)
        for blob in tx.blobs.list(space.space_id):
            if not library.blobs.has(blob.content_hash):
                yield Problem("blob", blob.content_hash, "a file is not in the store", _RESTORE)
        postings = tx.index.postings(space.space_id)
        for item_id in tx.items.every_id(space.space_id):
            if item_id not in broken:  # what cannot be read cannot be compared either
                yield from _examine_item(library, tx, (space.space_id, item_id), postings)
            told()


def _examine_item(library: Library, tx: Transaction, key: ItemKey, postings: Postings) -> Iterator[Problem]:
    document = tx.items.load(*key)
    if document is None:
        return
    item_id = document.item.item_id
    prepared = prepare(library, document.state, embed_now=False)
    if tx.links.out_of(*key) != list(prepared.links):
        yield Problem("links", item_id, "stored links differ from the text", _REINDEX)
    names = [name for name in tx.items.names(*key) if name.origin != "past"]
    if names != names_of(document, past=()):
        yield Problem("names", item_id, "the names that links resolve by differ from the item's", _REINDEX)
    try:
        stored = tx.index.chunks_of(*key)
    except StoredDataDamaged:
        yield Problem("index", item_id, "a section cannot be read", _REINDEX)
        return
    if sorted(map(_said, stored)) != sorted(map(_said, prepared.chunks)):
        yield Problem("index", item_id, "the index holds other text than the item", _REINDEX)
        return
    wanted = {(chunk.layer, chunk.ordinal): chunk for chunk in prepared.chunks}
    for chunk in stored:
        fresh = wanted[chunk.layer, chunk.ordinal]
        if not postings(chunk, fresh.head_tokens, fresh.body_tokens):
            detail = f"section {chunk.ordinal} is not indexed as its text reads"
            yield Problem("index", item_id, detail, _REINDEX)


def _said(chunk: IndexedChunk | NewChunk) -> tuple[str, int, str, str]:
    return chunk.layer, chunk.ordinal, chunk.text, chunk.head


def stray_files(library: Library) -> Iterator[Problem]:
    """Files of the store that nothing in the library has: told, never counted as damage, and left alone,
    since they may be another library's. While somebody stores files nothing can be told.
    """
    names = library.blobs.names()
    strays = 0
    while page := list(islice(names, _FILES_AT_ONCE)):
        with library.blobs.removing() as is_alone:
            if not is_alone:
                return
            with library.storage.read() as tx:
                named = tx.blobs.named(page)
            strays += sum(name not in named and library.blobs.has(name) for name in page)
    if strays:
        advice = (
            "They only take room. Those of purged items go while serving; others are left by broken imports."
        )
        yield Problem("files", "stored files", f"{strays:,} belong to no item", advice, is_damage=False)


def queued_work(library: Library) -> Iterator[Problem]:
    """What still waits or has failed in the background: told, never counted as damage (operations)."""
    with library.storage.read() as tx:
        spaces = [space.space_id for space in tx.access.spaces()]
        for kind, number in tx.jobs.pending(spaces).items():
            if number:
                advice = (
                    "Look at `vade status`." if kind == "failed" else "Nothing: it goes on while serving."
                )
                yield Problem("jobs", kind, f"{number:,}", advice, is_damage=False)
