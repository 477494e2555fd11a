"""How is a message sent over HTTP and its answer read, and what is known when that fails?

Written out, because the library's own client takes as long to load as all else that the bridge needs.
"""

from __future__ import annotations

import select
import socket
import time
from collections.abc import Mapping
from contextlib import suppress
from io import BufferedReader
from typing import NamedTuple

from vademecum.bridge.addresses import Address, NotReachable

ANSWER_BYTES = 64 << 20
_HOST = "127.0.0.1"
_CONNECT_SECONDS = 5.0
_SILENT_SECONDS = 600.0
_IDLE_SECONDS = 60.0  # below the server's own 75
_LINE_BYTES, _HEADER_LINES = 16384, 128


class Lost(Exception):
    """The connection broke; `unread` is whether the server cannot have read the whole request."""

    def __init__(self, sentence: str, *, unread: bool) -> None:
        super().__init__(sentence)
        self.unread = unread


class Answer(NamedTuple):
    """What came back."""

    status: int
    body: bytes


class Connection:
    """One connection that is kept, used by one thread; only `abort` may be called by another."""

    def __init__(self) -> None:
        self._socket: socket.socket | None = None
        self._reader: BufferedReader | None = None
        self._port = 0
        self._used = 0.0

    def post(self, address: Address, headers: Mapping[str, str], body: bytes) -> Answer:
        """Send one request and read its answer.

        Raises NotReachable when nobody listens, Lost when the connection broke or what came is not HTTP.
        """
        opened, reader = self._opened(address.port)
        head = {
            "Host": f"{_HOST}:{address.port}",
            "Authorization": f"Bearer {address.token}",
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "Content-Length": str(len(body)),
            **headers,
        }
        lines = "".join(f"{name}: {value}\r\n" for name, value in head.items())
        try:
            self._send(opened, f"POST {address.path} HTTP/1.1\r\n{lines}\r\n".encode("ascii") + body)
            answer, stays = _read_answer(reader)
        except Lost:
            self.close()
            raise
        except (OSError, ValueError) as error:
            self.close()
            raise Lost(f"The connection broke: {error}", unread=False) from error
        self._used = time.monotonic()
        if not stays:
            self.close()
        return answer

    def abort(self) -> None:
        """Break the connection under whoever reads from it."""
        if (opened := self._socket) is not None:
            with suppress(OSError):  # it broke by itself
                opened.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """End the connection; the next request makes another."""
        if self._reader is not None:
            self._reader.close()
        if self._socket is not None:
            self._socket.close()
        self._socket = self._reader = None

    def _opened(self, port: int) -> tuple[socket.socket, BufferedReader]:
        """The kept connection if it is of use, else a new one."""
        if self._socket is not None and self._reader is not None and port == self._port:
            idle = time.monotonic() - self._used
            # An idle server has nothing to say: what can be read is that it closed.
            if idle < _IDLE_SECONDS and not select.select([self._socket], [], [], 0)[0]:
                return self._socket, self._reader
        self.close()
        opened = connect(port)
        self._socket, self._reader, self._port = opened, opened.makefile("rb"), port
        return opened, self._reader

    def _send(self, opened: socket.socket, request: bytes) -> None:
        """Raises Lost unless all was sent, or an answer came early, as to a body that is too long."""
        try:
            opened.sendall(request)
        except OSError as error:
            if not select.select([opened], [], [], 0)[0] or not _peek(opened):
                raise Lost(f"The connection broke: {error}", unread=True) from error


def connect(port: int) -> socket.socket:
    """A new connection to a port of this machine. Raises NotReachable when nobody listens there."""
    opened = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        opened.settimeout(_CONNECT_SECONDS)
        opened.connect((_HOST, port))
        opened.settimeout(_SILENT_SECONDS)
        opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    except OSError as error:
        opened.close()
        raise NotReachable(f"Nobody listens on port {port}.") from error
    return opened


def _peek(opened: socket.socket) -> bytes:
    try:
        return opened.recv(1, socket.MSG_PEEK)
    except OSError:
        return b""


def _read_answer(reader: BufferedReader) -> tuple[Answer, bool]:
    """The answer, and whether the connection stays open after it. Raises ValueError for what is not HTTP."""
    status, headers = _read_head(reader)
    while 100 <= status < 200:
        status, headers = _read_head(reader)
    if headers.get("transfer-encoding", "").lower() == "chunked":
        body = _read_chunks(reader)
    elif "content-length" in headers:
        body = _read_exactly(reader, _size(headers["content-length"], 10))
    elif status in (204, 304):
        body = b""
    else:
        body = reader.read(ANSWER_BYTES + 1)
        _check_size(len(body))
        return Answer(status, body), False
    return Answer(status, body), headers.get("connection", "").lower() != "close"


def _read_head(reader: BufferedReader) -> tuple[int, dict[str, str]]:
    first = _read_line(reader).split(None, 2)
    if len(first) < 2 or not first[0].startswith("HTTP/1.") or not first[1].isdecimal():
        raise ValueError("what answers there does not speak HTTP")
    headers: dict[str, str] = {} if first[0] == "HTTP/1.1" else {"connection": "close"}
    for _ in range(_HEADER_LINES):
        line = _read_line(reader)
        if not line:
            return int(first[1]), headers
        name, _, value = line.partition(":")
        headers[name.strip().lower()] = value.strip()
    raise ValueError("an answer with too many headers")


def _read_line(reader: BufferedReader) -> str:
    line = reader.readline(_LINE_BYTES)
    if not line.endswith(b"\n"):
        raise ValueError("it ended before the answer" if len(line) < _LINE_BYTES else "a line is too long")
    return line.decode("latin-1").rstrip("\r\n")


def _read_chunks(reader: BufferedReader) -> bytes:
    parts: list[bytes] = []
    total = 0
    while size := _size(_read_line(reader).split(";")[0], 16):
        total += size
        _check_size(total)
        parts.append(_read_exactly(reader, size))
        _read_line(reader)
    for _ in range(_HEADER_LINES):
        if not _read_line(reader):  # what stands before it are trailers, which say nothing to us
            return b"".join(parts)
    raise ValueError("an answer with too many trailers")


def _read_exactly(reader: BufferedReader, size: int) -> bytes:
    _check_size(size)
    body = reader.read(size)
    if len(body) < size:
        raise ValueError("it ended within the answer")
    return body


def _size(text: str, digits: int) -> int:
    size = int(text.strip()[:16], digits)
    if size < 0:
        raise ValueError("an answer of less than nothing")
    return size


def _check_size(size: int) -> None:
    if size > ANSWER_BYTES:
        raise ValueError("the answer is too long")
