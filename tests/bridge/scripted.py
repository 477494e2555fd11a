"""How does a server answer that does exactly what a test wants?"""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Condition, Semaphore, Thread
from typing import Any

_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Request:
    """What came over the wire, and over which connection, named by the client's port."""

    path: str
    headers: Mapping[str, str]
    body: bytes
    connection: int

    @property
    def message(self) -> Any:
        return json.loads(self.body)

    @property
    def method(self) -> str:
        method: str = self.message["method"]
        return method


@dataclass(frozen=True, slots=True)
class Response:
    """What to send back; `closes` ends the connection afterwards without a word about it in the answer."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    closes: bool = False


# None breaks the connection instead of answering.
Script = Callable[[Request], Response | None]


def result(request: Request, answer: Any = None, **more: Any) -> Response:
    """The usual answer to a request, which repeats its id; a notification gets 202, as in the product."""
    if "id" not in request.message:
        return Response(202)
    body = {"jsonrpc": "2.0", "id": request.message["id"], "result": answer or {"seen": request.method}}
    return Response(body=json.dumps(body, ensure_ascii=False).encode(), **more)


class Scripted(ThreadingHTTPServer):
    """A server on loopback that remembers every request, and what it answered with."""

    daemon_threads = True
    block_on_close = False
    request_queue_size = 64

    def __init__(self, script: Script) -> None:
        super().__init__(("127.0.0.1", 0), _Exchange)
        self.script = script
        self.requests: list[Request] = []
        self.closed = Semaphore(0)  # counts the connections that it has closed
        self._changed = Condition()
        self._connections: set[socket.socket] = set()

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    def stop(self) -> None:
        """Stop listening and break every connection, as a server does that ends."""
        self.shutdown()
        self.server_close()
        for connection in set(self._connections):
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def process_request(self, request: Any, client_address: Any) -> None:
        self._connections.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        self._connections.discard(request)
        super().shutdown_request(request)
        self.closed.release()

    def note(self, request: Request) -> None:
        """Remember a request and wake whoever waits for it."""
        with self._changed:
            self.requests.append(request)
            self._changed.notify_all()

    def wait_for(self, *methods: str) -> list[Request]:
        """The requests, once there are those of all the named methods, as often as each is named."""

        def have_come() -> bool:
            seen = [request.method for request in self.requests]
            return all(seen.count(method) >= methods.count(method) for method in methods)

        with self._changed:
            assert self._changed.wait_for(have_come, _SECONDS), [one.method for one in self.requests]
            return list(self.requests)


@contextmanager
def scripted(script: Script = result) -> Iterator[Scripted]:
    """A running server."""
    with Scripted(script) as server:
        thread = Thread(target=server.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.stop()
            thread.join()


class _Exchange(BaseHTTPRequestHandler):
    server: Scripted
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        request = Request(self.path, dict(self.headers), body, self.client_address[1])
        self.server.note(request)
        response = self.server.script(request)
        if response is None:
            self.close_connection = True
            return
        self.send_response(response.status)
        for name, value in response.headers.items():
            self.send_header(name, value)
        if not {"Transfer-Encoding", "Content-Length"} & set(response.headers):
            self.send_header("Content-Length", str(len(response.body)))
        self.end_headers()
        self.wfile.write(response.body)
        self.close_connection = response.closes

    def log_request(self, *_: Any) -> None:
        """Nothing: the requests are kept."""
