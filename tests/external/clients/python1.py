"""What does the first generation of the official Python client make of the server?

It is run with a Python that has that generation, and neither ours nor anything of the product.
A plan names the server's `url`, or a `command` that each session starts with its key in the environment.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import import_module
from typing import Any

# By name, because the types that are known here are those of the second generation.
httpx = import_module("httpx")
mcp = import_module("mcp")
stdio = import_module("mcp.client.stdio")
streamable_http = import_module("mcp.client.streamable_http")


class Visit:
    """One session with one key; `status` is that of the last answer over HTTP."""

    def __init__(self, plan: dict[str, Any], session: dict[str, Any]) -> None:
        self._plan = plan
        self._session = session
        self._status = 0

    async def seen(self) -> dict[str, Any]:
        """The list and the outcomes, until something ends the session."""
        seen: dict[str, Any] = {"outcomes": []}
        try:
            async with self._client() as client:
                seen["version"] = (await client.initialize()).protocolVersion
                seen["tools"] = [tool.name for tool in (await client.list_tools()).tools]
                for tool, arguments in self._session["calls"]:
                    seen["outcomes"].append(await self._outcome(client, tool, arguments))
        except (httpx.HTTPStatusError, mcp.McpError, ExceptionGroup) as error:
            seen["ended"] = self._status or status_of(error)
        return seen

    @asynccontextmanager
    async def _client(self) -> AsyncIterator[Any]:
        if "command" in self._plan:
            program, *words = self._plan["command"]
            settings = {**self._plan["environment"], "VADE_KEY": self._session["key"]}
            server = stdio.StdioServerParameters(command=program, args=words, env=settings)
            async with stdio.stdio_client(server) as (read, write), mcp.ClientSession(read, write) as client:
                yield client
            return
        headers = {"Authorization": f"Bearer {self._session['key']}"}
        hooks = {"response": [self._note]}
        async with (
            httpx.AsyncClient(headers=headers, event_hooks=hooks, timeout=60) as http,
            streamable_http.streamable_http_client(self._plan["url"], http_client=http) as (read, write, _),
            mcp.ClientSession(read, write) as client,
        ):
            yield client

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


def status_of(error: BaseException) -> int:
    """The HTTP status that the bridge told of, in an error or a group of them."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    assert isinstance(error, mcp.McpError)
    status: int = error.error.data["status"]
    return status


async def visits(plan: dict[str, Any]) -> list[dict[str, Any]]:
    """All sessions, one after another."""
    return [await Visit(plan, session).seen() for session in plan["sessions"]]


json.dump(asyncio.run(visits(json.load(sys.stdin))), sys.stdout)
