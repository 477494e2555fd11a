"""Does the client of the benchmarks read answers in both forms, and tell refusals?"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from benchmarks.mcp_client import McpClient, ToolRefused


@contextmanager
def _server(result: dict[str, Any], *, events: bool = False, status: int = 200) -> Iterator[str]:
    class Answering(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
            text = json.dumps({"jsonrpc": "2.0", "id": asked.get("id"), **result})
            body = (f"event: message\ndata: {text}\n\n" if events else text).encode()
            self.send_response(status)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Nothing is told."""

    server = HTTPServer(("127.0.0.1", 0), Answering)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/mcp"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _ask(address: str) -> dict[str, Any]:
    client = McpClient(address, "key")
    try:
        return client.tool("look", query="x")
    finally:
        client.close()


@pytest.mark.parametrize("events", [False, True])
def test_structured_content_is_the_answer(events: bool) -> None:
    with _server({"result": {"structuredContent": {"found": 1}}}, events=events) as address:
        assert _ask(address) == {"found": 1}


def test_without_structured_content_the_text_is_read() -> None:
    text = {"type": "text", "text": '{"found": [1, 2]}'}
    with _server({"result": {"content": [text]}}) as address:
        assert _ask(address) == {"found": [1, 2]}


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        ({"result": {"isError": True, "content": []}}, 200),
        ({"error": {"code": -1, "message": "no"}}, 200),
        ({"result": {}}, 403),
    ],
)
def test_what_is_no_result_is_a_refusal(answer: dict[str, Any], status: int) -> None:
    with _server(answer, status=status) as address, pytest.raises(ToolRefused):
        _ask(address)
