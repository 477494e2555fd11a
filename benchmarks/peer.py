"""What must a program do to be measured as a keeper of notes?"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeVar

from benchmarks.processes import Server
from benchmarks.vault import Note

_QUIET_SHARE, _QUIET_SECONDS, _QUIET_PATIENCE = 0.05, 3.0, 120.0
_FOUND_PATIENCE = 900.0

Result = TypeVar("Result")


class Peer(Protocol):
    """One program over an empty store of its own. Every method may raise what its client raises."""

    @property
    def name(self) -> str: ...
    @property
    def notes(self) -> Sequence[str]:
        """What is to be known when its figures are read."""

    def prepare(self, folder: Path) -> None:
        """Lay the folder of Markdown where it can be brought in from; this is not timed."""

    def take_in(self) -> None:
        """Bring the folder in; it may return before everything can be found."""

    def serve(self) -> None:
        """Have the server answer, if it does not yet."""

    def settle(self) -> None:
        """Wait until nothing goes on in the background any more."""

    def finds(self, word: str) -> bool:
        """Whether a search by keyword finds a note with the word."""

    def search(self, question: str) -> int:
        """How many results a search as the program does it by default gives, of ten at most."""

    def write(self, title: str, text: str) -> None:
        """Keep a new note; returns when the program says that it is kept."""

    def close(self) -> None: ...


def import_seconds(peer: Peer, made: Sequence[Note]) -> float:
    """How long it takes from the start of the import until every note is found by a word that only it holds.

    When all are found at the first look after the import returned, the look itself is not counted.
    Raises RuntimeError when some are still missing after a quarter of an hour.
    """
    began = time.monotonic()
    peer.take_in()
    returned = time.monotonic() - began
    peer.serve()
    missing = [note.marker for note in made]
    first = True
    while time.monotonic() - began < _FOUND_PATIENCE:
        missing = [marker for marker in missing if not peer.finds(marker)]
        if not missing:
            return returned if first else time.monotonic() - began
        first = False
        time.sleep(0.2)
    raise RuntimeError(f"{peer.name}: {len(missing)} notes are not found")


def wait_until_quiet(server: Server) -> None:
    """Until the server has used next to no processor time for three seconds, or two minutes are over."""
    end = time.monotonic() + _QUIET_PATIENCE
    while time.monotonic() < end:
        before = server.cpu_seconds()
        time.sleep(_QUIET_SECONDS)
        if server.cpu_seconds() - before < _QUIET_SHARE * _QUIET_SECONDS:
            return


@dataclass(frozen=True, slots=True)
class Searched:
    """One search: its milliseconds and the number of its results."""

    took: float
    found: int


def searches(peer: Peer, asked: Sequence[str], seconds: float) -> list[Searched]:
    """Each search, one after the other on one connection, at most that long in all."""
    return [Searched(*one) for one in _timed(peer.search, [(question,) for question in asked], seconds)]


def writes(peer: Peer, texts: Sequence[tuple[str, str]], seconds: float) -> list[float]:
    """Milliseconds of each write of a title and a text, as in `searches`."""
    return [took for took, _ in _timed(peer.write, texts, seconds)]


def _timed(
    call: Callable[..., Result], arguments: Sequence[tuple[str, ...]], seconds: float
) -> list[tuple[float, Result]]:
    done: list[tuple[float, Result]] = []
    end = time.monotonic() + seconds
    for words in arguments:
        began = time.perf_counter()
        result = call(*words)
        done.append(((time.perf_counter() - began) * 1000, result))
        if time.monotonic() > end and len(done) >= 5:
            break
    return done
