"""What does a call cost besides the work it asks for?"""

from __future__ import annotations

import http.client
import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.do_nothing import PATH, TOOL
from benchmarks.processes import Server, free_ports
from benchmarks.product import CHECKOUT, DEFAULT_MODEL_ONLY
from benchmarks.report import Part, Target, percentile

_BLOCKS, _QUICK_BLOCKS, _CALLS = (
    12,
    3,
    250,
)  # blocks of the two servers take turns, so that both meet the same load
_START = 60.0
_MOST = 1.6
_MODERN, _LEGACY = "2026-07-28", "2025-06-18"
_ABOUT = "io.modelcontextprotocol/"


@dataclass
class _Caller:
    """One open connection on which the same call is made again and again."""

    server: Server
    connection: http.client.HTTPConnection
    key: str | None
    cpu: dict[str, float] = field(default_factory=dict)
    times: dict[str, list[float]] = field(default_factory=dict)

    def block(self, version: str, calls: int) -> None:
        """Make the calls and add what they cost."""
        body, headers = _request(version, self.key)
        before = self.server.cpu_seconds()
        for _ in range(calls):
            began = time.perf_counter()
            self.connection.request("POST", PATH, body, headers)
            answer = self.connection.getresponse()
            content = answer.read()
            self.times.setdefault(version, []).append(time.perf_counter() - began)
            if answer.status != http.HTTPStatus.OK or b'"done":true' not in content.replace(b" ", b""):
                raise RuntimeError(f"HTTP {answer.status}: {content[:300]!r}")
        self.cpu[version] = self.cpu.get(version, 0.0) + self.server.cpu_seconds() - before


def run(*, quick: bool) -> Part:
    """The processor time for a tool that does nothing: of ours and of the SDK alone in one web server."""
    part = Part("call-cost", "Cost of a call: a tool that does nothing")
    part.columns = ("protocol", "server", "server CPU ms", "p50 ms", "p95 ms", "calls")
    blocks = _QUICK_BLOCKS if quick else _BLOCKS
    folder = Path(tempfile.mkdtemp(prefix="vade-bench-"))
    callers: dict[str, _Caller] = {}
    try:
        for kind in ("bare", "ours"):
            callers[kind] = _start(kind, folder)
        for version in (_MODERN, _LEGACY):
            for caller in callers.values():
                caller.block(version, _CALLS)
                caller.cpu.clear()
                caller.times.clear()
            for _ in range(blocks):
                for caller in callers.values():
                    caller.block(version, _CALLS)
            _tell(part, version, callers)
    finally:
        for caller in callers.values():
            caller.server.stop()
        shutil.rmtree(folder, ignore_errors=True)
    return part


def _tell(part: Part, version: str, callers: Mapping[str, _Caller]) -> None:
    costs = {}
    for kind, caller in callers.items():
        times = caller.times[version]
        costs[kind] = caller.cpu[version] / len(times) * 1000
        p50, p95 = (percentile(times, share) * 1000 for share in (0.5, 0.95))
        part.rows.append((version, kind, costs[kind], p50, p95, len(times)))
    ratio = costs["ours"] / costs["bare"]
    part.targets.append(
        Target(f"CPU of ours beside the bare SDK, {version}", ratio, _MOST, at_least=False, unit="x")
    )


def _start(kind: str, folder: Path) -> _Caller:
    (port,) = free_ports(1)
    environment = {
        **os.environ,
        **DEFAULT_MODEL_ONLY,
        "VADE_DATA": str(folder / "data"),
        "VADE_PORT": str(port),
    }
    command = [sys.executable, "-m", "benchmarks.do_nothing", kind, str(port)]
    server = Server(command, folder / f"{kind}.log", environment, CHECKOUT)
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    server.wait_until(lambda: _connects(connection), _START)
    key = server.said().split()[0] if kind == "ours" else None
    return _Caller(server, connection, key)


def _connects(connection: http.client.HTTPConnection) -> bool:
    try:
        connection.connect()
    except OSError:
        return False
    return True


def _request(version: str, key: str | None) -> tuple[bytes, dict[str, str]]:
    """The call in one of the two eras of the protocol."""
    parameters: dict[str, object] = {"name": TOOL, "arguments": {"text": "hello"}}
    headers = {
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": version,
        **({"Authorization": f"Bearer {key}"} if key else {}),
    }
    if version == _MODERN:
        client = {"name": "benchmark", "version": "1"}
        parameters["_meta"] = {
            f"{_ABOUT}protocolVersion": version,
            f"{_ABOUT}clientCapabilities": {},
            f"{_ABOUT}clientInfo": client,
        }
        headers |= {"Mcp-Method": "tools/call", "Mcp-Name": TOOL}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": parameters}
    return json.dumps(message).encode(), headers
