"""What does the mirror know of one space's folder?"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from vademecum.library.context import Library
from vademecum.mirror.disk import Disk
from vademecum.mirror.seen import Signature, Snapshot, folder_of, is_below
from vademecum.model.access import Caller
from vademecum.model.items import Space
from vademecum.ports.places import MirrorFile, MirrorFolder
from vademecum.ports.storage import Transaction

_SETTLED = 200_000_000  # nanoseconds; a file system's clock is no finer than a few milliseconds


@dataclass(frozen=True, slots=True)
class Pace:
    """How patient the mirror is, in seconds: how long a file must have been left alone before it is read, and
    how long most of a folder must have been gone before that is believed.
    """

    quiet: float = 0.15
    doubt: float = 60.0


@dataclass(slots=True)
class Standing:
    """One space's folder: what the library knows of it, what of that was verified, and what is still to do.

    Only one process at a time has it, so that the rows need not be read again.
    """

    library: Library
    space: Space
    caller: Caller
    disk: Disk
    pace: Pace
    stopped: threading.Event  # what is under way ends between two batches once it is set
    files: dict[str, MirrorFile] = field(default_factory=dict)  # by path
    items: dict[str, set[str]] = field(default_factory=dict)  # paths by item
    folders: dict[str, MirrorFolder] = field(default_factory=dict)  # by id
    seen: Snapshot | None = None  # what lay on disk at the last look
    checked: dict[str, Signature] = field(default_factory=dict)
    waiting: dict[str, tuple[Signature, float]] = field(default_factory=dict)
    gone_since: dict[str, float] = field(default_factory=dict)
    doubted_since: float | None = None
    owed: set[str] = field(default_factory=set)  # items that are not on disk as they are
    owed_folders: set[str] = field(default_factory=set)
    emptied: set[str] = field(default_factory=set)  # paths of folders that the library has no more
    sequence: int | None = None  # None until everything was compared once
    not_in: dict[str, str] = field(default_factory=dict)  # why what lies at a path was not taken in just now
    not_out: dict[str, str] = field(default_factory=dict)  # why an item, or a folder, is not on disk as it is
    unsettled: bool = False  # something has to be looked at again soon

    @property
    def space_id(self) -> str:
        return self.space.space_id

    def load(self, tx: Transaction) -> None:
        """Read what the library knows."""
        self.files, self.items = {}, {}
        for file in tx.mirror.files(self.space_id):
            self.put(file)
        self.folders = {folder.folder_id: folder for folder in tx.mirror.folders(self.space_id)}

    def to_look_at(self, touched: Iterable[str]) -> set[str]:
        """The folders in which something may have changed: those of what was touched, and of what waits."""
        within = self.disk.within[0] + "/" if self.disk.within else ""
        own = {path.removeprefix(within) for path in touched if path.startswith(within)}
        return {folder_of(path) for path in (*own, *self.waiting, *self.gone_since)}

    def put(self, file: MirrorFile) -> None:
        """Know it, instead of what was known of the same path."""
        self.drop(file.path)
        self.files[file.path] = file
        self.items.setdefault(file.item_id, set()).add(file.path)

    def drop(self, path: str) -> None:
        """Know nothing of the path any more."""
        old = self.files.pop(path, None)
        if old is not None:
            paths = self.items[old.item_id]
            paths.discard(path)
            if not paths:
                del self.items[old.item_id]

    def file_of(self, item_id: str) -> MirrorFile | None:
        """The file that shows the item, the first by path where a moment knows two."""
        paths = self.items.get(item_id)
        return self.files[min(paths)] if paths else None

    def remember(self, path: str, signature: Signature) -> None:
        """The file is known to hold what its row says; one that was changed just now is looked at again,
        since another change within the same tick of the disk's clock would look the same.
        """
        self.waiting.pop(path, None)
        if abs(time.time_ns() - signature.changed) > _SETTLED:
            self.checked[path] = signature
        else:
            self.checked.pop(path, None)
            self.unsettled = True

    def renamed(self, old: str, new: str) -> list[tuple[str, MirrorFile]]:
        """The files that lie in the folder `new`, which was `old`, with their paths of before."""
        return [
            (path, replace(file, path=f"{new}/{path.removeprefix(f'{old}/')}"))
            for path, file in self.files.items()
            if is_below(path, old)
        ]

    def rename_folder(self, old: str, new: str) -> None:
        """Know everything in the folder by its new path."""
        moved = self.renamed(old, new)
        signatures = {path: self.checked.pop(path) for path, _ in moved if path in self.checked}
        for path, _ in moved:
            self.drop(path)
        for path, file in moved:
            self.put(file)
            if path in signatures:
                self.checked[file.path] = signatures[path]
        for folder in list(self.folders.values()):
            if folder.path == old or is_below(folder.path, old):
                self.folders[folder.folder_id] = replace(folder, path=new + folder.path.removeprefix(old))

    def keep_rows(self, tx: Transaction, left: Iterable[str], files: Iterable[MirrorFile] = ()) -> None:
        """Note in the library which files are there no more, and which are."""
        for path in left:
            tx.mirror.remove_file(self.space_id, path)
        for file in files:
            tx.mirror.put_file(file)
