"""How does a new state of an item become durable, all of it or nothing?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from vademecum.library.changing import audit_change, entry_of_change
from vademecum.library.indexing import PreparedIndex, jobs_of, store_index
from vademecum.library.naming import names_of
from vademecum.model.access import Caller
from vademecum.model.addresses import address_key
from vademecum.model.errors import NotFound, VersionConflict
from vademecum.model.items import Document, State
from vademecum.model.revisions import Action, Change
from vademecum.ports.storage import ItemName, NewItem, Transaction


@dataclass(frozen=True, slots=True)
class Write:
    """One item about to be written within a change: its index was prepared before the transaction."""

    caller: Caller
    change: Change
    action: Action
    prepared: PreparedIndex


def source_key_of(state: State) -> str | None:
    """The identity of the address that an item came from."""
    return address_key(state.source_url) if state.source_url else None


def add_document(tx: Transaction, write: Write, document: Document) -> bool:
    """Store a new item with revision 1, names, links, index, jobs and audit; False when the id is taken."""
    if not tx.items.add(document, source_key_of(document.state)):
        return False
    _store_around(tx, write, document, names=names_of(document, ()))
    return True


def add_documents(tx: Transaction, write: Write, new: Sequence[tuple[Document, PreparedIndex]]) -> None:
    """Store items of new ids as `add_document` does each, all by few statements."""
    change, space_id = write.change, write.change.space_id
    documents = {document.item.item_id: _indexed(document, prepared) for document, prepared in new}
    prepared_of = {document.item.item_id: prepared for document, prepared in new}
    items = [
        NewItem(document, source_key_of(document.state), names_of(document, ()))
        for document in documents.values()
    ]
    tx.items.add_all(space_id, items)
    states = {key: (1, document.state) for key, document in documents.items()}
    tx.revisions.add_all(states, write.action, change)
    tx.links.add_all(space_id, {key: prepared.links for key, prepared in prepared_of.items()})
    tx.index.add_all(space_id, {key: prepared.chunks for key, prepared in prepared_of.items()})
    tx.jobs.add_all(
        [job for key in documents for job in jobs_of(documents[key].item, prepared_of[key], change.made_at)]
    )
    tx.audit.add([entry_of_change(write.caller, change, key) for key in documents])


def _indexed(document: Document, prepared: PreparedIndex) -> Document:
    item = replace(document.item, index_state=prepared.state, index_reason=prepared.reason)
    return replace(document, item=item)


def replace_document(tx: Transaction, write: Write, before: Document, state: State) -> Document:
    """Store the next version of an item that was read as `before`; raises VersionConflict when it is no
    longer so. A title that goes stays as a past title, by which links still resolve (decisions).
    """
    at = write.change.made_at
    trashed_at = (before.item.trashed_at or at) if state.trashed else None
    after = before.with_state(state, version=before.item.version + 1, at=at, trashed_at=trashed_at)
    if not tx.items.replace(after, source_key_of(state), before.item.version):
        raise _stale(tx, before)
    if _is_called_alike(before, after):
        _store_around(tx, write, after)
    else:
        _store_around(tx, write, after, names=names_of(after, _past_titles(tx, before, after)))
    return after


def replace_texts(
    tx: Transaction, write: Write, rewrites: Sequence[tuple[Document, State, PreparedIndex]]
) -> None:
    """Store the next versions of items that differ in their texts alone, and in none of their names, as
    `replace_document` does each, all by few statements.

    Raises VersionConflict when one of them is no longer as it was read.
    """
    change, space_id = write.change, write.change.space_id
    after: dict[str, Document] = {}
    for before, state, prepared in rewrites:
        version = before.item.version + 1
        document = before.with_state(state, version=version, at=change.made_at, trashed_at=None)
        after[before.item.item_id] = _indexed(document, prepared)
    items = [NewItem(document, source_key_of(document.state), ()) for document in after.values()]
    if not tx.items.replace_texts(space_id, items):
        raise VersionConflict
    prepared_of = {before.item.item_id: prepared for before, _, prepared in rewrites}
    versions = {key: document.item.version for key, document in after.items()}
    states = {key: (versions[key], document.state) for key, document in after.items()}
    tx.revisions.add_all(states, write.action, change)
    tx.links.replace_all(space_id, {key: prepared.links for key, prepared in prepared_of.items()})
    tx.index.replace_all(
        space_id, {key: (versions[key], prepared.chunks) for key, prepared in prepared_of.items()}
    )
    jobs = [job for key in after for job in jobs_of(after[key].item, prepared_of[key], change.made_at)]
    tx.jobs.add_all(jobs, again=True)
    tx.audit.add([entry_of_change(write.caller, change, key) for key in after])


def _is_called_alike(before: Document, after: Document) -> bool:
    """Whether nothing changed that an item's names come from."""
    return (before.item.title, before.item.file_name, before.frontmatter) == (
        after.item.title,
        after.item.file_name,
        after.frontmatter,
    )


def _past_titles(tx: Transaction, before: Document, after: Document) -> tuple[str, ...]:
    names = tx.items.names(after.item.space_id, after.item.item_id)
    gone = [before.item.title] if before.item.title != after.item.title else []
    return (*(name.text for name in names if name.origin == "past"), *gone)


def _stale(tx: Transaction, before: Document) -> VersionConflict | NotFound:
    current = tx.items.find(before.item.space_id, before.item.item_id)
    if current is None:
        return NotFound(id=before.item.item_id)
    return VersionConflict(expectedVersion=before.item.version, currentVersion=current.version)


def _store_around(
    tx: Transaction, write: Write, document: Document, names: Sequence[ItemName] | None = None
) -> None:
    item = document.item
    tx.revisions.add(item.item_id, item.version, write.action, document.state, write.change)
    if names is not None:
        tx.items.set_names(item.space_id, item.item_id, names)
    store_index(tx, item, write.prepared, write.change.made_at)
    audit_change(tx, write.caller, write.change, item.item_id)
