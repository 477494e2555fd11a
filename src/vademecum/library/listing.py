"""Which notes, sheets, files and folders are there in a vault?"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from vademecum.library.context import Library
from vademecum.library.file_kinds import attachment_kind, is_media
from vademecum.library.places import (
    NOTE_ENDINGS,
    SHEET_ENDING,
    Tree,
    folder_at,
    is_note,
    tree_of,
)
from vademecum.model.access import Caller
from vademecum.model.items import Item
from vademecum.ports.places import Placed

DOCUMENT_ENDINGS = (*NOTE_ENDINGS, SHEET_ENDING)
FOLDERS_MOST = 2_000  # contracts 3.4.1
FILES_MOST = 5_000


class FileKind(StrEnum):
    """What a file is to those who list files (contracts 3.4.1)."""

    NOTE = "note"
    IMAGE = "image"
    VIDEO = "video"
    AUDIO = "audio"
    OTHER = "other"


class Include(StrEnum):
    """What a list of files holds: all but notes, notes alone, or both."""

    FILES = "files"
    NOTES = "notes"
    ALL = "all"


def file_kind(file_name: str) -> FileKind:
    """The kind of what bears the file name; a sheet is `other`, since it has lists of its own."""
    if is_note(file_name):
        return FileKind.NOTE
    return FileKind(attachment_kind(file_name)) if is_media(file_name) else FileKind.OTHER


@dataclass(frozen=True, slots=True)
class Listed:
    """A note or sheet with its path and the path of its folder, empty at the top."""

    item: Item
    path: str
    folder: str


@dataclass(frozen=True, slots=True)
class ListedFile:
    """A file with its path, what it is, and its size in bytes."""

    path: str
    kind: FileKind
    size: int


@dataclass(slots=True)
class ListedFolder:
    """A folder: how many notes and sheets lie directly in it and in all below it, and the folders in it.

    `truncated` tells that it has folders which are not listed.
    """

    path: str
    name: str
    documents: int
    total: int
    children: list[ListedFolder] = field(default_factory=list)
    truncated: bool = False


def list_notes(library: Library, caller: Caller, folder: str, *, archived: bool, limit: int) -> list[Listed]:
    """Notes and sheets of a folder and all below it, most recently updated first; archived ones only if asked
    for. Raises NotFound, InvalidInput and TooLarge for the folder.
    """
    space_id = caller.spaces[0]
    with library.storage.read() as tx:
        tree = tree_of(tx, space_id)
        within = _within(tree, folder)
        items = tx.places.recent(space_id, within, DOCUMENT_ENDINGS, archived=archived, limit=limit)
    return [
        Listed(item, tree.path_of(item.folder_id, item.file_name), tree.path_of(item.folder_id))
        for item in items
    ]


def _within(tree: Tree, folder: str) -> list[str | None] | None:
    """The ids of the folder and all below it, None for the whole vault."""
    start = folder_at(tree, folder)
    return None if start is None else list(tree.below(start))


def list_files(
    library: Library, caller: Caller, folder: str, *, recursive: bool, include: Include
) -> tuple[list[ListedFile], bool]:
    """Files of a folder by path, at most 5,000, and whether there are more. Raises as `list_notes` does."""
    space_id = caller.spaces[0]
    with library.storage.read() as tx:
        tree = tree_of(tx, space_id)
        within = _within(tree, folder) if recursive else [folder_at(tree, folder)]
        placed = tx.places.within(space_id, within)
    wanted = [one for one in placed if _is_wanted(one, include)]
    paths = sorted((tree.path_of(one.folder_id, one.file_name), one) for one in wanted)
    files = [ListedFile(path, file_kind(one.file_name), one.size) for path, one in paths[:FILES_MOST]]
    return files, len(paths) > FILES_MOST


def _is_wanted(placed: Placed, include: Include) -> bool:
    return include is Include.ALL or is_note(placed.file_name) is (include is Include.NOTES)


def list_folders(library: Library, caller: Caller, path: str, depth: int | None) -> ListedFolder:
    """The folder at the path with those below it, empty ones too, down to `depth` (1 is its children), at
    most 2,000: those nearer to it go first. Raises as `list_notes` does.
    """
    space_id = caller.spaces[0]
    with library.storage.read() as tx:
        tree = tree_of(tx, space_id)
        counts = tx.places.counts(space_id, DOCUMENT_ENDINGS)
    start = folder_at(tree, path)
    totals = _totals(tree, counts, start)
    top = _listed(tree, start, counts, totals)
    waiting: deque[tuple[ListedFolder, str | None, int]] = deque([(top, start, 0)])
    left = FOLDERS_MOST
    while waiting:
        listed, folder_id, level = waiting.popleft()
        children = tree.children(folder_id)
        shown = [] if depth is not None and level >= depth else children[:left]
        left -= len(shown)
        listed.truncated = len(shown) < len(children)
        listed.children = [_listed(tree, child.folder_id, counts, totals) for child in shown]
        waiting += [
            (one, child.folder_id, level + 1) for one, child in zip(listed.children, shown, strict=True)
        ]
    return top


def _listed(
    tree: Tree, folder_id: str | None, counts: Mapping[str | None, int], totals: Mapping[str | None, int]
) -> ListedFolder:
    names = tree.names_of(folder_id)
    name = names[-1] if names else ""
    return ListedFolder("/".join(names), name, counts.get(folder_id, 0), totals[folder_id])


def _totals(tree: Tree, counts: Mapping[str | None, int], start: str | None) -> dict[str | None, int]:
    """How many documents lie in each folder from `start` on and in all below it."""
    order: Sequence[str | None] = list(tree.below(start))  # a folder stands before those in it
    totals = {folder_id: counts.get(folder_id, 0) for folder_id in order}
    for folder_id in reversed(order):
        if folder_id != start and folder_id is not None:
            folder = tree.folder(folder_id)
            if folder is not None:
                totals[folder.parent_id] += totals[folder_id]
    return totals
