"""How is the product run as a user runs it, over a data folder of its own?"""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Self

VADE = [sys.executable, "-m", "vademecum.cli"]
_READY_SECONDS = 90.0
_CALL_SECONDS = 60.0


class CallFailedError(Exception):
    """A tool call was refused; `code` is what the refusal says first."""

    def __init__(self, status: int, code: str) -> None:
        super().__init__(f"HTTP {status}: {code}")
        self.status = status
        self.code = code


class Client:
    """A bare MCP client on one connection that is kept: what it is told is exactly what was on the wire."""

    def __init__(self, port: int, key: str) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=_CALL_SECONDS)
        self._headers = {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "MCP-Protocol-Version": "2025-11-25",
            "Authorization": f"Bearer {key}",
        }
        self._number = 0

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The structured content of a call that succeeds. Raises CallFailedError when it is refused."""
        self._number += 1
        params = {"name": tool, "arguments": arguments}
        message = {"jsonrpc": "2.0", "id": self._number, "method": "tools/call", "params": params}
        self._connection.request("POST", "/mcp", json.dumps(message), self._headers)
        response = self._connection.getresponse()
        body = response.read()
        answer = json.loads(body) if body else {}
        result = answer.get("result")
        if result is None or result.get("isError"):
            said = (result or {}).get("structuredContent", {}).get("error", {}).get("code")
            raise CallFailedError(response.status, said or json.dumps(answer)[:300])
        content: dict[str, Any] = result["structuredContent"]
        return content

    def close(self) -> None:
        """End the connection."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@dataclass
class Product:
    """A data folder with a server to start, stop and kill; `extra` adds to its environment, `words` to its
    command.
    """

    data: Path
    extra: dict[str, str] = field(default_factory=dict)
    port: int = 0
    words: tuple[str, ...] = ()
    _server: subprocess.Popen[bytes] | None = None

    def __post_init__(self) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]

    @property
    def environment(self) -> dict[str, str]:
        """What the server and the commands see."""
        kept = {name: text for name, text in os.environ.items() if not name.startswith("VADE_")}
        return {**kept, "VADE_DATA": str(self.data), "VADE_PORT": str(self.port), **self.extra}

    def command(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run a command to its end."""
        return subprocess.run(
            [*VADE, *words], env=self.environment, capture_output=True, text=True, timeout=300, check=False
        )

    def key(self, tier: str = "full") -> str:
        """A new key."""
        done = self.command("keys", "create", "--name", "test", "--face", "library", "--tier", tier, "--json")
        assert done.returncode == 0, done.stderr
        secret: str = json.loads(done.stdout)["key"]
        return secret

    def call(self, key: str, tool: str, **arguments: Any) -> dict[str, Any]:
        """One call on a connection of its own."""
        with self.client(key) as client:
            return client.call(tool, **arguments)

    def start(self) -> None:
        """Start the server and return when it is alive."""
        log = self.data.parent / f"{self.data.name}.log"
        with log.open("ab") as output:
            self._server = subprocess.Popen(
                [*VADE, "serve", *self.words],
                env=self.environment,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
        end = time.monotonic() + _READY_SECONDS
        while time.monotonic() < end:
            assert self._server.poll() is None, log.read_text()[-2000:]
            if self._answers():
                return
            time.sleep(0.05)
        raise AssertionError(f"the server did not come up: {log.read_text()[-2000:]}")

    def _answers(self) -> bool:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=2)
        try:
            connection.request("GET", "/healthz")
            return connection.getresponse().status == 200
        except OSError:
            return False
        finally:
            connection.close()

    def stop(self, number: int = signal.SIGTERM) -> None:
        """End the server by a signal, and wait until it is gone."""
        if self._server is not None:
            if self._server.poll() is None:
                os.killpg(self._server.pid, number)
            self._server.wait(60)
            self._server = None

    def ended_by(self, number: int) -> int:
        """The exit code after a signal to the process that was started, and to none that it started."""
        assert self._server is not None
        self._server.send_signal(number)
        return self._server.wait(90)

    @property
    def process_id(self) -> int:
        """The number of the process that was started."""
        assert self._server is not None
        return self._server.pid

    def client(self, key: str) -> Client:
        """A client of the running server."""
        return Client(self.port, key)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop(signal.SIGKILL)
