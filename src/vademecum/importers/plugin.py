"""What is an importer, and what does it make of one file?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import tzinfo
from pathlib import Path
from typing import Protocol

from vademecum.library.context import Library
from vademecum.library.importing import Incoming


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file of the source that is to be read; `path` is relative to the source's root, with `/`."""

    path: str
    location: Path
    size: int
    modified: float  # seconds since 1970


@dataclass(frozen=True, slots=True)
class Skipped:
    """What is left out on purpose: a file, or a folder with everything in it."""

    path: str
    reason: str
    files: int = 1


@dataclass(frozen=True, slots=True)
class Broken:
    """What should be read and cannot be: a file, or a folder with whatever it holds."""

    path: str
    reason: str


class Unreadable(Exception):
    """One file cannot be read; the import goes on with the others and names it in the report."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Importer(Protocol):
    """One format of another program."""

    name: str

    def recognises(self, root: Path) -> bool:
        """Whether the file or folder is of this format, judged by what it holds and not by its name."""

    def walk(self, root: Path) -> Iterator[SourceFile | Skipped | Broken]:
        """Everything in the source, in a steady order, each file exactly once."""

    def read(self, library: Library, file: SourceFile, zone: tzinfo) -> tuple[Incoming, list[str]]:
        """The item that a file becomes, and what the report should mention; dates without a zone are in
        `zone`. Raises Unreadable.
        """
