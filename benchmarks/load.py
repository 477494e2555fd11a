"""What holds when many callers read and write at once?"""

from __future__ import annotations

import http.client
import random
import tempfile
import threading
import time
import urllib.request
import uuid
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.mcp_client import ToolRefused
from benchmarks.product import DEFAULT_MODEL_ONLY, Product
from benchmarks.report import Part, Target, percentile
from benchmarks.vault import Note, notes, questions, write_vault

# What can go wrong with a call, which is what is being counted.
_FAILURES = (ToolRefused, OSError, http.client.HTTPException, ValueError)

_CALLERS = 50
_SECONDS, _QUICK_SECONDS = 60.0, 8.0
_NOTES, _QUICK_NOTES = 500, 100
_LONGEST = 1_500  # characters of a write
_READS_TO_A_WRITE = 4
_PAUSE_OF_HEALTH = 0.1
_MOST_P95, _MOST_HEALTH = 1_000.0, 250.0  # milliseconds


@dataclass
class _Seen:
    """What all callers together saw; each adds to it under the lock."""

    times: dict[str, list[float]] = field(default_factory=dict)
    errors: Counter[str] = field(default_factory=Counter)
    written: dict[str, tuple[int, str]] = field(default_factory=dict)
    health: list[float] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def time(self, tool: str, seconds: float) -> None:
        with self.lock:
            self.times.setdefault(tool, []).append(seconds * 1000)

    def fail(self, tool: str, error: Exception) -> None:
        with self.lock:
            self.errors[f"{tool}: {type(error).__name__}: {str(error)[:120]}"] += 1


def run(*, quick: bool) -> Part:
    """Fifty callers, four reads to one write, each on a connection of its own and without a pause."""
    part = Part("load", "Load: 50 callers at once, four reads to one write")
    part.columns = ("call", "calls", "per second", "p50 ms", "p95 ms", "worst ms")
    seconds = _QUICK_SECONDS if quick else _SECONDS
    seen = _Seen()
    with tempfile.TemporaryDirectory() as folder, Product(DEFAULT_MODEL_ONLY) as product:
        made = write_vault(Path(folder), _QUICK_NOTES if quick else _NOTES)
        product.command("import", folder)
        client = product.client()
        product.wait_for_jobs(client)
        _together(product, made, seen, time.monotonic() + seconds)
        lost = _lost(product, seen)
    _tell(part, seen, seconds, lost)
    return part


def _together(product: Product, made: list[Note], seen: _Seen, end: float) -> None:
    key, asked = product.key(), questions(made, 200)
    texts = [note.text[:_LONGEST] for note in notes(200, seed=99)]
    threads = [
        threading.Thread(target=_Caller(product, key, seen, number).work, args=(asked, texts, end))
        for number in range(_CALLERS)
    ]
    threads.append(threading.Thread(target=_watch_health, args=(product, seen, end)))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


class _Caller:
    """One of the callers: it searches, lists, reads what it found, and saves or updates notes of its own."""

    def __init__(self, product: Product, key: str, seen: _Seen, number: int) -> None:
        self._client = product.client(key)
        self._seen = seen
        self._chance = random.Random(number)
        self._own: list[str] = []
        self._found: list[str] = []

    def work(self, asked: list[str], texts: list[str], end: float) -> None:
        """Call until the time is over."""
        turn = self._chance.randrange(_READS_TO_A_WRITE + 1)
        while time.monotonic() < end:
            turn += 1
            if turn % (_READS_TO_A_WRITE + 1) == 0:
                self._write(self._chance.choice(texts))
            else:
                self._read(turn, self._chance.choice(asked))
        self._client.close()

    def _read(self, turn: int, question: str) -> None:
        if turn % 2 == 0 or not self._found:
            answer = self._call("search_hub", query=question, limit=5)
            self._found = [result["id"] for result in (answer or {}).get("results", [])] or self._found
        elif turn % 3 == 0:
            self._call("list_items", limit=10)
        else:
            self._call("get_item", id=self._chance.choice(self._found))

    def _write(self, text: str) -> None:
        if len(self._own) < 2 or self._chance.random() < 0.5:
            note = str(uuid.UUID(int=self._chance.getrandbits(128), version=4))
            if self._call("save_note", id=note, authoredContent=text) is not None:
                self._own.append(note)
                self._keep(note, 1, text)
            return
        note = self._chance.choice(self._own)
        version = self._seen.written[note][0]
        answer = self._call("update_note", id=note, authoredContent=text, expectedVersion=version)
        if answer is not None:
            self._keep(note, int(answer["version"]), text)

    def _keep(self, note: str, version: int, text: str) -> None:
        with self._seen.lock:
            self._seen.written[note] = (version, text)

    def _call(self, tool: str, **arguments: object) -> dict[str, Any] | None:
        began = time.perf_counter()
        try:
            answer = self._client.tool(tool, **arguments)
        except _FAILURES as error:
            self._seen.fail(tool, error)
            return None
        self._seen.time(tool, time.perf_counter() - began)
        return answer


def _watch_health(product: Product, seen: _Seen, end: float) -> None:
    while time.monotonic() < end:
        began = time.perf_counter()
        try:
            with urllib.request.urlopen(f"{product.address}/healthz", timeout=10) as answer:
                answer.read()
        except OSError as error:
            seen.fail("healthz", error)
        seen.health.append((time.perf_counter() - began) * 1000)
        time.sleep(_PAUSE_OF_HEALTH)


def _lost(product: Product, seen: _Seen) -> int:
    """How many acknowledged writes are not there, or not as they were acknowledged."""
    client = product.client()
    lost = 0
    for note, (version, text) in seen.written.items():
        item = client.tool("get_item", id=note, windowLength=20_000)["item"]
        lost += (item["version"], item["content"]) != (version, text)
    return lost


def _tell(part: Part, seen: _Seen, seconds: float, lost: int) -> None:
    every = [value for values in seen.times.values() for value in values]
    for name, values in [*sorted(seen.times.items()), ("all", every), ("healthz", seen.health)]:
        p50, p95 = percentile(values, 0.5), percentile(values, 0.95)
        part.rows.append((name, len(values), len(values) / seconds, p50, p95, max(values)))
    part.targets += [
        Target("errors", sum(seen.errors.values()), 0, at_least=False),
        Target("lost updates", lost, 0, at_least=False),
        Target("p95 of all calls", percentile(every, 0.95), _MOST_P95, at_least=False, unit=" ms"),
        Target("slowest /healthz", max(seen.health), _MOST_HEALTH, at_least=False, unit=" ms"),
    ]
    part.notes += [f"{number} times {error}" for error, number in seen.errors.most_common(5)]
    part.notes.append(
        f"{len(seen.written):,} notes were written; the callers run on the same processors as the server"
    )
