"""A web server on the loopback interface that answers each connection with bytes that a test wrote."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

Answer = bytes | Callable[[socket.socket], None]


@dataclass(slots=True)
class WebServer:
    """Where the server listens and what it was asked."""

    port: int
    requests: list[str] = field(default_factory=list)

    def url(self, path: str = "/", host: str = "localhost") -> str:
        return f"http://{host}:{self.port}{path}"

    @property
    def private(self) -> frozenset[str]:
        return frozenset({f"localhost:{self.port}", f"127.0.0.1:{self.port}"})

    @property
    def paths(self) -> list[str]:
        return [request.split(" ")[1] for request in self.requests]


def response(body: bytes = b"", status: str = "200 OK", **headers: str) -> bytes:
    """A whole response; header names are written with underscores."""
    fields = {
        "Content-Type": "text/html; charset=utf-8",
        "Content-Length": str(len(body)),
        "Connection": "close",
    }
    fields.update({name.replace("_", "-"): value for name, value in headers.items()})
    head = "".join(f"{name}: {value}\r\n" for name, value in fields.items() if value)
    return f"HTTP/1.1 {status}\r\n{head}\r\n".encode("latin-1") + body


def redirect(location: str) -> bytes:
    return response(b"moved", "302 Found", Location=location)


@contextmanager
def serving(answers: Mapping[str, Answer]) -> Iterator[WebServer]:
    """Serve these answers by path until the block ends; an unknown path is not found."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = WebServer(listener.getsockname()[1])
        threading.Thread(target=_accept, args=(listener, server, answers), daemon=True).start()
        yield server
        listener.shutdown(socket.SHUT_RDWR)


def _accept(listener: socket.socket, server: WebServer, answers: Mapping[str, Answer]) -> None:
    while True:
        try:
            connection, _ = listener.accept()
        except OSError:
            return
        threading.Thread(target=_answer, args=(connection, server, answers), daemon=True).start()


def _answer(connection: socket.socket, server: WebServer, answers: Mapping[str, Answer]) -> None:
    with connection:
        request = b""
        while b"\r\n\r\n" not in request:
            received = connection.recv(65536)
            if not received:
                return
            request += received
        server.requests.append(request.decode("latin-1"))
        answer = answers.get(server.paths[-1], response(b"", "404 Not Found"))
        try:
            if callable(answer):
                answer(connection)
            else:
                connection.sendall(answer)
        except OSError:
            return  # the client went away, as some tests want it to
