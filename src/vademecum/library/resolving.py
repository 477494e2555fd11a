"""Which item does a caller mean?"""

from __future__ import annotations

from vademecum.model.access import Caller
from vademecum.model.errors import NotFound
from vademecum.model.ids import item_id as parse_item_id
from vademecum.model.items import Document, Item, ItemClass
from vademecum.ports.storage import Transaction


def find_item(tx: Transaction, caller: Caller, reference: str, *, trashed: bool = False) -> Item:
    """The item with that id in the first of the caller's spaces that has it (decisions, How the parts fit).

    Trashed items are found only when asked for. Raises NotFound, which says the same for an item that does
    not exist and for one that the caller may not know of.
    """
    wanted = parse_item_id(reference)
    for space_id in caller.spaces:
        item = tx.items.find(space_id, wanted)
        if item is not None and item.item_class is ItemClass.USER_DOCUMENT and (trashed or not item.trashed):
            return item
    raise NotFound(id=wanted)


def load_document(tx: Transaction, caller: Caller, reference: str, *, trashed: bool = False) -> Document:
    """The item as `find_item` finds it, with its texts."""
    item = find_item(tx, caller, reference, trashed=trashed)
    document = tx.items.load(item.space_id, item.item_id)
    if document is None:
        raise NotFound(id=item.item_id)
    return document
