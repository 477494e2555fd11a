"""Which item does a link lead to?"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import IntEnum

from vademecum.library.context import Library
from vademecum.library.naming import target_key
from vademecum.library.places import NOTE_ENDINGS, Tree, item_at, tree_of, without_note_ending
from vademecum.model.access import Caller
from vademecum.model.items import Item
from vademecum.model.names import name_key
from vademecum.ports.places import Placed
from vademecum.ports.storage import StoredLink, Transaction
from vademecum.text.link_scan import LinkKind, Notation
from vademecum.text.links import Link, find_links

_ENDINGS = ("", *NOTE_ENDINGS)
MARKDOWN = (Notation.PLAIN, Notation.ANGLE)
_PAST = "past"
_UNRESOLVED_MOST = 500


@dataclass(frozen=True, slots=True)
class Bearer:
    """An item that bears a name, by `origin` as its title, file name, alias or past title."""

    item_id: str
    origin: str
    created_at: str


class Way(IntEnum):
    """How a link leads to an item, the more exact the greater."""

    BY_NAME = 0
    BY_ENDING = 1
    BY_PATH = 2


@dataclass(frozen=True, slots=True)
class Lead:
    """Where a link leads, and how."""

    item_id: str
    way: Way


NamesOf = Callable[[str], list[Bearer]]


class LinkResolver:
    """What lies where in a space, and who bears which name, at one moment.

    A link by path leads to what lies there: a Markdown link from the folder of the note that holds it, else
    from the top; a wikilink from the top, else to the shortest path that ends so. A link by name leads to who
    bears it: as title, else as file name, else as alias, the oldest first (cases A23). Where a path leads
    nowhere, or no one bears the name now, its last name and past titles still lead on.
    """

    def __init__(self, tree: Tree, placed: Iterable[Placed], names: NamesOf) -> None:
        self.tree = tree
        self.placed = {one.item_id: one for one in placed}
        self.names = names
        self._folders: dict[str | None, tuple[str, ...]] = {}
        self._at: dict[tuple[str | None, str], str] = {}
        self._called: dict[str, list[str]] = {}
        for one in sorted(self.placed.values(), key=lambda placed: placed.item_id):
            key = name_key(one.file_name)
            self._at.setdefault((one.folder_id, key), one.item_id)
            self._called.setdefault(key, []).append(one.item_id)

    def path_of(self, item_id: str) -> str:
        """The path of the item, empty for one that is not in the tree."""
        one = self.placed.get(item_id)
        return "/".join((*self._folder_names(one.folder_id), one.file_name)) if one else ""

    def _folder_names(self, folder_id: str | None) -> tuple[str, ...]:
        if folder_id not in self._folders:
            self._folders[folder_id] = self.tree.names_of(folder_id)
        return self._folders[folder_id]

    def named(self, target: str, *, past: bool = False) -> str | None:
        """Who bears the last name of the target, past titles apart unless they are asked for too."""
        bearers = self.names(target_key(target))
        return next((one.item_id for one in bearers if past or one.origin != _PAST), None)

    def leads_to(self, target: str, notation: Notation, folder_id: str | None) -> Lead | None:
        """What a link in a note of that folder names exactly; None where it leads on only by its last name or
        a past title, or nowhere.
        """
        path = target.replace("\\", "/")
        at_path = self._first_at(_bases(path, notation, folder_id), path)
        if at_path is not None:
            return Lead(at_path, Way.BY_PATH)
        if "/" not in path:
            named = self.named(path)
            return None if named is None else Lead(named, Way.BY_NAME)
        is_ending = notation not in MARKDOWN and not path.startswith(("/", "."))
        ending_so = self._ending_so(path) if is_ending else None
        return None if ending_so is None else Lead(ending_so, Way.BY_ENDING)

    def leads_on_to(self, target: str, notation: Notation, folder_id: str | None) -> str | None:
        """The item that a link leads to in any way."""
        found = self.leads_to(target, notation, folder_id)
        return found.item_id if found else self.named(target, past=True)

    def is_relative(self, target: str, folder_id: str | None) -> bool:
        """Whether something lies at the target from the folder on."""
        return not target.startswith("/") and self._item_at(folder_id, target) is not None

    def _first_at(self, bases: Iterable[str | None], path: str) -> str | None:
        found = (self._item_at(base, path) for base in dict.fromkeys(bases))
        return next((item_id for item_id in found if item_id is not None), None)

    def _item_at(self, base: str | None, path: str) -> str | None:
        names = posixpath.normpath("/".join((*self._folder_names(base), path.lstrip("/")))).split("/")
        if names[0] == "..":
            return None
        is_there, folder_id = self.tree.find(names[:-1])
        if not is_there:
            return None
        keys = (name_key(names[-1] + ending) for ending in _ENDINGS)
        return next((self._at[folder_id, key] for key in keys if (folder_id, key) in self._at), None)

    def _ending_so(self, path: str) -> str | None:
        names = path.strip("/").split("/")
        wanted = [name_key(name) for name in names[:-1]]
        paths = []
        for ending in _ENDINGS:
            for item_id in self._called.get(name_key(names[-1] + ending), ()):
                above = [name_key(name) for name in self._folder_names(self.placed[item_id].folder_id)]
                if above[len(above) - len(wanted) :] == wanted:
                    paths.append((len(above), self.path_of(item_id), item_id))
        return min(paths)[2] if paths else None


def _bases(path: str, notation: Notation, folder_id: str | None) -> list[str | None]:
    """The folders from which a path is followed, in order; none for a name."""
    if path.startswith("/"):
        return [None]
    if notation in MARKDOWN:
        return [folder_id, None]
    if "/" not in path:
        return []
    return [folder_id] if path.startswith(".") else [None, folder_id]


def link_resolver_of(tx: Transaction, space_id: str) -> LinkResolver:
    """The space as it stands; names are asked for in the transaction as they are needed."""
    known: dict[str, list[Bearer]] = {}

    def names(key: str) -> list[Bearer]:
        if key not in known:
            found = tx.items.named((space_id,), key) if key else []
            known[key] = [Bearer(item.item_id, origin, item.created_at) for item, origin in found]
        return known[key]

    return LinkResolver(tree_of(tx, space_id), tx.places.within(space_id, None), names)


def keys_leading_to(tx: Transaction, space_id: str, placed: Placed) -> set[str]:
    """The keys under which links to the item are kept: of every name that it bears or bore."""
    keys = {name.key for name in tx.items.names(space_id, placed.item_id)}
    return keys | {name_key(without_note_ending(placed.file_name))}


def notations_of(link: StoredLink) -> tuple[Notation, ...]:
    """The notations in which a kept link may be written."""
    if link.kind == LinkKind.MARKDOWN:
        return (Notation.PLAIN,)
    return (Notation.WIKI, Notation.PLAIN) if link.kind == LinkKind.EMBED else (Notation.WIKI,)


def backlinks(library: Library, caller: Caller, path: str) -> list[tuple[str, str]]:
    """Path and title of each other note that links to what lies at the path, by path.

    Raises NotFound, InvalidInput and TooLarge for the path.
    """
    space_id = caller.spaces[0]
    with library.storage.read() as tx:
        resolver = link_resolver_of(tx, space_id)
        wanted = item_at(tx, space_id, resolver.tree, path)
        inward = tx.links.into(space_id, sorted(keys_leading_to(tx, space_id, wanted)))
        found = {
            item.item_id: (resolver.path_of(item.item_id), item.title)
            for item, link in inward
            if item.item_id in resolver.placed
            and item.item_id != wanted.item_id
            and _leads_to(resolver, item, link, wanted)
        }
    return sorted(found.values())


def _leads_to(resolver: LinkResolver, source: Item, link: StoredLink, wanted: Placed) -> bool:
    leads = (resolver.leads_on_to(link.target, notation, source.folder_id) for notation in notations_of(link))
    return wanted.item_id in leads


def unresolved_names(tx: Transaction, space_id: str, body: str, within: str | None = None) -> tuple[str, ...]:
    """Names in wikilinks of the body that no item of the space bears, each once; only those that stand in
    `within` too, where that is given.
    """
    targets = _wiki_targets(find_links(body))
    if within is not None:
        targets = [target for target in targets if "[[" in within and target in within]
    known: Mapping[str, str] = {target_key(target): target for target in reversed(targets)}
    missing = [target for key, target in known.items() if not tx.items.named((space_id,), key)]
    return tuple(sorted(missing, key=targets.index)[:_UNRESOLVED_MOST])


def _wiki_targets(links: Iterable[Link]) -> list[str]:
    return list(dict.fromkeys(link.target for link in links if link.notation not in MARKDOWN and link.target))
