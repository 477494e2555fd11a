"""What do tests of the vault tools share?"""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.faces.installation import Installation
from tests.faces.mcp.vault_tools.contract import VaultWire, vault_over


@pytest.fixture
async def vault(installation_on_each: Installation) -> AsyncIterator[VaultWire]:
    """A client of the vault with every switch on, on each database."""
    async with vault_over(installation_on_each) as wire:
        yield wire
