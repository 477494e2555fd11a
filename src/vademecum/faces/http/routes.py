"""Which paths does the server answer?"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from vademecum.faces.http import pages
from vademecum.faces.http.guards import Guards
from vademecum.faces.http.offload import Offload
from vademecum.faces.http.options import HttpOptions
from vademecum.model.errors import Busy

Lifespan = Callable[[], AbstractAsyncContextManager[None]]
Answer = Callable[[Request], Awaitable[Response]]


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One tool set at its exact path, with what has to run while it is served."""

    name: str
    title: str
    path: str
    app: ASGIApp
    lifespan: Lifespan


@dataclass(frozen=True, slots=True)
class Readiness:
    """Whether the server can do its work, and the state of each part of it in one word."""

    ready: bool
    parts: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Site:
    """What is served: the endpoints, the question of readiness, and the text of the first page.

    `ready` may read the database: it is asked in a thread.
    """

    options: HttpOptions
    offload: Offload
    endpoints: tuple[Endpoint, ...]
    ready: Callable[[], Readiness]
    welcome: str


class Application:
    """Guards around exact paths, none of which redirects; `lifespan` starts and ends what runs beside it."""

    def __init__(
        self,
        options: HttpOptions,
        endpoints: Sequence[Endpoint],
        routes: Sequence[BaseRoute],
        lifespan: Lifespan,
    ) -> None:
        self.lifespan = lifespan
        pages_app = Starlette(routes=routes, lifespan=lambda _: lifespan())
        pages_app.router.redirect_slashes = False
        # Each endpoint at its path, with and without a final slash: a redirect loses body or key (mcp P1).
        exact = {f"{endpoint.path}{end}": endpoint.app for endpoint in endpoints for end in ("", "/")}
        self._guarded = Guards(pages_app, options, exact)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._guarded(scope, receive, send)


def build_app(site: Site, hooks: Sequence[Lifespan] = ()) -> Application:
    """The application of one process.

    While it runs, the threads of `site.offload` run, then every endpoint and each of the hooks, ended in
    reverse order.
    """

    @asynccontextmanager
    async def lifespan() -> AsyncIterator[None]:
        with site.offload:
            async with AsyncExitStack() as running:
                for start in (*(endpoint.lifespan for endpoint in site.endpoints), *hooks):
                    await running.enter_async_context(start())
                yield

    return Application(site.options, site.endpoints, [*_metadata_routes(site), *_page_routes(site)], lifespan)


def build_single(options: HttpOptions, endpoint: Endpoint) -> Application:
    """The application of a listener for one endpoint alone, and whether it is alive (design 6).

    The threads that the endpoint works in belong to whoever opens the listener.
    """
    return Application(options, (endpoint,), [_alive()], endpoint.lifespan)


def _metadata_routes(site: Site) -> list[BaseRoute]:
    """What names each endpoint as a protected resource."""
    url = site.options.public_url
    return [
        Route(
            pages.resource_metadata_path(endpoint.path),
            _constant(JSONResponse(pages.resource_metadata(url, endpoint.path, endpoint.title))),
        )
        for endpoint in site.endpoints
    ]


def _page_routes(site: Site) -> list[BaseRoute]:
    url = site.options.public_url
    registry = pages.registry_entry(site.options.version, f"{url}{pages.LIBRARY_PATH}")
    guide = PlainTextResponse(pages.agent_guide(url), media_type="text/markdown")
    return [
        Route("/", _constant(PlainTextResponse(site.welcome))),
        _alive(),
        Route("/readyz", _readiness(site)),
        Route("/server.json", _constant(JSONResponse(registry))),
        Route("/for-agents/skill.md", _constant(guide)),
        Route("/i/{id}", _item(url)),
    ]


def _alive() -> Route:
    return Route("/healthz", _constant(PlainTextResponse("ok\n")))


def _constant(response: Response) -> Answer:
    async def answer(_: Request) -> Response:
        return response

    return answer


def _readiness(site: Site) -> Answer:
    async def answer(_: Request) -> Response:
        try:
            state = await site.offload.look_up(site.ready)
        except Busy:
            state = Readiness(False, {"server": "busy"})
        body = {"ready": state.ready, **state.parts}
        return JSONResponse(body, 200 if state.ready else 503)

    return answer


def _item(url: str) -> Answer:
    async def answer(request: Request) -> Response:
        text = pages.item_page(url, request.path_params["id"])
        headers = {"x-robots-tag": "noindex"}
        return PlainTextResponse(text, headers=headers) if text else PlainTextResponse("Not found\n", 404)

    return answer
