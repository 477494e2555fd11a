"""What was seen on disk at one moment?"""

from __future__ import annotations

import os
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Signature:
    """What a file system tells of a file without reading it. Times are in nanoseconds since 1970."""

    size: int
    modified: int
    changed: int
    number: str  # of the file itself: it stays in a rename, and another file has another


@dataclass(slots=True)
class Snapshot:
    """The files and folders below a root by their paths, with `/`, and what could not or should not be read.

    What lies in a path of `unreadable` or of `left_out` may still be there.
    """

    files: dict[str, Signature] = field(default_factory=dict)
    folders: dict[str, str] = field(default_factory=dict)  # to their numbers
    empty: set[str] = field(default_factory=set)  # folders with nothing in them, not even what is left out
    unreadable: dict[str, str] = field(default_factory=dict)  # to the reason
    left_out: dict[str, str] = field(default_factory=dict)  # what no rule names beforehand, to the reason
    unfinished: list[str] = field(default_factory=list)  # what a kill left half written

    def folders_in(self, path: str) -> list[tuple[str, str]]:
        """The folders directly in the one at the path, with their numbers."""
        return [(one, number) for one, number in self.folders.items() if folder_of(one) == path]

    def forget_directly_in(self, path: str) -> None:
        """Know nothing any more of what lies directly in the folder, apart from the folders in it."""
        self.empty.discard(path)
        self.unreadable.pop(path, None)
        self.unfinished = []
        for one in [one for one in self.files if folder_of(one) == path]:
            del self.files[one]
        for table in (self.unreadable, self.left_out):
            for one in [one for one in table if folder_of(one) == path and one not in self.folders]:
                del table[one]

    def forget_folder(self, path: str) -> None:
        """Know nothing any more of the folder and of what lies in it, at any depth."""
        for table in (self.files, self.folders, self.unreadable, self.left_out):
            for one in [one for one in table if one == path or is_below(one, path)]:
                table.pop(one)
        self.empty = {one for one in self.empty if one != path and not is_below(one, path)}

    def may_hide(self, path: str) -> bool:
        """Whether something at the path could be there without having been seen."""
        hiding = (*self.unreadable, *self.left_out)
        return any(path == hidden or is_below(path, hidden) for hidden in hiding)


def signature_of(found: os.stat_result) -> Signature:
    """The signature of a file's status."""
    return Signature(found.st_size, found.st_mtime_ns, found.st_ctime_ns, str(found.st_ino))


def is_below(path: str, folder: str) -> bool:
    """Whether the path lies in the folder, at any depth; all do in the top (`""`)."""
    return not folder or path.startswith(f"{folder}/")


def folder_of(path: str) -> str:
    """The path of the folder in which something lies, empty for the top."""
    return path.rpartition("/")[0]


def names_of(path: str) -> tuple[str, ...]:
    """The names of a path from the top down; none for the top."""
    return tuple(path.split("/")) if path else ()
