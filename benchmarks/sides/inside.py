"""What do agents and the command line do to the library meanwhile?"""

from __future__ import annotations

import http.client
import json
import random
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.mcp_client import McpClient, ToolRefused
from benchmarks.product import Product
from benchmarks.sides.checking import Reader
from benchmarks.sides.record import Record

_FOLDERS = ("", "Chaos", "Agents", "Agents/茶", "Ω")
_TITLES = ("Plan", "茶の湯", "设计模式", "Ω x", "Made here", "が")
CUT_OFF = (OSError, http.client.HTTPException, ValueError)

Operation = tuple[str, Callable[[], bool], int]


class Agent:
    """An agent at the vault that creates, edits, tags, moves and renames."""

    def __init__(self, product: Product, record: Record, seed: int) -> None:
        self._product, self._record, self._chance = product, record, random.Random(seed)
        self._client: McpClient | None = None

    def operations(self) -> list[Operation]:
        """By name, with how often each is made beside the others."""
        return [
            ("create_note", self._create, 6),
            ("update_note", self._update, 6),
            ("edit_note", self._edit, 5),
            ("update_tags", self._tag, 4),
            ("move_note", self._move, 3),
            ("rename_note", self._rename, 3),
            ("create_folder", self._create_folder, 1),
            ("move_folder", self._move_folder, 1),
            ("rename_folder", self._rename_folder, 1),
        ]

    def make(self, operation: Callable[[], bool]) -> bool:
        """Make one; False where it was refused or the server went away."""
        try:
            return operation()
        except ToolRefused:
            return False
        except CUT_OFF:
            self._client = None
            return False

    def _tool(self, name: str, **arguments: Any) -> dict[str, Any]:
        if self._client is None:
            told = json.loads((self._product.data / ".vade" / "vault.json").read_text(encoding="utf-8"))
            self._client = McpClient(str(told["url"]), str(told["token"]))
        return self._client.tool(name, **arguments)

    def _text(self) -> str:
        return f"inside word {uuid.uuid4().hex} 内容\n\n[[Plan]] #t\nlast line\n"

    def _a_note(self) -> str:
        listed = self._tool("list_notes", limit=200)
        key = next(iter(one for one in listed if isinstance(listed[one], list)))
        notes = [one["path"] for one in listed[key] if one["kind"] == "note"]
        if not notes:
            raise ToolRefused("there are no notes")
        return str(self._chance.choice(notes))

    def _a_folder(self) -> str:
        tree = self._tool("list_folders")
        paths = [path for path in _paths(tree) if path]
        return str(self._chance.choice(paths or ["Chaos"]))

    def _create(self) -> bool:
        text = self._text()
        sent = self._chance.choice(["", "---\nown: 字\n---\n"]) + text
        self._tool(
            "create_note",
            title=self._chance.choice(_TITLES),
            markdown=sent,
            folder=self._chance.choice(_FOLDERS),
        )
        self._record.acknowledged("create_note", text)
        return True

    def _update(self) -> bool:
        read, text = self._tool("read_note", path=self._a_note()), self._text()
        self._tool("update_note", path=read["path"], markdown=text, version=read["version"])
        self._record.acknowledged("update_note", text)
        return True

    def _edit(self) -> bool:
        read = self._tool("read_note", path=self._a_note())
        body = _body(read["markdown"])
        words = [word for word in body.split() if len(word) > 3 and body.count(word) == 1]
        if not words:
            return False
        old, new = self._chance.choice(words), f"edited{uuid.uuid4().hex[:12]}"
        given = {"path": read["path"], "version": read["version"]}
        self._tool("edit_note", old_string=old, new_string=new, **given)
        self._record.acknowledged("edit_note", body.replace(old, new))
        return True

    def _tag(self) -> bool:
        tags = self._chance.sample(["x", "茶", "a/b", "new tag", "ω"], 2)
        self._tool("update_tags", path=self._a_note(), add=tags[:1], remove=tags[1:])
        return True

    def _move(self) -> bool:
        self._tool("move_note", path=self._a_note(), to_folder=self._a_folder())
        return True

    def _rename(self) -> bool:
        title = f"{self._chance.choice(_TITLES)} {self._chance.randrange(60)}"
        self._tool("rename_note", path=self._a_note(), new_title=title)
        return True

    def _create_folder(self) -> bool:
        self._tool("create_folder", path=f"{self._a_folder()}/New {self._chance.randrange(9)}")
        return True

    def _move_folder(self) -> bool:
        self._tool("move_folder", path=self._a_folder(), to_folder=self._a_folder())
        return True

    def _rename_folder(self) -> bool:
        self._tool("rename_folder", path=self._a_folder(), new_name=f"Folder 夹 {self._chance.randrange(99)}")
        return True


def _paths(tree: Any) -> list[str]:
    """Every path that an answer names, at any depth."""
    if isinstance(tree, list):
        return [path for one in tree for path in _paths(one)]
    if not isinstance(tree, dict):
        return []
    own = [str(tree["path"])] if "path" in tree else []
    return own + [path for one in tree.values() for path in _paths(one)]


def _body(markdown: str) -> str:
    """What follows the header that a reading begins with."""
    return markdown.partition("\n---\n")[2]


class Terminal:
    """Somebody who imports files, goes back to earlier versions and brings back what is in the trash, and an
    agent at the library that deletes.
    """

    def __init__(self, product: Product, record: Record, reader: Reader, folder: Path, key: str) -> None:
        self._product, self._record, self._reader = product, record, reader
        self._folder, self._key, self._chance = folder, key, random.Random(5)

    def operations(self) -> list[Operation]:
        """By name, with how often each is made beside the others."""
        return [
            ("vade import", self._import, 3),
            ("vade revert", self._revert, 3),
            ("delete_item", self._delete, 4),
            ("vade trash restore", self._restore, 1),
        ]

    def make(self, operation: Callable[[], bool]) -> bool:
        """Make one; False where it was refused or the server went away."""
        try:
            return operation()
        except (ToolRefused, RuntimeError, *CUT_OFF):
            return False

    def _import(self) -> bool:
        text = f"imported word {uuid.uuid4().hex} 内容\n"
        place = self._folder / f"Imported {self._chance.randrange(999)}.md"
        place.write_text(text, encoding="utf-8")
        self._product.command("import", str(place), "--into", self._chance.choice(["Chaos", "Imported"]))
        self._record.acknowledged("vade import", text)
        return True

    def _an_item(self) -> tuple[str, int]:
        found = self._reader.notes()
        if not found:
            raise ToolRefused("there are no items")
        return self._chance.choice(found)

    def _revert(self) -> bool:
        item_id, version = self._an_item()
        if version < 2:
            return False
        self._product.command("revert", item_id, str(self._chance.randrange(1, version)))
        return True

    def _delete(self) -> bool:
        item_id, version = self._an_item()
        client = self._product.client(self._key)
        try:
            client.tool("delete_item", id=item_id, expectedVersion=version)
        finally:
            client.close()
        return True

    def _restore(self) -> bool:
        found = self._reader.trashed()
        if not found:
            return False
        self._product.command("trash", "restore", self._chance.choice(found))
        return True
