"""With which limits does the process listen?"""

from __future__ import annotations

import errno
import socket
import sys
from dataclasses import dataclass

import uvicorn
from starlette.types import ASGIApp

_KEEP_ALIVE_SECONDS = 75
_SHUTDOWN_SECONDS = 15
_CONNECTIONS = 1024


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
