"""Does the vault's endpoint, on its own listener, conform in everything that it offers?"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.commands.vault_door import Door, a_door
from tests.conformance.injector import injecting
from tests.conformance.suite import GENERIC_CASES, baseline, conforms
from vademecum.faces.mcp.vault_tools.toolset import VAULT_TOOLS
from vademecum.model.vault import Switch

BASELINE = Path(__file__).with_name("baseline_vault.yml")
SECONDS = 60


def _serve(door: Door, ending: threading.Event) -> None:
    async def serving() -> None:
        async with door.serving():
            await asyncio.to_thread(ending.wait)

    asyncio.run(serving())


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The vault's endpoint with every switch on, opened with its token to a client that has none."""
    door = a_door(tmp_path_factory.mktemp("vault") / "data", VAULT_TOOLS.tools)
    for switch in Switch:
        door.turn(switch, on=True)
    ending = threading.Event()
    thread = threading.Thread(target=_serve, args=(door, ending))
    thread.start()
    end = time.monotonic() + SECONDS
    while (port := door.file.read().port) is None:
        assert time.monotonic() < end
        time.sleep(0.05)
    token = door.file.ensure_token(door.app.library)
    with injecting(port, token) as address:
        yield f"{address}/mcp"
    ending.set()
    thread.join(SECONDS)
    assert not thread.is_alive()
    door.app.close()


@pytest.mark.parametrize(("revision", "scenario"), GENERIC_CASES)
def test_the_vault_conforms_but_for_what_the_baseline_explains(
    url: str, tmp_path: Path, revision: str, scenario: str
) -> None:
    conforms(url, tmp_path, BASELINE, (revision, scenario))


def test_every_entry_of_the_baseline_is_of_a_scenario_that_is_run() -> None:
    assert {scenario for scenario, _ in baseline(BASELINE)} <= {scenario for _, scenario in GENERIC_CASES}
