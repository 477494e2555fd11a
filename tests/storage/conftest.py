"""What do storage tests share?"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.databases import Databases
from tests.storage import opening
from tests.storage.samples import add_people
from vademecum.ports.storage import Storage
from vademecum.storage import log_sync


@pytest.fixture(autouse=True)
def _no_wait_for_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only a power cut would tell the difference, and no test makes one."""
    monkeypatch.setattr(log_sync, "make_durable", lambda _: None)


@pytest.fixture
def library_url(databases: Databases) -> str:
    """The address of an empty library."""
    return databases.fresh(opening.migrate)


@pytest.fixture
def storage(library_url: str) -> Iterator[Storage]:
    """A library with an account and two spaces."""
    opened = opening.open_at(library_url)
    add_people(opened)
    yield opened
    opened.close()
