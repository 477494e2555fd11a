"""How does the product compare with its peers on the same notes, in the same run?"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.environments import PeerMissing
from benchmarks.peer import Peer, Searched, import_seconds, searches, writes
from benchmarks.peer_ours import Ours
from benchmarks.peer_programs import BasicMemory, MarkdownVault
from benchmarks.report import Part, Target, percentile
from benchmarks.vault import Note, notes, questions, write_vault

_NOTES, _QUICK_NOTES = 600, 60
_SEARCHES, _WRITES = 200, 100
_WRITTEN = 500  # letters of a note that an agent writes; of Chinese and Japanese half as many characters
_SECONDS = 60.0  # at most, for the searches and again for the writes of one program
_AT_LEAST = {"basic-memory": (10.0, 8.0, 15.0), "markdown-vault-mcp": (1.0, 1.3, 0.8)}


@dataclass(frozen=True, slots=True)
class _Figures:
    imported: float  # seconds
    searched: list[Searched]
    written: list[float]  # milliseconds each


def run(*, quick: bool) -> Part:
    """Import until every note is found by keyword, search and write, by ours and by each peer in turn."""
    part = Part("peers", "Peers: the same notes, import, search and write over HTTP")
    part.columns = (
        "program",
        "notes",
        "import s",
        "search p50 ms",
        "search p95 ms",
        "write p50 ms",
        "write p95 ms",
    )
    with tempfile.TemporaryDirectory() as folder:
        made = write_vault(Path(folder), _QUICK_NOTES if quick else _NOTES)
        ours = _measure(part, Ours, Path(folder), made)
        for name, make in (("markdown-vault-mcp", MarkdownVault), ("basic-memory", BasicMemory)):
            try:
                theirs = _measure(part, make, Path(folder), made)
            except PeerMissing as missing:
                part.notes.append(f"{name} was not measured: {missing}")
                continue
            _compare(part, name, ours, theirs)
    part.notes.append(
        f"each note written has at most {_WRITTEN} letters, or half as many Chinese or Japanese characters"
    )
    part.notes.append("searches are compared over the questions to which both programs find something")
    return part


def _measure(part: Part, make: Callable[[], Peer], folder: Path, made: Sequence[Note]) -> _Figures:
    peer = make()
    try:
        peer.prepare(folder)
        imported = import_seconds(peer, made)
        peer.settle()
        asked = questions(list(made), _SEARCHES)
        searches(peer, asked[:10], _SECONDS)
        searched = searches(peer, asked, _SECONDS)
        texts = [
            (f"Written {number}", note.text[: _WRITTEN if note.path.startswith("en/") else _WRITTEN // 2])
            for number, note in enumerate(notes(_WRITES, seed=5))
        ]
        written = writes(peer, texts, _SECONDS)
    finally:
        peer.close()
    figures = _Figures(imported, searched, written)
    every = ([one.took for one in searched], written)
    middles = (percentile(values, share) for values in every for share in (0.5, 0.95))
    part.rows.append((peer.name, len(made), imported, *middles))
    part.notes += peer.notes
    return figures


def _compare(part: Part, name: str, ours: _Figures, theirs: _Figures) -> None:
    both = [
        pair for pair in zip(ours.searched, theirs.searched, strict=False) if all(one.found for one in pair)
    ]
    own, other = [pair[0].took for pair in both], [pair[1].took for pair in both]
    part.notes.append(f"{name} and vademecum both find something to {len(both)} questions")
    ratios = {
        "import": theirs.imported / ours.imported,
        "search p50": percentile(other, 0.5) / percentile(own, 0.5),
        "write p50": percentile(theirs.written, 0.5) / percentile(ours.written, 0.5),
    }
    for (what, ratio), least in zip(ratios.items(), _AT_LEAST[name], strict=True):
        part.targets.append(Target(f"{what}, times as fast as {name}", ratio, least, at_least=True, unit="x"))
    tails = percentile(other, 0.95) / percentile(own, 0.95)
    part.targets.append(
        Target(f"search p95, times as fast as {name}", tails, _AT_LEAST[name][1], at_least=True, unit="x")
    )
