"""What does a process apart do, whatever it parses?"""

from __future__ import annotations

import json
import resource
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

Answering = Callable[[dict[str, Any], bytes], dict[str, Any]]
"""What is told of a document, and its bytes, to what was found in it; both sides are values that JSON has."""

OUT_OF_MEMORY = {"error": "memory"}

_QUESTION_LIMIT = 64 * 1024 * 1024  # bytes
_OPEN_FILES = 64


def serve(answering: Answering, arguments: list[str]) -> None:
    """Answer questions on the connection whose descriptor is the first argument.

    The second is the memory limit in bytes, the third how many seconds without a question end the process.
    A question is a line of JSON and the bytes of a document; the answer is JSON. The process ends when the
    other side is gone. It may write no file.
    """
    _limit(int(arguments[1]))
    connection = Connection(int(arguments[0]))
    try:
        while connection.poll(float(arguments[2])):
            connection.send_bytes(answer(answering, connection.recv_bytes(_QUESTION_LIMIT)))
    except (EOFError, OSError):
        return


def answer(answering: Answering, question: bytes) -> bytes:
    """What was found, as JSON; `error` in its place tells that it needs too much memory."""
    head, _, body = question.partition(b"\n")
    try:
        return json.dumps(answering(json.loads(head), body), separators=(",", ":")).encode()
    except MemoryError:
        return json.dumps(OUT_OF_MEMORY).encode()


def _limit(memory: int) -> None:
    limits = [
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_NOFILE, _OPEN_FILES),
    ]
    for which, most in limits:
        _, hard = resource.getrlimit(which)
        allowed = most if hard == resource.RLIM_INFINITY else min(most, hard)
        try:
            resource.setrlimit(which, (allowed, allowed))
        except (ValueError, OSError):
            continue  # some systems know the limit but do not let it be set
