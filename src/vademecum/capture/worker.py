"""What runs in the process apart in which documents of the outside world are parsed?"""

from __future__ import annotations

import dataclasses
import json
import resource
import sys
from multiprocessing.connection import Connection

from vademecum.capture.page.reading import read_page
from vademecum.text.decoding import decode_page

_QUESTION_LIMIT = 64 * 1024 * 1024  # bytes
_OPEN_FILES = 64


def main(arguments: list[str]) -> None:
    """Answer questions on the connection whose descriptor is the first argument.

    The second is the memory limit in bytes, the third how many seconds without a question end the process.
    A question is a line of JSON and the bytes of a page; the answer is JSON. The process ends when the other
    side is gone. It may write no file.
    """
    _limit(int(arguments[1]))
    connection = Connection(int(arguments[0]))
    try:
        while connection.poll(float(arguments[2])):
            connection.send_bytes(answer(connection.recv_bytes(_QUESTION_LIMIT)))
    except (EOFError, OSError):
        return


def answer(question: bytes) -> bytes:
    """The page that a question holds, read; `error` in its place tells that it needs too much memory."""
    head, _, body = question.partition(b"\n")
    told = json.loads(head)
    try:
        page = read_page(decode_page(body, told["charset"]), told["address"])
        return json.dumps(dataclasses.asdict(page)).encode()
    except MemoryError:
        return b'{"error": "memory"}'


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


if __name__ == "__main__":
    main(sys.argv[1:])
