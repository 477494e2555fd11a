"""What is made of calls that were let through?"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from tests.faces.installation import ERAS, LEGACY, MODERN, Installation, Served, Wire, serving
from tests.faces.mcp.small_set import Seen
from vademecum.faces.http.offload import CORE_THREADS
from vademecum.faces.mcp.tool.arguments import Arguments
from vademecum.faces.mcp.tool.declaration import Blocks, Hints, Tool, ToolSetDeclaration, image
from vademecum.library.auditing import recent
from vademecum.library.context import Library
from vademecum.model.access import Caller, Tier, ToolSet
from vademecum.model.errors import NotFound
from vademecum.model.revisions import ActorKind

pytestmark = pytest.mark.anyio
CORE_WAITING = 2
ITEM = "0b5c1f52-6a1f-4b0c-9a51-7d3f7f6f1c11"


@pytest.fixture
def seen() -> Seen:
    return Seen()


@pytest.fixture
async def served(installation: Installation, seen: Seen) -> AsyncIterator[Served]:
    async with serving(installation, seen.tools(), core_waiting=CORE_WAITING) as running:
        yield running


@pytest.mark.parametrize("version", ERAS)
async def test_a_caller_sees_the_tools_of_the_tier_in_their_order(
    wire: Wire, installation: Installation, version: str
) -> None:
    lists = {}
    for tier in ("read_only", "edit", "full"):
        answer = await wire.using(key=installation.key(tier), version=version).ask("tools/list")
        lists[tier] = [tool["name"] for tool in answer.json()["result"]["tools"]]
    readable = ["look", "crash", "miss", "wait"]
    assert lists == {
        "read_only": readable,
        "edit": ["look", "write", "crash", "miss", "wait"],
        "full": ["look", "write", "erase", "crash", "miss", "wait"],
    }


async def test_a_list_may_be_kept_only_for_its_caller_and_not_for_long(wire: Wire) -> None:
    answer = await wire.ask("tools/list")
    result = answer.json()["result"]
    assert (result["cacheScope"], result["ttlMs"], answer.headers["cache-control"]) == (
        "private",
        60_000,
        "no-store",
    )


@pytest.mark.parametrize("version", ERAS)
async def test_a_cursor_that_was_never_given_is_refused(wire: Wire, version: str) -> None:
    answer = await wire.using(version=version).ask("tools/list", {"cursor": "x"})
    assert answer.json()["error"]["code"] == -32602


@pytest.mark.parametrize("version", ERAS)
@pytest.mark.parametrize("name", ["nothing", "LOOK", "", "数", "x" * 5000])
async def test_a_tool_that_the_set_does_not_have_is_unknown(wire: Wire, version: str, name: str) -> None:
    params = {"name": name, "arguments": {}}
    header = None if version != MODERN or name.isascii() else "=?base64?5pWw?="
    more = {"mcp_name": header} if header else {}
    answer = await wire.using(version=version).ask("tools/call", params, **more)
    assert answer.json()["error"]["code"] == -32602


@pytest.mark.parametrize("version", ERAS)
async def test_a_refusal_is_a_tool_error_with_its_code(wire: Wire, version: str) -> None:
    assert await wire.using(version=version).refused("miss") == "NOT_FOUND"


@pytest.mark.parametrize("version", ERAS)
async def test_a_failure_that_no_one_foresaw_is_one_log_line_and_a_number(
    wire: Wire, version: str, caplog: pytest.LogCaptureFixture
) -> None:
    answer = await wire.using(version=version).call("crash")
    number = answer.headers["x-request-id"]
    logged = [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR]
    error = answer.json()["result"]["structuredContent"]["error"]
    assert (error["code"], number in error["message"], "secret" in answer.text) == (
        "INTERNAL_ERROR",
        True,
        False,
    )
    assert [number in line for line in logged] == [True]


@pytest.mark.claims("errors.busy")
async def test_beyond_what_may_wait_a_call_is_told_that_the_server_is_busy(wire: Wire, seen: Seen) -> None:
    held = [asyncio.create_task(wire.ok("wait")) for _ in range(CORE_THREADS)]
    for _ in held:
        await asyncio.to_thread(seen.waiting.acquire)
    asked = [asyncio.create_task(wire.result("look")) for _ in range(CORE_WAITING + 3)]
    refused: set[asyncio.Task[dict[str, Any]]] = set()
    while len(refused) < 3:
        refused, _ = await asyncio.wait(asked, return_when=asyncio.FIRST_COMPLETED, timeout=1)
    codes = [task.result()["structuredContent"]["error"]["code"] for task in refused]
    alive = await wire.client.get("/healthz")
    assert (codes, alive.status_code) == (["BUSY"] * 3, 200)
    seen.release.set()
    await asyncio.gather(*held, *asked)
    assert await wire.ok("look") == {"text": "", "count": 1}


async def test_the_name_a_client_gives_with_the_call_goes_before_its_user_agent(
    wire: Wire, seen: Seen
) -> None:
    about = {"io.modelcontextprotocol/clientInfo": {"name": "Claude\nCode" + "x" * 500, "version": "2.1"}}
    await wire.ask("tools/call", {"name": "look", "_meta": about})
    await wire.using(version=LEGACY[-1], headers={"user-agent": "codex/0.169"}).call("look")
    names = [caller.client_name for caller in seen.callers]
    assert names == [("Claude Code" + "x" * 500)[:200], "codex/0.169"]


async def test_the_tool_is_told_who_calls(wire: Wire, installation: Installation, seen: Seen) -> None:
    key, secret = installation.minted("edit")
    await wire.using(key=secret).ok("write")
    caller = seen.callers[0]
    told = (caller.account_id, caller.actor_kind, caller.tier.value, caller.spaces, caller.credential_id)
    mine = installation.owner
    assert told == (mine.account_id, ActorKind.KEY, "edit", mine.spaces[:1], key.key_id)


async def test_reads_and_refusals_are_audited_and_nothing_is_lost_at_the_end(
    installation: Installation, seen: Seen
) -> None:
    async with serving(installation, seen.tools()) as running:
        wire = running.wire
        await wire.ok("look", id=ITEM.upper())
        await wire.refused("miss", id="no-id")
        await wire.ok("write", id=ITEM)
        await wire.result("crash")
        await wire.refused("write", count="x")
    rows = recent(installation.library, installation.owner, 50)
    assert sorted((row.tool, row.item_id, row.outcome) for row in rows if row.item_id) == [
        ("look", ITEM, "ok")
    ]
    assert sorted((row.tool, row.outcome) for row in rows if not row.item_id) == [
        ("crash", "INTERNAL_ERROR"),
        ("miss", "NOT_FOUND"),
        ("write", "INVALID_INPUT"),
    ]
    assert {row.client_name for row in rows} == {"tests 1"}


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_the_official_client_lists_and_calls_in_either_era(served: Served, mode: str) -> None:
    transport = httpx2.ASGITransport(app=served.app)
    headers = {"authorization": f"Bearer {served.wire.key}"}
    http = httpx2.AsyncClient(transport=transport, base_url="http://localhost:8484", headers=headers)
    connection = streamable_http_client("http://localhost:8484/mcp", http_client=http)
    async with http, Client(connection, mode=mode) as client:
        listed = await client.list_tools()
        result = await client.call_tool("look", {"text": "字"})
    assert [tool.name for tool in listed.tools][:2] == ["look", "write"]
    assert (result.structured_content, result.is_error) == ({"text": "字", "count": 1}, False)


@pytest.mark.parametrize("version", LEGACY)
async def test_the_handshake_tells_version_name_and_instructions(wire: Wire, version: str) -> None:
    about = {"name": "t", "version": "1"}
    params = {"protocolVersion": version, "capabilities": {}, "clientInfo": about}
    result = (await wire.using(version=version).ask("initialize", params)).json()["result"]
    assert (result["protocolVersion"], result["instructions"]) == (version, "Be kind.")
    assert result["serverInfo"] == {"name": "vademecum", "title": "Small set", "version": "1.2.3"}
    assert set(result["capabilities"]) <= {"tools", "experimental"}
    note = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    assert (await wire.using(version=version).post(note)).status_code == 202
    assert (await wire.using(version=version).ask("ping")).json()["result"] == {}


async def test_discovery_tells_the_same_without_a_handshake(wire: Wire) -> None:
    answer = await wire.ask("server/discover")
    result = answer.json()["result"]
    assert (result["supportedVersions"], result["instructions"]) == ([MODERN], "Be kind.")
    assert set(result["capabilities"]) == {"tools"}


async def test_methods_of_families_that_are_not_offered_do_not_exist(wire: Wire) -> None:
    for method in ("prompts/list", "resources/list"):
        modern = await wire.ask(method)
        legacy = await wire.using(version=LEGACY[-1]).ask(method)
        assert [modern.json()["error"]["code"], legacy.json()["error"]["code"]] == [-32601, -32601]


async def test_headers_that_say_otherwise_than_the_body_are_refused(wire: Wire) -> None:
    for headers in ({"mcp_name": "write"}, {"mcp_method": "tools/list"}, {"mcp_name": None}):
        answer = await wire.ask("tools/call", {"name": "look"}, **headers)
        assert (answer.status_code, answer.json()["error"]["code"]) == (400, -32020)


@pytest.mark.parametrize("version", ERAS)
async def test_an_image_is_answered_without_structured_content_and_declares_none(
    installation: Installation, version: str
) -> None:
    picture = Tool(
        name="picture",
        tier=Tier.READ_ONLY,
        hints=Hints("Picture", read_only=True),
        description="It shows a picture.",
        properties={"fail": {"type": "boolean", "default": False}},
        required=(),
        outputs=None,
        answers=(),
        run=_picture,
    )
    declared = ToolSetDeclaration(ToolSet.LIBRARY, "/mcp", "Pictures", "", (picture,), "read_only")
    async with serving(installation, declared) as running:
        wire = running.wire.using(version=version)
        (listed,) = (await wire.ask("tools/list")).json()["result"]["tools"]
        assert "outputSchema" not in listed
        result = await wire.result("picture")
        assert result["content"] == [{"type": "image", "data": "aW1n", "mimeType": "image/png"}]
        assert (result["isError"], "structuredContent" in result) == (False, False)
        assert await wire.refused("picture", fail=True) == "NOT_FOUND"


def _picture(_: Library, __: Caller, arguments: Arguments) -> Blocks:
    if arguments.values["fail"]:
        raise NotFound
    return image(b"img", "image/png")
