"""What do tests of the contract share?

The tests of a module share one library on each database; each test has an account of its own in it, so that
it may say exactly what is there.
"""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator, Iterator

import pytest

from tests.contract.account import Account
from tests.databases import Databases
from tests.faces.installation import Installation, Served, install, serving
from tests.faces.mcp.library_tools.contract import ContractWire
from tests.library.fakes import WordEmbedder
from tests.storage.opening import migrate
from vademecum.faces.mcp.library_tools.toolset import LIBRARY_TOOLS
from vademecum.library.connecting import create_account, person
from vademecum.storage import log_sync

_numbers = itertools.count(1)


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    """The event loop that the server uses."""
    return "asyncio"


@pytest.fixture(scope="module", autouse=True)
def _no_wait_for_the_disk() -> Iterator[None]:
    """Only a power cut would tell the difference, and no test here makes one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(log_sync, "make_durable", lambda _: None)
        yield


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def shared(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Installation]:
    """A library on SQLite and, in a second run, on PostgreSQL; its embedder knows one synonym."""
    source: Databases = request.getfixturevalue(f"{request.param}_source")
    embedder = WordEmbedder(meanings={"sofa": "couch"})
    folder = tmp_path_factory.mktemp("contract")
    installed = install(source.fresh(migrate), folder, embedder=embedder)
    yield installed
    installed.library.storage.close()
    source.discard()


@pytest.fixture(scope="module")
async def running(shared: Installation) -> AsyncIterator[Served]:
    """The library tool set over it."""
    async with serving(shared, LIBRARY_TOOLS) as served:
        yield served


@pytest.fixture
def account(running: Served) -> Account:
    """A new account without any item."""
    library, clock = running.installation.library, running.installation.clock
    name = f"reader{next(_numbers)}"
    create_account(library, name, password=None, is_owner=False)
    return Account(Installation(library, clock, person(library, name)), running.wire.client)


@pytest.fixture
def wire(account: Account) -> ContractWire:
    """A client of the account with a full key that holds every answer to its schema."""
    return account.wire()
