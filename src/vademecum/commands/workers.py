"""How do several processes serve together, and how do they end?"""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnContext, SpawnProcess
from time import monotonic

from vademecum.commands.terminal import FAILED

_log = logging.getLogger("vademecum")
_PAUSE_SECONDS = 1.0  # before another process takes the place of one that ended
_ENDING_SECONDS = 60.0  # longer than a process takes that ends in order

Serve = Callable[..., int]


def serve_together(serve: Serve, arguments: tuple[object, ...], number: int) -> bool:
    """Run `serve(place, *arguments)` in processes with places from 0, until a signal ends them all.

    One that ends by accident is replaced by another in its place. One that ends with 1 could not serve at
    all: then the others end too, and the answer is False.
    """
    told, tell = multiprocessing.Pipe(duplex=False)
    for one in (signal.SIGINT, signal.SIGTERM):
        signal.signal(one, lambda *_: tell.send_bytes(b"stop"))
    team = _Team(serve, arguments)
    try:
        for place in range(number):
            team.start(place)
        return team.watch(told)
    finally:
        team.end()


class _Team:
    """The processes by their places."""

    def __init__(self, serve: Serve, arguments: tuple[object, ...]) -> None:
        # A process that is forked would share locks and connections with this one.
        self._context: SpawnContext = multiprocessing.get_context("spawn")
        self._serve = serve
        self._arguments = arguments
        self._processes: dict[int, SpawnProcess] = {}

    def start(self, place: int) -> None:
        """Start the process of the place."""
        process = self._context.Process(
            target=_in_process, args=(self._serve, place, self._arguments), name=f"serve-{place}"
        )
        process.start()
        self._processes[place] = process

    def watch(self, told: Connection) -> bool:
        """Replace what ends until a word comes through `told`; False when one could not serve."""
        while True:
            ended = wait([told, *(process.sentinel for process in self._processes.values())])
            if told in ended:
                return True
            for place, process in list(self._processes.items()):
                if process.sentinel not in ended:
                    continue
                process.join()
                if process.exitcode == FAILED:
                    return False
                _log.warning("a serving process ended (%s); another takes its place", process.exitcode)
                if told.poll(_PAUSE_SECONDS):
                    return True
                self.start(place)

    def end(self) -> None:
        """Tell all to end, wait for what they have under way, and kill those that do not."""
        for process in self._processes.values():
            process.terminate()
        last = monotonic() + _ENDING_SECONDS
        for process in self._processes.values():
            process.join(max(0.0, last - monotonic()))
            if process.is_alive():
                _log.error("a serving process did not end and was killed")
                process.kill()
                process.join()


def _in_process(serve: Serve, place: int, arguments: tuple[object, ...]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all; the first process tells the others
    threading.Thread(target=_end_with_parent, name="parent", daemon=True).start()
    sys.exit(serve(place, *arguments))


def _end_with_parent() -> None:
    """A process whose parent was killed must not go on serving on a port that nobody watches."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)
