"""What does the protocol cost by itself, on our stack and on the bare SDK?

    python -m benchmarks.do_nothing ours|bare PORT

serves one tool that does nothing. Both run in the same web server with the same event loop and parser. Ours
prints a key when it starts; it has all that a call passes through in the product: guards, credential, tier,
threads of the core and audit.
"""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import uvicorn
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp_types import (
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
)
from mcp_types import Tool as SdkTool
from starlette.applications import Starlette
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from vademecum import __version__
from vademecum.app import open_app
from vademecum.faces.http.offload import Offload
from vademecum.faces.http.options import HttpOptions
from vademecum.faces.http.routes import Readiness, Site, build_app
from vademecum.faces.http.serving import Listening, server_config
from vademecum.faces.mcp.server.endpoint import build_endpoint
from vademecum.faces.mcp.tool.arguments import Arguments
from vademecum.faces.mcp.tool.declaration import Hints, Shape, Tool, ToolSetDeclaration
from vademecum.library.connecting import KeyRequest, mint_key, person
from vademecum.library.context import Library
from vademecum.model.access import Caller, Tier, ToolSet
from vademecum.settings import read_settings

TOOL = "nothing"
PATH = "/mcp"
_ANSWER = {"done": True}
_INPUT: dict[str, Any] = {"type": "object", "properties": {"text": {"type": "string"}}, "required": []}


def main() -> None:
    """Serve until ended."""
    kind, port = sys.argv[1], int(sys.argv[2])
    app = _ours() if kind == "ours" else _bare()
    uvicorn.Server(server_config(app, Listening("127.0.0.1", port))).run()


def _ours() -> ASGIApp:
    settings = read_settings({}, os.environ)
    app = open_app(settings, with_owner=True)
    library = app.library
    tool = Tool(
        name=TOOL,
        tier=Tier.READ_ONLY,
        hints=Hints("Nothing", read_only=True),
        description="It does nothing.",
        properties=_INPUT["properties"],
        required=(),
        outputs={"done": {"type": "boolean"}},
        answers=("done",),
        run=_do_nothing,
    )
    declared = ToolSetDeclaration(ToolSet.LIBRARY, PATH, "Nothing", "Nothing.", (tool,), "read_only", True)
    offload, options = Offload(), HttpOptions(settings.public_url, __version__)
    endpoint = build_endpoint(library, offload, options, declared, app.storage.change_mark)
    _, secret = mint_key(library, person(library, None), KeyRequest("benchmark", ToolSet.LIBRARY, "full"))
    print(secret, flush=True)
    return build_app(Site(options, offload, (endpoint,), lambda: Readiness(True), "nothing"))


def _do_nothing(_: Library, __: Caller, ___: Arguments) -> Shape:
    return dict(_ANSWER)


def _bare() -> ASGIApp:
    tool = SdkTool(name=TOOL, description="It does nothing.", input_schema=_INPUT)

    async def list_tools(
        _: ServerRequestContext[Any, Any], __: PaginatedRequestParams | None
    ) -> ListToolsResult:
        return ListToolsResult(tools=[tool])

    async def call_tool(_: ServerRequestContext[Any, Any], __: CallToolRequestParams) -> CallToolResult:
        text = TextContent(type="text", text='{"done":true}')
        return CallToolResult(content=[text], structured_content=dict(_ANSWER))

    server: Server[Any] = Server(
        "bare", on_list_tools=list_tools, on_call_tool=call_tool, get_tool_input_schema=lambda _: None
    )
    manager = StreamableHTTPSessionManager(app=server, json_response=True, stateless=True)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with manager.run():
            yield

    return Starlette(routes=[Route(PATH, _Whole(manager))], lifespan=lifespan)


class _Whole:
    """The SDK's transport as an application that answers its route itself."""

    def __init__(self, manager: StreamableHTTPSessionManager) -> None:
        self._manager = manager

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._manager.handle_request(scope, receive, send)


if __name__ == "__main__":
    main()
