"""What do several writers do at once, and does the library hold what it acknowledged to them?"""

from __future__ import annotations

import http.client
import random
import threading
import uuid
from dataclasses import dataclass, field

from tests.external.product import CallFailedError, Client, Product

_GONE = (OSError, http.client.HTTPException, ValueError)


@dataclass
class Note:
    """What was acknowledged of one note, and the write that had no answer, which may or may not be there."""

    item_id: str
    text: str = ""
    version: int = 0
    trashed: bool = False
    pending: tuple[str, str] | None = None  # the tool and the text it was called with


@dataclass
class Writer:
    """Saves, updates and deletes notes of its own until the server is gone or refuses for want of room."""

    client: Client
    seed: int
    notes: list[Note] = field(default_factory=list)
    refused: int = 0
    acknowledged: threading.Event = field(default_factory=threading.Event)
    _stop: threading.Event = field(default_factory=threading.Event)

    def run(self) -> None:
        """Write until told to stop or cut off."""
        chance = random.Random(self.seed)
        try:
            while not self._stop.is_set():
                self._write(chance)
        except _GONE:
            return  # the server was killed: that is what is tried here
        finally:
            self.client.close()

    def stop(self) -> None:
        """Make no further write."""
        self._stop.set()

    def _write(self, chance: random.Random) -> None:
        living = [note for note in self.notes if note.version and not note.trashed and note.pending is None]
        what = chance.random()
        if not living or what < 0.5:
            self._save(chance)
        elif what < 0.85:
            self._update(chance.choice(living), chance)
        else:
            self._delete(chance.choice(living))

    def _text(self, chance: random.Random) -> str:
        words = " ".join(
            chance.choice(("harbour", "lantern", "图书馆", "夜明け", "orchard")) for _ in range(60)
        )
        return f"# Note {uuid.UUID(int=chance.getrandbits(128))}\n\n{words}\n"

    def _save(self, chance: random.Random) -> None:
        note = Note(str(uuid.UUID(int=chance.getrandbits(128), version=4)))
        self.notes.append(note)
        text = self._text(chance)
        note.pending = ("save_note", text)
        if self._called("save_note", id=note.item_id, authoredContent=text):
            note.text, note.version = text, 1
        note.pending = None

    def _update(self, note: Note, chance: random.Random) -> None:
        text = self._text(chance)
        note.pending = ("update_note", text)
        expected = note.version
        if self._called("update_note", id=note.item_id, authoredContent=text, expectedVersion=expected):
            note.text, note.version = text, expected + 1
        note.pending = None

    def _delete(self, note: Note) -> None:
        note.pending = ("delete_item", "")
        if self._called("delete_item", id=note.item_id, expectedVersion=note.version):
            note.trashed = True
        note.pending = None

    def _called(self, tool: str, **arguments: object) -> bool:
        try:
            self.client.call(tool, **arguments)
        except CallFailedError as failed:
            if failed.code not in ("STORAGE_FULL", "BUSY"):
                raise AssertionError(f"{tool}: {failed}") from failed
            self.refused += 1
            return False
        self.acknowledged.set()
        return True


def check(product: Product, key: str, notes: list[Note]) -> list[str]:
    """Every difference between what was acknowledged and what is there."""
    client = product.client(key)
    found: list[str] = []
    for note in notes:
        state = _state(client, note.item_id)
        if state not in _possible(note):
            found.append(f"{note}: {state}")
        if state is not None:
            note.text, note.version = state
            note.trashed = False
        elif note.version or note.pending:
            note.trashed = True
        note.pending = None
    client.close()
    return found


def _state(client: Client, item_id: str) -> tuple[str, int] | None:
    try:
        item = client.call("get_item", id=item_id, windowLength=20_000)["item"]
    except CallFailedError as failed:
        if failed.code != "NOT_FOUND":
            raise
        return None
    return item["content"], item["version"]


def _possible(note: Note) -> list[tuple[str, int] | None]:
    """The states that may be: the acknowledged one, or the one after the write that had no answer."""
    acknowledged = None if note.trashed or not note.version else (note.text, note.version)
    match note.pending:
        case ("delete_item", _):
            return [acknowledged, None]
        case (_, text):
            return [acknowledged, (text, note.version + 1)]
    return [acknowledged]
