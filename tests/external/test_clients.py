"""Do the official clients, as others wrote them, list and call the tools with a key?"""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from tests.external.official import (
    CLIENTS,
    MODERN,
    ClientProgram,
    Inspected,
    answer_of,
    code_of,
    inspector,
)
from tests.external.product import VADE, Product
from tests.faces.installation import install
from vademecum.library.connecting import revoke_key

READING = ["search_hub", "list_items", "get_item", "get_quota", "search", "fetch"]
EDITING = [*READING[:4], "save_link", "save_note", "update_note", "update_tags", *READING[4:]]
EVERYTHING = [*EDITING[:8], "delete_item", *EDITING[8:]]
TOOLS = {"read_only": READING, "edit": EDITING, "full": EVERYTHING}


@dataclass(frozen=True, slots=True)
class Served:
    """A running library, and a key of each kind."""

    product: Product
    keys: dict[str, str]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.product.port}/mcp"

    def way(self, face: str | None) -> dict[str, Any]:
        """What a client is told: the address, or the bridge to a face."""
        if face is None:
            return {"url": self.url}
        return {"command": [*VADE, "bridge", "--face", face], "environment": self.product.environment}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("clients")
    database = f"sqlite:///{folder / 'library.db'}"
    keys = _keys(database, folder)
    off = {"VADE_EMBEDDER": "off", "VADE_RERANKER": "off", "VADE_DATABASE_URL": database}
    running = Product(folder / "data", off)
    with running:
        yield Served(running, keys)


def _keys(database: str, folder: Path) -> dict[str, str]:
    """Made here, since commands would each take as long to start as a client."""
    installed = install(database, folder)
    keys = {tier: installed.key(tier) for tier in TOOLS}
    revoked, keys["revoked"] = installed.minted("full")
    revoke_key(installed.library, installed.owner, revoked.key_id)
    installed.library.storage.close()
    return keys


@dataclass(frozen=True, slots=True)
class Note:
    """A note that a client saves, and the one word of it that no other note has."""

    item_id: str = field(default_factory=lambda: str(uuid.uuid4()))

    @property
    def word(self) -> str:
        return f"beacon{self.item_id[:8]}"

    @property
    def text(self) -> str:
        return f"The {self.word} shines: 夜明け."

    def calls(self) -> list[tuple[str, dict[str, Any]]]:
        """Saves it, finds it, reads it; then what has to be refused, and a tool that there is not."""
        return [
            ("save_note", {"id": self.item_id, "hubTitle": "灯台", "authoredContent": self.text}),
            ("search_hub", {"query": self.word}),
            ("get_item", {"id": self.item_id}),
            ("update_note", {"id": self.item_id, "authoredContent": "Other", "expectedVersion": 7}),
            ("get_item", {"id": str(uuid.uuid4())}),
            ("save_note", {"id": self.item_id}),
            ("open_sesame", {}),
        ]


@dataclass(frozen=True, slots=True)
class Visited:
    """What a client saw in its sessions, one with each key."""

    client: ClientProgram
    face: str | None
    note: Note
    sessions: dict[str, dict[str, Any]]

    def status(self, number: int) -> int:
        """What stands for an HTTP status in what the client saw: over the bridge it saw none."""
        return number if self.face is None else 0


# Straight to the server, and over the bridge to one of its faces.
WAYS = {"HTTP": None, "bridge": "library"}


# One process a client, since most of its time goes into starting.
@pytest.fixture(scope="module", params=product(CLIENTS, WAYS), ids=", ".join)
def visited(request: pytest.FixtureRequest, served: Served) -> Visited:
    name, way = request.param
    client, face, note = CLIENTS[name], WAYS[way], Note()
    read = ("list_items", {"limit": 1})
    calls = {
        "full": note.calls(),
        "edit": [("delete_item", {"id": note.item_id, "expectedVersion": 1}), read],
        "read_only": [("save_note", {"id": str(uuid.uuid4()), "authoredContent": "No."}), read],
        "revoked": [read],
    }
    plan = [{"key": served.keys[key], "calls": called} for key, called in calls.items()]
    seen = client.visits(served.way(face), plan)
    return Visited(client, face, note, dict(zip(calls, seen, strict=True)))


def test_every_client_saves_finds_and_reads_a_note_and_reads_refusals(visited: Visited) -> None:
    note, seen = visited.note, visited.sessions["full"]
    saved, found, read, *refused, unknown = seen["outcomes"]
    assert seen["version"] == visited.client.version
    assert (answer_of(saved)["itemId"], answer_of(read)["item"]["content"]) == (note.item_id, note.text)
    assert [hit["id"] for hit in answer_of(found)["results"]] == [note.item_id]
    assert [code_of(outcome) for outcome in refused] == ["VERSION_CONFLICT", "NOT_FOUND", "INVALID_INPUT"]
    # The newer revision gives errors of the protocol an HTTP status of their own.
    status = visited.status(400 if visited.client.version == MODERN else 200)
    assert (unknown["status"], "open_sesame" in unknown["problem"]) == (status, True)


def test_every_client_is_shown_the_tools_of_its_key(visited: Visited) -> None:
    assert {tier: visited.sessions[tier]["tools"] for tier in TOOLS} == TOOLS


@pytest.mark.parametrize("tier", ["read_only", "edit"])
def test_every_client_is_told_that_a_tool_is_above_its_tier(visited: Visited, tier: str) -> None:
    seen = visited.sessions[tier]
    if visited.client.outlives_403 or visited.face is not None:
        denied, answered = seen["outcomes"]
        assert (denied["status"], "API_KEY_TIER_DENIED" in denied["problem"]) == (visited.status(403), True)
        assert answer_of(answered)["count"] == 1
    else:
        assert (seen["outcomes"], seen["ended"]) == ([], 403)


def test_every_client_is_told_that_a_revoked_key_is_none(visited: Visited) -> None:
    assert visited.sessions["revoked"] == {"outcomes": [], "ended": 401}


def inspect(served: Served, key: str, *words: str) -> Inspected:
    """Run the Inspector's command line once on the library."""
    header = f"Authorization: Bearer {served.keys[key]}"
    return inspector(served.url, "--transport", "http", "--header", header, *words)


@pytest.mark.parametrize("tier", TOOLS)
def test_the_inspector_finds_nothing_to_mend_in_the_tools_of_a_tier(served: Served, tier: str) -> None:
    listed = inspect(served, tier, "--method", "tools/list", "--strict")
    assert (listed.code, listed.error) == (0, "")
    assert [tool["name"] for tool in listed.result["tools"]] == TOOLS[tier]


@pytest.mark.parametrize("era", ["legacy", "modern"])
def test_the_inspector_starts_the_bridge(served: Served, tmp_path: Path, era: str) -> None:
    way = served.way("library")
    program, *words = way["command"]
    settings = {**way["environment"], "VADE_KEY": served.keys["edit"]}
    started = {"type": "stdio", "command": program, "args": words, "env": settings, "protocolEra": era}
    config = tmp_path / "servers.json"
    config.write_text(json.dumps({"mcpServers": {"library": started}}), "utf-8")
    listed = inspector("--config", str(config), "--server", "library", "--method", "tools/list", "--strict")
    assert (listed.code, listed.error) == (0, "")
    assert [tool["name"] for tool in listed.result["tools"]] == EDITING


def test_the_inspector_speaks_the_newer_revision_too(served: Served, tmp_path: Path) -> None:
    headers = {"Authorization": f"Bearer {served.keys['edit']}"}
    library = {"type": "http", "url": served.url, "headers": headers, "protocolEra": "modern"}
    config = tmp_path / "servers.json"
    config.write_text(json.dumps({"mcpServers": {"library": library}}), "utf-8")
    note = Note()
    values = (f"id={note.item_id}", f"authoredContent={note.text}")
    call = ("--method", "tools/call", "--tool-name", "save_note", "--tool-arg", *values)
    saved = inspector("--config", str(config), "--server", "library", *call)
    assert (saved.code, saved.result["structuredContent"]["itemId"]) == (0, note.item_id)
    # Only the newer revision has the client give its name with each call; else its HTTP library is named.
    history = json.loads(served.product.command("history", note.item_id, "--json").stdout)
    assert [entry["client"].split()[0] for entry in history["revisions"]] == ["inspector-cli"]


def test_the_inspector_calls_a_tool(served: Served) -> None:
    note = Note()
    call = ("--method", "tools/call", "--tool-name")
    values = (f"id={note.item_id}", f"authoredContent={note.text}")
    saved = inspect(served, "full", *call, "save_note", "--tool-arg", *values)
    found = inspect(served, "read_only", *call, "search_hub", "--tool-arg", f"query={note.word}")
    assert [saved.code, found.code] == [0, 0]
    assert saved.result["structuredContent"]["itemId"] == note.item_id
    assert [hit["id"] for hit in found.result["structuredContent"]["results"]] == [note.item_id]


def test_the_inspector_ends_with_the_number_of_what_went_wrong(served: Served) -> None:
    call = ("--method", "tools/call", "--tool-name")
    missing = f"id={uuid.uuid4()}"
    refused = inspect(served, "read_only", *call, "get_item", "--tool-arg", missing)
    beyond = inspect(served, "read_only", *call, "save_note", "--tool-arg", missing, "authoredContent=No")
    revoked = inspect(served, "revoked", "--method", "tools/list")
    assert [refused.code, beyond.code, revoked.code] == [5, 5, 3]
    assert refused.result["structuredContent"]["error"]["code"] == "NOT_FOUND"
