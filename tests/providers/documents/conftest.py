"""Which process apart do the tests of documents share?"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from vademecum.providers.documents.reading import SandboxedDocuments


@pytest.fixture(scope="module")
def documents() -> Iterator[SandboxedDocuments]:
    found = SandboxedDocuments()
    yield found
    found.close()
