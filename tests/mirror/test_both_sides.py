"""Do folder and library end alike, with nothing lost, whatever is done on both sides in whatever order?"""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.mirror.folder import Mirrored
from vademecum.library.editing import update_note, update_tags
from vademecum.library.note_blocks import from_disk, state_on_disk
from vademecum.library.trash import delete_item, list_trash, restore
from vademecum.mirror.examining import examine_mirror

_OPERATIONS = 250
_NAMES = ("a", "b", "Plan", "が", "Ω x")
_FOLDERS = ("", "Tea", "Tea/Japan", "Notes", "Ω")
_FENCE = "```monthlet-block\nid: b1\nlabel: Page (embed)\n%s```\n"
_DATA = 'data: {"id": "b1", "type": "embed", "target": "target %d"}\n'


@dataclass
class Hands:
    """Somebody at either side, who remembers every text that was acknowledged or written whole."""

    mirrored: Mirrored
    chance: random.Random
    texts: set[str] = field(default_factory=set)
    unseen: set[str] = field(default_factory=set)  # written outside since the mirror looked
    paths: set[str] = field(default_factory=set)  # of all that lay there at the last look
    number: int = 0

    def text(self) -> str:
        """A text like no other."""
        self.number += 1
        head = self.chance.choice(
            [
                *("", "# Head\n\n", "---\ntags: [x]\n---\n", "---\ntitle: T\n---\n", "\ufeff"),
                *(_FENCE % "", _FENCE % (_DATA % self.number), _FENCE % "data: {broken\n"),
            ]
        )
        return f"{head}word {self.number} #t{self.number % 3}\n"

    def kept(self, text: str) -> str:
        """The text, of which at least the words and the data of its block must be found in the end."""
        self.texts |= self._words(text)
        return text

    def _words(self, text: str) -> set[str]:
        return {words for words in (f"word {self.number} ", f'"target {self.number}"') if words in text}

    def written(self, text: str) -> str:
        """The same of a text outside: one that is destroyed there before anybody saw it was never there."""
        self.unseen |= self._words(text)
        return self.kept(text)

    def destroyed(self, place: Path) -> None:
        for file in [place] if place.is_file() else sorted(place.rglob("*.md")):
            content = file.read_text()
            self.texts -= {text for text in self.unseen if text in content}

    def files(self) -> list[Path]:
        return sorted(path for path in self.mirrored.root.rglob("*") if path.is_file())

    def a_place(self) -> Path:
        folder = self.mirrored.root / self.chance.choice(_FOLDERS)
        folder.mkdir(parents=True, exist_ok=True)
        return folder / f"{self.chance.choice(_NAMES)}.md"

    def create_outside(self) -> None:
        place = self.a_place()
        if not place.exists():
            place.write_text(self.written(self.text()))

    def edit_outside(self) -> None:
        if files := self.files():
            place = self.chance.choice(files)
            self.destroyed(place)
            place.write_text(self.written(self.text()))

    def rename_outside(self) -> None:
        target = self.a_place()
        if (files := self.files()) and not target.exists():
            self.chance.choice(files).rename(target)

    def delete_outside(self) -> None:
        if files := self.files():
            place = self.chance.choice(files)
            self.destroyed(place)
            place.unlink()

    def move_folder_outside(self) -> None:
        folders = sorted(path for path in self.mirrored.root.rglob("*") if path.is_dir())
        target = self.mirrored.root / self.chance.choice(["Moved", "Other", "Notes/In"])
        if folders and not target.exists() and target.parent.exists():
            source = self.chance.choice(folders)
            if source not in target.parents:
                source.rename(target)

    def delete_folder_outside(self) -> None:
        folders = sorted(path for path in self.mirrored.root.rglob("*") if path.is_dir())
        if folders and self.chance.random() < 0.3:
            place = self.chance.choice(folders)
            self.destroyed(place)
            shutil.rmtree(place)

    def save(self) -> None:
        text = self.text()
        self.mirrored.home.save(text, self.chance.choice([*_NAMES, None]))
        self.kept(text)

    def _an_item(self) -> tuple[str, int] | None:
        items = list(self.mirrored.items().values())
        item = self.chance.choice(items) if items else None
        return (item.item_id, item.version) if item else None

    def update(self) -> None:
        if found := self._an_item():
            text, home = self.text(), self.mirrored.home
            update_note(
                home.library, home.owner, found[0], text, found[1], self.chance.choice([None, *_NAMES])
            )
            self.kept(text)

    def tag(self) -> None:
        if found := self._an_item():
            home = self.mirrored.home
            update_tags(
                home.library, home.owner, found[0], self.chance.choice([["x"], ["y z"], []]), found[1]
            )

    def trash(self) -> None:
        if found := self._an_item():
            delete_item(self.mirrored.home.library, self.mirrored.home.owner, found[0], found[1])

    def restore(self) -> None:
        home = self.mirrored.home
        if trash := list_trash(home.library, home.owner, 100):
            restore(home.library, home.owner, self.chance.choice(trash).item_id)

    def step(self) -> None:
        self.mirrored.step(1)
        self.stepped()

    def step_where_told(self) -> None:
        """Look only where something was touched, as told by the system."""
        now = self._paths()
        self.mirrored.mirror.step(now | self.paths)
        self.stepped()

    def stepped(self) -> None:
        self.unseen.clear()
        self.paths = self._paths()

    def _paths(self) -> set[str]:
        root = self.mirrored.root
        return {str(path.relative_to(root)) for path in root.rglob("*")}

    def restart(self) -> None:
        self.mirrored.restart()

    def every_text(self) -> str:
        """All words and data of all versions of all items."""
        home, space_id = self.mirrored.home, self.mirrored.home.owner.spaces[0]
        with home.library.storage.read() as tx:
            states = [
                state
                for item_id in tx.items.every_id(space_id)
                if (item := tx.items.find(space_id, item_id))
                for entry in tx.revisions.list(space_id, item_id)
                if (state := state_on_disk(tx, item, entry.version))
            ]
        return "".join(state.layers.authored or "" for state in states)


@pytest.mark.parametrize("seed", range(4))
def test_any_order_of_changes_ends_with_both_sides_alike(on_sqlite: Mirrored, seed: int) -> None:
    _run(on_sqlite, seed, _OPERATIONS)


def test_on_either_database_both_sides_end_alike(mirrored: Mirrored) -> None:
    _run(mirrored, 99, 60)


def _run(mirrored: Mirrored, seed: int, operations: int) -> None:
    hands = Hands(mirrored, random.Random(seed))
    mirrored.step()
    doings: list[Callable[[], None]] = [
        *(hands.create_outside, hands.edit_outside, hands.rename_outside, hands.delete_outside),
        *(hands.move_folder_outside, hands.delete_folder_outside, hands.save, hands.save, hands.update),
        *(
            hands.update,
            hands.tag,
            hands.trash,
            hands.restore,
            hands.step,
            hands.step_where_told,
            hands.restart,
        ),
    ]
    for _ in range(operations):
        hands.chance.choice(doings)()
    mirrored.step(6)
    bodies = {path: from_disk(mirrored.at(path).body)[0] for path in mirrored.items()}
    shown = {path: from_disk(text)[0] for path, text in mirrored.texts().items()}
    assert sorted(bodies) == sorted(shown)
    assert [
        path for path, body in bodies.items() if not shown[path].endswith(body.removeprefix("\ufeff"))
    ] == []
    everything = hands.every_text()
    assert [text for text in hands.texts if text not in everything] == []
    inner = mirrored.data / ".vade"
    assert [
        problem
        for problem in examine_mirror(mirrored.home.library, mirrored.root, inner)
        if problem.is_damage
    ] == []
    assert mirrored.mirror.troubles() == {}
    before = mirrored.disk()
    mirrored.restart()
    mirrored.step()
    assert mirrored.disk() == before
