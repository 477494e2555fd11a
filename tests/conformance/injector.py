"""How does a program that can send no key reach a server that asks for one?"""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from socketserver import StreamRequestHandler, ThreadingTCPServer
from threading import Thread

_PART = 65536


@contextmanager
def injecting(port: int, key: str) -> Iterator[str]:
    """The address of a loopback listener before the server on `port`.

    It passes on every byte as it came, Host and Origin too, and only adds the key to each request's head.
    """
    with _Injector(port, key) as injector:
        thread = Thread(target=injector.serve_forever, args=(0.05,), name="injector", daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{injector.server_address[1]}"
        injector.shutdown()
        thread.join()


class _Injector(ThreadingTCPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 64

    def __init__(self, port: int, key: str) -> None:
        super().__init__(("127.0.0.1", 0), _Exchange)
        self.target = ("127.0.0.1", port)
        # One request a connection, so that there is only one head to add to.
        self.added = f"Authorization: Bearer {key}\r\nConnection: close\r\n".encode()


class _Exchange(StreamRequestHandler):
    server: _Injector

    def handle(self) -> None:
        head: list[bytes] = []
        while (line := self.rfile.readline(_PART)) not in {b"\r\n", b""}:
            head.append(line)
        if not head:
            return
        with socket.create_connection(self.server.target) as onward, suppress(ConnectionError):
            onward.sendall(b"".join((head[0], self.server.added, *head[1:], b"\r\n")))
            back = Thread(target=self._pass_back, args=(onward,), daemon=True)
            back.start()
            while part := self.rfile.read1(_PART):
                onward.sendall(part)
            # The client is done or gone: the server has to see it, or it would answer to no one.
            with suppress(OSError):
                onward.shutdown(socket.SHUT_RDWR)
            back.join()

    def _pass_back(self, onward: socket.socket) -> None:
        with suppress(OSError):
            while part := onward.recv(_PART):
                self.connection.sendall(part)
        with suppress(OSError):
            self.connection.shutdown(socket.SHUT_RDWR)
