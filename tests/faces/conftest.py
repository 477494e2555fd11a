"""What do tests of the faces share?"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from tests.databases import Databases, SqliteDatabases
from tests.faces.installation import Installation, Served, Wire, install, serving
from tests.storage.opening import migrate
from vademecum.faces.mcp.library_tools.toolset import LIBRARY_TOOLS
from vademecum.providers.documents.reading import SandboxedDocuments
from vademecum.storage import log_sync


@pytest.fixture(autouse=True)
def _no_wait_for_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only a power cut would tell the difference, and no test here makes one."""
    monkeypatch.setattr(log_sync, "make_durable", lambda _: None)


@pytest.fixture
def anyio_backend() -> str:
    """The event loop that the server uses."""
    return "asyncio"


@pytest.fixture(scope="module")
def documents() -> Iterator[SandboxedDocuments]:
    """What reads sheets and PDFs, in a process that the tests of a module share."""
    found = SandboxedDocuments()
    yield found
    found.close()


@pytest.fixture
def installation(sqlite_source: SqliteDatabases, tmp_path: Path) -> Iterator[Installation]:
    """A library on SQLite, for what no database makes a difference to."""
    installed = install(sqlite_source.fresh(migrate), tmp_path)
    yield installed
    installed.library.storage.close()
    sqlite_source.discard()


@pytest.fixture
def installation_on_each(databases: Databases, tmp_path: Path) -> Iterator[Installation]:
    """A library on SQLite and, in a second run, on PostgreSQL."""
    installed = install(databases.fresh(migrate), tmp_path)
    yield installed
    installed.library.storage.close()


@pytest.fixture
async def served(installation_on_each: Installation) -> AsyncIterator[Served]:
    """The library tool set, on each database."""
    async with serving(installation_on_each, LIBRARY_TOOLS) as running:
        yield running


@pytest.fixture
def wire(served: Served) -> Wire:
    """A client of the library tool set with a full key, on each database."""
    return served.wire
