"""Which hosts may a fetch connect to, and until when?"""

from __future__ import annotations

import ipaddress
import queue
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import httpcore2

from vademecum.model.errors import FetchRefused
from vademecum.ports.fetch import FetchReason

Resolver = Callable[[str, int], Sequence[str]]
"""Host and port → addresses as text, best first; raises OSError when the name is unknown."""

WEB_PORTS = frozenset({80, 443})

# Networks that no page of the public web is in. `ipaddress.is_global` alone lets several of them pass, among
# them NAT64, 6to4, IPv4-compatible IPv6, site-local and multicast addresses, through which a private host can
# be named.
_NOT_PUBLIC = """
0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24
192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4
::/96 ::ffff:0:0/96 64:ff9b::/96 64:ff9b:1::/48 100::/64 2001::/23 2001:db8::/32 2002::/16 3fff::/20
5f00::/16 fc00::/7 fe80::/10 fec0::/10 ff00::/8
"""
_REFUSED_NETWORKS = tuple(ipaddress.ip_network(network) for network in _NOT_PUBLIC.split())


def is_public(address: str) -> bool:
    """Whether an IP address, as text, belongs to the public internet; False for what is no address."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    refused = any(parsed.version == network.version and parsed in network for network in _REFUSED_NETWORKS)
    return parsed.is_global and not parsed.is_multicast and not refused


def system_resolver(host: str, port: int) -> list[str]:
    """What the operating system says, each address once, in its order."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


class Deadline:
    """The end of a fetch as a whole, whatever number of reads and redirects it takes."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    def left(self, at_most: float | None = None) -> float:
        """Seconds left, at most so many. Raises FetchRefused when none are."""
        left = self._end - time.monotonic()
        if left <= 0:
            raise FetchRefused(FetchReason.TOO_SLOW, passing=True)
        return left if at_most is None else min(left, at_most)


class HostGuard:
    """Decides about hosts: the public web on its own ports, and what `private` lists as `host[:port]`.

    An entry without a port stands for the ports of the web. Listed hosts may be anywhere.
    """

    def __init__(self, private: frozenset[str], resolve: Resolver) -> None:
        self._private = frozenset(entry.strip().lower() for entry in private)
        self._resolve = resolve

    def check_port(self, host: str, port: int) -> None:
        """Raises FetchRefused for a port that is neither of the web nor listed for this host."""
        if port not in WEB_PORTS and not self._is_listed(host, port):
            raise FetchRefused(FetchReason.PORT)

    def addresses(self, host: str, port: int, deadline: Deadline) -> list[str]:
        """The addresses of the host, resolved once; raises FetchRefused if any of them is not public."""
        found = self._resolved(host, port, deadline)
        if not found:
            raise FetchRefused(FetchReason.NAME)
        if not self._is_listed(host, port) and not all(is_public(address) for address in found):
            raise FetchRefused(FetchReason.PRIVATE)
        return found

    def _is_listed(self, host: str, port: int) -> bool:
        name = f"[{host}]" if ":" in host else host.lower().rstrip(".")
        return f"{name}:{port}" in self._private or (port in WEB_PORTS and name in self._private)

    def _resolved(self, host: str, port: int, deadline: Deadline) -> list[str]:
        """Resolves in a thread of its own, since the system's resolver knows no time limit."""
        answers: queue.Queue[list[str] | OSError | UnicodeError] = queue.Queue()

        def ask() -> None:
            try:
                answers.put(list(self._resolve(host, port)))
            except (OSError, UnicodeError) as error:
                answers.put(error)

        threading.Thread(target=ask, name="resolve", daemon=True).start()
        try:
            answer = answers.get(timeout=deadline.left())
        except queue.Empty:
            raise FetchRefused(FetchReason.TOO_SLOW, passing=True) from None
        if isinstance(answer, list):
            return answer
        passing = isinstance(answer, socket.gaierror) and answer.errno == socket.EAI_AGAIN
        raise FetchRefused(FetchReason.NAME, passing=passing) from answer


class GuardedBackend(httpcore2.NetworkBackend):
    """Connects to the very addresses that were checked: a name cannot change between check and use."""

    def __init__(self, guard: HostGuard, deadline: Deadline, network: httpcore2.NetworkBackend) -> None:
        self._guard = guard
        self._deadline = deadline
        self._network = network

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.NetworkStream:
        """The first address that answers; raises FetchRefused, or the last address's own error."""
        failed: httpcore2.ConnectError | httpcore2.ConnectTimeout | None = None
        for address in self._guard.addresses(host, port, self._deadline):
            try:
                limit = self._deadline.left(timeout)
                stream = self._network.connect_tcp(address, port, limit, local_address, socket_options)
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                failed = error
            else:
                return _TimedStream(stream, self._deadline)
        raise failed or FetchRefused(FetchReason.NAME)

    def connect_unix_socket(self, *_: Any, **__: Any) -> httpcore2.NetworkStream:
        """Refused always: no page of the web is behind a socket file."""
        raise FetchRefused(FetchReason.PRIVATE)


class _TimedStream(httpcore2.NetworkStream):
    """A stream on which no operation outlives the deadline of the whole fetch."""

    def __init__(self, stream: httpcore2.NetworkStream, deadline: Deadline) -> None:
        self._stream = stream
        self._deadline = deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, self._deadline.left(timeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, self._deadline.left(timeout))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        secured = self._stream.start_tls(ssl_context, server_hostname, self._deadline.left(timeout))
        return _TimedStream(secured, self._deadline)

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)
