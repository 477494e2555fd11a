"""How does a benchmark call the tools of a server over one connection that stays open?"""

from __future__ import annotations

import http.client
import json
import socket
from typing import Any
from urllib.parse import urlsplit

_VERSION = "2025-06-18"
_PATIENCE = 120.0  # seconds for one answer
_FROM_EVENTS = "text/event-stream"


class ToolRefused(Exception):
    """The server answered, but not with a result."""


class _Connection(http.client.HTTPConnection):
    """A connection that sends what it has at once."""

    def connect(self) -> None:
        super().connect()
        self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


class McpClient:
    """An MCP client over Streamable HTTP with one keep-alive connection; not for several threads at once."""

    def __init__(self, address: str, key: str | None = None) -> None:
        place = urlsplit(address)
        self._path = place.path or "/"
        self._connection = _Connection(place.hostname or "127.0.0.1", place.port or 80, timeout=_PATIENCE)
        self._headers = {
            "Content-Type": "application/json",
            "Accept": f"application/json, {_FROM_EVENTS}",
            "MCP-Protocol-Version": _VERSION,
        }
        if key:
            self._headers["Authorization"] = f"Bearer {key}"
        self._number = 0

    def initialize(self) -> None:
        """The handshake that servers with sessions ask for; the session's name is kept for later calls."""
        hello = {
            "protocolVersion": _VERSION,
            "capabilities": {},
            "clientInfo": {"name": "benchmark", "version": "1"},
        }
        self._request("initialize", hello)
        self._post({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def tool(self, name: str, /, **arguments: Any) -> dict[str, Any]:
        """The structured content of a tool's answer, or its text read as JSON. Raises ToolRefused."""
        result = self._request("tools/call", {"name": name, "arguments": arguments})
        if result.get("isError"):
            raise ToolRefused(f"{name}: {_text(result)[:400]}")
        content: Any = result.get("structuredContent")
        if content is None:
            content = json.loads(_text(result) or "null")
        return content if isinstance(content, dict) else {"result": content}

    def call(self, method: str, parameters: dict[str, Any] | None = None) -> dict[str, Any]:
        """The result of any other method. Raises ToolRefused."""
        return self._request(method, parameters or {})

    def close(self) -> None:
        self._connection.close()

    def _request(self, method: str, parameters: dict[str, Any]) -> dict[str, Any]:
        self._number += 1
        message = {"jsonrpc": "2.0", "id": self._number, "method": method, "params": parameters}
        status, body = self._post(message)
        answer = _message(body, self._number)
        if status != http.HTTPStatus.OK or answer is None or "result" not in answer:
            raise ToolRefused(f"{method}: HTTP {status}: {body[:400]!r}")
        result: dict[str, Any] = answer["result"]
        return result

    def _post(self, message: dict[str, Any]) -> tuple[int, bytes]:
        data = json.dumps(message, ensure_ascii=False).encode("utf-8", "surrogatepass")
        try:
            self._connection.request("POST", self._path, data, self._headers)
            answer = self._connection.getresponse()
            body = answer.read()
        except (OSError, http.client.HTTPException):
            self._connection.close()
            raise
        session = answer.getheader("mcp-session-id")
        if session:
            self._headers["Mcp-Session-Id"] = session
        return answer.status, body


def _message(body: bytes, number: int) -> dict[str, Any] | None:
    """The JSON-RPC message with that number, out of a plain answer or a stream of events."""
    text = body.decode("utf-8", "replace").strip()
    lines = (
        [text]
        if text.startswith("{")
        else [line[5:] for line in text.splitlines() if line.startswith("data:")]
    )
    for line in lines:
        found = json.loads(line)
        if isinstance(found, dict) and found.get("id") == number:
            return found
    return None


def _text(result: dict[str, Any]) -> str:
    return "\n".join(part.get("text", "") for part in result.get("content", []) if part.get("type") == "text")
