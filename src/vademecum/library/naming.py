"""Where does an item lie, under which names is it reached, and what does it link to?"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace

from vademecum.library.context import Library
from vademecum.model.errors import TooLarge
from vademecum.model.ids import new_id
from vademecum.model.items import Document, Folder, Item, Kind, State
from vademecum.model.names import FOLDERS_DEEP, file_name, name_key, next_free_name, split_suffix
from vademecum.model.revisions import Change
from vademecum.ports.storage import ItemName, StoredLink, Transaction
from vademecum.text.link_scan import Link
from vademecum.text.links import find_links, links_of_properties
from vademecum.text.markdown import title_from
from vademecum.text.properties import Properties, parse

NOTES_FOLDER = "Notes"
CLIPS_FOLDER = "Clips"
UNTITLED = "Untitled"
LONGEST_TITLE_TAKEN = 200
_LINKED_KINDS = (Kind.NOTE, Kind.ARTICLE, Kind.THREAD, Kind.VIDEO, Kind.PDF, Kind.CONVERSATION)


def title_for(body: str) -> str:
    """The title of an untitled item: its first heading, else its first line (design 5)."""
    return title_from(body)[:LONGEST_TITLE_TAKEN].strip() or UNTITLED


def ensure_folder(library: Library, tx: Transaction, change: Change, path: tuple[str, ...]) -> str | None:
    """The id of the folder at the path, with whatever is missing of it made; None for the top.

    Raises TooLarge for one that would lie deeper than the folder on disk can show.
    """
    check_depth(len(path))
    parent: str | None = None
    for name in path:
        parent = _ensure_child(library, tx, change, parent, name)
    return parent


def check_depth(deep: int) -> None:
    """Raise TooLarge for more folders within one another than are allowed."""
    if deep > FOLDERS_DEEP:
        raise TooLarge("path", FOLDERS_DEEP, "folders deep")


def _ensure_child(library: Library, tx: Transaction, change: Change, parent: str | None, name: str) -> str:
    key = name_key(name)
    found = tx.folders.named(change.space_id, parent, key)
    if found is not None:
        return found.folder_id
    folder = Folder(change.space_id, new_id(), parent, name, library.now())
    if tx.folders.add(folder, key, change):
        return folder.folder_id
    twin = tx.folders.named(change.space_id, parent, key)  # another writer was faster
    return twin.folder_id if twin else folder.folder_id


def folder_again(tx: Transaction, change: Change, folder_id: str | None) -> str | None:
    """The folder, back in the tree with those above it where it was removed; one that bears its name by now
    stands for it (decisions, Folders).
    """
    folder = tx.folders.find(change.space_id, folder_id) if folder_id is not None else None
    if folder is None or folder.removed_at is None:
        return folder_id
    parent_id, key = folder_again(tx, change, folder.parent_id), name_key(folder.name)
    tx.folders.revive(replace(folder, parent_id=parent_id), key, change)
    found = tx.folders.named(change.space_id, parent_id, key)
    return found.folder_id if found else folder_id


@dataclass(slots=True)
class Reservations:
    """The folders found, and the keys of file names given in each, while items are placed that will be stored
    together.
    """

    folders: dict[tuple[str, ...], str | None] = field(default_factory=dict)
    file_keys: dict[str | None, set[str]] = field(default_factory=dict)


def free_file_name(
    tx: Transaction, space_id: str, folder_id: str | None, wanted: str, given: Collection[str] = ()
) -> str:
    """A file name that no other item or folder in the folder bears: the wanted one, or it with a number
    (decisions).

    Keys of `given` are taken too.
    """
    return _free(tx, space_id, folder_id, wanted, {*_taken(tx, space_id, folder_id, wanted), *given})


def file_name_of_title(tx: Transaction, item: Item, title: str) -> str:
    """The file name that follows a title of the item where it lies: free, or with the number that it has."""
    wanted = file_name(title, suffix=split_suffix(item.file_name)[1])
    taken = _taken(tx, item.space_id, item.folder_id, wanted) - {name_key(item.file_name)}
    return _free(tx, item.space_id, item.folder_id, wanted, set(taken))


def _taken(tx: Transaction, space_id: str, folder_id: str | None, wanted: str) -> frozenset[str]:
    """The keys of file names in the folder that begin as the wanted one does."""
    return tx.items.taken_file_keys(space_id, folder_id, name_key(split_suffix(wanted)[0])[:40])


def _free(tx: Transaction, space_id: str, folder_id: str | None, wanted: str, keys: set[str]) -> str:
    """The wanted name or the next one whose key is none of these and that no folder there bears: on disk a
    file and a folder of one name cannot lie side by side.
    """
    name = next_free_name(wanted, keys)
    while tx.folders.named(space_id, folder_id, name_key(name)) is not None:
        keys.add(name_key(name))
        name = next_free_name(wanted, keys)
    return name


def place(library: Library, tx: Transaction, change: Change, state: State, path: tuple[str, ...]) -> State:
    """The state lying in the folder at `path`, which is made if missing, under a file name free there.

    The name follows the title unless the state already has one of its own.
    """
    return place_beside(library, tx, change, Reservations(), (state, path))


def place_beside(
    library: Library,
    tx: Transaction,
    change: Change,
    reserved: Reservations,
    work: tuple[State, tuple[str, ...]],
) -> State:
    """The same for a state and path whose item is stored together with those for which names are reserved."""
    state, path = work
    if path not in reserved.folders:
        reserved.folders[path] = ensure_folder(library, tx, change, path)
    folder_id = reserved.folders[path]
    given = reserved.file_keys.setdefault(folder_id, set())
    wanted = state.file_name or file_name(state.title)
    name = free_file_name(tx, change.space_id, folder_id, wanted, given)
    given.add(name_key(name))
    return replace(state, folder_id=folder_id, file_name=name)


def place_renamed(tx: Transaction, change: Change, before: Document, state: State) -> State:
    """The state under a file name that no other item in its folder bears: the state's own where it has
    another than before, else one that follows a new title, else the same (design 5).

    An item that moves, or comes out of the trash, finds its name free or gets a number; one that comes out of
    the trash finds its folder there again.
    """
    item = before.item
    wanted = state.file_name
    if wanted == item.file_name and state.title != item.title:
        wanted = file_name_of_title(tx, item, state.title)
    comes_back = item.trashed and not state.trashed
    if comes_back:
        state = replace(state, folder_id=folder_again(tx, change, state.folder_id))
    is_there = state.folder_id == item.folder_id and not comes_back
    if name_key(wanted) == name_key(item.file_name) and is_there:
        return replace(state, file_name=wanted)
    return replace(state, file_name=free_file_name(tx, change.space_id, state.folder_id, wanted))


def names_of(document: Document, past: tuple[str, ...]) -> list[ItemName]:
    """All names by which links reach the item: title, file name, aliases, past titles (decisions, Titles)."""
    item = document.item
    aliases = parse(document.frontmatter).aliases if document.frontmatter else ()
    stem = item.file_name.removesuffix(".md")
    texts = [(item.title, "title"), (stem, "file"), *((alias, "alias") for alias in aliases)]
    texts += [(title, "past") for title in past if name_key(title) != name_key(item.title)]
    unique: dict[tuple[str, str], ItemName] = {}
    for text, origin in texts:
        if text.strip():
            unique.setdefault((name_key(text), origin), ItemName(name_key(text), text, origin))
    return list(unique.values())


def links_of_state(state: State) -> list[StoredLink]:
    """The links that a state holds; only kinds whose body is Markdown have any."""
    if state.kind not in _LINKED_KINDS:
        return []
    return [_stored(ordinal, link) for ordinal, link in enumerate(_links(state))]


def _links(state: State) -> Iterator[Link]:
    properties = parse(state.frontmatter) if state.frontmatter else Properties()
    yield from links_of_properties(properties)
    body = state.layers.authored if state.layers.authored is not None else state.layers.extracted
    if body:
        yield from find_links(body, properties)


def _stored(ordinal: int, link: Link) -> StoredLink:
    return StoredLink(
        ordinal=ordinal,
        kind=link.kind,
        target=link.target,
        target_key="" if link.is_external else target_key(link.target),
        heading=link.heading,
        display=link.display,
        relation=link.relation,
        start=link.start,
        end=link.end,
    )


def target_key(target: str) -> str:
    """The key by which a link's target is looked up: its last path segment without `.md`."""
    last = target.replace("\\", "/").rstrip("/").rpartition("/")[2]
    return name_key(last.removesuffix(".md"))
