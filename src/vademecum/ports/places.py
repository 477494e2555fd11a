"""What does the library ask about where things lie: in the tree, in an editor, and on disk?"""

from __future__ import annotations

import builtins
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from vademecum.model.drafts import Draft
from vademecum.model.items import Folder, Item, Kind
from vademecum.model.revisions import Change, FolderRevision


@dataclass(frozen=True, slots=True)
class Placed:
    """Where an item lies, and the little of it that a tree needs. `blob` names the file that it is; `size` is
    that of the file, or of a note's frontmatter and body in UTF-8, in bytes.
    """

    item_id: str
    version: int
    kind: Kind
    title: str
    folder_id: str | None
    file_name: str
    blob: str | None
    size: int


@dataclass(frozen=True, slots=True)
class PlacedText:
    """The Markdown of an item with its place: the frontmatter block and the body, verbatim.

    Both are None where a stored text cannot be read.
    """

    item_id: str
    folder_id: str | None
    file_name: str
    frontmatter: str | None
    body: str | None


@dataclass(frozen=True, slots=True)
class StoredBlock:
    """The data of what stands in a text as a placeholder: `data` is JSON (model.blocks)."""

    block_id: str
    kind: str
    label: str
    data: str


@dataclass(frozen=True, slots=True)
class MirrorFile:
    """A file of a space's folder on disk as it was last written or read. `path` is relative to that folder,
    with `/`; `file_number` tells the file from another that came in its place.
    """

    space_id: str
    path: str
    item_id: str
    item_version: int
    content_hash: str
    size: int
    modified_nanoseconds: int
    file_number: str


@dataclass(frozen=True, slots=True)
class MirrorFolder:
    """A folder of the tree as it was last seen on disk."""

    space_id: str
    folder_id: str
    path: str
    file_number: str


@dataclass(frozen=True, slots=True)
class Written:
    """What a stretch of a space's changes wrote: the ids of items and folders, each once, and the last of the
    changes.
    """

    items: tuple[str, ...]
    folders: tuple[str, ...]
    sequence: int


class Folders(Protocol):
    """The tree of a space. Removed folders are found by their id alone."""

    def find(self, space_id: str, folder_id: str) -> Folder | None: ...
    def named(self, space_id: str, parent_id: str | None, key: str) -> Folder | None: ...
    def add(self, folder: Folder, key: str, change: Change) -> bool:
        """False, and nothing done, when the parent already has a folder of that key."""

    def move(self, folder: Folder, key: str, change: Change) -> bool:
        """Give the folder the name and parent that it has in `folder`; False, and nothing done, when that
        parent has another folder of the key. Whoever moves sees to it that no circle arises.
        """

    def remove(self, folder: Folder, change: Change) -> None:
        """Take the folder out of the tree; no item out of the trash and no folder may lie in it any more."""

    def revive(self, folder: Folder, key: str, change: Change) -> bool:
        """Put a removed folder back; False, and nothing done, when its name is taken by now."""

    def list(self, space_id: str) -> builtins.list[Folder]: ...
    def of_change(self, space_id: str, change_id: str) -> builtins.list[FolderRevision]:
        """What a change made of folders, in the order in which it did."""

    def history(self, space_id: str, folder_id: str) -> builtins.list[FolderRevision]:
        """Oldest first."""


class Places(Protocol):
    """Items by where they lie: user documents out of the trash. None for a folder is the top of the space,
    None for `folders` all of it.
    """

    def at(self, space_id: str, folder_id: str | None, key: str) -> Placed | None:
        """The item of that file name's key, the oldest where several bear it."""

    def within(self, space_id: str, folders: Sequence[str | None] | None) -> list[Placed]:
        """In no order."""

    def recent(
        self,
        space_id: str,
        folders: Sequence[str | None] | None,
        endings: Sequence[str],
        *,
        archived: bool,
        limit: int,
    ) -> list[Item]:
        """Those whose file name's key has one of the endings, most recently updated first; archived ones only
        if asked for.
        """

    def counts(self, space_id: str, endings: Sequence[str]) -> Mapping[str | None, int]:
        """How many lie directly in each folder, of those whose file name's key has one of the endings."""

    def each_text(
        self, space_id: str, folders: Sequence[str | None] | None, endings: Sequence[str], *, archived: bool
    ) -> Iterator[PlacedText]:
        """Of those whose file name's key has one of the endings, in no order, few in memory at once; until
        the last is given nothing else may be asked.
        """


class Drafts(Protocol):
    """Unsaved texts, by space, id of draft and account."""

    def put(self, draft: Draft) -> None: ...
    def find(self, space_id: str, draft_id: str, account_id: str) -> Draft | None: ...
    def list(self, space_id: str, account_id: str) -> builtins.list[Draft]:
        """The last changed first."""

    def remove(self, space_id: str, draft_id: str, account_id: str) -> bool: ...
    def edited(self, space_id: str, since: str) -> Mapping[str, str]:
        """Ids of the items with a draft that changed at or after the stamp, and when it last did."""


class Blocks(Protocol):
    """The data of placeholders; each row holds from a version of its item on."""

    def of_item(self, space_id: str, item_id: str, version: int) -> Mapping[str, StoredBlock]:
        """By id, those that hold at the version; whether the text still shows them is the text's matter."""

    def put(self, space_id: str, item_id: str, version: int, blocks: Sequence[StoredBlock]) -> None:
        """Let them hold from the version on."""

    def in_space(self, space_id: str, block_id: str) -> list[tuple[str, StoredBlock]]:
        """The newest data under that id, with the id of each item that has it."""


class Mirror(Protocol):
    """What stands on disk of a space."""

    def files(self, space_id: str) -> list[MirrorFile]: ...
    def file_at(self, space_id: str, path: str) -> MirrorFile | None: ...
    def put_file(self, file: MirrorFile) -> None: ...
    def remove_file(self, space_id: str, path: str) -> None: ...
    def folders(self, space_id: str) -> list[MirrorFolder]: ...
    def put_folder(self, folder: MirrorFolder) -> None: ...
    def remove_folder(self, space_id: str, folder_id: str) -> None: ...
