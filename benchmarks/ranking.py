"""Does a question find its page, in its own language and across languages?"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.environments import PeerMissing
from benchmarks.mcp_client import McpClient
from benchmarks.product import DEFAULT_MODEL_ONLY, Product
from benchmarks.report import Part, Target
from benchmarks.tuning_set import LANGUAGES, Page, pages

_QUICK = 150
_SHOWN = 10
_TARGETS = {  # title in the page: (same language, first place), (other language, first five)
    "as they are": (0.95, 0.90),
    "titles withheld": (0.40, 0.36),
}


@dataclass(frozen=True, slots=True)
class Recall:
    """Shares of questions whose page is found at the first place and among the first five."""

    first: float
    five: float
    questions: int


def run(*, quick: bool) -> Part:
    """Ask every page's title in three languages: of pages as they are, then without their titles."""
    part = Part("ranking", "Ranking: titles in three languages, each page stored in one")
    part.columns = ("pages", "model", "language", "recall@1", "recall@5", "questions")
    try:
        chosen = pages()[: _QUICK if quick else None]
    except PeerMissing as missing:
        part.notes.append(f"not run: {missing}")
        return part
    for name in _TARGETS:
        with tempfile.TemporaryDirectory() as folder:
            paths = write(Path(folder), chosen, with_titles=name == "as they are")
            _measure(part, name, Path(folder), dict(zip(paths, chosen, strict=True)))
    if quick:
        part.notes.append("fewer pages make every question easier: figures of a quick run prove nothing")
    return part


def write(folder: Path, chosen: Sequence[Page], *, with_titles: bool) -> list[str]:
    """The pages as Markdown files with names that say nothing; the titles by which an import stores them."""
    stored = []
    for number, page in enumerate(chosen):
        name = f"page {number:04d}"
        heading = f"# {page.titles[page.language]}\n\n" if with_titles else ""
        (folder / f"{name}.md").write_text(heading + "\n\n".join(page.paragraphs) + "\n", encoding="utf-8")
        stored.append(page.titles[page.language] if with_titles else name)
    return stored


def recall(ranks: Sequence[int | None]) -> Recall:
    """The shares; a rank is counted from 0, None is a page that was not found."""
    found = [rank for rank in ranks if rank is not None]
    total = max(1, len(ranks))
    return Recall(
        sum(rank < 1 for rank in found) / total, sum(rank < 5 for rank in found) / total, len(ranks)
    )


def _measure(part: Part, name: str, folder: Path, stored: dict[str, Page]) -> None:
    with Product(DEFAULT_MODEL_ONLY) as product:
        product.command("import", str(folder))
        client = product.client()
        product.wait_for_jobs(client)
        same, other = _ask(client, stored)
    for language, found in (("same", same), ("other", other)):
        part.rows.append((name, "default", language, found.first, found.five, found.questions))
    least_first, least_five = _TARGETS[name]
    part.targets += [
        Target(f"{name}: same language, recall@1", same.first, least_first, at_least=True),
        Target(f"{name}: across languages, recall@5", other.five, least_five, at_least=True),
    ]


def _ask(client: McpClient, stored: dict[str, Page]) -> tuple[Recall, Recall]:
    same: list[int | None] = []
    other: list[int | None] = []
    for title, page in stored.items():
        for language in LANGUAGES:
            results = client.tool("search_hub", query=page.titles[language], limit=_SHOWN)["results"]
            titles = [result["title"] for result in results]
            rank = titles.index(title) if title in titles else None
            (same if language == page.language else other).append(rank)
    return recall(same), recall(other)
