"""Does exactly one of two writers with one version win, through the wire, on both databases?"""

from __future__ import annotations

import threading
from collections import Counter
from pathlib import Path

from tests.external.product import CallFailedError, Client, Product

ROUNDS = 1000
_ID = "0b0f7a3e-64a1-4c5d-9c7b-1f5f0a6d2c11"


class Contender:
    """One of two, who writes whenever both are ready."""

    def __init__(self, client: Client, both: threading.Barrier) -> None:
        self._client = client
        self._both = both
        self.outcomes: list[str] = []

    def run(self) -> None:
        """A thousand times: name the version that the round has, and note what came of it."""
        for version in range(1, ROUNDS + 1):
            self._both.wait()
            self.outcomes.append(self._tried(version))

    def _tried(self, version: int) -> str:
        try:
            if version % 2:
                tags = [f"t{version}"]
                self._client.call("update_tags", id=_ID, tags=tags, expectedVersion=version)
            else:
                text = f"text {version} {id(self)}"
                self._client.call("update_note", id=_ID, authoredContent=text, expectedVersion=version)
        except CallFailedError as failed:
            return failed.code
        return "won"


def test_of_two_writers_with_one_version_exactly_one_wins_a_thousand_times(
    tmp_path: Path, database_url: str
) -> None:
    off = {"VADE_EMBEDDER": "off", "VADE_RERANKER": "off", "VADE_DATABASE_URL": database_url}
    product = Product(tmp_path / "data", off)
    key = product.key()
    with product, product.client(key) as first, product.client(key) as one, product.client(key) as other:
        first.call("save_note", id=_ID, authoredContent="text")
        both = threading.Barrier(2)
        contenders = [Contender(client, both) for client in (one, other)]
        threads = [threading.Thread(target=contender.run) for contender in contenders]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        rounds = Counter(
            tuple(sorted(pair))
            for pair in zip(*(contender.outcomes for contender in contenders), strict=True)
        )
        assert rounds == {("VERSION_CONFLICT", "won"): ROUNDS}
        assert first.call("get_item", id=_ID)["item"]["version"] == ROUNDS + 1


def test_of_two_deletes_with_one_version_one_deletes_and_the_other_finds_it_deleted(
    tmp_path: Path, sqlite_url: str
) -> None:
    off = {"VADE_EMBEDDER": "off", "VADE_RERANKER": "off", "VADE_DATABASE_URL": sqlite_url}
    product = Product(tmp_path / "data", off)
    key = product.key()
    with product, product.client(key) as client:
        client.call("save_note", id=_ID, authoredContent="text")
        assert client.call("delete_item", id=_ID, expectedVersion=1)["deleted"] is True
        assert client.call("delete_item", id=_ID, expectedVersion=1)["alreadyDeleted"] is True
