"""Which items may answer a question, and what speaks for each?"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from vademecum.model.addresses import address_key
from vademecum.model.errors import InvalidInput
from vademecum.model.items import Item, ItemClass
from vademecum.model.names import name_key
from vademecum.model.search import IndexedChunk
from vademecum.ports.index import ChunkKey, KeywordMatch, Scope, VectorMatch
from vademecum.ports.models import Nearness, QueryVectors
from vademecum.ports.storage import ItemKey, Transaction
from vademecum.text.fusion import WordHit
from vademecum.text.queries import Query, names_title

CANDIDATES = 200  # chunks of each list of vectors
WORD_CANDIDATES = 30  # chunks beside vectors: few of them may lead, and each is scored on its tokens
_TITLES_COMPARED = 10
_FLOOR_WITH_WORDS = 0.5  # of the floor: words and vectors that are weak alone may be right together


@dataclass(frozen=True, slots=True)
class Asked:
    """What a model says of a question, asked before the transaction: it may fail, and it takes its time."""

    model: str
    near: Nearness
    vectors: QueryVectors


@dataclass(slots=True)
class Candidate:
    """What was found of one item: its nearness by the vectors, its best hit by words, and the sections."""

    key: ItemKey
    near: float | None = None
    head_chunk: ChunkKey | None = None
    window_chunk: ChunkKey | None = None
    word_chunk: ChunkKey | None = None
    words: WordHit | None = None
    chunks: set[ChunkKey] = field(default_factory=set)

    def chunk_shown(self, gate: float) -> ChunkKey | None:
        """The section to show: where the words stand if they cover enough, else the nearest in meaning."""
        covered = self.words is not None and (self.words.coverage >= gate or self.window_chunk is None)
        return self.word_chunk if covered else self.window_chunk or self.word_chunk or self.head_chunk


class Candidates:
    """The items found for one question, filled list by list."""

    def __init__(self) -> None:
        self._by_item: dict[ItemKey, Candidate] = {}
        self.named: frozenset[ItemKey] = frozenset()  # these hold all names of the question
        self.listed: dict[
            ItemKey, float
        ] = {}  # how near the whole lists of the first model are, floor or not

    def of(self, key: ItemKey) -> Candidate:
        """The candidate for an item, made when it is new."""
        candidate = self._by_item.get(key)
        if candidate is None:
            candidate = self._by_item[key] = Candidate(key)
        return candidate

    def every(self) -> Iterable[Candidate]:
        """All candidates."""
        return self._by_item.values()

    def near(self) -> list[Candidate]:
        """Those that are near in meaning."""
        return [candidate for candidate in self._by_item.values() if candidate.near is not None]

    def add_words(self, matches: Sequence[KeywordMatch]) -> None:
        """Take in hits by words, best first: the best section of an item counts."""
        for match in matches:
            candidate = self.of((match.space_id, match.item_id))
            chunk = (match.space_id, match.chunk_id)
            candidate.chunks.add(chunk)
            if candidate.words is None:
                candidate.words = WordHit(match.score, match.coverage)
                candidate.word_chunk = chunk

    def add_heads(self, matches: Sequence[VectorMatch], floor: float) -> None:
        """Take in heads near the question; under the floor a hit is none (decisions, All three)."""
        for match in matches:
            candidate = self._raised(match, floor, 0.0)
            if candidate is not None:
                candidate.head_chunk = (match.space_id, match.chunk_id)

    def add_windows(self, matches: Sequence[VectorMatch], floor: float, bonus: float) -> None:
        """Take in windows near the question, with the bonus that makes them comparable to heads."""
        for match in matches:
            candidate = self._raised(match, floor, bonus)
            if candidate is not None:
                chunk = (match.space_id, match.chunk_id)
                candidate.chunks.add(chunk)
                candidate.window_chunk = candidate.window_chunk or chunk

    def join(
        self, heads: Sequence[VectorMatch], windows: Sequence[VectorMatch], floors: Nearness, near: float
    ) -> set[ItemKey]:
        """Take in what another model finds near by itself, each item at least at `near`: all such items."""
        joined: set[ItemKey] = set()
        for match in windows:
            if match.similarity >= floors.window_floor:
                candidate = self.of((match.space_id, match.item_id))
                candidate.window_chunk = candidate.window_chunk or (match.space_id, match.chunk_id)
                joined.add(candidate.key)
        for match in heads:
            if match.similarity >= floors.head_floor:
                candidate = self.of((match.space_id, match.item_id))
                candidate.head_chunk = candidate.head_chunk or (match.space_id, match.chunk_id)
                joined.add(candidate.key)
        for key in joined:
            candidate = self.of(key)
            # What words found as well is not placed behind what they did not.
            candidate.near = near if candidate.near is None else max(candidate.near, near)
        return joined

    def least(self, floor: float) -> float:
        """How near something has to be to count at all."""
        # The floor of another model may lie below zero, where the half of it is higher.
        return min(floor, floor * _FLOOR_WITH_WORDS) if self._by_item else floor

    def _raised(self, match: VectorMatch, floor: float, bonus: float) -> Candidate | None:
        """The item's candidate, raised by the hit; None under the floor, where a hit only places what the
        words found anyway.
        """
        key, near = (match.space_id, match.item_id), match.similarity
        is_hit = near >= floor
        candidate = self.of(key) if is_hit else self._by_item.get(key)
        if candidate is None or not (is_hit or (candidate.words and near >= floor * _FLOOR_WITH_WORDS)):
            return None
        near += bonus
        candidate.near = near if candidate.near is None else max(candidate.near, near)
        return candidate if is_hit else None


def gather(
    tx: Transaction, query: Query, scope: Scope, asked: Asked | None, *, whole: bool = False
) -> Candidates:
    """The candidates by words and, where vectors were asked for, by meaning.

    What `second_view` compares with is kept of `whole` lists only: all others end at the floor.
    """
    found = Candidates()
    found.add_words(tx.index.keyword(query, scope, CANDIDATES if asked is None else WORD_CANDIDATES))
    if asked is not None:
        near, vectors = asked.near, asked.vectors
        lowest_head = None if whole else found.least(near.head_floor)
        lowest_window = None if whole else found.least(near.window_floor)
        heads = tx.index.nearest(asked.model, vectors.head, scope, CANDIDATES, heads=True, least=lowest_head)
        windows = tx.index.nearest(
            asked.model, vectors.window, scope, CANDIDATES, heads=False, least=lowest_window
        )
        found.add_heads(heads, near.head_floor)
        found.add_windows(windows, near.window_floor, near.window_bonus)
        found.listed = _best_by_item(heads, windows, near.window_bonus) if whole else {}
        found.named = _with_all_names(tx, query, scope, [candidate.key for candidate in found.near()])
    return found


def _best_by_item(
    heads: Sequence[VectorMatch], windows: Sequence[VectorMatch], bonus: float
) -> dict[ItemKey, float]:
    """How near each item of the lists is."""
    best: dict[ItemKey, float] = {}
    for matches, added in ((heads, 0.0), (windows, bonus)):
        for match in matches:
            key, near = (match.space_id, match.item_id), match.similarity + added
            best[key] = max(best.get(key, near), near)
    return best


def _with_all_names(
    tx: Transaction, query: Query, scope: Scope, near: Collection[ItemKey]
) -> frozenset[ItemKey]:
    """Only candidates are asked: a name may stand in half of the library."""
    if not query.names or not near:
        return frozenset()
    names = [term.tokens for term in query.names]
    return frozenset(tx.index.containing(names, replace(scope, allowed=frozenset(near)), len(near), 0))


@dataclass(frozen=True, slots=True)
class SecondView:
    """How near the second model finds each candidate, and how near each model finds all that it listed."""

    nearness: dict[ItemKey, float]
    samples: tuple[tuple[float, ...], tuple[float, ...]]


def second_view(
    tx: Transaction, query: Query, scope: Scope, found: Candidates, first: Asked, second: Asked
) -> SecondView | None:
    """What the second model says of the candidates, after those joined that it alone finds near.

    `found` was gathered of whole lists. None, and nothing joins, where the first model found nothing near,
    for that is how nonsense is told, and while a vector of what it found is missing.
    """
    known = _second_nearness(tx, found, second)
    if not known:
        return None
    vectors, near = second.vectors, second.near
    heads = tx.index.nearest(second.model, vectors.head, scope, CANDIDATES, heads=True)
    windows = tx.index.nearest(second.model, vectors.window, scope, CANDIDATES, heads=False)
    listed = _best_by_item(heads, windows, near.window_bonus)
    # What the first model did not find counts as lying on its floor: below, its similarities say nothing.
    joined = found.join(heads, windows, near, first.near.window_floor + first.near.window_bonus)
    found.named |= _with_all_names(tx, query, scope, joined - known.keys())
    nearness = {
        key: max(values[key] for values in (known, listed) if key in values) for key in joined | known.keys()
    }
    return SecondView(nearness, (tuple(found.listed.values()), tuple(listed.values())))


def _second_nearness(tx: Transaction, found: Candidates, asked: Asked) -> dict[ItemKey, float] | None:
    """How near the second model finds each item that the first one found; None while a vector is missing."""
    near = found.near()
    keys = [chunk for candidate in near for chunk in _chunks_of(candidate)]
    heads = tx.index.similarities(asked.model, asked.vectors.head, keys, heads=True)
    windows = tx.index.similarities(asked.model, asked.vectors.window, keys, heads=False)
    nearness: dict[ItemKey, float] = {}
    for candidate in near:
        chunks = _chunks_of(candidate)
        values = [heads[chunk] for chunk in chunks if chunk in heads]
        values += [windows[chunk] + asked.near.window_bonus for chunk in chunks if chunk in windows]
        if not values:
            return None
        nearness[candidate.key] = max(values)
    return nearness


def _chunks_of(candidate: Candidate) -> list[ChunkKey]:
    head = {candidate.head_chunk} if candidate.head_chunk else set()
    return sorted(candidate.chunks | head)


def exact_wins(tx: Transaction, query: Query, scope: Scope, found: Candidates) -> frozenset[ItemKey]:
    """Items that hold what was asked for to the letter: the whole title or another name, a quoted phrase, an
    identifier, an address. They become candidates if they were none.
    """
    named = [item for item, _ in tx.items.named(scope.spaces, name_key(query.text.strip()))]
    for page in _page_keys(query):
        named += tx.items.with_source(scope.spaces, page)
    keys = {(item.space_id, item.item_id) for item in named if is_searched(item)}
    keys |= _with_equal_title(tx, query, found) | _with_literals(tx, query, found)
    allowed = keys if scope.allowed is None else keys & scope.allowed
    if scope.layer is not None:
        allowed &= {candidate.key for candidate in found.every()}
    for key in allowed:
        found.of(key)
    return frozenset(allowed)


def _page_keys(query: Query) -> Iterator[str]:
    """What identifies the pages that the query names; addresses of mail and malformed ones name none."""
    for address in query.addresses:
        try:
            yield address_key(f"https://{address.text}")
        except InvalidInput:
            continue


def is_searched(item: Item) -> bool:
    """Whether a search of the library may show the item at all."""
    return not item.trashed and item.item_class is ItemClass.USER_DOCUMENT


def _with_equal_title(tx: Transaction, query: Query, found: Candidates) -> set[ItemKey]:
    likely = sorted(found.every(), key=lambda one: one.words.score if one.words else 0.0, reverse=True)
    items = tx.items.find_all([candidate.key for candidate in likely[:_TITLES_COMPARED]])
    return {key for key, item in items.items() if names_title(query.text, item.title)}


def _with_literals(tx: Transaction, query: Query, found: Candidates) -> set[ItemKey]:
    if not query.literals:
        return set()
    owner = {chunk: candidate.key for candidate in found.every() for chunk in candidate.chunks}
    chunks = tx.index.chunks(sorted(owner))
    return {owner[key] for key, chunk in chunks.items() if _holds_literal(chunk, query)}


def _holds_literal(chunk: IndexedChunk, query: Query) -> bool:
    return any(literal.found_in(chunk.text) or literal.found_in(chunk.head) for literal in query.literals)
