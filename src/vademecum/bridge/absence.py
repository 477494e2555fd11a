"""What does the bridge answer by itself while there is no server?

A client has to be able to connect then too, or it would give the server up until it is started again. So a
handshake succeeds, the tools are those that were listed last, none at first, and every call says what is
wrong (contracts 3.2).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from vademecum import __version__
from vademecum.bridge.messages import (
    BRIDGE_ERROR,
    CALL_TOOL,
    DISCOVER,
    INITIALIZE,
    LIST_TOOLS,
    PING,
    Message,
    Reply,
    error_line,
    result_line,
)

_HANDSHAKES = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
_STATELESS = "2026-07-28"
_COMPLETE = {"resultType": "complete"}
# What is said here holds until the server comes, which may be the next moment.
_PASSING = {**_COMPLETE, "ttlMs": 0, "cacheScope": "private"}


class Absence:
    """Stands in for the server of one face. It remembers the last list of tools."""

    def __init__(self, face: str) -> None:
        self._server = {"name": f"vademecum-{face}", "version": __version__}
        self._tools: list[Any] = []

    def remember(self, message: Message, result: Mapping[str, Any]) -> None:
        """Keep the list of tools that the server gave; lists of several pages are not put together."""
        tools = result.get("tools")
        is_whole = not message.params.get("cursor") and not result.get("nextCursor")
        if message.method == LIST_TOOLS and isinstance(tools, list) and is_whole:
            self._tools = tools

    def answer(self, message: Message, sentence: str) -> Reply:
        """What a message is answered with; the sentence says what is wrong and what to do."""
        result = self._result(message, sentence)
        if result is None:
            return Reply(error_line(message.message_id, BRIDGE_ERROR, sentence))
        return Reply(result_line(message.message_id, result), result)

    def _result(self, message: Message, sentence: str) -> dict[str, Any] | None:
        is_stateless = bool(message.version)
        if message.method == INITIALIZE:
            return self._welcome(message.params.get("protocolVersion"), sentence)
        if message.method == DISCOVER and is_stateless:
            return self._discovered(sentence)
        if message.method == PING and not is_stateless:
            return {}
        if message.method == LIST_TOOLS:
            return {"tools": self._tools, **(_PASSING if is_stateless else {})}
        if message.method == CALL_TOOL:
            told = {"content": [{"type": "text", "text": sentence}], "isError": True}
            return {**told, **(_COMPLETE if is_stateless else {})}
        return None

    def _welcome(self, wanted: object, sentence: str) -> dict[str, Any]:
        is_known = isinstance(wanted, str) and wanted in _HANDSHAKES
        return {
            "protocolVersion": wanted if is_known else _HANDSHAKES[-1],
            "capabilities": {"tools": {"listChanged": True}},
            "serverInfo": self._server,
            "instructions": sentence,
        }

    def _discovered(self, sentence: str) -> dict[str, Any]:
        return {
            "supportedVersions": [_STATELESS],
            "capabilities": {"tools": {}},
            "instructions": sentence,
            "_meta": {"io.modelcontextprotocol/serverInfo": self._server},
            **_PASSING,
        }
