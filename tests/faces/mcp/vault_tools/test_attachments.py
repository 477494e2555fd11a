"""Does an agent see which files belong to a note, and attach others (contracts 3.4)?"""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import AsyncIterator

import pytest

from tests.faces.installation import Installation
from tests.faces.mcp.vault_tools.filled import PNG, Filled, filled
from vademecum.library.drafts import NewDraft, keep_draft
from vademecum.library.notes import read_note
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


async def version(vault: Filled, path: str) -> str:
    found: str = (await vault.ok("read_note", path=path))["version"]
    return found


@pytest.mark.claims("add-attachment.answer", "add-attachment.default", "add-attachment.body-version")
async def test_content_is_stored_beside_the_note_and_a_picture_stands_in_its_text(vault: Filled) -> None:
    vault.put("Tea/Note.md", "text")
    read = await version(vault, "Tea/Note.md")
    arguments = {"path": "Tea/Note.md", "data": b64encode(PNG).decode(), "filename": "a.png"}
    told = await vault.ok("add_attachment", **arguments, version=read)
    assert told == {"path": "Tea/a.png", "reference": "![[a.png]]", "placement": "body", "copied": True}
    said = await vault.told("update_note", path="Tea/Note.md", markdown="new", version=read)
    assert said.startswith("VERSION_CONFLICT: ")
    assert (await vault.ok("read_note", path="Tea/Note.md"))["markdown"].endswith("text\n\n![[a.png]]\n")
    again = await vault.ok("add_attachment", **arguments)
    assert (again["path"], again["reference"]) == ("Tea/a 2.png", "![[a 2.png]]")
    result = await vault.wire.result("view_image", path=again["path"])
    assert b64decode(result["content"][0]["data"]) == PNG


@pytest.mark.claims("add-attachment.panel-version", "list-attachments.panel")
async def test_what_goes_into_the_panel_leaves_the_text_and_gives_the_version(vault: Filled) -> None:
    vault.put("Note.md", "text")
    read = await version(vault, "Note.md")
    told = await vault.ok("add_attachment", path="Note.md", data="QUJD", filename="a.txt", version=read)
    assert told["version"] == await version(vault, "Note.md") != read
    assert (told["reference"], told["placement"], told["copied"]) == ("", "panel", True)
    assert await listed(vault, "Note.md") == [("a.txt", "", "panel", "text", True, 3, "read_file")]
    await vault.ok("update_note", path="Note.md", markdown="new", version=told["version"])
    stale = await vault.ok("add_attachment", path="Note.md", data="QUJD", filename="b.txt", version=read)
    assert "version" not in stale


@pytest.mark.claims("add-attachment.file")
async def test_a_file_of_the_vault_is_referred_to(vault: Filled) -> None:
    vault.put("Note.md", "text")
    vault.put_file("Pics/a.png", PNG)
    told = await vault.ok("add_attachment", path="Note.md", file="Pics/a.png", placement="panel")
    assert told == {"path": "Pics/a.png", "reference": "", "placement": "panel", "copied": False}
    assert [one["path"] for one in (await vault.ok("list_files"))["files"]] == ["Pics/a.png"]


@pytest.mark.claims("add-attachment.outside", "add-attachment.kinds")
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"file": "/etc/hosts"}, "INVALID_INPUT: file: must be relative"),
        ({"file": "../x.png"}, "INVALID_INPUT: file: may not hold"),
        ({"file": "gone.png"}, "NOT_FOUND: "),
        (
            {"data": "QUJD", "filename": "a.exe"},
            "INVALID_INPUT: filename: has to end as the name of an image",
        ),
        ({"data": "QU JD", "filename": "a.txt"}, "INVALID_INPUT: data: is not base64"),
        ({"data": "QUJD"}, "INVALID_INPUT: filename: "),
        ({}, "INVALID_INPUT: data: send either"),
        ({"data": "QUJD", "filename": "a.txt", "placement": "top"}, "INVALID_INPUT: placement"),
    ],
)
async def test_what_cannot_be_attached_is_refused(
    vault: Filled, arguments: dict[str, str], said: str
) -> None:
    vault.put("Note.md", "text")
    assert (await vault.told("add_attachment", path="Note.md", **arguments)).startswith(said)
    assert (await vault.ok("list_files"))["files"] == []


@pytest.mark.claims("add-attachment.edited")
async def test_nothing_is_attached_while_the_note_is_edited(vault: Filled) -> None:
    vault.put("Note.md", "text")
    library, owner = vault.home.library, vault.home.owner
    item_id = read_note(library, owner, "Note.md").item.item_id
    keep_draft(library, owner, NewDraft("...", item_id=item_id, base_version=1))
    said = await vault.told("add_attachment", path="Note.md", data="QUJD", filename="a.txt")
    assert said.startswith("BEING_EDITED: ")


@pytest.mark.claims("attached-markdown.note")
async def test_markdown_that_is_attached_is_read_as_a_note(vault: Filled) -> None:
    vault.put("Tea/Note.md", "text")
    data = b64encode(b"# Plan\n").decode()
    told = await vault.ok("add_attachment", path="Tea/Note.md", data=data, filename="plan.md")
    assert (await vault.ok("read_note", path=told["path"]))["title"] == "Plan"
    (one,) = await listed(vault, "Tea/Note.md")
    assert one == ("Tea/plan.md", "", "panel", "text", True, 7, "")


async def test_a_hostile_file_is_stored_as_it_is_and_refused_when_it_is_read(vault: Filled) -> None:
    vault.put("Note.md", "text")
    bomb = b"\x89PNG\r\n\x1a\n" + b"\0\0\0\rIHDR" + b"\0\1\0\0" * 2 + b"\x08\x06\0\0\0"
    for name, content, tool in (
        ("bomb.png", bomb, "view_image"),
        ("broken.pdf", b"%PDF-1.7\n" + b"[" * 100_000, "read_pdf"),
        ("binary.csv", b"\0\x01" * 50_000, "read_sheet_range"),
    ):
        data = b64encode(content).decode()
        told = await vault.ok("add_attachment", path="Note.md", data=data, filename=name)
        assert (await vault.told(tool, path=told["path"])).startswith("DOCUMENT_REFUSED: ")
