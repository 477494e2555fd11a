"""Are audit rows kept whatever storage does?"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from typing import Any

import pytest

from tests.faces.installation import Installation
from vademecum.faces.http.offload import Offload
from vademecum.faces.mcp.server import journal as journal_module
from vademecum.faces.mcp.server.journal import Journal
from vademecum.library.auditing import read_entry, recent, record
from vademecum.model.errors import StorageFull

pytestmark = pytest.mark.anyio


@pytest.fixture
def offload() -> Iterator[Offload]:
    with Offload() as opened:
        yield opened


def _note(journal: Journal, installation: Installation, tool: str) -> None:
    entry = read_entry(installation.library, installation.owner, tool, None, "ok")
    journal.note(installation.owner, entry)


def _tools(installation: Installation) -> list[str]:
    return sorted(row.tool for row in recent(installation.library, installation.owner, 50))


async def test_many_rows_are_kept_in_one_write(
    installation: Installation, offload: Offload, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes: list[int] = []

    def counted(library: Any, batch: Any) -> None:
        sizes.append(len(batch))
        record(library, batch)

    monkeypatch.setattr(journal_module, "record", counted)
    journal = Journal(installation.library, offload)
    for number in range(20):
        _note(journal, installation, f"tool-{number:02}")
    await journal.flush()
    assert (sizes, _tools(installation)) == ([20], [f"tool-{number:02}" for number in range(20)])


async def test_rows_are_kept_while_the_server_runs(installation: Installation, offload: Offload) -> None:
    journal = Journal(installation.library, offload)
    async with journal.running(), asyncio.timeout(30):
        for tool in ("first", "second"):
            _note(journal, installation, tool)
            while tool not in _tools(installation):
                await asyncio.to_thread(time.sleep, 0.05)


async def test_what_storage_refuses_waits_for_the_next_time(
    installation: Installation, offload: Offload, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any) -> None:
        raise StorageFull

    journal = Journal(installation.library, offload)
    _note(journal, installation, "first")
    with monkeypatch.context() as patched:
        patched.setattr(journal_module, "record", full)
        await journal.flush()
    _note(journal, installation, "second")
    await journal.flush()
    assert _tools(installation) == ["first", "second"]


async def test_only_so_many_rows_wait_and_the_oldest_go_first(
    installation: Installation, offload: Offload
) -> None:
    journal = Journal(installation.library, offload, most=3)
    for number in range(5):
        _note(journal, installation, f"tool-{number}")
    await journal.flush()
    assert _tools(installation) == ["tool-2", "tool-3", "tool-4"]


async def test_a_failure_that_no_one_foresaw_ends_neither_journal_nor_server(
    installation: Installation,
    offload: Offload,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def crash(*_: Any) -> None:
        raise RuntimeError

    journal = Journal(installation.library, offload)
    async with journal.running():
        _note(journal, installation, "lost")
        with monkeypatch.context() as patched:
            patched.setattr(journal_module, "record", crash)
            await journal.flush()
        _note(journal, installation, "kept")
    assert _tools(installation) == ["kept"]
    assert [record.getMessage() for record in caplog.records] == ["1 audit rows were lost"]
