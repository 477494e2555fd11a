"""How do links follow what is moved or renamed?"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from vademecum.library.linking import MARKDOWN, Bearer, Lead, LinkResolver, Way, keys_leading_to, notations_of
from vademecum.library.naming import names_of, target_key
from vademecum.library.places import Tree, is_note, without_note_ending
from vademecum.model.items import Document, Folder, State
from vademecum.model.names import name_key
from vademecum.ports.places import Placed
from vademecum.ports.storage import StoredLink, Transaction
from vademecum.text.link_scan import Notation
from vademecum.text.links import Link, can_name, rewrite_links, rewrite_property_links
from vademecum.text.properties import parse

_ORIGINS = ("title", "file", "alias", "past")  # best first


@dataclass(frozen=True, slots=True)
class Move:
    """The vault before and after, and the ids of what lies elsewhere or is called otherwise by then."""

    before: LinkResolver
    after: LinkResolver
    moved: frozenset[str]


def move_of_folder(before: LinkResolver, folder: Folder, folders: Iterable[Folder]) -> Move:
    """What becomes of the vault when the folder has the name and parent that it has in `folder`."""
    others = [one for one in folders if one.folder_id != folder.folder_id]
    tree = Tree([*others, folder])
    below = set(tree.below(folder.folder_id))
    moved = frozenset(one.item_id for one in before.placed.values() if one.folder_id in below)
    return Move(before, LinkResolver(tree, before.placed.values(), before.names), moved)


def move_of_item(before: LinkResolver, document: Document, state: State, past: Iterable[str]) -> Move:
    """What becomes of the vault when the item has the state's title, file name and folder; `past` are the
    titles that it had before.
    """
    item = document.item
    was = before.placed[item.item_id]
    now = replace(was, title=state.title, file_name=state.file_name, folder_id=state.folder_id)
    placed = [now if one.item_id == item.item_id else one for one in before.placed.values()]
    titles = (*past, *([item.title] if state.title != item.title else ()))
    bears = _names_after(document, state, titles)

    def names(key: str) -> list[Bearer]:
        found = [one for one in before.names(key) if one.item_id != item.item_id]
        if key in bears:
            found.append(Bearer(item.item_id, bears[key], item.created_at))
        return sorted(found, key=lambda one: (_ORIGINS.index(one.origin), one.created_at, one.item_id))

    return Move(before, LinkResolver(before.tree, placed, names), frozenset({item.item_id}))


def _names_after(document: Document, state: State, past: tuple[str, ...]) -> dict[str, str]:
    """The best origin of each name that the item will bear, by its key."""
    at = document.item.updated_at
    after = document.with_state(state, version=document.item.version, at=at, trashed_at=None)
    bears: dict[str, str] = {}
    for name in names_of(after, past):
        bears.setdefault(name.key, name.origin)
    return bears


def sources(tx: Transaction, space_id: str, move: Move) -> list[str]:
    """Ids of the items in which a link has to be written anew."""
    keys = set()
    outward: list[tuple[str, StoredLink]] = []
    for item_id in move.moved:
        keys |= keys_leading_to(tx, space_id, move.before.placed[item_id])
        outward += [(item_id, link) for link in tx.links.out_of(space_id, item_id)]
    inward = [(item.item_id, link) for item, link in tx.links.into(space_id, sorted(keys))]
    relinker = Relinker(move)
    found = (
        item_id
        for item_id, link in (*outward, *inward)
        if link.target_key and relinker.has_to_follow(item_id, link)
    )
    return list(dict.fromkeys(found))


class Relinker:
    """Decides, link by link, what is written instead, so that each that led to what moves still does."""

    def __init__(self, move: Move) -> None:
        self._move = move

    def has_to_follow(self, source: str, link: StoredLink) -> bool:
        """Whether the link, which stands in that item, no longer leads where it did, or only by a name of the
        past.
        """
        return any(self._led_to(source, link.target, notation) is not None for notation in notations_of(link))

    def _led_to(self, source: str, target: str, notation: Notation) -> Lead | None:
        """Where the target led before and does not lead as exactly after; None where it stays as it is."""
        before, after, moved = self._move.before, self._move.after, self._move.moved
        if source not in before.placed or not target:
            return None
        there, then = before.placed[source].folder_id, after.placed[source].folder_id
        lead = before.leads_to(target, notation, there)
        if lead is None:
            item_id = before.leads_on_to(target, notation, there)
            if item_id is None or item_id not in moved:
                return None
            still_on = after.leads_on_to(target, notation, then) == item_id
            return None if still_on else Lead(item_id, Way.BY_NAME)
        if lead.item_id not in moved and source not in moved:
            return None
        now = after.leads_to(target, notation, then)
        still = now is not None and now.item_id == lead.item_id and now.way >= lead.way
        return None if still else lead

    def rewritten(self, source: str, state: State) -> State:
        """The state with its links following, the text that was captured apart; code is left alone.

        A link that cannot hold the new place stays: past titles lead on.
        """

        def decide(link: Link) -> str | None:
            if link.is_external or (lead := self._led_to(source, link.target, link.notation)) is None:
                return None
            wanted = self._targets(source, link, lead)
            return next((target for target in wanted if self._holds(source, link, lead, target)), None)

        frontmatter, authored = state.frontmatter, state.layers.authored
        if authored is not None:
            authored = rewrite_links(authored, decide, parse(frontmatter))
        if frontmatter:
            frontmatter = rewrite_property_links(frontmatter, decide)
        return replace(state, frontmatter=frontmatter, layers=replace(state.layers, authored=authored))

    def _holds(self, source: str, link: Link, lead: Lead, target: str) -> bool:
        after = self._move.after
        found = after.leads_to(target, link.notation, after.placed[source].folder_id)
        return found is not None and found.item_id == lead.item_id and can_name(link, target)

    def _targets(self, source: str, link: Link, lead: Lead) -> Iterator[str]:
        """What the link may say, in the way in which it was written first, at last the whole path."""
        after = self._move.after
        written = link.target.replace("\\", "/")
        one, path = after.placed[lead.item_id], after.path_of(lead.item_id)
        has_ending = not is_note(one.file_name) or is_note(written)
        if lead.way is Way.BY_NAME:
            yield from self._names(written, one, has_ending)
        elif self._is_relative(source, link, written):
            start = "/".join(after.tree.names_of(after.placed[source].folder_id))
            relative = posixpath.relpath("/" + path, "/" + start)
            dotted = "./" if written.startswith("./") and not relative.startswith(".") else ""
            yield dotted + _without_ending(relative, has_ending)
        lead_slash = written.startswith("/") and lead.way is Way.BY_PATH
        for slash in ("/", "") if lead_slash else ("", "/"):
            yield slash + _without_ending(path, has_ending)

    def _is_relative(self, source: str, link: Link, written: str) -> bool:
        before = self._move.before
        is_meant = link.notation in MARKDOWN or written.startswith(".")
        return is_meant and before.is_relative(written, before.placed[source].folder_id)

    def _names(self, written: str, one: Placed, has_ending: bool) -> Iterator[str]:
        """The title and the file name, that first which the link called it by."""
        was = self._move.before.placed[one.item_id]
        file = _without_ending(one.file_name, has_ending)
        was_file = target_key(written) == target_key(was.file_name)
        by_title = name_key(written) == name_key(was.title)
        yield from (one.title, file) if by_title or not was_file else (file, one.title)


def _without_ending(path: str, has_ending: bool) -> str:
    return path if has_ending else without_note_ending(path)
