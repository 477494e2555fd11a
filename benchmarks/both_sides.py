"""Do a vault's folder and the library end alike, with nothing lost, whatever is done on both sides at once?

BENCH_VAULTS names the git clones of the vaults that are copied and tried; without it one is made up.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import subprocess
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.product import Product
from benchmarks.report import Part, Target
from benchmarks.sides.checking import Reader
from benchmarks.sides.inside import Agent, Terminal
from benchmarks.sides.outside import Outside, copied_vault
from benchmarks.sides.record import Record
from benchmarks.vault import write_vault

_VAULTS = "BENCH_VAULTS"  # folders, separated as in PATH
_OFF = {"VADE_EMBEDDER": "off", "VADE_RERANKER": "off"}
_PATIENCE = 180.0  # seconds until both sides must be alike
_PAUSE = 0.4  # seconds at most between two operations of one hand
_SHOWN = 8  # faults of a kind that are told


@dataclass(frozen=True, slots=True)
class _Size:
    operations: int
    kills: int
    idle: float  # seconds in which nothing is done
    longest: float  # seconds for the operations of one phase


_FULL, _QUICK = _Size(1_000, 100, 60.0, 900.0), _Size(100, 5, 5.0, 180.0)


@dataclass
class _Run:
    """One vault that is worked on from both sides."""

    product: Product
    root: Path
    record: Record
    reader: Reader
    hands: list[Agent | Outside | Terminal]
    outside: Outside
    stopped: threading.Event = field(default_factory=threading.Event)
    generation: int = 0
    faults: dict[str, list[str]] = field(default_factory=dict)

    def told(self, kind: str, found: list[str]) -> None:
        """Keep the faults of a kind."""
        self.faults.setdefault(kind, []).extend(found)
        for each in found[:_SHOWN]:
            print(f"  {kind}: {each}", flush=True)


def run(*, quick: bool) -> Part:
    """Import, idle time, operations from both sides, and the same with kills, for each of the vaults."""
    part = Part("both-sides", "Folder and library, worked on from both sides at once")
    part.columns = ("vault", "what", "count")
    size = _QUICK if quick else _FULL
    named = [Path(one) for one in os.environ.get(_VAULTS, "").split(os.pathsep) if one]
    with tempfile.TemporaryDirectory(prefix="vade-sides-") as work:
        for source in named or [_made_up(Path(work) / "made up")]:
            place = Path(work) / f"run {source.name}"
            place.mkdir()
            with _prepared(source, place) as (one, before):
                _try(part, one, (source.name, size), before)
    return part


def _made_up(place: Path) -> Path:
    write_vault(place, 200, long_share=0.0)
    for number in range(4):
        (place / f"revision {number}.md").write_text(f"of revision {number}\n", encoding="utf-8")
        for words in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "more"]):
            named = ["-c", "user.name=bench", "-c", "user.email=bench@localhost"]
            subprocess.run(["git", "-C", str(place), *named, *words], check=True, capture_output=True)
    return place


@contextmanager
def _prepared(source: Path, place: Path) -> Iterator[tuple[_Run, dict[str, str]]]:
    root = place / "vault"
    revisions = copied_vault(source, root)
    before = _hashes(root)
    for name in ("bin", "imports"):
        (place / name).mkdir()
    with Product({**_OFF, "VADE_MIRROR": str(root)}) as product:
        key, record = product.key(), Record()
        for switch in ("publish", "write", "move"):
            product.command("vault", switch, "on")
        reader = Reader(product.environment, root)
        outside = Outside(root, place / "bin", record, revisions, random.Random(11))
        agents = [Agent(product, record, seed) for seed in (1, 2)]
        terminal = Terminal(product, record, reader, place / "imports", key)
        hands: list[Agent | Outside | Terminal] = [*agents, outside, outside, terminal]
        one = _Run(product, root, record, reader, hands, outside)
        try:
            yield one, before
        finally:
            one.stopped.set()
            reader.close()


def _hashes(root: Path) -> dict[str, str]:
    """Every file that lies there, whoever it belongs to, apart from git's own."""
    found = sorted(path for path in root.rglob("*") if path.is_file() and ".git" not in path.parts)
    return {
        str(path.relative_to(root)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in found
        if not path.is_symlink()
    }


def _try(part: Part, one: _Run, what: tuple[str, _Size], before: dict[str, str]) -> None:
    name, size = what
    threading.Thread(target=_watch_ready, args=(one,), daemon=True).start()
    taken = _settled(one)
    print(f"  {name}: imported after {taken:.0f} s", flush=True)
    unlike = _unlike(before, _hashes(one.root))
    part.rows.append((name, "seconds of the first import", round(taken)))
    part.rows.append((name, "files, compared byte for byte", len(before)))
    part.rows.append((name, "of these in the library", len(one.reader.notes())))
    time.sleep(size.idle)
    unlike += _unlike(before, _hashes(one.root))
    one.told(f"files changed by import and {size.idle:.0f} idle seconds", unlike)
    _operations(one, size)
    _checked(part, one, name, "operations")
    kills = _kills(one, size)
    _checked(part, one, name, f"operations with {kills} kills")
    _summed(part, one, name)


def _unlike(before: dict[str, str], after: dict[str, str]) -> list[str]:
    return [path for path in sorted(before.keys() | after.keys()) if before.get(path) != after.get(path)]


def _watch_ready(one: _Run) -> None:
    """Note since when the server has been ready."""
    while not one.stopped.wait(0.2):
        generation = one.generation
        is_ready = _is_ready(one.product)
        if generation != one.generation or not is_ready:
            one.record.ready_since = None
        elif one.record.ready_since is None:
            one.record.ready_since = time.monotonic()


def _is_ready(product: Product) -> bool:
    try:
        with urllib.request.urlopen(f"{product.address}/readyz", timeout=5) as answer:
            return bool(json.load(answer).get("mirror") == "ready")
    except (OSError, ValueError, urllib.error.HTTPError):
        return False


def _settled(one: _Run) -> float:
    """Seconds until folder and library were alike, and still were two seconds later."""
    began = time.monotonic()
    alike = 0
    while alike < 2 and time.monotonic() - began < _PATIENCE:
        is_alike = one.record.ready_since is not None and not one.reader.differences()
        alike = alike + 1 if is_alike else 0
        time.sleep(2)
    return time.monotonic() - began


def _work(one: _Run, number: int, counted: list[int], ends: tuple[threading.Event, int]) -> None:
    hand = one.hands[number]
    end, most = ends
    chance = random.Random(number + 100 * one.generation)
    offered = hand.operations()
    while not end.is_set():
        name, operation, _ = chance.choices(offered, [weight for _, _, weight in offered])[0]
        if hand.make(operation):
            one.record.did(name)
            counted.append(1)
        else:
            one.record.was_refused(name)
        if len(counted) >= most:
            end.set()
        end.wait(chance.uniform(0.0, _PAUSE))


def _working(one: _Run, most: int) -> tuple[threading.Event, list[int], list[threading.Thread]]:
    end, counted = threading.Event(), list[int]()
    threads = [
        threading.Thread(target=_work, args=(one, hand, counted, (end, most)), daemon=True)
        for hand in range(len(one.hands))
    ]
    for thread in threads:
        thread.start()
    return end, counted, threads


def _operations(one: _Run, size: _Size) -> None:
    """So many operations by several threads; git checks out another revision now and then."""
    end, counted, threads = _working(one, size.operations)
    begun, next_checkout = time.monotonic(), size.operations // 4
    while not end.wait(0.2) and time.monotonic() - begun < size.longest:
        if len(counted) >= next_checkout:
            _check_out(one)
            next_checkout += size.operations // 4
    end.set()
    for thread in threads:
        thread.join()


def _check_out(one: _Run) -> None:
    if one.outside.check_out():
        one.record.did("git checkout")
    else:
        one.record.was_refused("git checkout")


def _kills(one: _Run, size: _Size) -> int:
    """The same while the server is killed at random, also while it starts; how often it was."""
    end, _, threads = _working(one, 100 * size.operations)
    chance, begun, kills = random.Random(3), time.monotonic(), 0
    while kills < size.kills and time.monotonic() - begun < size.longest:
        if chance.random() < 0.7:
            _wait_ready(one, 20.0)
        time.sleep(chance.uniform(0.0, 1.5))
        if kills % (size.kills // 3) == 1:
            _check_out(one)
        one.generation += 1
        one.record.ready_since = None
        one.product.kill_and_restart(chance.choice([0.0, 0.0, 0.5]))
        kills += 1
    end.set()
    for thread in threads:
        thread.join()
    return kills


def _wait_ready(one: _Run, seconds: float) -> None:
    end = time.monotonic() + seconds
    while one.record.ready_since is None and time.monotonic() < end:
        time.sleep(0.1)


def _checked(part: Part, one: _Run, name: str, phase: str) -> None:
    """Wait until both sides are alike, and compare all there is."""
    taken = _settled(one)
    print(f"  {name}, after {phase}: {taken:.0f} s, {time.strftime('%H:%M:%S')}", flush=True)
    one.told("differences of folder and library", one.reader.differences())
    one.told("texts not found in the history", one.reader.missing(one.record))
    one.told("items taken for deleted", one.reader.taken_for_deleted(one.record))
    one.told("partial files left", one.reader.unfinished())
    told = json.loads(_doctor(one.product))
    problems = [f"{each['code']} {each['subject']}: {each['detail']}" for each in told["problems"]]
    harmless = ("both sides at once", "cannot be items")
    one.told("problems told by doctor", [each for each in problems if not each.endswith(harmless)])
    part.notes += [f"{name}, after {phase}: {each}" for each in problems if each.endswith(harmless)]
    part.rows.append((name, f"seconds until alike after {phase}", round(taken)))
    part.rows.append((name, f"files after {phase}", len(one.reader.files())))


def _doctor(product: Product) -> str:
    """What `vade doctor` says, whether it is content or not."""
    try:
        return product.command("doctor", "--json")
    except RuntimeError:
        return '{"problems": [{"code": "damage", "subject": "", "detail": "doctor ended with a failure"}]}'


def _summed(part: Part, one: _Run, name: str) -> None:
    record = one.record
    for operation in sorted(record.done.keys() | record.refused.keys()):
        done, refused = record.done[operation], record.refused[operation]
        part.rows.append((name, f"{operation} ({refused} refused, cut off or without an object)", done))
    owed = record.owed()
    part.rows.append((name, "operations carried out", record.done.total()))
    part.rows.append((name, "texts acknowledged", len(record.answered)))
    part.rows.append((name, "texts written outside that must be found", len(owed) - len(record.answered)))
    part.rows.append((name, "texts gone again before they had to be seen", record.excused))
    for kind, found in one.faults.items():
        part.targets.append(Target(f"{name}: {kind}", len(found), 0, at_least=False))
        part.notes += [f"{name}: {kind}: {each}" for each in found[:_SHOWN]]
