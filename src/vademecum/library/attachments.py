"""Which files belong to a note?"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from vademecum.library.context import Library
from vademecum.library.file_kinds import (
    AttachmentKind,
    attachment_kind,
    is_file_name,
    reading_tool,
    suffix_key,
)
from vademecum.library.linking import MARKDOWN, LinkResolver, link_resolver_of
from vademecum.library.notes import PlacedNote, note_at
from vademecum.library.places import is_note
from vademecum.model.access import Caller
from vademecum.ports.storage import Transaction
from vademecum.text.links import Link, LinkKind, find_links
from vademecum.text.properties import parse

ATTACHMENTS_MOST = 1_000


class Placement(StrEnum):
    """Where a note shows an attachment: in its text, or only in the panel beside it."""

    BODY = "body"
    PANEL = "panel"


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file that a note shows. `reference` is how its text names it, empty in the panel; a file that is
    missing has the path at which it would lie, and no size. Sizes are in bytes.
    """

    path: str
    reference: str
    where: Placement
    kind: AttachmentKind
    exists: bool
    size: int
    read_with: str


def list_attachments(library: Library, caller: Caller, path: str) -> tuple[list[Attachment], bool]:
    """The files that the text of the note at the path embeds, shows or links to, in order, each reference
    once, then those of its panel alone; at most 1,000, and whether there are more.

    Raises NotFound, and InvalidInput for what is no note.
    """
    with library.storage.read() as tx:
        note = note_at(tx, caller, path)
        resolver = link_resolver_of(tx, note.item.space_id)
        in_body = dict.fromkeys(_of_body(resolver, note))
        shown = {one.path for one in in_body}
        in_panel = [one for one in _of_panel(tx, resolver, note) if one.path not in shown]
    found = [*in_body, *in_panel]
    return found[:ATTACHMENTS_MOST], len(found) > ATTACHMENTS_MOST


def _of_body(resolver: LinkResolver, note: PlacedNote) -> Iterator[Attachment]:
    body = note.document.body
    for link in find_links(body, parse(note.document.frontmatter)):
        if link.is_external or not link.target:
            continue
        reference = body[link.start : link.end]
        item_id = resolver.leads_on_to(link.target, link.notation, note.item.folder_id)
        placed = resolver.placed.get(item_id) if item_id is not None else None
        if placed is not None and not is_note(placed.file_name):
            yield _attachment(resolver.path_of(placed.item_id), reference, Placement.BODY, placed.size)
        elif placed is None and _names_a_file(link):
            yield _attachment(_missing_path(resolver, note, link), reference, Placement.BODY, None)


def _names_a_file(link: Link) -> bool:
    name = posixpath.basename(link.target)
    shows = link.kind is LinkKind.EMBED and not is_note(name) and suffix_key(name) != ""
    return shows or is_file_name(name)


def _missing_path(resolver: LinkResolver, note: PlacedNote, link: Link) -> str:
    """Where what the link names would lie, as far as that is within the vault."""
    target = link.target.replace("\\", "/")
    is_from_folder = link.notation in MARKDOWN or target.startswith(".") or "/" not in target
    base = resolver.tree.path_of(note.item.folder_id) if is_from_folder and not target.startswith("/") else ""
    path = posixpath.normpath(posixpath.join("/", base, target.lstrip("/")))
    return path.lstrip("/")


def _of_panel(tx: Transaction, resolver: LinkResolver, note: PlacedNote) -> Iterator[Attachment]:
    """What the panel holds; a file in the trash is missing, one that was purged is not there at all."""
    for item_id in note.item.panel:
        placed = resolver.placed.get(item_id)
        if placed is not None:
            yield _attachment(resolver.path_of(item_id), "", Placement.PANEL, placed.size)
            continue
        item = tx.items.find(note.item.space_id, item_id)
        if item is not None:
            yield _attachment(
                resolver.tree.path_of(item.folder_id, item.file_name), "", Placement.PANEL, None
            )


def _attachment(path: str, reference: str, where: Placement, size: int | None) -> Attachment:
    name = posixpath.basename(path)
    return Attachment(
        path, reference, where, attachment_kind(name), size is not None, size or 0, reading_tool(name)
    )
