"""What do tests of the mirror share?"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.databases import Databases, SqliteDatabases
from tests.library.home import a_home
from tests.mirror.folder import Mirrored
from tests.storage.opening import migrate
from vademecum.storage import log_sync


@pytest.fixture(autouse=True)
def _no_wait_for_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only a power cut would tell the difference, and no test here makes one."""
    monkeypatch.setattr(log_sync, "make_durable", lambda _: None)


@pytest.fixture
def mirrored(databases: Databases, tmp_path: Path) -> Iterator[Mirrored]:
    """A library with an empty mirror on SQLite and, in a second run, on PostgreSQL."""
    made = Mirrored(a_home(databases.fresh(migrate), tmp_path / "data"), tmp_path / "data")
    yield made
    made.home.library.storage.close()


@pytest.fixture
def on_sqlite(sqlite_source: SqliteDatabases, tmp_path: Path) -> Iterator[Mirrored]:
    """The same on SQLite alone, for what no database makes a difference to."""
    made = Mirrored(a_home(sqlite_source.fresh(migrate), tmp_path / "data"), tmp_path / "data")
    yield made
    made.home.library.storage.close()
    sqlite_source.discard()
