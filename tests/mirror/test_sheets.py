"""Does a sheet on disk follow the library, and the library the sheet?"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.library.home import Home
from tests.mirror.folder import Mirrored
from vademecum.library.sheets import create_sheet
from vademecum.providers.documents.reading import SandboxedDocuments
from vademecum.providers.documents.workbook_file import write_workbook


@pytest.fixture
def documents() -> Iterator[SandboxedDocuments]:
    found = SandboxedDocuments()
    yield found
    found.close()


def test_a_sheet_that_was_made_here_and_changed_outside_is_found_by_what_it_holds_now(
    mirrored: Mirrored, documents: SandboxedDocuments
) -> None:
    home: Home = mirrored.home.with_ports(documents=documents)
    mirrored.home = home
    mirrored.restart()
    create_sheet(home.library, home.owner, "Stores", [["halyard"]], "")
    mirrored.step()
    assert set(mirrored.disk()) == {"Stores.xlsx"}
    mirrored.put("Stores.xlsx", write_workbook("Stores", [["spinnaker"]]))
    mirrored.step()
    assert (home.found("spinnaker"), home.found("halyard")) == (["Stores"], [])
    assert mirrored.at("Stores.xlsx").body == "# Stores\n\nspinnaker"
