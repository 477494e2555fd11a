"""Does an agent see which files belong to a note (contracts 3.4.1)?"""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.faces.installation import Installation
from tests.faces.mcp.vault_tools.filled import PNG, Filled, filled
from vademecum.ports.documents import Documents

pytestmark = pytest.mark.anyio
KEYS = ("path", "reference", "where", "kind", "exists", "size", "readWith")


@pytest.fixture
async def vault(installation_on_each: Installation, documents: Documents) -> AsyncIterator[Filled]:
    async with filled(installation_on_each, documents) as opened:
        yield opened


async def listed(vault: Filled, path: str) -> list[tuple[object, ...]]:
    found = await vault.ok("list_attachments", path=path)
    assert not found["truncated"]
    return [tuple(one[key] for key in KEYS) for one in found["attachments"]]


@pytest.mark.claims("list-attachments.answer", "list-attachments.body", "read-with.kind")
async def test_files_of_the_text_are_listed_in_order(vault: Filled) -> None:
    for path in ("Tea/a.png", "b b.pdf", "Tea/c.csv", "d.mp4", "e.mp3", "f.docx", "g.xlsx", "h.svg"):
        vault.put_file(path, PNG)
    vault.put("Other.md", "x")
    size = len(PNG)
    body = (
        "![[a.png|300]] and ![alt](a.png) `![[code.png]]` ![far](https://example.org/x.png)\n\n"
        "[paper](<../b b.pdf>) [[c.csv]] ![[d.mp4]] ![[e.mp3]] [[f.docx]] [[g.xlsx]] ![](/h.svg)\n\n"
        "[[Other]] ![[Other]] [[Not yet]] [[Version 2.0]] ![[a.png|300]]\n"
    )
    vault.put("Tea/Note.md", body)
    assert await listed(vault, "Tea/Note.md") == [
        ("Tea/a.png", "![[a.png|300]]", "body", "image", True, size, "view_image"),
        ("Tea/a.png", "![alt](a.png)", "body", "image", True, size, "view_image"),
        ("b b.pdf", "[paper](<../b b.pdf>)", "body", "pdf", True, size, "read_pdf"),
        ("Tea/c.csv", "[[c.csv]]", "body", "text", True, size, "read_file"),
        ("d.mp4", "![[d.mp4]]", "body", "video", True, size, ""),
        ("e.mp3", "![[e.mp3]]", "body", "audio", True, size, ""),
        ("f.docx", "[[f.docx]]", "body", "other", True, size, ""),
        ("g.xlsx", "[[g.xlsx]]", "body", "other", True, size, ""),
        ("h.svg", "![](/h.svg)", "body", "image", True, size, "read_file"),
    ]


@pytest.mark.claims("list-attachments.missing")
async def test_files_that_are_not_there_are_told_so(vault: Filled) -> None:
    vault.put(
        "Tea/Note.md",
        "![[gone.png]] ![x](img/gone.pdf) ![[Pics/gone.jpg]] ![[x.strange]] [t](../../../up.txt)",
    )
    assert await listed(vault, "Tea/Note.md") == [
        ("Tea/gone.png", "![[gone.png]]", "body", "image", False, 0, "view_image"),
        ("Tea/img/gone.pdf", "![x](img/gone.pdf)", "body", "pdf", False, 0, "read_pdf"),
        ("Pics/gone.jpg", "![[Pics/gone.jpg]]", "body", "image", False, 0, "view_image"),
        ("Tea/x.strange", "![[x.strange]]", "body", "other", False, 0, ""),
        ("up.txt", "[t](../../../up.txt)", "body", "text", False, 0, "read_file"),
    ]


@pytest.mark.claims("read-with.passes")
async def test_a_listed_path_is_taken_by_the_tool_that_is_named(vault: Filled) -> None:
    vault.put_file("Tea/a.png", PNG)
    vault.put_file("Tea/t.txt", b"text")
    vault.put("Tea/Note.md", "![[a.png]] [[t.txt]]")
    for one in (await vault.ok("list_attachments", path="Tea/Note.md"))["attachments"]:
        result = await vault.wire.result(one["readWith"], path=one["path"])
        assert not result["isError"]


async def test_only_notes_have_attachments_and_most_are_cut(vault: Filled) -> None:
    vault.put_file("a.png", PNG)
    assert "view_image" in await vault.told("list_attachments", path="a.png")
    vault.put("Many.md", " ".join(f"![[{number}.png]]" for number in range(1_001)))
    found = await vault.ok("list_attachments", path="Many.md")
    assert (len(found["attachments"]), found["truncated"]) == (1_000, True)
