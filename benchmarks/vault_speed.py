"""How fast does a large vault answer, and how soon do folder and library follow each other?"""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.mcp_client import McpClient
from benchmarks.product import Product
from benchmarks.report import Part, Target, percentile
from benchmarks.vault import write_vault

_NOTES, _QUICK_NOTES = 10_000, 500
_FOLDERS, _QUICK_FOLDERS = 5_000, 200
_LINKS, _QUICK_LINKS = 1_000, 50
_MADE = "made"  # the folder of the made-up notes, beside which lie the small ones that fill folders
_TRIES = 9
_IDLE = 30.0  # seconds over which an idle server's processor time is taken
_PATIENCE = 600.0
_WORDS_ALONE = {"VADE_EMBEDDER": "off", "VADE_RERANKER": "off"}


def run(*, quick: bool) -> Part:
    """Grep, folders, a rename that many links follow, both ways of the folder on disk, and idle time."""
    part = Part("vault", "Vault: a large one, by its tools and as a folder on disk")
    part.columns = ("what", "p50 ms", "most ms")
    count = _QUICK_NOTES if quick else _NOTES
    with Product(_WORDS_ALONE) as product:
        folder = product.data / "library"
        with tempfile.TemporaryDirectory() as source:
            write_vault(Path(source) / _MADE, count, long_share=0.0)
            _write_folders(Path(source), _QUICK_FOLDERS if quick else _FOLDERS)
            _write_links(Path(source), _QUICK_LINKS if quick else _LINKS)
            files = sum(1 for _ in Path(source).rglob("*.md"))
            product.command("import", source)
        client = _opened(product)
        _until(lambda: sum(1 for _ in folder.rglob("*.md")) >= files)
        _tools(part, client, count)
        _rename(part, client, _QUICK_LINKS if quick else _LINKS)
        _both_ways(part, client, folder)
        part.targets.append(
            Target("processor while idle", _idle_share(product), 1.0, at_least=False, unit=" %")
        )
        client.close()
    part.notes.append(f"{count:,} notes, on disk too; without vectors")
    return part


def _write_folders(source: Path, count: int) -> None:
    """So many folders with a note in each, below ten and, in these, fifty."""
    for number in range(count):
        place = source / "tree" / f"{number % 10}" / f"{number // 10 % 50}" / f"{number}"
        place.mkdir(parents=True, exist_ok=True)
        (place / f"note {number}.md").write_text(f"note {number}\n", encoding="utf-8")


def _write_links(source: Path, count: int) -> None:
    place = source / "links"
    place.mkdir()
    (place / "Hub of links.md").write_text("to which all others lead\n", encoding="utf-8")
    for number in range(count):
        text = f"# Spoke {number}\n\nsee [[Hub of links]] and [it](Hub%20of%20links.md)\n"
        (place / f"Spoke {number}.md").write_text(text, encoding="utf-8")


def _opened(product: Product) -> McpClient:
    for switch in ("publish", "write", "move"):
        product.command("vault", switch, "on")
    connection: dict[str, Any] = json.loads(product.command("vault", "connection", "--json"))
    return McpClient(str(connection["url"]), str(connection["token"]))


def _timed(call: Callable[[], object], tries: int = _TRIES) -> list[float]:
    """Milliseconds of each of the calls."""
    taken = []
    for _ in range(tries):
        began = time.perf_counter()
        call()
        taken.append((time.perf_counter() - began) * 1000)
    return taken


def _row(part: Part, name: str, taken: list[float], bound: float | None = None) -> None:
    part.rows.append((name, percentile(taken, 0.5), max(taken)))
    if bound is not None:
        part.targets.append(Target(name, percentile(taken, 0.5), bound, at_least=False, unit=" ms"))


def _tools(part: Part, client: McpClient, count: int) -> None:
    _row(part, "list_folders, all", _timed(lambda: client.tool("list_folders")), 200.0)
    patterns = {"rare": "halyard of nobody", "common": "the", "expression": r"\b[a-z]+ing\b.*\d"}
    for name, pattern in patterns.items():

        def grep(pattern: str = pattern, regex: bool = name == "expression") -> object:
            return client.tool("grep_notes", pattern=pattern, regex=regex, path=_MADE)

        grep()
        _row(part, f"grep_notes over {count:,} notes, {name}", _timed(grep), 500.0)
    _row(part, "list_notes", _timed(lambda: client.tool("list_notes")))
    _row(part, "search_notes", _timed(lambda: client.tool("search_notes", query="note 17")))


def _rename(part: Part, client: McpClient, links: int) -> None:
    path = client.tool("search_notes", query='"to which all others lead"')["results"][0]["path"]
    began = time.perf_counter()
    renamed = client.tool("rename_note", path=path, new_title="Nave")
    took = (time.perf_counter() - began) * 1000
    _row(part, f"rename_note with {links:,} links to it", [took], 2000.0)
    note = client.tool("read_note", path=renamed["path"].replace("Nave.md", "Spoke 7.md"))
    part.notes.append("its links follow" if "[[Nave]]" in note["markdown"] else "its links do NOT follow")


def _both_ways(part: Part, client: McpClient, folder: Path) -> None:
    """How long a change takes to the disk, and a file to the search."""
    outward, inward = [], []
    for number in range(_TRIES):
        client.tool("create_note", title=f"Outward {number}", markdown="to the disk")
        began = time.perf_counter()
        _until((folder / f"Outward {number}.md").exists)
        outward.append((time.perf_counter() - began) * 1000)
        word = f"inwardword{number}"
        (folder / f"Inward {number}.md").write_text(f"{word} from outside\n", encoding="utf-8")
        began = time.perf_counter()

        def is_found(word: str = word) -> bool:
            return bool(client.tool("search_notes", query=word)["results"])

        _until(is_found)
        inward.append((time.perf_counter() - began) * 1000)
    _row(part, "a change on disk", outward, 1000.0)
    _row(part, "a file in search", inward, 1000.0)


def _until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + _PATIENCE
    while not holds():
        if time.monotonic() > end:
            raise RuntimeError(f"it did not come about within {_PATIENCE:.0f} s")
        time.sleep(0.02)


def _idle_share(product: Product) -> float:
    """Processor time of the server as a share of the time that passes, in per cent."""
    time.sleep(5)
    before, began = product.server.cpu_seconds(), time.monotonic()
    time.sleep(_IDLE)
    used = product.server.cpu_seconds() - before
    return 100 * used / (time.monotonic() - began)
