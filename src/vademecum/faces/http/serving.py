"""With which limits does the process listen?"""

from __future__ import annotations

import asyncio
import errno
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import uvicorn
from starlette.types import ASGIApp

from vademecum.faces.http.options import LOOPBACK_HOST

_KEEP_ALIVE_SECONDS = 75
_SHUTDOWN_SECONDS = 15
_CONNECTIONS = 1024
_WAITING = 128  # connections that may wait to be accepted


@dataclass(frozen=True, slots=True)
class Listening:
    """Where to listen, and which proxies may say on whose behalf they ask (none by default)."""

    host: str
    port: int
    trusted_proxies: tuple[str, ...] = ()
    log_level: str = "warning"


def bound_sockets(listening: Listening) -> list[socket.socket]:
    """A socket on each address of the host, for several processes that serve together; none listens yet.

    Raises OSError where the port is taken or the host is not this machine's.
    """
    found = socket.getaddrinfo(
        listening.host or None, listening.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )
    bound: list[socket.socket] = []
    missing: OSError | None = None
    for family, kind, protocol, _, address in dict.fromkeys(found):
        one = socket.socket(family, kind, protocol)
        try:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family == socket.AF_INET6:
                one.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            one.bind(address)
        except OSError as error:
            one.close()
            if error.errno != errno.EADDRNOTAVAIL:  # a name may stand for an address that the machine lacks
                for other in bound:
                    other.close()
                raise
            missing = error
        else:
            bound.append(one)
    if missing is not None and not bound:
        raise missing
    return bound


def loopback_socket(port: int) -> socket.socket:
    """A socket that listens on this machine alone: on the port, or on a free one where it cannot be had.

    Raises OSError where there is none.
    """
    try:
        return _listening_on(port)
    except OSError as error:
        if error.errno not in (errno.EADDRINUSE, errno.EACCES):
            raise
    return _listening_on(0)


def _listening_on(port: int) -> socket.socket:
    one = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        one.bind((LOOPBACK_HOST, port))
        one.listen(_WAITING)  # two may be bound to a port; only one may listen
    except OSError:
        one.close()
        raise
    return one


class ServerBeside(uvicorn.Server):
    """A server in the event loop of another, to which it leaves the signals.

    `began` is set when it serves, and also when it has ended without having come to it.
    """

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.began = asyncio.Event()

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve until `stop`, and then until what is under way has ended or its time is up."""
        try:
            await super().serve(sockets)
        finally:
            self.began.set()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to serve."""
        await super().startup(sockets)
        self.began.set()

    def stop(self) -> None:
        """Let nobody in any more, from this moment, and end."""
        for one in self.servers:
            one.close()
        self.should_exit = True

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Take none."""
        yield


def server_config(app: ASGIApp, listening: Listening) -> uvicorn.Config:
    """The configuration of the server process: the fast loop and parser, and bounds on what clients can hold
    open.

    It tells nothing of itself in its answers. Requests that run when it is told to stop get 15 seconds.
    """
    return uvicorn.Config(
        app,
        host=listening.host,
        port=listening.port,
        loop="asyncio" if sys.platform == "win32" else "uvloop",
        http="httptools",
        ws="none",
        lifespan="on",
        log_level=listening.log_level,
        access_log=False,
        server_header=False,
        date_header=True,
        proxy_headers=bool(listening.trusted_proxies),
        forwarded_allow_ips=list(listening.trusted_proxies),
        limit_concurrency=_CONNECTIONS,
        timeout_keep_alive=_KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=_SHUTDOWN_SECONDS,
    )
