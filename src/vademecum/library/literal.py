"""Which items hold every word of a literal search?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from vademecum.model.items import Document, Item
from vademecum.model.search import Filters
from vademecum.ports.index import Scope
from vademecum.ports.storage import ItemKey, Transaction
from vademecum.text.folding import fold
from vademecum.text.queries import literal_words

_PAGE = 200
_LOADED_AT_ONCE = 50  # items; the newest few are often enough
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
    candidates = _pages(_indexed(tx, spaces, filters, keyword), min(limit, _LOADED_AT_ONCE))
    newest = list(islice((item for page in candidates for item in _holding(tx, page, folded)), limit))
    known = {_key(item) for item in newest}
    for page in _pages(_scanned(tx, spaces, filters), _LOADED_AT_ONCE):
        oldest = _age(newest[-1]) if len(newest) >= limit else None
        unseen = [item for item in page if oldest is None or _age(item) >= oldest]
        others = _holding(tx, [item for item in unseen if _key(item) not in known], folded)
        newest = sorted([*newest, *others], key=_age, reverse=True)[:limit]
        if len(unseen) < len(page):
            break  # all that follow are older than what is shown
    return newest


def _pages(items: Iterator[Item], size: int) -> Iterator[list[Item]]:
    while page := list(islice(items, size)):
        yield page


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


def _holding(tx: Transaction, items: Sequence[Item], folded: Sequence[str]) -> list[Item]:
    """Those of the items that hold every word, in their order."""
    if not items:
        return []
    loaded = tx.items.load_all([_key(item) for item in items])
    holding = {_key(document.item) for document in loaded if _holds(document, folded)}
    return [item for item in items if _key(item) in holding]


def _holds(document: Document, folded: Sequence[str]) -> bool:
    item = document.item
    texts = [item.title, *item.tags, item.source_url or "", *document.layers.present().values()]
    whole = fold("\n".join(texts))
    return all(word in whole for word in folded)
