"""How is a server of the suite's liking put behind our guards and our gate, and served as the product is?"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import uvicorn
from mcp.server.lowlevel.server import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from starlette.types import ASGIApp

from tests.conformance.fixture_server import fixture_server
from tests.conformance.injector import injecting
from tests.faces.installation import Installation
from vademecum.faces.http.caller import Doorkeeper, by_agent_key
from vademecum.faces.http.offload import Offload
from vademecum.faces.http.options import HttpOptions
from vademecum.faces.http.routes import Endpoint, Readiness, Site, build_app
from vademecum.faces.http.serving import Listening, server_config
from vademecum.faces.mcp.server.endpoint import endpoint_around
from vademecum.faces.mcp.server.gate import Door, Gate
from vademecum.faces.mcp.server.journal import Journal
from vademecum.faces.mcp.tool.declaration import Hints, Tool, ToolSetDeclaration
from vademecum.model.access import Tier, ToolSet

# A tool that the key of these tests may not use, so that the gate has to look into every call.
BEYOND = "test_beyond_the_tier"
_START_SECONDS = 30.0


@contextmanager
def serving_fixture(installation: Installation, *, pushing: bool) -> Iterator[str]:
    """The address at which the fixture is served, without a key to a client that has none.

    Either with the transport of the product, which answers each call with one message, or `pushing`: with
    sessions and streams, without which no server can tell or ask a client anything during a call.
    """
    options = HttpOptions(installation.library.public_url, "1")
    offload = Offload()
    journal = Journal(installation.library, offload)
    declared = _declaration()
    keeper = Doorkeeper(installation.library, offload, by_agent_key(declared.tool_set))
    door = Door(installation.library, offload, options, declared, journal, keeper)
    put = _pushing_endpoint if pushing else endpoint_around
    endpoint = put(door, fixture_server(offload))
    app = build_app(Site(options, offload, (endpoint,), lambda: Readiness(True), "welcome"))
    with listening(app) as port, injecting(port, installation.key("edit")) as address:
        yield f"{address}{endpoint.path}"


@contextmanager
def listening(app: ASGIApp) -> Iterator[int]:
    """Serves the application with the settings of the product, on the port that is given."""
    server = uvicorn.Server(server_config(app, Listening("127.0.0.1", 0)))
    thread = Thread(target=server.run, name="server", daemon=True)
    thread.start()
    end = time.monotonic() + _START_SECONDS
    while not server.started:
        assert thread.is_alive(), "the server did not start"
        assert time.monotonic() < end, "the server did not start in time"
        time.sleep(0.01)
    try:
        yield server.servers[0].sockets[0].getsockname()[1]
    finally:
        server.should_exit = True
        thread.join(_START_SECONDS)
        assert not thread.is_alive(), "the server did not stop"


def installed_at(folder: Path) -> str:
    """The address of the fixture's own database."""
    return f"sqlite:///{folder / 'library.db'}"


def _pushing_endpoint(door: Door, server: Server[Any]) -> Endpoint:
    """As `endpoint_around`, but for the SDK's other way of answering."""
    manager = StreamableHTTPSessionManager(
        app=server,
        security_settings=TransportSecuritySettings(enable_dns_rebinding_protection=False),
        max_request_body_size=door.options.body_limit,
    )

    @asynccontextmanager
    async def lifespan() -> AsyncIterator[None]:
        async with door.journal.running(), manager.run():
            yield

    return Endpoint("fixture", "Fixture", door.declared.path, Gate(door, manager.handle_request), lifespan)


def _declaration() -> ToolSetDeclaration:
    """A tool set of one tool, for the gate; the fixture has its own."""
    beyond = Tool(
        name=BEYOND,
        tier=Tier.FULL,
        hints=Hints("Beyond the tier"),
        description="It is never reached.",
        properties={},
        required=(),
        outputs={},
        answers=(),
        run=lambda _, __, ___: {},
    )
    return ToolSetDeclaration(ToolSet.LIBRARY, "/mcp", "Fixture", "", (beyond,), "read_only", True)
