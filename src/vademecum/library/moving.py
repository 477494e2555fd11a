"""How are notes and folders of the vault moved and renamed, with the links that lead to them?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from vademecum.library.changing import audit_change, begin_change
from vademecum.library.context import Library
from vademecum.library.drafts import being_edited, refuse_while_edited
from vademecum.library.indexing import PreparedIndex, prepare
from vademecum.library.linking import link_resolver_of
from vademecum.library.naming import check_depth, file_name_of_title, free_file_name, place_renamed
from vademecum.library.notes import note_at
from vademecum.library.places import Tree, check_no_item, folder_at, path_of, tree_of
from vademecum.library.relinking import Move, Relinker, move_of_folder, move_of_item, sources
from vademecum.library.saving import check_title
from vademecum.library.writing import Write, replace_document, replace_texts
from vademecum.model.access import Caller, Tier, require
from vademecum.model.errors import AlreadyExists, Busy, InvalidInput, NotFound, TooLarge, VersionConflict
from vademecum.model.items import Document, Folder, State
from vademecum.model.names import PATH_BYTES, file_name, name_key
from vademecum.model.revisions import Action, Change
from vademecum.ports.storage import Transaction
from vademecum.text.managed_keys import following

_TRIES = 5


@dataclass(frozen=True, slots=True)
class Moved:
    """Where something lies now, its title, which is a folder's name, and in how many other items links were
    written anew.
    """

    path: str
    title: str
    relinked: int


@dataclass(frozen=True, slots=True)
class _Rewrite:
    before: Document
    state: State
    prepared: PreparedIndex


@dataclass(frozen=True, slots=True)
class _Plan:
    """All that a move writes, read and prepared outside the transaction: the item that moves, or the folder,
    and the items whose links follow. `edited` is what must not be being edited.
    """

    space_id: str
    path: str
    title: str
    edited: tuple[str, ...]
    links: tuple[_Rewrite, ...]
    item: _Rewrite | None = None
    folder: Folder | None = None


class _Changed(Exception):
    """The vault is no longer as it was planned for; the transaction must leave no trace."""


def move_note(library: Library, caller: Caller, path: str, to_folder: str) -> Moved:
    """Move a note or sheet into another folder, under its file name or that with a number where it is taken.

    Links in other notes follow, all in one transaction (contracts 3.4.3); nothing is written where it lies
    there already. Raises TierDenied, NotFound, InvalidInput, TooLarge, and BeingEdited with nothing written.
    """

    def plan(tx: Transaction) -> _Plan:
        document = note_at(tx, caller, path, or_sheet=True).document
        item = document.item
        folder_id = folder_at(tree_of(tx, item.space_id), to_folder)
        if folder_id == item.folder_id:
            return _plan_of_item(library, tx, document, document.state)
        name = free_file_name(tx, item.space_id, folder_id, item.file_name)
        return _plan_of_item(
            library, tx, document, replace(document.state, folder_id=folder_id, file_name=name)
        )

    return _carry_out(library, caller, plan, "move_note")


def rename_note(library: Library, caller: Caller, path: str, new_title: str) -> Moved:
    """Give a note or sheet another title; its file name follows, with a number where that is taken.

    A title in its frontmatter follows too, a heading in its text does not; links lead on by the title before
    (decisions, Titles). Raises as `move_note` does.
    """
    title = check_title(new_title, "new_title")
    if title is None:
        raise InvalidInput("new_title", "may not be empty")

    def plan(tx: Transaction) -> _Plan:
        document = note_at(tx, caller, path, or_sheet=True).document
        name = file_name_of_title(tx, document.item, title)
        return _plan_of_item(library, tx, document, replace(document.state, title=title, file_name=name))

    return _carry_out(library, caller, plan, "rename_note")


def move_folder(library: Library, caller: Caller, path: str, to_folder: str) -> Moved:
    """Move a folder with all within it into another, never into itself or below.

    Only the folder's row changes, and links by path follow. Folders are not merged: AlreadyExists where one
    of that name lies there. Raises as `move_note` does.
    """

    def plan(tx: Transaction) -> _Plan:
        tree = tree_of(tx, caller.spaces[0])
        folder = _folder_named(tree, path)
        parent_id = folder_at(tree, to_folder)
        if not tree.may_hold(parent_id, folder.folder_id):
            raise InvalidInput("to_folder", "a folder cannot be moved into itself or below")
        return _plan_of_folder(library, tx, tree, folder, replace(folder, parent_id=parent_id))

    return _carry_out(library, caller, plan, "move_folder")


def rename_folder(library: Library, caller: Caller, path: str, new_name: str) -> Moved:
    """Give a folder another name where it lies; a change of case alone counts too.

    Raises as `move_folder` does.
    """
    if "/" in new_name or "\\" in new_name or not new_name.strip(" ."):
        raise InvalidInput(
            "new_name", "must be one name without slashes; move_folder moves to another folder"
        )
    name = file_name(new_name.strip(), suffix="")

    def plan(tx: Transaction) -> _Plan:
        tree = tree_of(tx, caller.spaces[0])
        folder = _folder_named(tree, path)
        return _plan_of_folder(library, tx, tree, folder, replace(folder, name=name))

    return _carry_out(library, caller, plan, "rename_folder")


def _folder_named(tree: Tree, path: str) -> Folder:
    folder_id = folder_at(tree, path)
    folder = tree.folder(folder_id) if folder_id is not None else None
    if folder is None:
        raise InvalidInput("path", "is the top of the vault, which stays where it is")
    return folder


def _plan_of_item(library: Library, tx: Transaction, document: Document, state: State) -> _Plan:
    item = document.item
    if state == document.state:
        path = path_of(tx, item.space_id, item.folder_id, item.file_name)
        return _Plan(item.space_id, path, item.title, (item.item_id,), ())
    past = [name.text for name in tx.items.names(item.space_id, item.item_id) if name.origin == "past"]
    move = move_of_item(link_resolver_of(tx, item.space_id), document, state, past)
    _check_paths(move)
    own = following(document.state, Relinker(move).rewritten(item.item_id, state))
    rewrite = _Rewrite(document, own, prepare(library, own))
    links = _links(library, tx, item.space_id, move)
    path = move.after.path_of(item.item_id)
    return _Plan(item.space_id, path, state.title, (item.item_id,), links, item=rewrite)


def _plan_of_folder(library: Library, tx: Transaction, tree: Tree, before: Folder, after: Folder) -> _Plan:
    space_id = before.space_id
    resolver = link_resolver_of(tx, space_id)
    move = move_of_folder(resolver, after, tx.folders.list(space_id))
    path = move.after.tree.path_of(after.folder_id)
    if after == before:
        return _Plan(space_id, path, after.name, tuple(move.moved), ())
    _, there = tree.find((*tree.names_of(after.parent_id), after.name))
    if there not in (None, after.folder_id):
        raise AlreadyExists(
            f"There is a folder at {path!r} already.",
            advice="Folders are not merged: rename one of them first, or move the notes one by one.",
        )
    if there is None:
        check_no_item(tx, space_id, after.parent_id, after.name)
    check_depth(max(len(move.after.tree.names_of(one)) for one in move.after.tree.below(after.folder_id)))
    _check_paths(move)
    links = _links(library, tx, space_id, move)
    return _Plan(space_id, path, after.name, tuple(move.moved), links, folder=after)


def _check_paths(move: Move) -> None:
    """Refuse what would lie so deep that no tool could name it."""
    if any(len(move.after.path_of(item_id).encode()) > PATH_BYTES for item_id in move.moved):
        raise TooLarge("path", PATH_BYTES, "bytes")


def _links(library: Library, tx: Transaction, space_id: str, move: Move) -> tuple[_Rewrite, ...]:
    """The items whose links follow, but for those that are being edited and the one that moves by itself."""
    wanted = sources(tx, space_id, move)
    left_out = {*being_edited(tx, space_id, wanted, library.now())}
    if move.before.tree is move.after.tree:
        left_out |= move.moved
    keys = [(space_id, item_id) for item_id in wanted if item_id not in left_out]
    relinker = Relinker(move)
    rewrites = []
    for document in tx.items.load_all(keys):
        state = relinker.rewritten(document.item.item_id, document.state)
        if state != document.state:
            rewrites.append(_Rewrite(document, state, prepare(library, state, embed_now=False)))
    return tuple(rewrites)


def _carry_out(library: Library, caller: Caller, plan: Callable[[Transaction], _Plan], tool: str) -> Moved:
    """Plan and write; where somebody else wrote in between, plan anew."""
    require(caller, Tier.FULL)
    for _ in range(_TRIES):
        with library.storage.read() as tx:
            planned = plan(tx)
        try:
            return _write(library, caller, planned, tool)
        except (_Changed, VersionConflict, NotFound):
            continue  # planning anew says what is there now
    raise Busy


def _write(library: Library, caller: Caller, plan: _Plan, tool: str) -> Moved:
    if plan.item is None and plan.folder is None:
        return Moved(plan.path, plan.title, 0)
    with library.storage.write() as tx:
        is_folder = plan.folder is not None
        refuse_while_edited(tx, plan.space_id, plan.edited, library.now(), folder=is_folder)
        change = begin_change(library, tx, caller, plan.space_id, tool)
        if plan.item is not None:
            _write_item(tx, caller, change, plan.item)
        if plan.folder is not None:
            _write_folder(tx, caller, change, plan.folder)
        return Moved(plan.path, plan.title, _write_links(library, tx, caller, change, plan))


def _write_item(tx: Transaction, caller: Caller, change: Change, rewrite: _Rewrite) -> None:
    placed = place_renamed(tx, change, rewrite.before, rewrite.state)
    folder = tx.folders.find(change.space_id, placed.folder_id) if placed.folder_id is not None else None
    is_gone = placed.folder_id is not None and (folder is None or folder.removed_at is not None)
    if placed != rewrite.state or is_gone:  # the name was taken meanwhile, or the folder removed
        raise _Changed
    replace_document(tx, Write(caller, change, Action.MOVE, rewrite.prepared), rewrite.before, placed)


def _write_folder(tx: Transaction, caller: Caller, change: Change, folder: Folder) -> None:
    tree = tree_of(tx, folder.space_id)
    if tree.folder(folder.folder_id) is None or not tree.may_hold(folder.parent_id, folder.folder_id):
        raise _Changed
    if not tx.folders.move(folder, name_key(folder.name), change):
        raise _Changed
    audit_change(tx, caller, change, None)


def _write_links(library: Library, tx: Transaction, caller: Caller, change: Change, plan: _Plan) -> int:
    """Write the items whose links follow; those that somebody began to edit meanwhile are left out."""
    ids = [rewrite.before.item.item_id for rewrite in plan.links]
    edited = being_edited(tx, plan.space_id, ids, library.now())
    written = [
        (rewrite.before, rewrite.state, rewrite.prepared)
        for rewrite in plan.links
        if rewrite.before.item.item_id not in edited
    ]
    if written:
        replace_texts(tx, Write(caller, change, Action.UPDATE, PreparedIndex()), written)
    return len(written)
