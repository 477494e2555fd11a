"""Is the folder on disk the one that was mirrored, and not another in its place?"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from vademecum.mirror.disk import Disk

_FILE = "mirror.json"


@dataclass(frozen=True, slots=True)
class Identity:
    """Which folder was mirrored: its path, its number on the disk, and the slugs of all spaces that ever
    had a folder in it, so that no space takes another's for its own.
    """

    folder: str
    number: str
    slugs: tuple[str, ...] = ()

    def apart(self, disk: Disk) -> frozenset[str]:
        """The folders at the top of a space's disk that belong to other spaces."""
        return frozenset() if disk.within else frozenset(f"@{slug}" for slug in self.slugs)

    def with_slugs(self, slugs: Iterable[str]) -> Identity:
        """The same, knowing these slugs too."""
        return replace(self, slugs=tuple(sorted({*self.slugs, *slugs})))


def read_identity(inner: Path) -> Identity | None:
    """What was noted in the data folder; None where nothing was, or nothing that can be read."""
    try:
        found = json.loads((inner / _FILE).read_text(encoding="utf-8"))
        return Identity(str(found["folder"]), str(found["number"]), tuple(map(str, found["slugs"])))
    except (FileNotFoundError, ValueError, KeyError, TypeError):
        return None


def write_identity(inner: Path, identity: Identity) -> None:
    """Note it, all of it or nothing."""
    unfinished = inner / f"{_FILE}.new"
    with unfinished.open("w", encoding="utf-8") as stream:
        json.dump(asdict(identity), stream)
        stream.flush()
        os.fsync(stream.fileno())
    unfinished.replace(inner / _FILE)
