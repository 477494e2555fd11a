"""Do the official clients and the Inspector work with the vault, straight and through `vade bridge`?"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from tests.external.official import CLIENTS, ClientProgram, answer_of, code_of, inspector
from tests.external.product import VADE, Product
from vademecum.faces.mcp.vault_tools.toolset import VAULT_TOOLS

EVERY_TOOL = [tool.name for tool in VAULT_TOOLS.tools]
READING = EVERY_TOOL[:13]
WAYS = ("HTTP", "bridge")


@dataclass(frozen=True, slots=True)
class Vault:
    """A running library whose vault is published, with every switch on."""

    product: Product
    url: str
    token: str

    def way(self, name: str) -> dict[str, Any]:
        """What a client is told: the address, or the command that finds it."""
        if name == "HTTP":
            return {"url": self.url}
        return {"command": [*VADE, "bridge"], "environment": self.product.environment}


@pytest.fixture(scope="module")
def vault(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Vault]:
    off = {"VADE_EMBEDDER": "off", "VADE_RERANKER": "off", "VADE_MIRROR": "off"}
    with Product(tmp_path_factory.mktemp("vault") / "data", off) as running:
        for switch in ("write", "move", "publish"):
            assert running.command("vault", switch, "on").returncode == 0
        told = json.loads(running.command("vault", "connection", "--json").stdout)
        yield Vault(running, told["url"], told["token"])


@dataclass(frozen=True, slots=True)
class Visited:
    """What a client saw in one session, in which it wrote a note of that title."""

    client: ClientProgram
    title: str
    session: dict[str, Any]


@pytest.fixture(scope="module", params=product(CLIENTS, WAYS), ids=", ".join)
def visited(request: pytest.FixtureRequest, vault: Vault) -> Visited:
    name, way = request.param
    title = f"灯台 of {name} by {way}"
    path = f"Lights/{title}.md"
    calls = [
        ("create_note", {"title": title, "markdown": "夜明け shines: [[Nowhere]]\n", "folder": "Lights"}),
        ("read_note", {"path": path}),
        ("grep_notes", {"pattern": "夜明け", "path": path}),
        ("update_note", {"path": path, "markdown": "lost", "version": "of another time"}),
        ("read_note", {"path": "../outside.md"}),
        ("rename_note", {"path": path, "new_title": f"{title}, renamed"}),
    ]
    (seen,) = CLIENTS[name].visits(vault.way(way), [{"key": vault.token, "calls": calls}])
    return Visited(CLIENTS[name], title, seen)


def test_every_client_writes_reads_and_renames_a_note(visited: Visited) -> None:
    made, read, found, stale, outside, renamed = visited.session["outcomes"]
    assert (visited.session["version"], visited.session["tools"]) == (visited.client.version, EVERY_TOOL)
    assert answer_of(made)["unresolvedWikilinks"] == ["Nowhere"]
    assert answer_of(read)["markdown"].endswith("---\n夜明け shines: [[Nowhere]]\n")
    assert (answer_of(found)["totalMatches"], answer_of(found)["skipped"]) == (1, 0)
    assert [code_of(stale), code_of(outside)] == ["VERSION_NEEDED", "INVALID_INPUT"]
    assert answer_of(renamed)["path"] == f"Lights/{visited.title}, renamed.md"


@pytest.mark.parametrize("era", ["legacy", "modern"])
def test_the_inspector_finds_nothing_to_mend_through_the_bridge(
    vault: Vault, tmp_path: Path, era: str
) -> None:
    way = vault.way("bridge")
    program, *words = way["command"]
    started = {
        "type": "stdio",
        "command": program,
        "args": words,
        "env": way["environment"],
        "protocolEra": era,
    }
    config = tmp_path / "servers.json"
    config.write_text(json.dumps({"mcpServers": {"vault": started}}), "utf-8")
    named = ("--config", str(config), "--server", "vault")
    listed = inspector(*named, "--method", "tools/list", "--strict")
    assert (listed.code, listed.error) == (0, "")
    assert [tool["name"] for tool in listed.result["tools"]] == EVERY_TOOL
    called = inspector(*named, "--method", "tools/call", "--tool-name", "list_folders")
    assert (called.code, called.result["structuredContent"]["path"]) == (0, "")


def test_a_switch_counts_for_a_client_that_is_connected(vault: Vault) -> None:
    assert vault.product.command("vault", "write", "off").returncode == 0
    client = CLIENTS["Python 2"]
    calls = [("create_note", {"title": "No", "markdown": ""}), ("list_folders", {})]
    (seen,) = client.visits(vault.way("bridge"), [{"key": vault.token, "calls": calls}])
    refused, listed = seen["outcomes"]
    assert (seen["tools"], code_of(refused)) == (READING, "SWITCHED_OFF")
    assert answer_of(listed)["path"] == ""
    assert vault.product.command("vault", "write", "on").returncode == 0
