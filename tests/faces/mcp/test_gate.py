"""Who is let through to a tool set, and how is everybody else refused?"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from typing import Any

import httpx2
import pytest

from tests.faces.installation import ERAS, LEGACY, MODERN, Installation, Served, Wire, serving
from tests.faces.mcp.small_set import Seen
from vademecum.library.auditing import recent
from vademecum.library.connecting import revoke_key
from vademecum.model.access import ToolSet

pytestmark = pytest.mark.anyio
METADATA = "https://vade.example.org/.well-known/oauth-protected-resource/mcp"
CHALLENGE = f'Bearer resource_metadata="{METADATA}", scope="read_only"'


@pytest.fixture
def seen() -> Seen:
    return Seen()


@pytest.fixture
async def served(installation: Installation, seen: Seen) -> AsyncIterator[Served]:
    async with serving(installation, seen.tools(), body_limit=100_000, body_seconds=0.2) as running:
        yield running


def _denied(message_id: object = 7) -> dict[str, Any]:
    return {
        "jsonrpc": "2.0",
        "id": message_id,
        "error": {"code": -32010, "message": "API_KEY_TIER_DENIED", "data": {"code": "API_KEY_TIER_DENIED"}},
    }


def _without_sentence(answer: Any) -> dict[str, Any]:
    body: dict[str, Any] = answer.json()
    body["error"]["data"].pop("message")
    return body


async def test_every_credential_that_is_not_in_force_is_refused_alike(
    wire: Wire, installation: Installation
) -> None:
    revoked, secret = installation.minted()
    revoke_key(installation.library, installation.owner, revoked.key_id)
    expired = installation.key(expires_days=1)
    installation.clock.pass_by(days=2)
    other_set = installation.key("read", ToolSet.GATEWAY)
    unknown = secret[:-4] + "AAAA"
    for key in (None, "nonsense", unknown, secret, expired, other_set):
        for method in ("tools/list", "ping", "initialize"):
            answer = await wire.using(key=key).ask(method)
            told = (answer.status_code, answer.content, answer.headers["www-authenticate"])
            assert told == (401, b"", CHALLENGE)
            assert answer.headers["cache-control"] == "no-store"


async def test_the_challenge_comes_before_the_method_and_the_body(wire: Wire) -> None:
    for method in ("GET", "DELETE", "PUT", "OPTIONS", "HEAD"):
        assert (await wire.client.request(method, "/mcp")).status_code == 401
    assert (await wire.using(key=None).post(b"x" * 200_000)).status_code == 401


@pytest.mark.parametrize("path", ["/mcp", "/mcp/"])
@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT", "PATCH", "OPTIONS", "HEAD"])
async def test_anything_but_a_post_is_not_allowed(wire: Wire, path: str, method: str) -> None:
    answer = await wire.client.request(method, path, headers={"authorization": f"Bearer {wire.key}"})
    assert (answer.status_code, answer.headers["allow"]) == (405, "POST")


async def test_a_revoked_key_fails_at_its_next_request(wire: Wire, installation: Installation) -> None:
    key, secret = installation.minted()
    mine = wire.using(key=secret)
    assert (await mine.call("look")).status_code == 200
    revoke_key(installation.library, installation.owner, key.key_id)
    assert (await mine.call("look")).status_code == 401


@pytest.mark.parametrize("version", ERAS)
@pytest.mark.parametrize("path", ["/mcp", "/mcp/"])
async def test_a_call_above_the_tier_is_forbidden_with_the_code(
    wire: Wire, installation: Installation, version: str, path: str
) -> None:
    reader, editor = installation.key("read_only"), installation.key("edit")
    for key, tool in ((reader, "write"), (reader, "erase"), (editor, "erase")):
        answer = await wire.using(key=key, version=version, path=path).call(tool, text="x")
        assert (answer.status_code, _without_sentence(answer)) == (403, _denied())
        assert "www-authenticate" not in answer.headers
    assert (await wire.using(key=editor, version=version).ok("write", text="x")) == {"text": "x", "count": 1}


@pytest.mark.parametrize("message_id", [0, "a-1", 2**40])
async def test_the_refusal_echoes_the_id_of_the_message(
    wire: Wire, installation: Installation, message_id: object
) -> None:
    message = {"jsonrpc": "2.0", "id": message_id, "method": "tools/call", "params": {"name": "write"}}
    answer = await wire.using(key=installation.key("read_only"), version=LEGACY[-1]).post(message)
    assert (answer.status_code, _without_sentence(answer)) == (403, _denied(message_id))


@pytest.mark.parametrize(
    "disguised",
    [
        b'{"jsonrpc":"2.0","id":7,"method":"tools\\/call","params":{"name":"write"}}',
        b'{"jsonrpc":"2.0","id":7,"method":"\\u0074ools/call","params":{"name":"wr\\u0069te"}}',
        b'{"method":"ping","jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"look","name":"write"}}',
        '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"write"}}'.encode("utf-16"),
    ],
)
async def test_no_spelling_of_the_message_slips_a_forbidden_call_through(
    wire: Wire, installation: Installation, seen: Seen, disguised: bytes
) -> None:
    answer = await wire.using(key=installation.key("read_only"), version=LEGACY[-1]).post(disguised)
    assert (answer.status_code, _without_sentence(answer), seen.callers) == (403, _denied(), [])


async def test_a_denied_call_is_audited_and_the_refusal_says_what_to_do(
    wire: Wire, installation: Installation
) -> None:
    reader = wire.using(key=installation.key("read_only"))
    answer = await reader.call("erase")
    assert answer.json()["error"]["data"]["message"].endswith(".")
    async with asyncio.timeout(20):
        while not recent(installation.library, installation.owner, 5):
            await asyncio.to_thread(time.sleep, 0.05)
    rows = recent(installation.library, installation.owner, 5)
    assert [(row.tool, row.outcome) for row in rows] == [("erase", "API_KEY_TIER_DENIED")]


ODD = [
    b"",
    b"{",
    b"null",
    b"[]",
    b"5",
    b'"tools/call"',
    b"\xff\xfe",
    b'{"jsonrpc":"2.0","id":1,"method":["tools/call"],"params":{"name":"write"}}',
    b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":["tools/call"]}',
    b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":"write"}',
    b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":["write"]}}',
    b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":{"write":1}}}',
    b'{"jsonrpc":"2.0","id":[1],"method":"tools/call","params":{"name":"write"}}',
    b'{"jsonrpc":"2.0","id":true,"method":"tools/call","params":{"name":"write"}}',
    b'{"jsonrpc":"2.0","id":null,"method":"tools/call","params":{"name":"write"}}',
    b'{"jsonrpc":"2.0","id":1,"method":"tools/call"}',
    b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"look","arguments":"{}"}}',
    b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"look","arguments":[1]}}',
    b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"look","arguments":{"count":'
    + b"9" * 5000
    + b"}}}",
    b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":' + b"[" * 40_000 + b"]" * 40_000 + b"}",
    b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"a":'
    + b'{"b":' * 15_000
    + b"1"
    + b"}" * 15_000
    + b"}}",
    b'[{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"write"}}]',
    b'{"jsonrpc":"2.0","id":1,"result":{}}',
    b'{"jsonrpc":"1.0","id":1,"method":"tools/call","params":{"name":"look"}}',
]


@pytest.mark.parametrize("version", [LEGACY[0], LEGACY[-1], MODERN, "1999-01-01", "x"])
@pytest.mark.parametrize("tier", ["read_only", "full"])
async def test_what_is_no_well_formed_message_is_refused_and_never_a_crash(
    wire: Wire, installation: Installation, seen: Seen, version: str, tier: str
) -> None:
    odd = wire.using(key=installation.key(tier), version=version)
    answers = [await odd.post(body) for body in ODD]
    assert [_told(answer) for answer in answers if _told(answer) != "refused"] == []
    assert seen.callers == []


def _told(answer: httpx2.Response) -> str:
    """`refused`, by a status or by an error of the protocol that is no crash; else all that was said."""
    if 400 <= answer.status_code < 500 or answer.status_code == 202:
        return "refused"
    refused = answer.status_code == 200 and answer.json().get("error", {}).get("code") in (
        -32600,
        -32601,
        -32602,
    )
    return "refused" if refused else f"{answer.status_code} {answer.text}"


@pytest.mark.parametrize("version", ERAS)
@pytest.mark.parametrize(
    "arguments",
    [
        '{"count": NaN}',
        '{"count": 1e400}',
        '{"count": 123456789012345678901234567890}',
        '{"text": "\\u0000"}',
    ],
)
async def test_odd_numbers_and_characters_are_refused_by_name(
    wire: Wire, version: str, arguments: str
) -> None:
    wire = wire.using(version=version)
    asked = json.dumps({"name": "look", "arguments": {"PLACE": 1}})
    params = json.loads(asked.replace('{"PLACE": 1}', arguments), parse_constant=float)
    result = (await wire.ask("tools/call", params)).json()["result"]
    assert (result["isError"], result["structuredContent"]["error"]["code"]) == (True, "INVALID_INPUT")


@pytest.mark.parametrize("version", ERAS)
async def test_a_lone_surrogate_is_refused(wire: Wire, version: str) -> None:
    answer = await wire.using(version=version).call("look", text="a\ud800")
    if answer.status_code == 200:
        assert answer.json()["result"]["structuredContent"]["error"]["code"] == "INVALID_INPUT"
    else:
        assert answer.status_code == 400


@pytest.mark.parametrize("version", ERAS)
@pytest.mark.parametrize(
    "accept", [None, "*/*", "application/json", "application/*", "text/html", "", "a,b;q=x"]
)
async def test_whatever_a_client_accepts_it_is_answered_in_json(
    wire: Wire, version: str, accept: str | None
) -> None:
    answer = await wire.using(version=version, headers={"accept": accept}).call("look", text="x")
    assert answer.json()["result"]["structuredContent"] == {"text": "x", "count": 1}


@pytest.mark.parametrize("version", ERAS)
@pytest.mark.parametrize("accept", ["text/event-stream", "TEXT/Event-Stream;q=0.9"])
async def test_a_client_that_takes_only_event_streams_gets_one(wire: Wire, version: str, accept: str) -> None:
    answer = await wire.using(version=version, headers={"accept": accept}).call("look", text="文\n字")
    assert answer.headers["content-type"].startswith("text/event-stream")
    event, data, *rest = answer.text.split("\r\n")
    assert (event, rest) == ("event: message", ["", ""])
    result = json.loads(data.removeprefix("data: "))["result"]
    assert result["structuredContent"] == {"text": "文\n字", "count": 1}


@pytest.mark.parametrize("version", ERAS)
@pytest.mark.parametrize("tool", ["look", "write"])
async def test_a_call_without_an_id_does_nothing(
    wire: Wire, installation: Installation, seen: Seen, version: str, tool: str
) -> None:
    note = {"jsonrpc": "2.0", "method": "tools/call", "params": {"name": tool}}
    for tier in ("read_only", "full"):
        answer = await wire.using(key=installation.key(tier), version=version).post(note)
        assert (answer.status_code, answer.content) == (202, b"")
    assert seen.callers == []


async def test_a_session_of_before_a_restart_is_served(wire: Wire) -> None:
    stale = {"mcp-session-id": "0123456789abcdef"}
    for version in ERAS:
        assert (await wire.using(version=version, headers=stale).call("look")).status_code == 200
    assert (await wire.using(key="x", headers=stale).call("look")).status_code == 401


async def test_no_header_of_the_version_means_an_early_client(wire: Wire) -> None:
    early = wire.using(version=LEGACY[0], headers={"mcp-protocol-version": None})
    assert (await early.call("look")).status_code == 200


async def test_white_space_around_protocol_headers_does_not_count(wire: Wire) -> None:
    answer = await wire.ask("tools/call", {"name": "look"}, mcp_name=" look ", mcp_method="tools/call\t")
    assert answer.status_code == 200


async def test_a_body_over_the_limit_is_refused_however_it_comes(wire: Wire) -> None:
    async def pieces() -> AsyncIterator[bytes]:
        for _ in range(30):
            yield b" " * 10_000

    headers = {"authorization": f"Bearer {wire.key}", "content-type": "application/json"}
    whole = await wire.post(b" " * 100_001)
    streamed = await wire.client.post("/mcp", content=pieces(), headers=headers)
    for answer in (whole, streamed):
        assert (answer.status_code, answer.json()["error"]["data"]["code"]) == (413, "TOO_LARGE")
    assert (await wire.call("look", text="x" * 90_000)).status_code == 200


async def test_a_body_that_does_not_come_is_not_waited_for(wire: Wire) -> None:
    async def stalled() -> AsyncIterator[bytes]:
        yield b"{"
        await asyncio.Event().wait()

    headers = {"authorization": f"Bearer {wire.key}", "content-type": "application/json"}
    assert (await wire.client.post("/mcp", content=stalled(), headers=headers)).status_code == 408


async def test_hosts_and_origins_are_checked_on_the_endpoint(wire: Wire) -> None:
    assert (await wire.using(headers={"host": "evil.example"}).call("look")).status_code == 421
    assert (await wire.using(headers={"origin": "https://evil.example"}).call("look")).status_code == 403
    assert (await wire.using(headers={"origin": "http://localhost:6274"}).call("look")).status_code == 200
    behind_a_proxy = {"host": "vade.example.org", "origin": "https://vade.example.org"}
    assert (await wire.using(headers=behind_a_proxy).call("look")).status_code == 200
