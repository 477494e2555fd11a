"""Which items hold every word of a literal search?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from vademecum.model.items import Item
from vademecum.model.search import Filters
from vademecum.ports.index import Scope
from vademecum.ports.storage import Transaction
from vademecum.text.folding import fold
from vademecum.text.queries import literal_words

_PAGE = 200
_MOST_SCANNED = 4_000  # items; a word inside a longer Latin word is looked for in the newest ones only
_MOST_CANDIDATES = 400


def items_with_words(
    tx: Transaction, spaces: Sequence[str], filters: Filters, keyword: str, limit: int
) -> list[Item]:
    """Items that hold every word of `keyword` somewhere in title, tags or texts, newest first.

    Case and width do not matter; everything else is literal. Whole words, and any run of Chinese, Japanese
    or Korean characters, are found in the whole library through the index; parts of Latin words in the
    newest items only, so that the time stays bounded.
    """
    folded = list(dict.fromkeys(fold(keyword).split()))
    indexed = _indexed(tx, spaces, filters, keyword)
    found = {
        (item.space_id, item.item_id): item
        for item in islice((item for item in indexed if _holds(tx, item, folded)), limit)
    }
    if len(found) < limit:
        for item in _scanned(tx, spaces, filters):
            if (item.space_id, item.item_id) not in found and _holds(tx, item, folded):
                found[item.space_id, item.item_id] = item
            if len(found) >= limit:
                break
    newest = sorted(found.values(), key=lambda item: (item.created_at, item.item_id), reverse=True)
    return newest[:limit]


def _indexed(tx: Transaction, spaces: Sequence[str], filters: Filters, keyword: str) -> Iterator[Item]:
    """Items that may hold every word, by the index: newest first, and a few more than do."""
    words = literal_words(keyword)
    sequences = [term.tokens for word in words for term in word.terms]
    if not sequences:
        return
    scope = Scope(tuple(spaces), tx.items.matching(spaces, filters))
    keys = tx.index.containing(sequences, scope, _MOST_CANDIDATES, 0)
    items = tx.items.find_all(keys)
    yield from (items[key] for key in keys if key in items and _has_layer(items[key], filters))


def _scanned(tx: Transaction, spaces: Sequence[str], filters: Filters) -> Iterator[Item]:
    before: tuple[str, str] | None = None
    for _ in range(_MOST_SCANNED // _PAGE):
        page = tx.items.list_recent(spaces, filters, _PAGE, before)
        yield from page
        if len(page) < _PAGE:
            return
        before = (page[-1].created_at, page[-1].item_id)


def _has_layer(item: Item, filters: Filters) -> bool:
    return filters.layer is None or filters.layer in item.layers


def _holds(tx: Transaction, item: Item, folded: Sequence[str]) -> bool:
    loaded = tx.items.load(item.space_id, item.item_id)
    if loaded is None:
        return False
    texts = [item.title, *item.tags, item.source_url or "", *loaded.layers.present().values()]
    whole = fold("\n".join(texts))
    return all(word in whole for word in folded)
