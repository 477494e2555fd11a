"""What do tests of background work share?"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.databases import Databases
from tests.library.home import Home, a_home
from tests.storage.opening import migrate
from vademecum.storage import log_sync


@pytest.fixture(autouse=True)
def _no_wait_for_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only a power cut would tell the difference, and no test here makes one."""
    monkeypatch.setattr(log_sync, "make_durable", lambda _: None)


@pytest.fixture
def home(databases: Databases, tmp_path: Path) -> Iterator[Home]:
    """An empty library on SQLite and, in a second run, on PostgreSQL."""
    made = a_home(databases.fresh(migrate), tmp_path / "data")
    yield made
    made.library.storage.close()
