"""What do the paths answer that need no key?"""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import httpx2
import pytest
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send

from vademecum.faces.http.offload import Offload
from vademecum.faces.http.options import HttpOptions
from vademecum.faces.http.pages import registry_entry, welcome
from vademecum.faces.http.routes import Endpoint, Lifespan, Readiness, Site, build_app

pytestmark = pytest.mark.anyio
URL = "https://vade.example.org"
ITEM = "0b5c1f52-6a1f-4b0c-9a51-7d3f7f6f1c11"
ROOT = Path(__file__).resolve().parents[3]


class Machine:
    """A site whose readiness tests set, and what was started and ended in which order."""

    def __init__(self) -> None:
        self.readiness: Callable[[], Readiness] = lambda: Readiness(True, {"models": "ready"})
        self.events: list[str] = []
        endpoint = Endpoint("library", "A library", "/mcp", self._mcp, self._part("endpoint"))
        site = Site(
            options=HttpOptions(URL, "1.2.3"),
            offload=Offload(),
            endpoints=(endpoint,),
            ready=self._ready,
            welcome=welcome(URL, 27180),
        )
        self.app = build_app(site, [self._part("jobs")])

    async def _mcp(self, scope: Scope, receive: Receive, send: Send) -> None:
        await PlainTextResponse(f"{scope['method']} {scope['path']}")(scope, receive, send)

    def _ready(self) -> Readiness:
        return self.readiness()

    def _part(self, name: str) -> Lifespan:
        @asynccontextmanager
        async def running() -> AsyncIterator[None]:
            self.events.append(f"{name} begins")
            yield
            self.events.append(f"{name} ends")

        return running


@pytest.fixture
def machine() -> Machine:
    return Machine()


@pytest.fixture
async def client(machine: Machine) -> AsyncIterator[httpx2.AsyncClient]:
    async with machine.app.lifespan():
        transport = httpx2.ASGITransport(app=machine.app)
        async with httpx2.AsyncClient(transport=transport, base_url="http://localhost:8484") as opened:
            yield opened


async def test_the_first_page_names_the_endpoints_and_how_to_get_a_key(client: httpx2.AsyncClient) -> None:
    page = await client.get("/")
    assert page.status_code == 200
    assert page.headers["content-type"].startswith("text/plain")
    for line in (f"{URL}/mcp", f"{URL}/gateway/mcp", "http://127.0.0.1:27180/mcp", "vade keys create"):
        assert line in page.text
    assert page.text.count("not offered by this version") == 1
    assert "vade vault publish on" in page.text


async def test_healthz_says_alive(client: httpx2.AsyncClient) -> None:
    assert (await client.get("/healthz")).status_code == 200


async def test_readyz_tells_what_is_ready(client: httpx2.AsyncClient, machine: Machine) -> None:
    ready = await client.get("/readyz")
    machine.readiness = lambda: Readiness(False, {"models": "loading"})
    waiting = await client.get("/readyz")
    assert (ready.status_code, ready.json()) == (200, {"ready": True, "models": "ready"})
    assert (waiting.status_code, waiting.json()) == (503, {"ready": False, "models": "loading"})


async def test_the_guide_for_agents_has_this_servers_address(client: httpx2.AsyncClient) -> None:
    guide = await client.get("/for-agents/skill.md")
    assert guide.headers["content-type"].startswith("text/markdown")
    assert (f"{URL}/mcp" in guide.text, "{" in guide.text) == (True, False)


async def test_the_registry_entry_has_this_servers_address(client: httpx2.AsyncClient) -> None:
    assert (await client.get("/server.json")).json() == registry_entry("1.2.3", f"{URL}/mcp")


def test_the_registry_file_of_the_repository_says_the_same_for_any_host() -> None:
    kept = json.loads((ROOT / "server.json").read_text("utf-8"))
    remote = kept["remotes"][0]
    host = remote.pop("variables")["host"]
    assert kept == registry_entry(kept["version"], "https://{host}/mcp")
    assert host["isRequired"] is True


async def test_the_endpoint_is_named_as_a_resource_without_an_authorization_server(
    client: httpx2.AsyncClient,
) -> None:
    metadata = (await client.get("/.well-known/oauth-protected-resource/mcp")).json()
    assert metadata == {
        "resource": f"{URL}/mcp",
        "resource_name": "A library",
        "bearer_methods_supported": ["header"],
    }
    assert (await client.get("/.well-known/oauth-protected-resource")).status_code == 404


async def test_the_address_of_an_item_says_the_same_for_every_id(client: httpx2.AsyncClient) -> None:
    page, other = await client.get(f"/i/{ITEM}"), await client.get(f"/i/{ITEM[::-1]}".replace("-", "0"))
    third = await client.get("/i/00000000-0000-4000-8000-000000000000")
    assert (page.status_code, f"vade get {ITEM}" in page.text) == (200, True)
    assert third.text == page.text.replace(ITEM, "00000000-0000-4000-8000-000000000000")
    assert other.status_code == 404


@pytest.mark.parametrize("path", ["/i/<script>", "/i/x", "/i/", "/nothing", "/mcp/x", "/MCP"])
async def test_what_is_not_there_is_not_found_and_not_echoed(client: httpx2.AsyncClient, path: str) -> None:
    missing = await client.get(path)
    assert (missing.status_code, "script" in missing.text) == (404, False)


@pytest.mark.parametrize("path", ["/mcp", "/mcp/"])
@pytest.mark.parametrize("method", ["GET", "POST", "DELETE", "OPTIONS"])
async def test_both_spellings_of_the_endpoint_are_served_without_a_redirect(
    client: httpx2.AsyncClient, path: str, method: str
) -> None:
    answer = await client.request(method, path)
    assert (answer.status_code, answer.text) == (200, f"{method} {path}")


async def test_healthz_answers_while_every_thread_is_held(
    client: httpx2.AsyncClient, machine: Machine
) -> None:
    release = threading.Event()

    def wait() -> Readiness:
        release.wait()
        return Readiness(True)

    machine.readiness = wait
    asked = [asyncio.create_task(client.get("/readyz")) for _ in range(8)]
    await asyncio.sleep(0)
    alive = await client.get("/healthz")
    assert (alive.status_code, [task.done() for task in asked]) == (200, [False] * 8)
    release.set()
    assert [answer.status_code for answer in await asyncio.gather(*asked)] == [200] * 8


async def test_parts_start_in_order_and_end_in_reverse(machine: Machine) -> None:
    async with machine.app.lifespan():
        assert machine.events == ["endpoint begins", "jobs begins"]
    assert machine.events[2:] == ["jobs ends", "endpoint ends"]
