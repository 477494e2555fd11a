"""Which items hold every word of a literal search?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from vademecum.model.items import Item
from vademecum.model.search import Filters
from vademecum.ports.index import Scope
from vademecum.ports.storage import ItemKey, Transaction
from vademecum.text.folding import fold
from vademecum.text.queries import literal_words

_PAGE = 200
_MOST_SCANNED = 1_000  # items; a word inside a longer Latin word is looked for in the newest ones only
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
    indexed = (item for item in _indexed(tx, spaces, filters, keyword) if _holds(tx, item, folded))
    newest = list(islice(indexed, limit))
    known = {_key(item) for item in newest}
    for item in _scanned(tx, spaces, filters):
        if len(newest) >= limit and _age(item) < _age(newest[limit - 1]):
            break  # all that follow are older than what is shown
        if _key(item) not in known and _holds(tx, item, folded):
            newest = sorted([*newest, item], key=_age, reverse=True)[:limit]
    return newest


def _key(item: Item) -> ItemKey:
    return item.space_id, item.item_id


def _age(item: Item) -> tuple[str, str]:
    return item.created_at, item.item_id


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
