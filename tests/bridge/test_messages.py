"""Are messages carried to the server and answers back as they are, with the headers that follow from them?"""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from tests.bridge.program import MODERN, Bridge, bridge, note_vault
from tests.bridge.scripted import Request, Response, Script, Scripted, result, scripted


def run(data: Path, server: Scripted, **settings: str) -> Any:
    note_vault(data, server.port)
    return bridge(data, **settings)


def encoded(name: str) -> str:
    return f"=?base64?{base64.b64encode(name.encode()).decode()}?="


def refused(running: Bridge, line: bytes) -> list[tuple[Any, int]]:
    """Whom the bridge itself told with which code that a line cannot be taken."""
    running.write(line)
    running.send("ping", "after")
    told = []
    while (answer := running.read())["id"] != "after":
        told.append((answer["id"], answer["error"]["code"]))
    return told


def test_a_message_arrives_byte_for_byte_with_the_token_and_without_an_origin(tmp_path: Path) -> None:
    with scripted() as server, run(tmp_path, server) as running:
        line = '{"method" : "tools/call", "params": {"name": "读"},  "id": "七", "jsonrpc":"2.0"}'
        running.write(f"  {line}\r\n\n".encode())
        assert running.read() == {"jsonrpc": "2.0", "id": "七", "result": {"seen": "tools/call"}}
        (request,) = server.requests
        assert (request.path, request.body) == ("/mcp", line.encode())
        headers = {name.lower(): value for name, value in request.headers.items()}
        assert headers["authorization"] == "Bearer first-token"
        assert headers["host"] == f"127.0.0.1:{server.port}"
        assert headers["content-type"] == "application/json"
        assert headers["accept"] == "application/json, text/event-stream"
        assert "origin" not in headers


@pytest.mark.parametrize(
    ("method", "params", "name"),
    [
        ("tools/call", {"name": "read_note"}, "read_note"),
        ("prompts/get", {"name": "a b"}, "a b"),
        ("resources/read", {"uri": "note://茶"}, encoded("note://茶")),
        ("tools/call", {"name": "two\r\nX-More: yes"}, encoded("two\r\nX-More: yes")),
        ("tools/call", {"name": " edge"}, encoded(" edge")),
        ("tools/call", {"name": "=?base64?eA==?="}, encoded("=?base64?eA==?=")),
        ("tools/call", {"name": ["list"]}, None),
        ("tools/list", {"name": "unnamed"}, None),
    ],
)
def test_headers_repeat_what_the_body_says(
    tmp_path: Path, method: str, params: dict[str, Any], name: str | None
) -> None:
    with scripted() as server, run(tmp_path, server) as running:
        running.ask(method, 1, **params, **MODERN)
        headers = server.requests[0].headers
        assert headers["MCP-Protocol-Version"] == "2026-07-28"
        assert (headers["Mcp-Method"], headers.get("Mcp-Name")) == (method, name)


def test_after_a_handshake_the_version_that_it_gave_is_named(tmp_path: Path) -> None:
    def script(request: Request) -> Response:
        return result(request, {"protocolVersion": "2025-03-26"} if request.method == "initialize" else None)

    with scripted(script) as server, run(tmp_path, server) as running:
        running.ask("initialize", 1, protocolVersion="2025-11-25")
        running.ask("tools/list", 2)
        running.ask("tools/list", 3, **MODERN)
        versions = [request.headers.get("MCP-Protocol-Version") for request in server.requests]
        assert versions == [None, "2025-03-26", "2026-07-28"]


def test_both_pipes_are_utf8_whatever_the_locale(tmp_path: Path) -> None:
    def script(request: Request) -> Response:
        return result(request, request.message["params"])

    strange = {"LC_ALL": "C", "PYTHONIOENCODING": "latin-1", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    with scripted(script) as server, run(tmp_path, server, **strange) as running:
        text = {"text": "夜明け 🌅 naïve"}
        assert running.ask("tools/call", 1, **text)["result"] == text


def test_an_answer_takes_one_line_however_it_was_written(tmp_path: Path) -> None:
    text = "one\u2028two\u2029three\u0085four\nfive"

    def script(request: Request) -> Response:
        body = {"jsonrpc": "2.0", "id": 1, "result": {"text": text}}
        return Response(body=json.dumps(body, indent=1, ensure_ascii=False).replace("\n", "\r\n").encode())

    with scripted(script) as server, run(tmp_path, server) as running:
        running.send("tools/call", 1)
        line = running.line().decode()
        assert line.splitlines() == [line.removesuffix("\n")]
        assert json.loads(line)["result"]["text"] == text


def test_an_answer_in_chunks_is_put_together(tmp_path: Path) -> None:
    def script(request: Request) -> Response:
        body = result(request).body
        parts = b"".join(b"%x;x=y\r\n%s\r\n" % (len(part), part) for part in (body[:9], body[9:]))
        chunked = {"Transfer-Encoding": "chunked"}
        return Response(body=parts + b"0\r\nTrailer: 1\r\n\r\n", headers=chunked)

    with scripted(script) as server, run(tmp_path, server) as running:
        assert running.ask("tools/list", 1)["result"] == {"seen": "tools/list"}
        assert running.ask("tools/list", 2)["result"] == {"seen": "tools/list"}
        assert len({request.connection for request in server.requests}) == 1


def _error(status: int, message_id: Any) -> Script:
    error = {"code": -32010, "message": "API_KEY_TIER_DENIED", "data": {"code": "API_KEY_TIER_DENIED"}}
    body = json.dumps({"jsonrpc": "2.0", "id": message_id, "error": error}).encode()
    return lambda _: Response(status, body)


@pytest.mark.parametrize(("status", "message_id"), [(403, 5), (404, 5), (400, None), (503, None)])
def test_an_error_of_the_protocol_is_passed_on_as_it_is_with_the_id_of_its_request(
    tmp_path: Path, status: int, message_id: int | None
) -> None:
    with scripted(_error(status, message_id)) as server, run(tmp_path, server) as running:
        error = running.ask("tools/call", 5)["error"]
        assert (error["code"], error["data"]) == (-32010, {"code": "API_KEY_TIER_DENIED"})


@pytest.mark.parametrize(
    "response",
    [
        Response(421, b"Misdirected: name the host in VADE_ALLOWED_HOSTS"),
        Response(500, b"\xff\xfe"),
        Response(500, b'{"jsonrpc":"2.0","id":5,"result":{}}'),
        Response(307, headers={"Location": "/elsewhere"}),
        Response(202),
        Response(200, b"[]"),
        Response(200, b"[" * 100_000),
    ],
    ids=lambda response: f"{response.status}-{len(response.body)}",
)
def test_anything_else_becomes_an_error_that_tells_the_status(tmp_path: Path, response: Response) -> None:
    with scripted(lambda _: response) as server, run(tmp_path, server) as running:
        error = running.ask("tools/call", 5)["error"]
        assert (error["code"], error["data"]) == (-32000, {"status": response.status})
        assert f"HTTP {response.status}" in error["message"]
        if response.status == 421:
            assert "VADE_ALLOWED_HOSTS" in error["message"]


def test_notifications_are_passed_on_and_what_comes_back_is_dropped(tmp_path: Path) -> None:
    chatty = Response(400, b'{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no"}}')

    def script(request: Request) -> Response:
        return result(request) if "id" in request.message else chatty

    with scripted(script) as server, run(tmp_path, server) as running:
        running.send("notifications/initialized")
        server.wait_for("notifications/initialized")
        running.ask("tools/list", 1)
        assert running.end()[:2] == (0, [])


def test_what_answers_nothing_is_not_passed_on(tmp_path: Path) -> None:
    with scripted() as server, run(tmp_path, server) as running:
        running.write(b'{"jsonrpc":"2.0","id":1,"result":{}}\n{"jsonrpc":"2.0","id":2,"error":{}}\n')
        running.ask("tools/list", 3)
        assert [request.method for request in server.requests] == ["tools/list"]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (b"{", [(None, -32700)]),
        (b"\xff\xfe{}", [(None, -32700)]),
        (b"[" * 100_000, [(None, -32700)]),
        (b'"text"', [(None, -32600)]),
        (b'{"jsonrpc":"2.0","id":1}', [(1, -32600)]),
        (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', [(None, -32600)]),
        (b'{"jsonrpc":"2.0","id":{},"method":"ping"}', [(None, -32600)]),
        (b'[{"id":1,"method":"a"},{"method":"b"},{"id":"2","method":"c"}]', [(1, -32600), ("2", -32600)]),
        (b"[]", [(None, -32600)]),
    ],
    ids=range(9),
)
def test_a_line_that_is_no_message_is_refused_and_the_next_one_taken(
    tmp_path: Path, line: bytes, told: list[tuple[Any, int]]
) -> None:
    with scripted() as server, run(tmp_path, server) as running:
        assert refused(running, line + b"\n") == told
        assert [request.method for request in server.requests] == ["ping"]


def test_a_line_over_the_limit_is_refused_and_one_at_the_limit_is_carried(tmp_path: Path) -> None:
    def script(request: Request) -> Response:
        return Response(body=b'{"jsonrpc":"2.0","id":1,"result":{}}', closes=True)

    limit = 48 << 20
    head = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"text":"'
    most = head + b"x" * (limit - len(head) - 4) + b'"}}\n'
    with scripted(script) as server, run(tmp_path, server) as running:
        running.write(most)
        assert running.read()["result"] == {}
        running.write(most.replace(b"xxx", b"xxxx", 1))
        told = running.read()
        assert (told["id"], told["error"]["code"]) == (None, -32600)
        assert "50,331,648" in told["error"]["message"]
        assert [len(request.body) for request in server.requests] == [limit - 1]
