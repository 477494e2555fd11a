"""How do tests look at both sides of the mirror, and do something on either?"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from tests.importers.vaults import items
from tests.library.home import Home
from vademecum.library.history import revision, revisions
from vademecum.library.reading import document
from vademecum.mirror.mirror import Mirror
from vademecum.mirror.standing import Pace
from vademecum.model.items import Document, Item
from vademecum.model.revisions import HistoryEntry

AT_ONCE = Pace(quiet=0.0, doubt=0.0)


@dataclass
class Mirrored:
    """A library and its folder on disk."""

    home: Home
    data: Path
    mirror: Mirror = field(init=False)

    def __post_init__(self) -> None:
        (self.data / ".vade").mkdir(parents=True, exist_ok=True)
        self.restart()

    @property
    def root(self) -> Path:
        return self.data / "library"

    def restart(self) -> None:
        """A mirror that knows only what the last one noted."""
        self.mirror = Mirror(self.home.library, self.root, self.data / ".vade", AT_ONCE)

    def step(self, times: int = 2) -> None:
        """Let both sides follow each other until nothing is left to do."""
        for _ in range(times):
            self.mirror.step()

    def put(self, path: str, content: str | bytes) -> Path:
        """Write a file as another program does."""
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content.encode() if isinstance(content, str) else content)
        return place

    def disk(self) -> dict[str, bytes]:
        """Every file on disk with its content, by its path."""
        found = sorted(path for path in self.root.rglob("*") if path.is_file() and not path.is_symlink())
        return {str(path.relative_to(self.root)): path.read_bytes() for path in found}

    def texts(self) -> dict[str, str]:
        """The same as text."""
        return {path: content.decode() for path, content in self.disk().items()}

    def items(self) -> dict[str, Item]:
        """Items out of the trash by their place in the tree."""
        return items(self.home)

    def at(self, path: str) -> Document:
        """The item at a place."""
        return document(self.home.library, self.home.owner, self.items()[path].item_id)

    def history(self, item_id: str) -> list[HistoryEntry]:
        """Its versions, newest first."""
        return revisions(self.home.library, self.home.owner, item_id)

    def body_of_version(self, item_id: str, version: int) -> str | None:
        """The words of an earlier version."""
        return revision(self.home.library, self.home.owner, item_id, version).state.layers.authored
