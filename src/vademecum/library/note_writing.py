"""How does an agent beside the person make and change notes of the vault?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from vademecum.library.changing import audit_change, begin_change
from vademecum.library.context import Library
from vademecum.library.drafts import refuse_while_edited
from vademecum.library.editing import write_state
from vademecum.library.indexing import prepare
from vademecum.library.linking import unresolved_names
from vademecum.library.naming import ensure_folder, place
from vademecum.library.note_blocks import keep_blocks, without_data
from vademecum.library.notes import PlacedNote, note_at
from vademecum.library.places import new_folder_names, path_of, tree_of
from vademecum.library.saving import check_room, check_text, check_title
from vademecum.library.writing import Write, add_document
from vademecum.model.access import Caller, Tier, require
from vademecum.model.errors import InvalidInput, VersionConflict
from vademecum.model.ids import content_hash, new_id
from vademecum.model.items import Birth, Item, Kind, Layers, State, new_document
from vademecum.model.revisions import Action
from vademecum.model.tags import clean_tags, distinct_tags, tag_key
from vademecum.model.versions import version_from, version_token
from vademecum.ports.storage import Transaction
from vademecum.text.blocks import BlockFence, compare_blocks
from vademecum.text.edits import replace_text
from vademecum.text.frontmatter import parse, split
from vademecum.text.managed_keys import following, with_tags
from vademecum.text.shown_note import Written, new_note, shown, written

_TRIES = 5
_STALE = (
    "Read the note again with read_note, work from what it says now, and pass the version that it gives then."
)


@dataclass(frozen=True, slots=True)
class NoteWritten:
    """A note after a write: where it lies, its version as the vault shows it, and what the caller should know
    of what was sent. `unresolved` are names in wikilinks that nothing in the vault bears, `replacements`
    counts the places that an edit changed.
    """

    item: Item
    path: str
    version: str
    unresolved: tuple[str, ...]
    ignored: tuple[str, ...] = ()
    replacements: int = 0
    kept_blocks: tuple[BlockFence, ...] = ()
    dropped_blocks: tuple[BlockFence, ...] = ()


@dataclass(frozen=True, slots=True)
class TagsWritten:
    """The tags of an item after a write, and its version where the caller knew the one before."""

    path: str
    tags: tuple[str, ...]
    version: str | None


def create_note(
    library: Library, caller: Caller, title: str, markdown: str, folder: str, tags: Sequence[str]
) -> NoteWritten:
    """Make a note in a folder, which is made if missing; a number is added to a file name that is taken.

    Its tags are those given and those of a leading frontmatter block, whose other keys become the note's own;
    the managed ones but `tags` are dropped (decisions, Vault). Raises TierDenied, InvalidInput, TooLarge,
    StorageFull, NotPermitted.
    """
    require(caller, Tier.EDIT)
    named = check_title(title, "title")
    if named is None:
        raise InvalidInput("title", "may not be empty")
    sent = new_note(check_text(markdown, "markdown"))
    first_hash = content_hash(sent.body)
    body, blocks = without_data(sent.body)
    sent = replace(sent, body=body)
    state = _new_state(named, sent, clean_tags(tags))
    prepared = prepare(library, state)
    space_id = caller.spaces[0]
    with library.storage.write() as tx:
        check_room(library, tx, caller)
        names = new_folder_names(tx, space_id, tree_of(tx, space_id), folder)
        change = begin_change(library, tx, caller, space_id, "create_note")
        placed = place(library, tx, change, state, names)
        document = new_document(Birth(space_id, new_id(), change.made_at, first_hash), placed)
        add_document(tx, Write(caller, change, Action.CREATE, prepared), document)
        keep_blocks(tx, document.item, body, blocks)
        return _told(tx, document.item, unresolved_names(tx, space_id, body), sent.ignored)


def _new_state(title: str, sent: Written, tags: Sequence[str]) -> State:
    own = parse(sent.frontmatter).tags
    both = distinct_tags((*own, *tags))
    block = with_tags(sent.frontmatter, own, both) if both != own else sent.frontmatter
    return State(title, Kind.NOTE, Layers(authored=sent.body), tags=both, frontmatter=block)


def update_note(
    library: Library, caller: Caller, path: str, markdown: str, version: str | None
) -> NoteWritten:
    """Replace the whole body of a note or capture, and its own frontmatter keys where a block leads the text;
    the blocks that it kept and lost are told with what the note is now.

    On a capture this writes the authored text. The title never changes. Raises TierDenied, NotFound,
    InvalidInput, TooLarge, and with nothing written VersionNeeded, VersionConflict, BeingEdited.
    """
    require(caller, Tier.EDIT)
    content_hash(check_text(markdown, "markdown"))
    note = _to_be_written(library, caller, path, version)
    sent = written(markdown, note.document.frontmatter, note.document.body)
    return _write(library, caller, note, sent, "update_note")


def edit_note(
    library: Library, caller: Caller, path: str, edit: Replacement, version: str | None
) -> NoteWritten:
    """Replace one passage of a note, or every occurrence of it; all else keeps its bytes.

    It is looked for in the body, and only where it does not stand there in the whole text that `read_note`
    gives, so that frontmatter can be edited too. Raises as `update_note`, InvalidInput where it is nowhere,
    and Ambiguous where it stands more than once without `every`.
    """
    require(caller, Tier.EDIT)
    content_hash(edit.new)
    note = _to_be_written(library, caller, path, version)
    sent, count = _edited(note, edit)
    check_text(sent.body, "new_string")
    after = _write(library, caller, note, sent, "edit_note", names_in=edit.new)
    return replace(after, replacements=count)


@dataclass(frozen=True, slots=True)
class Replacement:
    """A passage, compared exactly, what takes its place, and whether every occurrence is meant."""

    old: str
    new: str
    every: bool = False


def _edited(note: PlacedNote, edit: Replacement) -> tuple[Written, int]:
    frontmatter, body = note.document.frontmatter, note.document.body
    if not edit.old or edit.old in body:
        made = replace_text(body, edit.old, edit.new, every=edit.every)
        return Written(frontmatter, made.text), made.count
    made = replace_text(shown(frontmatter, body), edit.old, edit.new, every=edit.every)
    if not split(made.text).block:
        raise InvalidInput("new_string", "would leave frontmatter that is not closed; nothing was changed")
    return written(made.text, frontmatter, body), made.count


def _to_be_written(library: Library, caller: Caller, path: str, version: str | None) -> PlacedNote:
    """The note that a caller may write who read it at that version."""
    with library.storage.read() as tx:
        note = note_at(tx, caller, path)
        refuse_while_edited(tx, note.item.space_id, [note.item.item_id], library.now())
    expected = version_from(version, note.item.item_id)
    if expected != note.item.version:
        raise _stale()
    return note


def _stale() -> VersionConflict:
    return VersionConflict("The note has changed since that version was read.", advice=_STALE)


def _write(
    library: Library, caller: Caller, note: PlacedNote, sent: Written, tool: str, names_in: str | None = None
) -> NoteWritten:
    before = note.document
    body, blocks = without_data(sent.body, before.body)
    is_same_body = body == before.body and before.layers.authored is None
    layers = before.layers if is_same_body else replace(before.layers, authored=body)
    state = replace(before.state, layers=layers, frontmatter=sent.frontmatter)
    told: list[NoteWritten] = []
    space_id, item_id = note.item.space_id, note.item.item_id

    def also(tx: Transaction) -> None:
        refuse_while_edited(tx, space_id, [item_id], library.now())
        item = tx.items.find(space_id, item_id) or note.item
        keep_blocks(tx, item, body, blocks)
        after = _told(tx, item, unresolved_names(tx, space_id, body, names_in), sent.ignored)
        kept, dropped = compare_blocks(before.body, body)
        told.append(replace(after, kept_blocks=tuple(kept), dropped_blocks=tuple(dropped)))

    try:
        write_state(library, caller, before, state, (tool, Action.UPDATE), also)
    except VersionConflict as conflict:
        raise _stale() from conflict
    return told[0]


def _told(tx: Transaction, item: Item, unresolved: tuple[str, ...], ignored: tuple[str, ...]) -> NoteWritten:
    path = path_of(tx, item.space_id, item.folder_id, item.file_name)
    return NoteWritten(item, path, version_token(item.item_id, item.version), unresolved, ignored)


def update_tags(
    library: Library,
    caller: Caller,
    path: str,
    changes: tuple[Sequence[str], Sequence[str]],
    version: str | None,
) -> TagsWritten:
    """Add the first of the tags to a note or sheet and take the second away; tags are compared as
    `model.tags.tag_key` does. The body does not change.

    Raises TierDenied, NotFound, InvalidInput, TooLarge and BeingEdited with nothing written.
    """
    require(caller, Tier.EDIT)
    add, remove = (clean_tags(tags) for tags in changes)
    if not add and not remove:
        raise InvalidInput("add", "name tags to add or to remove")
    for _ in range(_TRIES):
        try:
            return _write_tags(library, caller, path, (add, remove), version)
        except VersionConflict:
            continue  # somebody else wrote meanwhile, and the tags are to be changed as they are now
    raise _stale()


def _write_tags(
    library: Library,
    caller: Caller,
    path: str,
    changes: tuple[tuple[str, ...], tuple[str, ...]],
    version: str | None,
) -> TagsWritten:
    with library.storage.read() as tx:
        note = note_at(tx, caller, path, or_sheet=True)
    item = note.item
    add, remove = changes
    away = {tag_key(tag) for tag in remove}
    tags = distinct_tags((*(tag for tag in item.tags if tag_key(tag) not in away), *add))
    state = following(note.document.state, replace(note.document.state, tags=tags))

    def also(tx: Transaction) -> None:
        refuse_while_edited(tx, item.space_id, [item.item_id], library.now())

    after = write_state(library, caller, note.document, state, ("update_tags", Action.TAGS), also).item
    was_current = version == version_token(item.item_id, item.version)
    return TagsWritten(
        note.path, after.tags, version_token(item.item_id, after.version) if was_current else None
    )


def create_folder(library: Library, caller: Caller, path: str) -> str:
    """Make an empty folder with whatever is missing above it; its path. One that is there already stays.

    Raises TierDenied, NotPermitted, InvalidInput and TooLarge.
    """
    require(caller, Tier.EDIT)
    space_id = caller.spaces[0]
    with library.storage.write() as tx:
        tree = tree_of(tx, space_id)
        names = new_folder_names(tx, space_id, tree, path)
        if not names:
            raise InvalidInput("path", "names no folder: the top of the vault is always there")
        is_there, folder_id = tree.find(names)
        if not is_there:
            change = begin_change(library, tx, caller, space_id, "create_folder")
            folder_id = ensure_folder(library, tx, change, names)
            audit_change(tx, caller, change, None)
        return path_of(tx, space_id, folder_id)
