"""Does the process listen as it is configured to?"""

from __future__ import annotations

import http.client
import threading
from collections.abc import Iterator
from time import monotonic, sleep

import pytest
import uvicorn
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send

from vademecum.faces.http.serving import Listening, server_config


async def who_asks(scope: Scope, receive: Receive, send: Send) -> None:
    """Answers with the address that the request is taken to come from."""
    if scope["type"] == "lifespan":
        for _ in range(2):
            message = await receive()
            await send({"type": f"{message['type']}.complete"})
        return
    client = Request(scope, receive).client
    await PlainTextResponse(client.host if client else "nobody")(scope, receive, send)


@pytest.fixture(params=[(), ("127.0.0.1",)], ids=["no proxy", "a proxy"])
def served(request: pytest.FixtureRequest) -> Iterator[tuple[int, tuple[str, ...]]]:
    """The port of a running server, and the proxies that it trusts."""
    server = uvicorn.Server(server_config(who_asks, Listening("127.0.0.1", 0, request.param)))
    thread = threading.Thread(target=server.run)
    thread.start()
    ends = monotonic() + 60
    while not server.started:
        assert monotonic() < ends
        sleep(0.02)
    yield server.servers[0].sockets[0].getsockname()[1], request.param
    server.should_exit = True
    thread.join(60)
    assert not thread.is_alive()


def test_only_a_trusted_proxy_may_say_for_whom_it_asks(served: tuple[int, tuple[str, ...]]) -> None:
    port, proxies = served
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    told = []
    for _ in range(2):  # the connection is kept
        connection.request("GET", "/", headers={"X-Forwarded-For": "203.0.113.9"})
        response = connection.getresponse()
        told.append((response.read().decode(), response.getheader("server")))
    connection.close()
    assert told == [("203.0.113.9" if proxies else "127.0.0.1", None)] * 2
