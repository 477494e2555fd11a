"""What does another program do to the folder on disk?"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import threading
import unicodedata
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.sides.record import Record
from vademecum.model.outside_files import is_folder_left_out, is_passing

_NAMES = ("Plan", "茶の湯", "设计模式", "が々", "Ω x", "a.b", "Café", "read me")
_FOLDERS = ("", "Chaos", "Chaos/深い", "Chaos/深い/が", "Ω")
_LONGEST = 120.0  # seconds for git


@dataclass
class Outside:
    """A script that writes below `root`. One operation is made at a time, whoever asks for it, so that it
    can tell what it does to what; what it takes away goes to `bin`, outside of the folder.
    """

    root: Path
    bin: Path
    record: Record
    revisions: Sequence[str]
    chance: random.Random
    _mutex: threading.Lock = field(default_factory=threading.Lock)
    _number: int = 0

    def operations(self) -> list[tuple[str, Callable[[], bool], int]]:
        """Each operation by its name, with how often it is made beside the others; False where it found
        nothing that it could be made with.
        """
        return [
            ("write a file", self._create, 8),
            ("overwrite", self._overwrite, 6),
            ("append", self._append, 4),
            ("save by rename", self._save_by_rename, 5),
            ("rename", self._rename, 5),
            ("rename in case alone", self._rename_case, 2),
            ("move", self._move, 5),
            ("delete", self._delete, 3),
            ("make a folder", self._make_folder, 2),
            ("move a folder", self._move_folder, 2),
            ("write another kind of file", self._create_other, 2),
        ]

    def make(self, operation: Callable[[], bool]) -> bool:
        """Make one; False where there was nothing to make it with."""
        with self._mutex:
            try:
                return operation()
            except (FileNotFoundError, FileExistsError, NotADirectoryError):
                return False  # the mirror moved it a moment ago

    def files(self) -> list[Path]:
        """What lies there and is not other programs' own."""
        found: list[Path] = []
        for place, folders, names in os.walk(self.root):
            folders[:] = [name for name in folders if not is_folder_left_out(name)]
            found += [Path(place, name) for name in names if not is_passing(name)]
        return sorted(path for path in found if not path.name.startswith(".vade-"))

    def folders(self) -> list[Path]:
        """The folders in which they may lie."""
        found: list[Path] = []
        for place, folders, _ in os.walk(self.root):
            folders[:] = [name for name in folders if not is_folder_left_out(name)]
            found += [Path(place, name) for name in folders]
        return sorted(found)

    def _text(self) -> bytes:
        """A text like no other, in one of the forms that programs write."""
        self._number += 1
        head = self.chance.choice(
            ["", "# Head\n\n", "---\ntags: [x, 茶]\n---\n", "---\ntitle: T\nown: 1\n---\n", "\ufeff"]
        )
        text = (
            f"{head}outside word {self._number} {uuid.uuid4().hex} 内容 #t{self._number % 5}\n[[Plan]] end\n"
        )
        return (text.replace("\n", "\r\n") if self.chance.random() < 0.2 else text).encode()

    def _a_name(self) -> str:
        name = self.chance.choice(_NAMES)
        number = self.chance.randrange(40)
        name = f"{name} {number}" if number > 3 else name
        is_decomposed = self.chance.random() < 0.3
        return unicodedata.normalize("NFD" if is_decomposed else "NFC", name)

    def _a_folder(self) -> Path:
        if self.chance.random() < 0.5 and (found := self.folders()):
            return self.chance.choice(found)
        place = self.root / self.chance.choice(_FOLDERS)
        place.mkdir(parents=True, exist_ok=True)
        return place

    def _a_note(self) -> Path | None:
        found = [path for path in self.files() if path.suffix == ".md"]
        return self.chance.choice(found) if found else None

    def _wrote(self, place: Path, content: bytes) -> bool:
        self.record.wrote(place.name, content)
        return True

    def _create(self) -> bool:
        place, content = self._a_folder() / f"{self._a_name()}.md", self._text()
        with place.open("xb") as stream:
            stream.write(content)
        return self._wrote(place, content)

    def _create_other(self) -> bool:
        place = self._a_folder() / f"{self._a_name()}{self.chance.choice(['.csv', '.txt', '.png', '.bin'])}"
        content = self._text()
        with place.open("xb") as stream:
            stream.write(content)
        return self._wrote(place, content)

    def _overwrite(self) -> bool:
        place, content = self._a_note(), self._text()
        if place is None:
            return False
        with place.open("r+b") as stream:
            self.record.destroyed(place.name, stream.read())
            stream.seek(0)
            stream.truncate()
            stream.write(content)
        return self._wrote(place, content)

    def _append(self) -> bool:
        place = self._a_note()
        if place is None:
            return False
        with place.open("r+b") as stream:
            before = stream.read()
            stream.write(more := self._text())
        self.record.destroyed(place.name, before)
        return self._wrote(place, before + more)

    def _save_by_rename(self) -> bool:
        """As editors do: write beside, then rename over what was there."""
        place, content = self._a_note(), self._text()
        if place is None:
            return False
        beside = place.with_name(f".{uuid.uuid4().hex}.tmp")
        beside.write_bytes(content)
        kept = self.bin / uuid.uuid4().hex
        os.link(place, kept)
        beside.replace(place)
        self.record.destroyed(place.name, kept.read_bytes())
        kept.unlink()
        return self._wrote(place, content)

    def _to(self, source: Path, target: Path) -> bool:
        """Give a file another path where nothing lies."""
        if target.exists():
            return False
        source.rename(target)
        return self._wrote(target, target.read_bytes())

    def _rename(self) -> bool:
        found = self.files()
        if not found:
            return False
        source = self.chance.choice(found)
        return self._to(source, source.with_name(f"{self._a_name()}{source.suffix}"))

    def _move(self) -> bool:
        found, folder = self.files(), self._a_folder()
        source = self.chance.choice(found) if found else None
        return source is not None and self._to(source, folder / source.name)

    def _rename_case(self) -> bool:
        place = self._a_note()
        if place is None or place.stem.swapcase() == place.stem:
            return False
        target = place.with_name(f"{place.stem.swapcase()}.md")
        if target.exists():
            return False
        place.rename(target)
        return self._wrote(target, target.read_bytes())

    def _delete(self) -> bool:
        found = self.files()
        if not found:
            return False
        place, kept = self.chance.choice(found), self.bin / uuid.uuid4().hex
        place.rename(kept)
        self.record.destroyed(place.name, kept.read_bytes())
        return True

    def _make_folder(self) -> bool:
        (self._a_folder() / self._a_name()).mkdir()
        return True

    def _move_folder(self) -> bool:
        found, into = self.folders(), self._a_folder()
        source = self.chance.choice(found) if found else None
        if source is None or source == into or source in into.parents or source.parent == into:
            return False
        target = into / self.chance.choice([source.name, self._a_name()])
        if target.exists():
            return False
        source.rename(target)
        for path in target.rglob("*"):
            if path.is_file() and not is_passing(path.name):
                self.record.wrote(path.name, path.read_bytes())
        return True

    def check_out(self) -> bool:
        """Let git bring the folder to another revision."""
        with self._mutex:
            before = self._contents()
            words = ["git", "-C", str(self.root), "checkout", "-q", "-f", self.chance.choice(self.revisions)]
            done = subprocess.run(words, capture_output=True, timeout=_LONGEST, check=False)
            after = self._contents()
            for path, content in after.items():
                if before.get(path) != content:
                    self.record.wrote(path.name, content)
            for path, content in before.items():
                if after.get(path) != content:
                    self.record.destroyed(path.name, content)
            return done.returncode == 0

    def _contents(self) -> dict[Path, bytes]:
        found: dict[Path, bytes] = {}
        for path in self.files():
            try:
                found[path] = path.read_bytes()
            except FileNotFoundError:
                continue
        return found


def copied_vault(source: Path, target: Path) -> list[str]:
    """A copy of a vault with its history; the revisions that it may be brought to, spread over its time."""
    shutil.copytree(source, target, symlinks=True)
    words = ["git", "-C", str(target), "log", "--format=%H"]
    told = subprocess.run(words, capture_output=True, text=True, timeout=_LONGEST, check=True)
    revisions = told.stdout.split()
    return [revisions[len(revisions) * share // 10] for share in (0, 1, 2, 4)]
