"""How is what can be derived from the texts made anew, and how are missing vectors filled in?"""

from __future__ import annotations

from collections.abc import Callable

from vademecum.library.context import Library
from vademecum.library.indexing import embed_chunk, prepare, store_index
from vademecum.library.naming import names_of
from vademecum.model.items import IndexState
from vademecum.model.jobs import Job
from vademecum.ports.models import Embedder

Progress = Callable[[int, int], bool]  # done and total; False asks to stop, because the work is another's now
_BATCH = 16


def embed_item(library: Library, job: Job, progress: Progress) -> None:
    """Fill in the vectors that an item's chunks still miss (job `embed`); safe to run again at any point.

    Raises ProviderUnavailable, upon which the job is tried again later.
    """
    if library.embedder is not None:
        _fill(library, library.embedder, job, progress)
        _note_complete(library, library.embedder, job)


def embed_item_for_second_stage(library: Library, job: Job, progress: Progress) -> None:
    """Fill in the vectors of the second model (job `second-stage`), as `embed_item` does."""
    if library.second_stage is not None:
        _fill(library, library.second_stage, job, progress)


def _fill(library: Library, embedder: Embedder, job: Job, progress: Progress) -> None:
    done = 0
    while True:
        with library.storage.read() as tx:
            item = tx.items.find(job.space_id, job.subject)
            missing = tx.index.chunks_without(embedder.name, (job.space_id,), _BATCH, job.subject)
            everything = tx.index.chunks_of(job.space_id, job.subject) if missing else []
        if item is None or not missing:
            return
        total = len(everything)
        first = everything[0].chunk_id
        paths = [chunk.heading_path for chunk in everything]
        made = [
            (chunk, embed_chunk(embedder, item, chunk, paths, is_first=chunk.chunk_id == first))
            for chunk in missing
        ]
        with library.storage.write() as tx:
            for chunk, vectors in made:
                tx.index.add_vectors(chunk.space_id, chunk.chunk_id, vectors)
            tx.index.mark_complete(embedder.name, [(chunk.space_id, chunk.chunk_id) for chunk in missing])
        done += len(missing)
        if not progress(min(done, total), total):
            return


def _note_complete(library: Library, embedder: Embedder, job: Job) -> None:
    with library.storage.write() as tx:
        item = tx.items.find(job.space_id, job.subject)
        if (
            item is not None
            and not item.trashed
            and tx.index.is_complete(embedder.name, job.space_id, job.subject)
        ):
            tx.items.set_index(job.space_id, job.subject, item.version, IndexState.INDEXED, None)


def items_to_reindex(library: Library) -> list[tuple[str, str]]:
    """Space and id of every item of the installation, for `reindex`."""
    with library.storage.read() as tx:
        return [
            (space.space_id, item_id)
            for space in tx.access.spaces()
            for item_id in tx.items.every_id(space.space_id)
        ]


def forget_vectors(library: Library, model: str) -> None:
    """Drop all vectors of a model, so that it embeds everything anew."""
    with library.storage.write() as tx:
        tx.index.forget_vectors(model, [space.space_id for space in tx.access.spaces()])


def reindex_item(library: Library, space_id: str, item_id: str) -> bool:
    """Make index, names and links of an item anew from its texts; False when it is gone.

    Serving goes on: each item is one short transaction, and an item that is written meanwhile is left to
    its writer, who indexed it.
    """
    with library.storage.read() as tx:
        document = tx.items.load(space_id, item_id)
    if document is None:
        return False
    prepared = prepare(library, document.state, embed_now=False)
    with library.storage.write() as tx:
        now = tx.items.hold(space_id, item_id)
        if now is None or now.version != document.item.version:
            return now is not None
        past = tuple(name.text for name in tx.items.names(space_id, item_id) if name.origin == "past")
        tx.items.set_names(space_id, item_id, names_of(document, past))
        store_index(tx, now, prepared, library.now())
    return True
