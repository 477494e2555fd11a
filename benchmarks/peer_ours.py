"""How is the product measured beside its peers?"""

from __future__ import annotations

import uuid
from pathlib import Path

from benchmarks.mcp_client import McpClient
from benchmarks.peer import wait_until_quiet
from benchmarks.product import DEFAULT_MODEL_ONLY, Product

_RESULTS = 10


class Ours:
    """The product with vectors, history and full durability on."""

    name = "vademecum"
    notes = (
        "vademecum searches by keyword and vectors, keeps every version, flushes each write to disk",
        "vademecum imports by `vade import`; vectors follow and are complete before it is searched",
    )

    def __init__(self) -> None:
        self._product = Product(DEFAULT_MODEL_ONLY)
        self._client: McpClient = self._product.client()
        self._folder = self._product.data

    def prepare(self, folder: Path) -> None:
        self._folder = folder

    def take_in(self) -> None:
        self._product.command("import", str(self._folder))

    def serve(self) -> None:
        """It serves from the beginning."""

    def finds(self, word: str) -> bool:
        return bool(self._client.tool("list_items", keyword=word, limit=1)["results"])

    def settle(self) -> None:
        self._product.wait_for_jobs(self._client)
        wait_until_quiet(self._product.server)

    def search(self, question: str) -> int:
        return len(self._client.tool("search_hub", query=question, limit=_RESULTS)["results"])

    def write(self, title: str, text: str) -> None:
        self._client.tool("save_note", id=str(uuid.uuid4()), authoredContent=text, hubTitle=title)

    def close(self) -> None:
        self._product.close()
