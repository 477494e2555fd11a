"""How is the product of this checkout run for a measurement, on data of its own?"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from types import TracebackType
from typing import Any

from benchmarks.mcp_client import McpClient
from benchmarks.processes import Server, answers, free_ports

CHECKOUT = Path(__file__).parent.parent
COMMAND = CHECKOUT / ".venv" / "bin" / "vade"
DEFAULT_MODEL_ONLY = {"VADE_RERANKER": "off"}
_START, _COMMAND_PATIENCE, _WORK_PATIENCE = 60.0, 1_800.0, 1_800.0


class Product:
    """The product serving on free ports over an empty data folder, both gone when it is left."""

    def __init__(self, settings: dict[str, str] | None = None) -> None:
        self.data = Path(tempfile.mkdtemp(prefix="vade-bench-"))
        self._port, vault_port = free_ports(2)
        own = {"VADE_DATA": self.data, "VADE_PORT": self._port, "VADE_VAULT_PORT": vault_port}
        clean = {name: value for name, value in os.environ.items() if not name.startswith("VADE_")}
        self._environment = {**clean, **{name: str(value) for name, value in own.items()}, **(settings or {})}
        self.server = self._serve()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    def command(self, *words: str) -> str:
        """What a `vade` command printed to its standard output. Raises RuntimeError when it fails."""
        done = subprocess.run(
            [str(COMMAND), *words],
            env=self._environment,
            capture_output=True,
            text=True,
            timeout=_COMMAND_PATIENCE,
            check=False,
        )
        if done.returncode:
            raise RuntimeError(f"vade {' '.join(words)} ended with {done.returncode}: {done.stderr[-600:]}")
        return done.stdout

    def key(self, tier: str = "full") -> str:
        """A new agent key of the library tool set."""
        words = ("keys", "create", "--name", "benchmark", "--face", "library", "--tier", tier, "--json")
        minted: dict[str, Any] = json.loads(self.command(*words))
        return str(minted["key"])

    def client(self, key: str | None = None) -> McpClient:
        """A client of the library tool set with the key, or with a new one."""
        return McpClient(f"{self.address}/mcp", key or self.key())

    def restart(self) -> None:
        """Stop serving and serve again over the same data."""
        self.server.stop()
        self.server = self._serve()

    def kill_and_restart(self, between: float = 0.0) -> None:
        """End the server without a word, and serve again after so many seconds."""
        self.server.kill()
        time.sleep(between)
        self.server = self._serve()

    @property
    def environment(self) -> dict[str, str]:
        """What the server and the commands see."""
        return dict(self._environment)

    def wait_for_jobs(self, client: McpClient) -> float:
        """Seconds until all vectors are in place. Raises RuntimeError when it takes half an hour."""
        began = time.monotonic()
        while time.monotonic() - began < _WORK_PATIENCE:
            if (
                not self._waiting()
                and client.tool("search_hub", query="vector", limit=1)["vectorSearchApplied"]
            ):
                return time.monotonic() - began
            time.sleep(2)
        raise RuntimeError(f"jobs are still waiting after {_WORK_PATIENCE:.0f} s")

    def vectors(self) -> int:
        """How many vectors the library holds."""
        return int(self._status()["index"]["vectors"])

    def close(self) -> None:
        """Stop serving and remove the data."""
        self.server.stop()
        shutil.rmtree(self.data, ignore_errors=True)
        self._log.unlink(missing_ok=True)

    def __enter__(self) -> Product:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def _log(self) -> Path:
        return self.data.parent / f"{self.data.name}.log"

    def _serve(self) -> Server:
        server = Server([str(COMMAND), "serve"], self._log, self._environment, CHECKOUT)
        server.wait_until(lambda: answers(f"{self.address}/healthz"), _START)
        return server

    def _waiting(self) -> int:
        """Jobs that are not done yet."""
        return sum(int(number) for kind, number in self._status()["jobs"].items() if kind != "failed")

    def _status(self) -> dict[str, Any]:
        status: dict[str, Any] = json.loads(self.command("status", "--json"))
        return status
