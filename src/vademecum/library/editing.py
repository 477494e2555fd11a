"""How is an item's text, title or tag list replaced?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from vademecum.library.changing import begin_change
from vademecum.library.context import Library
from vademecum.library.indexing import prepare
from vademecum.library.naming import place_renamed
from vademecum.library.resolving import load_document
from vademecum.library.saving import check_room, check_text, check_title
from vademecum.library.writing import Write, replace_document
from vademecum.model.access import Caller, Tier, require
from vademecum.model.ids import content_hash
from vademecum.model.items import Document, State
from vademecum.model.revisions import Action, check_version
from vademecum.model.tags import clean_tags
from vademecum.ports.storage import Transaction
from vademecum.text.managed_keys import following


def update_note(
    library: Library, caller: Caller, item_id: str, text: str, expected_version: int, title: str | None
) -> int:
    """Replace the whole authored text of any item, and its title when one is given; the new version.

    On a capture the authored text becomes the body while the extracted one stays kept (contracts 2.4.7).
    Raises TierDenied, NotFound, TooLarge, InvalidInput, and VersionConflict with nothing written.
    """
    require(caller, Tier.EDIT)
    content_hash(check_text(text))  # refuses what cannot be stored before anything is read
    named = check_title(title)
    before = _read(library, caller, item_id, expected_version)
    layers = replace(before.layers, authored=text)
    state = following(before.state, replace(before.state, layers=layers, title=named or before.item.title))
    return write_state(library, caller, before, state, ("update_note", Action.UPDATE)).item.version


def update_tags(
    library: Library, caller: Caller, item_id: str, tags: Sequence[str], expected_version: int
) -> int:
    """Replace the whole tag list (at most twenty) of an item; the new version (contracts 2.4.8).

    Raises TierDenied, NotFound, InvalidInput, TooLarge, and VersionConflict with nothing written.
    """
    require(caller, Tier.EDIT)
    wanted = clean_tags(tags)
    before = _read(library, caller, item_id, expected_version)
    state = following(before.state, replace(before.state, tags=tuple(wanted)))
    return write_state(library, caller, before, state, ("update_tags", Action.TAGS)).item.version


def _read(library: Library, caller: Caller, item_id: str, expected_version: int) -> Document:
    with library.storage.read() as tx:
        before = load_document(tx, caller, item_id)
    check_version(expected_version, before.item.version)
    return before


def write_state(
    library: Library,
    caller: Caller,
    before: Document,
    state: State,
    what: tuple[str, Action],
    also: Callable[[Transaction], None] | None = None,
) -> Document:
    """Make `state` the next version of an item read as `before`, as one change; `what` is tool and action,
    `also` what else is to be done in the same transaction.

    Raises VersionConflict when the item is no longer as it was read.
    """
    tool, action = what
    prepared = prepare(library, state)
    with library.storage.write() as tx:
        check_room(library, tx, caller)
        change = begin_change(library, tx, caller, before.item.space_id, tool)
        placed = place_renamed(tx, change, before, state)
        after = replace_document(tx, Write(caller, change, action, prepared), before, placed)
        if also is not None:
            also(tx)
        return after
