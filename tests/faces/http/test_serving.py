"""Does the process listen as it is configured to?"""

from __future__ import annotations

import http.client
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic, sleep

import pytest
import uvicorn
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send

from vademecum.faces.http.serving import Listening, bound_sockets, server_config


async def who_asks(scope: Scope, receive: Receive, send: Send) -> None:
    """Answers with the address that the request is taken to come from, and with how it came there."""
    if scope["type"] == "lifespan":
        for _ in range(2):
            message = await receive()
            await send({"type": f"{message['type']}.complete"})
        return
    client = Request(scope, receive).client
    await PlainTextResponse(f"{scope['scheme']} {client.host if client else 'nobody'}")(scope, receive, send)


@contextmanager
def served(proxies: tuple[str, ...]) -> Iterator[int]:
    """The port of a running server that trusts these proxies."""
    server = uvicorn.Server(server_config(who_asks, Listening("127.0.0.1", 0, proxies)))
    thread = threading.Thread(target=server.run)
    thread.start()
    ends = monotonic() + 60
    while not server.started:
        assert monotonic() < ends
        sleep(0.02)
    try:
        yield server.servers[0].sockets[0].getsockname()[1]
    finally:
        server.should_exit = True
        thread.join(60)
    assert not thread.is_alive()


@pytest.mark.parametrize(
    ("proxies", "forwarded_for", "told"),
    [
        ((), "203.0.113.9", "http 127.0.0.1"),
        (("198.51.100.7",), "203.0.113.9", "http 127.0.0.1"),
        (("203.0.113.9",), "203.0.113.9", "http 127.0.0.1"),
        (("127.0.0.1",), "203.0.113.9", "https 203.0.113.9"),
        (("10.0.0.0/8", "127.0.0.0/8"), "203.0.113.9", "https 203.0.113.9"),
        (("127.0.0.1", "10.0.0.0/8"), "203.0.113.9, 10.1.2.3", "https 203.0.113.9"),
        (("127.0.0.1",), "203.0.113.9, 10.1.2.3", "https 10.1.2.3"),
    ],
)
def test_only_a_trusted_proxy_may_say_for_whom_it_asks(
    proxies: tuple[str, ...], forwarded_for: str, told: str
) -> None:
    with served(proxies) as port:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        for _ in range(2):  # the connection is kept
            forwarded = {"X-Forwarded-For": forwarded_for, "X-Forwarded-Proto": "https"}
            connection.request("GET", "/", headers=forwarded)
            response = connection.getresponse()
            assert (response.read().decode(), response.getheader("server")) == (told, None)
        connection.close()


def test_several_processes_get_sockets_that_nobody_listens_on_yet() -> None:
    (first,) = bound_sockets(Listening("127.0.0.1", 0))
    with first:
        port = first.getsockname()[1]
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", port), timeout=30)
        first.listen()
        socket.create_connection(("127.0.0.1", port), timeout=30).close()
        with pytest.raises(OSError, match="in use"):
            bound_sockets(Listening("127.0.0.1", port))


def test_an_address_of_another_machine_is_refused() -> None:
    with pytest.raises(OSError, match="assign"):
        bound_sockets(Listening("192.0.2.1", 0))
