"""On which event loop do tests of the faces run?"""

from __future__ import annotations

import pytest


@pytest.fixture
def anyio_backend() -> str:
    """The one that the server uses."""
    return "asyncio"
