"""What do tests of the library tools share?"""

from __future__ import annotations

import pytest

from tests.faces.installation import Served
from tests.faces.mcp.library_tools.contract import ContractWire


@pytest.fixture
def wire(served: Served) -> ContractWire:
    """A client with a full key, on each database, that holds every answer to its schema."""
    return ContractWire(served.wire.client, served.wire.key)


@pytest.fixture
def reader(served: Served, wire: ContractWire) -> ContractWire:
    """The same with a key that may only read."""
    return wire.using(key=served.installation.key("read_only"))
