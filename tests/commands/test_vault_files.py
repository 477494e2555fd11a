"""Do attachments and sheets pass through the vault's listener as it is served?"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.commands.vault_door import a_door
from tests.faces.installation import Wire
from vademecum.faces.mcp.vault_tools.toolset import VAULT_TOOLS
from vademecum.library.attaching import LARGEST_ATTACHMENT
from vademecum.model.vault import Switch

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    """The event loop that the server uses."""
    return "asyncio"


@pytest.fixture
async def wire(tmp_path: Path) -> AsyncIterator[Wire]:
    """A client of the vault, to read and to write."""
    door = a_door(tmp_path / "data", VAULT_TOOLS.tools)
    door.turn(Switch.WRITE, on=True)
    async with door.serving():
        await door.turned(on=True)
        async with door.wire() as opened:
            yield opened
    door.app.close()


def encoded(size: int) -> str:
    return b64encode(bytes(size)).decode()


@pytest.mark.claims("add-attachment.limit")
async def test_an_attachment_of_twenty_megabytes_is_taken_and_a_larger_one_refused(wire: Wire) -> None:
    note = await wire.ok("create_note", title="Note", markdown="text")
    largest = {"path": note["path"], "filename": "a.mp4", "data": encoded(LARGEST_ATTACHMENT)}
    assert (await wire.ok("add_attachment", **largest))["path"] == "a.mp4"
    larger = {**largest, "data": encoded(LARGEST_ATTACHMENT + 1)}
    assert await wire.refused("add_attachment", **larger) == "TOO_LARGE"
    files = (await wire.ok("list_files"))["files"]
    assert files == [{"path": "a.mp4", "kind": "video", "size": LARGEST_ATTACHMENT}]


async def test_what_reads_and_makes_sheets_is_there(wire: Wire) -> None:
    made = await wire.ok("create_sheet", title="Stores", rows=[["halyard", 2]])
    found = await wire.ok("read_sheet_range", path=made["path"], range="A:B")
    assert found["values"] == [["halyard", 2]]
    assert [one["path"] for one in (await wire.ok("search_notes", query="halyard"))["results"]] == [
        made["path"]
    ]
