"""How is a declared tool set put on the network?"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from mcp.server.caching import CacheHint
from mcp.server.lowlevel.server import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from mcp_types import CallToolRequestParams, PaginatedRequestParams

from vademecum.faces.http.caller import Doorkeeper, Mark, by_agent_key
from vademecum.faces.http.offload import Offload
from vademecum.faces.http.options import HttpOptions
from vademecum.faces.http.routes import Endpoint
from vademecum.faces.mcp.server.desk import Desk
from vademecum.faces.mcp.server.gate import Door, Gate
from vademecum.faces.mcp.server.journal import Journal
from vademecum.faces.mcp.tool.declaration import ToolSetDeclaration
from vademecum.library.context import Library

SERVER_NAME = "vademecum"


def build_endpoint(
    library: Library,
    offload: Offload,
    options: HttpOptions,
    declared: ToolSetDeclaration,
    mark: Mark | None = None,
) -> Endpoint:
    """The tool set as an endpoint of the application, in both protocol eras (mcp 1.3). It runs once.

    `mark` is what the doorkeeper tells by that nothing has changed.
    """
    _quieten()
    keeper = Doorkeeper(library, offload, declared.known_by or by_agent_key(declared.tool_set), mark)
    door = Door(library, offload, options, declared, Journal(library, offload), keeper)
    return endpoint_around(door, _sdk_server(Desk(door), options, declared))


def endpoint_around(door: Door, server: Server[Any]) -> Endpoint:
    """A server of the SDK behind our gate: stateless, answering in plain JSON."""
    manager = StreamableHTTPSessionManager(
        app=server,
        json_response=True,
        stateless=True,
        # The guards have checked Host and Origin, as on every path.
        security_settings=TransportSecuritySettings(enable_dns_rebinding_protection=False),
        max_request_body_size=door.options.body_limit,
    )

    @asynccontextmanager
    async def lifespan() -> AsyncIterator[None]:
        async with door.journal.running(), manager.run():
            yield

    declared = door.declared
    app = Gate(door, manager.handle_request)
    return Endpoint(declared.tool_set.value, declared.title, declared.path, app, lifespan)


def _quieten() -> None:
    """The SDK tells of every request; unless someone asked for that, only its warnings are kept."""
    log = logging.getLogger("mcp")
    if log.level == logging.NOTSET:
        log.setLevel(logging.WARNING)


def _sdk_server(desk: Desk, options: HttpOptions, declared: ToolSetDeclaration) -> Server[Any]:
    hint = CacheHint(ttl_ms=declared.list_seconds * 1000, scope="private")
    server: Server[Any] = Server(
        SERVER_NAME,
        version=options.version,
        title=declared.title,
        instructions=declared.instructions,
        cache_hints={"tools/list": hint, "server/discover": hint},
        # Without it the SDK would list all tools before each call to look for mirrored headers.
        get_tool_input_schema=lambda _: None,
    )
    server.add_request_handler("tools/list", PaginatedRequestParams, desk.list_tools)
    server.add_request_handler("tools/call", CallToolRequestParams, desk.call_tool)
    server.middleware.clear()  # telemetry, of which there is none (design 8)
    return server
