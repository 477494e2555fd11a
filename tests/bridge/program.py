"""How is the bridge run as a client runs it?"""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

VADE = [sys.executable, "-m", "vademecum.cli", "bridge"]
_SECONDS = 60.0
VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
MODERN = {"_meta": {VERSION_KEY: "2026-07-28"}}


def environment(data: Path, **more: str) -> dict[str, str]:
    """What the bridge sees: no setting but the data folder and those named."""
    kept = {name: text for name, text in os.environ.items() if not name.startswith("VADE_")}
    return {**kept, "VADE_DATA": str(data), **more}


def note_vault(data: Path, port: int, token: str = "first-token") -> None:
    """Write where the vault is, as the server does: at once or not at all."""
    folder = data / ".vade"
    folder.mkdir(parents=True, exist_ok=True)
    fresh = folder / "vault.json.new"
    fresh.write_text(json.dumps({"port": port, "token": token}), "utf-8")
    fresh.replace(folder / "vault.json")


class Bridge:
    """A running bridge. Its lines are read beside the test, so that no pipe is ever full."""

    def __init__(self, words: Sequence[str], settings: Mapping[str, str]) -> None:
        pipe = subprocess.PIPE
        self.process = subprocess.Popen([*VADE, *words], env=settings, stdin=pipe, stdout=pipe, stderr=pipe)
        self._lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._messages: list[bytes] = []
        assert self.process.stdout is not None
        assert self.process.stderr is not None
        self._readers = [
            Thread(target=self._read, args=(self.process.stdout, self._lines.put), daemon=True),
            Thread(target=self._read, args=(self.process.stderr, self._messages.append), daemon=True),
        ]
        for reader in self._readers:
            reader.start()

    @staticmethod
    def _read(stream: Any, take: Any) -> None:
        for line in stream:
            take(line)

    def write(self, line: bytes) -> None:
        """Send bytes as they are."""
        assert self.process.stdin is not None
        self.process.stdin.write(line)
        self.process.stdin.flush()

    def send(self, method: str, message_id: Any = None, **params: Any) -> None:
        """Send a request, or a notification without an id."""
        named = {} if message_id is None else {"id": message_id}
        message = {"jsonrpc": "2.0", **named, "method": method, "params": params}
        self.write(json.dumps(message, ensure_ascii=False).encode() + b"\n")

    def line(self) -> bytes:
        """The next line."""
        return self._lines.get(timeout=_SECONDS)

    def read(self) -> Any:
        """The next line, which has to be JSON in UTF-8."""
        return json.loads(self.line().decode())

    def ask(self, method: str, message_id: Any, **params: Any) -> Any:
        """The answer to a request that is the only one on its way."""
        self.send(method, message_id, **params)
        answer = self.read()
        assert (answer["jsonrpc"], answer["id"]) == ("2.0", message_id)
        return answer

    def end(self) -> tuple[int, list[Any], str]:
        """Close its input: how it ended, what it answered since it was last asked, and what it logged."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        return self.ended()

    def ended(self) -> tuple[int, list[Any], str]:
        """The same, for one that ends by itself."""
        code = self.process.wait(_SECONDS)
        for reader in self._readers:
            reader.join(_SECONDS)
        left = []
        while not self._lines.empty():
            left.append(self.read())
        return code, left, b"".join(self._messages).decode()


@contextmanager
def bridge(data: Path, *words: str, **settings: str) -> Iterator[Bridge]:
    """A running bridge, ended with the test however that goes."""
    running = Bridge(words, environment(data, **settings))
    try:
        yield running
    finally:
        running.process.kill()
        running.process.wait(_SECONDS)
        for stream in (running.process.stdin, running.process.stdout, running.process.stderr):
            assert stream is not None
            stream.close()
