"""Are sheets that are imported found by their cells, and broken ones kept?"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.importers.vaults import bring_in, items, whole, write
from tests.library.home import Home
from tests.providers.documents.samples import of_parts, sheet_xml, with_formulas
from vademecum.model.items import Kind
from vademecum.providers.documents.reading import SandboxedDocuments


@pytest.fixture(scope="module")
def documents() -> Iterator[SandboxedDocuments]:
    found = SandboxedDocuments()
    yield found
    found.close()


@pytest.fixture
def desk(home: Home, documents: SandboxedDocuments) -> Home:
    return home.with_ports(documents=documents)


def test_cells_are_found_and_read_with_their_values(desk: Home, root: Path) -> None:
    write(root, {"S.xlsx": with_formulas(), "t.csv": "name;amount\nhalyard;00501\n", "u.TSV": "spar\tmast\n"})
    report = bring_in(desk, root)
    assert report.warnings == []
    assert (desk.found("Lamp 37.5"), desk.found("00501"), desk.found("mast")) == (
        ["S.xlsx"],
        ["t.csv"],
        ["u.TSV"],
    )
    sheet = whole(desk, "S.xlsx")
    assert sheet.item.kind is Kind.SHEET
    assert sheet.body.splitlines()[:4] == [
        "# Budget 2027",
        "",
        "Item\tQty\tPrice\tTotal\tWhen\tShare",
        "Lamp\t3\t12.5\t37.5\t2027-03-14\t8.6%",
    ]
    assert whole(desk, "t.csv").body == "# Sheet1\n\nname\tamount\nhalyard\t00501"


def test_a_broken_sheet_is_kept_and_told(desk: Home, root: Path) -> None:
    bomb = of_parts(sheet_xml(""), {"xl/media/image1.png": b"\0" * 200_000_000})
    strange = of_parts(sheet_xml('<row r="1"><c r="A1" t="str"><v>a_x0000_halyard</v></c></row>'))
    write(root, {"a.xlsx": with_formulas()[:-400], "b.xlsx": bomb, "c.csv": "spar\0", "d.xlsx": strange})
    report = bring_in(desk, root)
    assert [(path, said.partition(":")[0]) for path, said in sorted(report.warnings)] == [
        ("a.xlsx", "its cells cannot be read (damaged beyond reading)"),
        ("b.xlsx", "its cells cannot be read (too large)"),
        ("c.csv", "holds the character NUL, first at 4"),
    ]
    assert set(items(desk)) == {"a.xlsx", "b.xlsx", "c.csv", "d.xlsx"}
    assert (desk.found("spar"), desk.found("a.xlsx")) == (["c.csv"], ["a.xlsx"])


def test_without_a_reader_of_documents_a_sheet_is_found_by_its_name(home: Home, root: Path) -> None:
    write(root, {"S.xlsx": with_formulas(), "t.csv": "name,amount\nhalyard,3\n"})
    bring_in(home, root)
    assert (home.found("Lamp"), home.found("halyard"), home.found("S.xlsx")) == ([], ["t.csv"], ["S.xlsx"])
