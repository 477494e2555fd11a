"""What do tests of the index fill it with?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from tests.storage.samples import SPACE, a_document, at
from vademecum.model.items import Layer
from vademecum.ports.index import HEAD_PART, KeywordMatch, NewChunk, NewVector, Scope, VectorMatch
from vademecum.ports.storage import Storage, Transaction
from vademecum.text.queries import parse_query
from vademecum.text.scripts import script_of
from vademecum.text.tokens import TOKENIZER_VERSION, index_text

MODEL, OTHER_MODEL = "model-a", "model-b"
EVERYWHERE = Scope((SPACE,))


def a_chunk(text: str = "", head: str = "Title", **changed: Any) -> NewChunk:
    """A section, tokenised as the library does it; every field can be given."""
    fields: dict[str, Any] = {
        "layer": Layer.AUTHORED,
        "ordinal": 0,
        "heading_path": (),
        "start": 0,
        "text": text,
        "head": head,
        "head_tokens": index_text(head),
        "body_tokens": index_text(text),
        "tokenizer_version": TOKENIZER_VERSION,
        "script": script_of(text or head),
    }
    return NewChunk(**fields | changed)


def sections(*texts: str, head: str = "Title", **changed: Any) -> list[NewChunk]:
    """The sections of one text, in order."""
    starts = [sum(map(len, texts[:place])) for place in range(len(texts))]
    return [
        a_chunk(text, head, ordinal=place, start=start, **changed)
        for place, (text, start) in enumerate(zip(texts, starts, strict=True))
    ]


def a_vector(*components: int, part: int = 1, model: str = MODEL) -> NewVector:
    return NewVector(model, part, vector(*components))


def a_head(*components: int, model: str = MODEL) -> NewVector:
    return a_vector(*components, part=HEAD_PART, model=model)


def vector(*components: int) -> bytes:
    """A stored vector; the components that are not given are 0."""
    return bytes(component % 256 for component in (*components, *[0] * (8 - len(components))))


def index(storage: Storage, item_id: str, *chunks: NewChunk, space_id: str = SPACE, minute: int = 1) -> None:
    """Index the sections as those of the item, which is made if it is not there."""
    with storage.write() as tx:
        if tx.items.find(space_id, item_id) is None:
            assert tx.items.add(a_document(item_id, space_id=space_id, created_at=at(minute)), None)
        tx.index.replace(space_id, item_id, 1, chunks)


class Undone(Exception):
    """Ends a transaction without a trace."""


@contextmanager
def undone(storage: Storage) -> Iterator[Transaction]:
    """A writing transaction that fails at its end."""
    with suppress(Undone), storage.write() as tx:
        yield tx
        raise Undone


def search(storage: Storage, query: str, scope: Scope = EVERYWHERE, limit: int = 100) -> list[KeywordMatch]:
    with storage.read() as tx:
        return tx.index.keyword(parse_query(query), scope, limit)


def found(storage: Storage, query: str, scope: Scope = EVERYWHERE, limit: int = 100) -> list[str]:
    """The items that a query finds, best first."""
    return [match.item_id for match in search(storage, query, scope, limit)]


def near(
    storage: Storage,
    *components: int,
    scope: Scope = EVERYWHERE,
    limit: int = 100,
    heads: bool = False,
    model: str = MODEL,
) -> list[VectorMatch]:
    with storage.read() as tx:
        return tx.index.nearest(model, vector(*components), scope, limit, heads=heads)


def items_of(matches: Sequence[VectorMatch]) -> list[str]:
    return [match.item_id for match in matches]


def numbers_of(storage: Storage, item_id: str, space_id: str = SPACE) -> list[int]:
    """The numbers of an item's sections, in order."""
    with storage.read() as tx:
        return [chunk.chunk_id for chunk in tx.index.chunks_of(space_id, item_id)]
