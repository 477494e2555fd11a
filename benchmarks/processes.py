"""What does a process and all it started cost, by the operating system's own books?"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

_TICKS = os.sysconf("SC_CLK_TCK")
_KIB = 1024


class Server:
    """A program that serves until `stop`; what it prints goes to a file beside its data."""

    def __init__(
        self, command: Sequence[str], log: Path, environment: Mapping[str, str], folder: Path
    ) -> None:
        self._log = log
        with log.open("ab") as out:
            self._process = subprocess.Popen(
                list(command),
                env=dict(environment),
                cwd=folder,
                stdout=out,
                stderr=out,
                start_new_session=True,
            )

    def wait_until(self, ready: Callable[[], bool], seconds: float) -> float:
        """How long it took until `ready` held. Raises RuntimeError when it ends or the time is over."""
        began = time.monotonic()
        while time.monotonic() - began < seconds:
            if self._process.poll() is not None:
                raise RuntimeError(f"the server ended with {self._process.returncode}: {self.said()}")
            if ready():
                return time.monotonic() - began
            time.sleep(0.05)
        raise RuntimeError(f"the server was not ready after {seconds:.0f} s: {self.said()}")

    def said(self, most: int = 1_500) -> str:
        """The end of what it printed."""
        return self._log.read_text(encoding="utf-8", errors="replace")[-most:]

    def cpu_seconds(self) -> float:
        """User and system time of the process and its living descendants until now."""
        return sum(_cpu_seconds(process) for process in _family(self._process.pid))

    def resident_mib(self) -> float:
        """Memory of the process and its living descendants, what they share counted once."""
        return sum(_proportional_kib(process) for process in _family(self._process.pid)) / _KIB

    def stop(self) -> None:
        """End it and all it started; again does nothing."""
        if self._process.poll() is not None:
            return
        os.killpg(self._process.pid, signal.SIGTERM)
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()

    def kill(self) -> None:
        """End it and all it started as a power cut would: without a word."""
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()


def free_ports(count: int) -> list[int]:
    """Ports of this machine that nothing listens on now."""
    sockets = [socket.socket() for _ in range(count)]
    try:
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]
    finally:
        for one in sockets:
            one.close()


def answers(address: str) -> bool:
    """Whether the address answers a plain request, with whatever status."""
    try:
        with urllib.request.urlopen(address, timeout=2):
            return True
    except urllib.error.HTTPError:
        return True
    except OSError:
        return False


def _family(root: int) -> list[int]:
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            fields = _stat(int(entry.name))
            if fields:
                parents[int(entry.name)] = int(fields[1])
    found = [root]
    for process in found:
        found += [child for child, parent in parents.items() if parent == process]
    return found


def _stat(process: int) -> list[str]:
    """The fields of a process after its name, from its state on; none when it has ended."""
    try:
        return Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return []


def _cpu_seconds(process: int) -> float:
    fields = _stat(process)
    return (int(fields[11]) + int(fields[12])) / _TICKS if fields else 0.0


def _proportional_kib(process: int) -> int:
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text(encoding="utf-8").splitlines()
    except (FileNotFoundError, ProcessLookupError):
        return 0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
