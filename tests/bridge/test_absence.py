"""Does the bridge start without a server, say what is wrong, and work once the server is there?"""

from __future__ import annotations

import json
import socket
from pathlib import Path
from typing import Any

import pytest

from tests.bridge.program import MODERN, bridge, note_vault
from tests.bridge.scripted import Request, Response, result, scripted
from vademecum import __version__

LEGACY: dict[str, Any] = {}
TOOLS = [{"name": "search_notes", "inputSchema": {"type": "object"}}]
ADVICE = ("not running", "vade serve", "vade vault publish on")


def free_port() -> int:
    """A port at which nobody listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def with_tools(request: Request) -> Response:
    """A server that has tools."""
    return result(request, {"tools": TOOLS} if request.method == "tools/list" else None)


@pytest.mark.parametrize(
    ("wanted", "given"),
    [
        ("2024-11-05", "2024-11-05"),
        ("2025-06-18", "2025-06-18"),
        ("2031-01-01", "2025-11-25"),
        (7, "2025-11-25"),
    ],
)
def test_a_handshake_succeeds_in_the_version_that_was_wanted(tmp_path: Path, wanted: Any, given: str) -> None:
    with bridge(tmp_path) as running:
        answer = running.ask("initialize", 1, protocolVersion=wanted, capabilities={})["result"]
        assert answer["protocolVersion"] == given
        assert answer["capabilities"] == {"tools": {"listChanged": True}}
        assert answer["serverInfo"] == {"name": "vademecum-vault", "version": __version__}
        assert [words for words in ADVICE if words not in answer["instructions"]] == []


def test_a_client_without_handshake_is_told_what_holds_for_the_moment(tmp_path: Path) -> None:
    with bridge(tmp_path) as running:
        found = running.ask("server/discover", 1, **MODERN)["result"]
        listed = running.ask("tools/list", 2, **MODERN)["result"]
        called = running.ask("tools/call", 3, name="read_note", **MODERN)["result"]
        for answer in (found, listed):
            assert (answer["ttlMs"], answer["cacheScope"], answer["resultType"]) == (0, "private", "complete")
        assert (found["supportedVersions"], listed["tools"]) == (["2026-07-28"], [])
        assert (called["isError"], called["resultType"]) == (True, "complete")


def test_every_call_says_that_there_is_no_server_and_what_to_do(tmp_path: Path) -> None:
    with bridge(tmp_path) as running:
        for number in range(2):
            called = running.ask("tools/call", number, name="read_note")["result"]
            assert called["isError"]
            (block,) = called["content"]
            assert [words for words in ADVICE if words not in block["text"]] == []
        assert (running.ask("ping", 3)["result"], running.ask("tools/list", 4)["result"]) == (
            {},
            {"tools": []},
        )
        error = running.ask("resources/list", 5)["error"]
        assert (error["code"], "vade serve" in error["message"]) == (-32000, True)
        running.send("notifications/initialized")
        code, left, log = running.end()
        assert (code, left, log.count("\n")) == (0, [], 1)  # told once


@pytest.mark.parametrize(
    "noted",
    [
        "",
        "{",
        "[]",
        "null",
        '{"port": 1}',
        '{"port": "web", "token": "x"}',
        '{"port": 70000, "token": "x"}',
        '{"port": 80, "token": "two words"}',
        '{"port": 80, "token": "a\\r\\nb"}',
        '{"port": 80, "token": ""}',
    ],
)
def test_a_note_of_the_vault_that_cannot_be_read_is_none(tmp_path: Path, noted: str) -> None:
    (tmp_path / ".vade").mkdir()
    (tmp_path / ".vade/vault.json").write_text(noted, "utf-8")
    with bridge(tmp_path) as running:
        assert running.ask("tools/call", 1)["result"]["isError"]


def test_where_nobody_listens_any_more_there_is_no_server(tmp_path: Path) -> None:
    note_vault(tmp_path, free_port())
    with bridge(tmp_path) as running:
        assert running.ask("tools/call", 1)["result"]["isError"]


def test_once_the_server_is_there_the_client_is_told_to_ask_for_the_tools_again(tmp_path: Path) -> None:
    with bridge(tmp_path) as running:
        running.ask("initialize", 1, protocolVersion="2025-06-18")
        running.ask("tools/list", 2)
        with scripted(with_tools) as server:
            note_vault(tmp_path, server.port)
            assert running.read() == {"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}
            assert running.ask("tools/list", 3)["result"] == {"tools": TOOLS}
            assert running.ask("tools/call", 4)["result"] == {"seen": "tools/call"}
            assert server.requests[0].headers["MCP-Protocol-Version"] == "2025-06-18"


@pytest.mark.parametrize("params", [LEGACY, MODERN], ids=["handshake", "stateless"])
def test_when_the_server_goes_the_tools_listed_last_remain(tmp_path: Path, params: dict[str, Any]) -> None:
    with bridge(tmp_path) as running:
        with scripted(with_tools) as server:
            note_vault(tmp_path, server.port)
            running.ask("tools/list", 1, **params)
            running.ask("tools/list", 2, cursor="page2", **params)
        (tmp_path / ".vade/vault.json").unlink()
        assert running.ask("tools/list", 3, **params)["result"]["tools"] == TOOLS
        assert running.ask("tools/call", 4, **params)["result"]["isError"]


def test_a_new_token_and_a_new_port_need_nothing_of_the_client(tmp_path: Path) -> None:
    token = "first-token"

    def script(request: Request) -> Response:
        is_known = request.headers["Authorization"] == f"Bearer {token}"
        return result(request) if is_known else Response(401)

    with scripted(script) as server, scripted(script) as other, bridge(tmp_path) as running:
        note_vault(tmp_path, server.port, token)
        assert "result" in running.ask("tools/call", 1)
        token = "second-token"
        note_vault(tmp_path, server.port, token)
        assert "result" in running.ask("tools/call", 2)
        server.stop()
        note_vault(tmp_path, other.port, token)
        token = "third-token"
        assert running.ask("tools/call", 3)["error"]["data"] == {"status": 401}
        note_vault(tmp_path, other.port, token)
        assert "result" in running.ask("tools/call", 4)


def test_a_token_that_stays_refused_is_told_with_its_status(tmp_path: Path) -> None:
    with scripted(lambda _: Response(401)) as server, bridge(tmp_path) as running:
        note_vault(tmp_path, server.port)
        for number in range(2):
            error = running.ask("tools/call", number)["error"]
            assert (error["code"], error["data"]) == (-32000, {"status": 401})
            assert "vault.json" in error["message"]


def test_a_key_that_is_taken_away_while_the_bridge_runs_is_told(tmp_path: Path) -> None:
    key = tmp_path / "key"
    key.write_text("vade_library_abc\n", "utf-8")
    settings = {"VADE_PORT": str(free_port()), "VADE_KEY_FILE": str(key)}
    with bridge(tmp_path, "--face", "library", **settings) as running:
        assert "vade serve" in json.dumps(running.ask("tools/call", 1))
        key.unlink()
        assert "VADE_KEY_FILE" in json.dumps(running.ask("tools/call", 2))
