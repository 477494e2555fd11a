"""What does the second generation of the official Python client make of the server?

A plan names the server's `url`, or a `command` that a session starts with the key in its environment.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
from mcp import MCPError, StdioServerParameters
from mcp.client import Client
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client


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
                seen["version"] = client.protocol_version
                seen["tools"] = [tool.name for tool in (await client.list_tools()).tools]
                for tool, arguments in self._session["calls"]:
                    seen["outcomes"].append(await self._outcome(client, tool, arguments))
        except (MCPError, ExceptionGroup) as error:
            seen["ended"] = self._status or status_of(error)
        return seen

    @asynccontextmanager
    async def _client(self) -> AsyncIterator[Client]:
        if "command" in self._plan:
            program, *words = self._plan["command"]
            settings = {**self._plan["environment"], "VADE_KEY": self._session["key"]}
            started = stdio_client(StdioServerParameters(command=program, args=words, env=settings))
            async with Client(started, mode=self._plan["mode"]) as client:
                yield client
            return
        headers = {"Authorization": f"Bearer {self._session['key']}"}
        hooks = {"response": [self._note]}
        async with (
            httpx2.AsyncClient(headers=headers, event_hooks=hooks, timeout=60) as http,
            Client(
                streamable_http_client(self._plan["url"], http_client=http), mode=self._plan["mode"]
            ) as client,
        ):
            yield client

    async def _note(self, response: httpx2.Response) -> None:
        self._status = response.status_code

    async def _outcome(self, client: Client, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        try:
            answer = await client.call_tool(tool, arguments)
        except MCPError as error:
            return {"status": self._status, "problem": error.error.message}
        return {
            "status": self._status,
            "isError": answer.is_error,
            "structured": answer.structured_content,
            "text": "".join(block.text for block in answer.content if block.type == "text"),
        }


def status_of(error: BaseException) -> int:
    """The HTTP status that the bridge told of, in an error or a group of them."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    assert isinstance(error, MCPError)
    status: int = error.error.data["status"]
    return status


async def visits(plan: dict[str, Any]) -> list[dict[str, Any]]:
    """All sessions, one after another."""
    return [await Visit(plan, session).seen() for session in plan["sessions"]]


json.dump(asyncio.run(visits(json.load(sys.stdin))), sys.stdout)
