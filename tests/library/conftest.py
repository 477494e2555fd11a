"""What do tests of the use cases share?"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.databases import Databases, SqliteDatabases
from tests.library.home import Home, a_home
from tests.storage.opening import migrate
from vademecum.providers.documents.reading import SandboxedDocuments
from vademecum.storage import log_sync


@pytest.fixture(autouse=True)
def _no_wait_for_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only a power cut would tell the difference, and no test here makes one."""
    monkeypatch.setattr(log_sync, "make_durable", lambda _: None)


@pytest.fixture
def home(databases: Databases, tmp_path: Path) -> Iterator[Home]:
    """A library on SQLite and, in a second run, on PostgreSQL, with an embedder that knows words."""
    made = a_home(databases.fresh(migrate), tmp_path)
    yield made
    made.library.storage.close()


@pytest.fixture
def sqlite_home(sqlite_source: SqliteDatabases, tmp_path: Path) -> Iterator[Home]:
    """A library on SQLite, for what no database makes a difference to."""
    made = a_home(sqlite_source.fresh(migrate), tmp_path)
    yield made
    made.library.storage.close()
    sqlite_source.discard()


@pytest.fixture(scope="module")
def documents() -> Iterator[SandboxedDocuments]:
    """What reads sheets and PDFs, in a process that the tests of a module share."""
    found = SandboxedDocuments()
    yield found
    found.close()


@pytest.fixture
def desk(home: Home, documents: SandboxedDocuments) -> Home:
    """The library with what reads documents, on each database."""
    return home.with_ports(documents=documents)
