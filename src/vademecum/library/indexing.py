"""How is an item made findable?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from vademecum.library.context import Library
from vademecum.library.naming import links_of_state
from vademecum.model.errors import ProviderUnavailable
from vademecum.model.ids import new_id
from vademecum.model.items import IndexState, Item, Kind, Layer, State, first_of_body
from vademecum.model.jobs import Job, JobKind, JobState
from vademecum.model.search import IndexedChunk
from vademecum.ports.index import HEAD_PART, NewChunk, NewVector
from vademecum.ports.models import Embedder
from vademecum.ports.storage import StoredLink, Transaction
from vademecum.text.chunks import cut, embedding_head, embedding_text, vector_windows
from vademecum.text.scripts import script_of
from vademecum.text.tokens import TOKENIZER_VERSION, index_text

WINDOWS_AT_ONCE = 3  # vectors of a save besides the head's; the rest follow from a job (design 2.5)
_HEADINGS_OF_HEAD = 12


@dataclass(frozen=True, slots=True)
class PreparedIndex:
    """All that indexing an item needs, made outside the transaction because models and parsing take time."""

    links: tuple[StoredLink, ...] = ()
    chunks: tuple[NewChunk, ...] = ()
    state: IndexState = IndexState.SKIPPED
    reason: str | None = None
    jobs: tuple[JobKind, ...] = ()


def prepare(library: Library, state: State, *, embed_now: bool = True) -> PreparedIndex:
    """Cut, tokenise and embed the item's state: head vector and first windows now, the rest left to jobs.

    An import leaves every vector to jobs (`embed_now` false). What is in the trash is not findable. An
    embedder that fails costs the vectors, never the save.
    """
    links = tuple(links_of_state(state))
    if state.trashed:
        return PreparedIndex(links, reason="in the trash")
    chunks = [_chunk(state, layer, text) for layer, text in indexed_layers(state)]
    flat = [chunk for layer_chunks in chunks for chunk in layer_chunks]
    if not flat:
        return PreparedIndex(links, reason="holds no text")
    jobs = [JobKind.SECOND_STAGE] if library.second_stage else []
    if library.embedder is None:
        return PreparedIndex(links, tuple(flat), IndexState.KEYWORD, "no embedding model", tuple(jobs))
    embedded = _with_first_vectors(library.embedder, state, flat) if embed_now else flat
    if all(chunk.complete for chunk in embedded):
        return PreparedIndex(links, tuple(embedded), IndexState.INDEXED, None, tuple(jobs))
    return PreparedIndex(links, tuple(embedded), IndexState.KEYWORD, "vectors follow", (JobKind.EMBED, *jobs))


def indexed_layers(state: State) -> list[tuple[Layer, str]]:
    """The layers that are searched: the body (of sheets and files every text), summary, recognized text.

    Authored text replaces the extracted layer, except for sheets and files (decisions, Layers in search).
    A note without any text is still found by its title.
    """
    present = state.layers.present()
    body = first_of_body(present, state.kind)
    wanted = {body, Layer.SUMMARY, Layer.RECOGNIZED}
    if state.kind in (Kind.SHEET, Kind.FILE):
        wanted |= {Layer.AUTHORED, Layer.EXTRACTED}
    if body is None and state.kind not in (Kind.FILE, Kind.IMAGE):
        present = {Layer.AUTHORED: "", **present}
        wanted.add(Layer.AUTHORED)
    return [(layer, text) for layer, text in present.items() if layer in wanted]


def _chunk(state: State, layer: Layer, text: str) -> list[NewChunk]:
    return [
        _new_chunk(
            state, layer, piece.ordinal, piece.heading_path, piece.start, text[piece.start : piece.end]
        )
        for piece in cut(text, markdown=layer is not Layer.RECOGNIZED)
    ] or [_new_chunk(state, layer, 0, (), 0, "")]


def _new_chunk(
    state: State, layer: Layer, ordinal: int, heading_path: tuple[str, ...], start: int, text: str
) -> NewChunk:
    headings = [heading for heading in heading_path if heading.strip() != state.title.strip()]
    head = "\n".join([state.title, *headings, *state.tags])
    return NewChunk(
        layer=layer,
        ordinal=ordinal,
        heading_path=heading_path,
        start=start,
        text=text,
        head=head,
        head_tokens=index_text(head),
        body_tokens=index_text(text),
        tokenizer_version=TOKENIZER_VERSION,
        script=script_of(text or head),
    )


def _with_first_vectors(embedder: Embedder, state: State, chunks: Sequence[NewChunk]) -> list[NewChunk]:
    parts = list(_parts(state.title, state.tags, chunks, WINDOWS_AT_ONCE))
    try:
        heads, windows = embedder.embed(
            [text for _, part, text in parts if part == HEAD_PART],
            [text for _, part, text in parts if part != HEAD_PART],
        )
    except ProviderUnavailable:
        return list(chunks)  # the job tries again, and the answer says that vectors are missing
    made: dict[int, list[NewVector]] = {}
    for (index, part, _), vector in zip(parts, [*heads, *windows], strict=True):
        made.setdefault(index, []).append(NewVector(embedder.name, part, vector))
    return [_with_vectors(embedder, chunk, index, made.get(index, [])) for index, chunk in enumerate(chunks)]


def _with_vectors(embedder: Embedder, chunk: NewChunk, index: int, vectors: list[NewVector]) -> NewChunk:
    needed = len(vector_windows(chunk.text)) + (1 if index == 0 else 0)
    complete = (embedder.name,) if len(vectors) == needed else ()
    return replace(chunk, vectors=tuple(vectors), complete=complete)


def _parts(
    title: str, tags: Sequence[str], chunks: Sequence[NewChunk], most_windows: int
) -> Iterator[tuple[int, int, str]]:
    yield 0, HEAD_PART, _head_text(title, [chunk.heading_path for chunk in chunks], tags)
    left = most_windows
    for index, chunk in enumerate(chunks):
        for part, window in enumerate(vector_windows(chunk.text), start=1):
            if left == 0:
                return
            left -= 1
            yield index, part, embedding_text(title, chunk.heading_path, window)


def _head_text(title: str, paths: Sequence[tuple[str, ...]], tags: Sequence[str]) -> str:
    """What stands for an item as a whole. A heading that repeats the title would make the vector another."""
    headings = dict.fromkeys(
        heading for path in paths for heading in path if heading.strip() != title.strip()
    )
    return embedding_head(title, list(headings)[:_HEADINGS_OF_HEAD], tags)


def store_index(tx: Transaction, item: Item, prepared: PreparedIndex, at: str) -> None:
    """Put what was prepared into the links and the index, and the jobs that complete it into the queue."""
    tx.links.replace(item.space_id, item.item_id, prepared.links)
    tx.index.replace(item.space_id, item.item_id, item.version, prepared.chunks)
    tx.items.set_index(item.space_id, item.item_id, item.version, prepared.state, prepared.reason)
    for job in jobs_of(item, prepared, at):
        tx.jobs.add(job)


def jobs_of(item: Item, prepared: PreparedIndex, at: str) -> list[Job]:
    """The jobs that complete what was prepared."""
    return [_job(item, kind, at) for kind in prepared.jobs]


def _job(item: Item, kind: JobKind, at: str) -> Job:
    return Job(item.space_id, new_id(), kind, item.item_id, {}, JobState.QUEUED, run_at=at, created_at=at)


def embed_chunk(
    embedder: Embedder, item: Item, chunk: IndexedChunk, paths: Sequence[tuple[str, ...]], *, is_first: bool
) -> list[NewVector]:
    """All vectors of a stored chunk; the item's first one also carries the head vector.

    Raises ProviderUnavailable.
    """
    windows = vector_windows(chunk.text)
    texts = [embedding_text(item.title, chunk.heading_path, window) for window in windows]
    heads = [_head_text(item.title, paths, item.tags)] if is_first else []
    made_heads, made_windows = embedder.embed(heads, texts)
    vectors = [*((HEAD_PART, vector) for vector in made_heads), *enumerate(made_windows, start=1)]
    return [NewVector(embedder.name, part, vector) for part, vector in vectors]
