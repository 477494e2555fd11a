"""What does the first generation of the official Python client make of the server?

It is run with a Python that has that generation, and neither ours nor anything of the product.
"""

from __future__ import annotations

import asyncio
import json
import sys
from importlib import import_module
from typing import Any

# By name, because the types that are known here are those of the second generation.
httpx = import_module("httpx")
mcp = import_module("mcp")
streamable_http = import_module("mcp.client.streamable_http")


class Visit:
    """One session with one key; `status` is that of the last answer over HTTP."""

    def __init__(self, url: str, session: dict[str, Any]) -> None:
        self._url = url
        self._session = session
        self._status = 0

    async def seen(self) -> dict[str, Any]:
        """The list and the outcomes, until something ends the session."""
        seen: dict[str, Any] = {"outcomes": []}
        headers = {"Authorization": f"Bearer {self._session['key']}"}
        hooks = {"response": [self._note]}
        try:
            async with (
                httpx.AsyncClient(headers=headers, event_hooks=hooks, timeout=60) as http,
                streamable_http.streamable_http_client(self._url, http_client=http) as (read, write, _),
                mcp.ClientSession(read, write) as client,
            ):
                seen["version"] = (await client.initialize()).protocolVersion
                seen["tools"] = [tool.name for tool in (await client.list_tools()).tools]
                for tool, arguments in self._session["calls"]:
                    seen["outcomes"].append(await self._outcome(client, tool, arguments))
        except (httpx.HTTPStatusError, ExceptionGroup):
            seen["ended"] = self._status
        return seen

    async def _note(self, response: Any) -> None:
        self._status = response.status_code

    async def _outcome(self, client: Any, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        try:
            answer = await client.call_tool(tool, arguments)
        except mcp.McpError as error:
            return {"status": self._status, "problem": error.error.message}
        return {
            "status": self._status,
            "isError": answer.isError,
            "structured": answer.structuredContent,
            "text": "".join(block.text for block in answer.content if block.type == "text"),
        }


async def visits(plan: dict[str, Any]) -> list[dict[str, Any]]:
    """All sessions, one after another."""
    return [await Visit(plan["url"], session).seen() for session in plan["sessions"]]


json.dump(asyncio.run(visits(json.load(sys.stdin))), sys.stdout)
