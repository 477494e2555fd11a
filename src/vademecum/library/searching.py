"""How is the whole library searched by words and by meaning at once?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from vademecum.library.candidates import (
    Asked,
    Candidate,
    Candidates,
    SecondView,
    exact_wins,
    gather,
    is_searched,
    second_view,
)
from vademecum.library.context import Library
from vademecum.library.reading import check_limit, check_provenance, zone_of
from vademecum.model.access import Caller
from vademecum.model.errors import InvalidInput, ProviderUnavailable, TooLarge
from vademecum.model.items import Item, layer_of
from vademecum.model.search import (
    QUERY_LIMIT,
    SEARCH_DEFAULT,
    ChunkReference,
    Filters,
    Found,
    IndexedChunk,
    SearchAnswer,
)
from vademecum.model.tags import tag_key
from vademecum.model.times import range_bounds
from vademecum.ports.index import ChunkKey, Scope
from vademecum.ports.models import Embedder, Reranker
from vademecum.ports.storage import ItemKey, Transaction
from vademecum.text.fusion import Evidence, Ranked, Weights, fuse
from vademecum.text.queries import Query, parse_query
from vademecum.text.snippets import snippet

WEIGHTS = Weights()
_SHARE_NEEDED = 0.9  # of a caller's sections that must have their vectors (search 1.4)
_RERANKED = 50


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """What to search for (contracts 2.4.1); `tags` must all be carried, by themselves or by a tag below."""

    query: str
    tags: Sequence[str] = ()
    provenance: str = "any"
    start: str | None = None
    end: str | None = None
    limit: int = SEARCH_DEFAULT


@dataclass(frozen=True, slots=True)
class _Question:
    """A request made ready outside the transaction: models take their time there."""

    query: Query
    filters: Filters
    limit: int
    asked: Asked | None
    second: Asked | None
    understood: bool  # the embedder answered, even if it says that there is nothing to compare


def search(library: Library, caller: Caller, request: SearchRequest) -> SearchAnswer:
    """The items that answer the query, best first, each once with its best section, and how it was ranked.

    A model that is missing or fails costs its part of the ranking and is told by the flags, never an error.
    Raises InvalidInput and TooLarge naming the field.
    """
    question = _prepare(library, caller, request)
    with library.storage.read() as tx:
        scope = _scope(tx, caller, question.filters)
        found = gather(tx, question.query, scope, question.asked, whole=question.second is not None)
        exact = exact_wins(tx, question.query, scope, found)
        second = _second(tx, scope, found, question)
        ranked = fuse(_evidence(found, second, exact), WEIGHTS)
        most = max(question.limit, _RERANKED) if library.reranker else question.limit
        page = _page(tx, question, found, _shown(tx, ranked, most))
        vectors = question.understood and _has_vectors(library, tx, caller)
    reranked = _reranked(library.reranker, question, page, exact)
    return SearchAnswer(
        results=tuple((reranked or page)[: question.limit]),
        vector_search_applied=vectors,
        rerank_applied=reranked is not None or second is not None,
    )


def _prepare(library: Library, caller: Caller, request: SearchRequest) -> _Question:
    text = request.query.strip()
    if not text:
        raise InvalidInput("query", "a word or question is needed")
    if len(text) > QUERY_LIMIT:
        raise TooLarge("query", QUERY_LIMIT)
    filters = Filters(
        tags=tuple(key for tag in request.tags if (key := tag_key(tag))),
        created=range_bounds(request.start, request.end, zone_of(caller)),
        layer=layer_of(check_provenance(request.provenance)),
    )
    asked, understood = _ask(library.embedder, text)
    second, _ = _ask(library.second_stage, text) if asked else (None, False)
    return _Question(parse_query(text), filters, check_limit(request.limit), asked, second, understood)


def _ask(model: Embedder | None, text: str) -> tuple[Asked | None, bool]:
    """The question's vectors and whether the model answered at all."""
    if model is None:
        return None, False
    try:
        vectors, near = model.embed_query(text), model.nearness
    except ProviderUnavailable:
        return None, False  # told by the flag of the answer
    return (Asked(model.name, near, vectors) if vectors else None), True


def _scope(tx: Transaction, caller: Caller, filters: Filters) -> Scope:
    allowed = tx.items.matching(caller.spaces, filters) if filters.narrows_items else None
    return Scope(caller.spaces, allowed, filters.layer)


def _second(tx: Transaction, scope: Scope, found: Candidates, question: _Question) -> SecondView | None:
    if question.asked is None or question.second is None:
        return None
    return second_view(tx, question.query, scope, found, question.asked, question.second)


def _evidence(found: Candidates, second: SecondView | None, exact: frozenset[ItemKey]) -> Evidence[ItemKey]:
    return Evidence(
        near={one.key: one.near for one in found.every() if one.near is not None},
        second=second.nearness if second else None,
        samples=second.samples if second else None,
        words={one.key: one.words for one in found.every() if one.words is not None},
        exact=exact,
        named=found.named,
    )


def _has_vectors(library: Library, tx: Transaction, caller: Caller) -> bool:
    model = library.embedder
    return model is not None and tx.index.vector_share(model.name, caller.spaces) >= _SHARE_NEEDED


def _shown(
    tx: Transaction, ranked: Sequence[Ranked[ItemKey]], most: int
) -> list[tuple[Ranked[ItemKey], Item]]:
    """The first `most` that are for the library: neither in the trash nor memory or profile (decisions)."""
    shown: list[tuple[Ranked[ItemKey], Item]] = []
    for start in range(0, len(ranked), most):
        part = ranked[start : start + most]
        items = tx.items.find_all([one.key for one in part])
        shown += [(one, items[one.key]) for one in part if one.key in items and is_searched(items[one.key])]
        if len(shown) >= most:
            break
    return shown[:most]


def _page(
    tx: Transaction, question: _Question, found: Candidates, ranked: Sequence[tuple[Ranked[ItemKey], Item]]
) -> list[Found]:
    shown = {one.key: found.of(one.key).chunk_shown(WEIGHTS.gate) for one, _ in ranked}
    chunks = tx.index.chunks([chunk for chunk in shown.values() if chunk is not None])
    return [
        _found(question, item, one.score, _chunk(chunks, shown[one.key], found.of(one.key)))
        for one, item in ranked
    ]


def _chunk(
    chunks: dict[ChunkKey, IndexedChunk], shown: ChunkKey | None, candidate: Candidate
) -> tuple[IndexedChunk | None, bool]:
    """The section to show and whether it is near in meaning itself, rather than the item's title."""
    near = shown is not None and shown == candidate.window_chunk
    return (chunks.get(shown) if shown else None), near


def _found(question: _Question, item: Item, score: float, shown: tuple[IndexedChunk | None, bool]) -> Found:
    chunk, near = shown
    if chunk is None:
        cut = snippet(item.excerpt, question.query)
        return Found(item, score, cut.text, cut.highlights, item.body_layer, None)
    cut = snippet(chunk.text, question.query)
    is_match = near or bool(cut.highlights) or _headed_by(chunk, question.query)
    in_section = is_match and chunk.layer is item.body_layer
    reference = ChunkReference(chunk.ordinal, chunk.heading_path, chunk.pages) if in_section else None
    return Found(item, score, cut.text, cut.highlights, chunk.layer, reference)


def _headed_by(chunk: IndexedChunk, query: Query) -> bool:
    """Whether a heading above the section holds words of the query; the item's title and tags do not count:
    they stand outside the body (decisions, Layers in search).
    """
    return any(snippet(heading, query).highlights for heading in chunk.heading_path)


def _reranked(
    reranker: Reranker | None, question: _Question, page: Sequence[Found], exact: frozenset[ItemKey]
) -> list[Found] | None:
    """The page in the order of a remote reranker, exact wins staying first; None when there is none."""
    if reranker is None or not page:
        return None
    first = [one for one in page if (one.item.space_id, one.item.item_id) in exact]
    rest = [one for one in page if (one.item.space_id, one.item.item_id) not in exact]
    try:
        scores = reranker.score(question.query.text, [f"{one.item.title}\n{one.snippet}" for one in rest])
    except ProviderUnavailable:
        return None
    order = sorted(range(len(rest)), key=lambda place: scores[place], reverse=True)
    return [*first, *(rest[place] for place in order)]
