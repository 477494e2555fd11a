"""How is a document parsed so that no document can stop, fill or crash the server?"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import vademecum
from vademecum.model.errors import Refusal

TOO_SLOW = "too slow to read"
TOO_MUCH_MEMORY = "needs too much memory"
CRASHED = "damaged beyond reading"

_ANSWER_LIMIT = 64 * 1024 * 1024  # bytes
_STARTING = 10.0  # seconds that a new process may take before it answers its first question


@dataclass(frozen=True, slots=True)
class SandboxLimits:
    """Bounds of one parsing: seconds of waiting and bytes of memory; and the seconds without work after
    which the process ends, so that an idle server does not hold its memory.
    """

    seconds: float = 30.0
    memory_bytes: int = 1024 * 1024 * 1024
    idle_seconds: float = 60.0


@dataclass(slots=True)
class _Worker:
    """A running process and our end of the connection to it."""

    process: subprocess.Popen[bytes]
    connection: Connection
    answered: bool = False


class Sandbox:
    """One process apart, started at the first question and used for those that follow, one at a time.

    It runs the module `worker`, which calls `vademecum.sandbox.worker.serve`; `refusal` makes what is raised
    out of the reason. It takes about half a second and 50 MB to start, has none of the server's environment,
    and is ended when it is too slow; the next question starts another.
    """

    def __init__(
        self, worker: str, refusal: Callable[[str], Refusal], limits: SandboxLimits | None = None
    ) -> None:
        self._module = worker
        self._refusal = refusal
        self._limits = limits or SandboxLimits()
        self._lock = threading.Lock()
        self._worker: _Worker | None = None

    def ask(self, question: dict[str, Any], body: bytes) -> dict[str, Any]:
        """What the process answers. Raises the refusal for what is too slow, too large or crashes it."""
        sent = json.dumps(question).encode() + b"\n" + body
        with self._lock:
            fresh = self._worker is None
            answer = self._asked(sent)
            if answer is None and not fresh:
                answer = self._asked(sent)  # the idle process ended by itself just now
            if answer is None:
                raise self._refusal(CRASHED)
        if "error" in answer:
            raise self._refusal(TOO_MUCH_MEMORY)
        return answer

    def close(self) -> None:
        """End the process, if one runs; a later question starts another."""
        with self._lock:
            self._end()

    def _asked(self, sent: bytes) -> dict[str, Any] | None:
        """One try, None when the process is gone without an answer."""
        worker = self._worker = self._worker or _started(self._module, self._limits)
        patience = self._limits.seconds + (0.0 if worker.answered else _STARTING)
        try:
            worker.connection.send_bytes(sent)
            if not worker.connection.poll(patience):
                self._end()
                raise self._refusal(TOO_SLOW)
            answer: dict[str, Any] = json.loads(worker.connection.recv_bytes(_ANSWER_LIMIT))
        except (EOFError, OSError, ValueError):
            self._end()
            return None
        worker.answered = True
        return answer

    def _end(self) -> None:
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.connection.close()
            worker.process.kill()
            worker.process.wait()


def _started(worker: str, limits: SandboxLimits) -> _Worker:
    """A process that knows nothing of the server but where its code is: no key, no setting, no open file."""
    ours, theirs = Pipe()
    code = str(Path(vademecum.__file__).parent.parent)
    environment = {
        "PATH": os.defpath,
        "PYTHONPATH": os.pathsep.join([code, *(path for path in sys.path if path)]),
        "PYTHONDONTWRITEBYTECODE": "1",
        "LANG": "C.UTF-8",
    }
    arguments = (str(theirs.fileno()), str(limits.memory_bytes), str(limits.idle_seconds))
    process = subprocess.Popen(
        [sys.executable, "-m", worker, *arguments],
        env=environment,
        pass_fds=(theirs.fileno(),),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    theirs.close()
    return _Worker(process, ours)
