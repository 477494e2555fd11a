"""On what library do tests of the faces call the server, and how do they speak to it?"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Self

import httpx2

from tests.storage.opening import open_at
from vademecum.faces.http.offload import Offload
from vademecum.faces.http.options import HttpOptions
from vademecum.faces.http.routes import Application, Readiness, Site, build_app
from vademecum.faces.mcp.server.endpoint import build_endpoint
from vademecum.faces.mcp.tool.declaration import ToolSetDeclaration
from vademecum.library.connecting import KeyRequest, mint_key, person
from vademecum.library.context import Library
from vademecum.model.access import AgentKey, Caller, ToolSet
from vademecum.storage.files import BlobFolder

PUBLIC_URL = "https://vade.example.org"
LEGACY = ("2025-03-26", "2025-06-18", "2025-11-25")
MODERN = "2026-07-28"
ERAS = (*LEGACY, MODERN)
_ABOUT = "io.modelcontextprotocol/"


@dataclass
class HeldClock:
    """A clock that stands still until a test moves it."""

    moment: datetime = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)

    def now(self) -> datetime:
        """The moment that was set."""
        return self.moment

    def pass_by(self, **time: float) -> None:
        """Moves on by a timedelta's arguments."""
        self.moment += timedelta(**time)


@dataclass
class Installation:
    """A library with its owner, on a database of its own."""

    library: Library
    clock: HeldClock
    owner: Caller

    def key(self, tier: str = "full", tool_set: ToolSet = ToolSet.LIBRARY, **more: Any) -> str:
        """The secret of a new key."""
        return self.minted(tier, tool_set, **more)[1]

    def minted(
        self, tier: str = "full", tool_set: ToolSet = ToolSet.LIBRARY, **more: Any
    ) -> tuple[AgentKey, str]:
        """A new key and its secret."""
        return mint_key(self.library, self.owner, KeyRequest("tests", tool_set, tier, **more))


def install(url: str, folder: Path, **ports: Any) -> Installation:
    """A library at the address, which `tests.storage.opening.migrate` has prepared or which is empty."""
    clock = HeldClock()
    library = Library(open_at(url), BlobFolder(folder / "blobs"), clock, public_url=PUBLIC_URL)
    library = replace(library, **ports)
    return Installation(library, clock, person(library, None))


@dataclass
class Wire:
    """Speaks the protocol over HTTP in either era, so that tests see statuses, headers and exact JSON."""

    client: httpx2.AsyncClient
    key: str | None = None
    version: str = MODERN
    headers: Mapping[str, str] = field(default_factory=dict)
    path: str = "/mcp"

    def using(self, **changes: Any) -> Self:
        """The same with another key, version, path or further headers."""
        return replace(self, **changes)

    async def post(self, message: object, **headers: str | None) -> httpx2.Response:
        """The answer to a message; a header that is None is left out, and bytes are sent as they are."""
        sent: dict[str, str | None] = {
            "content-type": "application/json",
            "accept": "application/json, text/event-stream",
            "mcp-protocol-version": self.version,
            "authorization": f"Bearer {self.key}" if self.key else None,
            **self.headers,
            **{name.replace("_", "-"): value for name, value in headers.items()},
        }
        content = message if isinstance(message, bytes) else json.dumps(message).encode()
        kept = {name: value for name, value in sent.items() if value is not None}
        return await self.client.post(self.path, content=content, headers=kept)

    async def ask(
        self, method: str, params: dict[str, Any] | None = None, **headers: str | None
    ) -> httpx2.Response:
        """The answer to a well-formed request of the version."""
        params = dict(params or {})
        if self.version == MODERN:
            params["_meta"] = {
                f"{_ABOUT}protocolVersion": MODERN,
                f"{_ABOUT}clientCapabilities": {},
                f"{_ABOUT}clientInfo": {"name": "tests", "version": "1"},
                **params.get("_meta", {}),
            }
            headers = {
                "mcp_method": method,
                **({"mcp_name": params["name"]} if "name" in params else {}),
                **headers,
            }
        return await self.post({"jsonrpc": "2.0", "id": 7, "method": method, "params": params}, **headers)

    async def call(self, tool: str, /, **arguments: Any) -> httpx2.Response:
        """The answer to a call of a tool."""
        return await self.ask("tools/call", {"name": tool, "arguments": arguments})

    async def result(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        """The result of a call that the protocol let through."""
        answer = await self.call(tool, **arguments)
        assert answer.status_code == 200, answer.text
        result: dict[str, Any] = answer.json()["result"]
        return result

    async def ok(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        """What a call answers that has to succeed: the same in both forms."""
        result = await self.result(tool, **arguments)
        assert not result["isError"], result
        shape: dict[str, Any] = result["structuredContent"]
        assert [block["type"] for block in result["content"]] == ["text"]
        assert json.loads(result["content"][0]["text"]) == shape
        return shape

    async def refused(self, tool: str, /, **arguments: Any) -> str:
        """The code with which a call is refused: the same in both forms."""
        result = await self.result(tool, **arguments)
        assert result["isError"], result
        code: str = result["structuredContent"]["error"]["code"]
        assert result["content"][0]["text"].startswith(f"{code}: ")
        return code


@dataclass
class Served:
    """A running application over an installation."""

    installation: Installation
    app: Application
    wire: Wire


@asynccontextmanager
async def serving(
    installation: Installation, declared: ToolSetDeclaration, **options: Any
) -> AsyncIterator[Served]:
    """The tool set over the installation, running until the context ends."""
    offload = Offload(
        core_waiting=options.pop("core_waiting", 16), door_waiting=options.pop("door_waiting", 16)
    )
    http = HttpOptions(PUBLIC_URL, "1.2.3", **options)
    endpoint = build_endpoint(installation.library, offload, http, declared)
    app = build_app(Site(http, offload, (endpoint,), lambda: Readiness(True), "welcome"))
    transport = httpx2.ASGITransport(app=app)
    async with (
        app.lifespan(),
        httpx2.AsyncClient(transport=transport, base_url="http://localhost:8484") as client,
    ):
        yield Served(installation, app, Wire(client, installation.key()))
