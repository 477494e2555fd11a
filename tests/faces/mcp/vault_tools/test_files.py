"""Are pictures, PDFs and texts of the vault given to the agent, and hostile ones refused?"""

from __future__ import annotations

import struct
from base64 import b64decode
from collections.abc import AsyncIterator

import pytest

from tests.faces.installation import ERAS, Installation
from tests.faces.mcp.vault_tools.filled import GIF, JPEG, PNG, WEBP, Filled, filled
from tests.providers.documents.samples import pdf
from vademecum.library.files import LARGEST_PICTURE, LONGEST_TEXT
from vademecum.ports.documents import Documents

pytestmark = pytest.mark.anyio
CHINESE = "品名,数量,单价\n绿茶,3,25\n红茶,10,30\n普洱茶,5,88\n"


@pytest.fixture
async def vault(installation: Installation, documents: Documents) -> AsyncIterator[Filled]:
    async with filled(installation, documents) as opened:
        yield opened


@pytest.mark.claims("view-image.block")
@pytest.mark.parametrize("version", ERAS)
async def test_a_picture_is_one_image_block_and_nothing_else(vault: Filled, version: str) -> None:
    vault.put_file("a.png", PNG)
    result = await vault.wire.using(version=version).result("view_image", path="a.png")
    (block,) = result["content"]
    assert (block["type"], block["mimeType"], b64decode(block["data"])) == ("image", "image/png", PNG)
    assert not result.get("isError")
    assert "structuredContent" not in result


@pytest.mark.claims("view-image.kinds")
@pytest.mark.parametrize(
    ("content", "media_type"),
    [(PNG, "image/png"), (JPEG, "image/jpeg"), (GIF, "image/gif"), (WEBP, "image/webp")],
)
async def test_a_picture_is_told_by_its_bytes_whatever_its_name(
    vault: Filled, content: bytes, media_type: str
) -> None:
    vault.put_file("Pictures/Called otherwise.txt", content)
    result = await vault.wire.result("view_image", path="Pictures/Called otherwise.txt")
    assert result["content"][0]["mimeType"] == media_type


async def test_a_picture_is_refused_where_it_is_none_or_more_than_a_client_can_take(vault: Filled) -> None:
    bomb = b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sII", 13, b"IHDR", 60_000, 60_000) + b"\x08\x06\0\0\0"
    wide = b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sII", 13, b"IHDR", 8_001, 2) + b"\x08\x06\0\0\0"
    files = {
        "text.png": b"no picture",
        "empty.png": b"",
        "cut.png": PNG[:18],
        "bomb.png": bomb,
        "wide.png": wide,
        "heavy.png": PNG + b"\0" * LARGEST_PICTURE,
    }
    told = {}
    for name, content in files.items():
        vault.put_file(name, content)
        told[name] = await vault.told("view_image", path=name)
    assert {name for name, said in told.items() if not said.startswith("DOCUMENT_REFUSED: ")} == set()
    assert "8,001 by 2 pixels" in told["wide.png"]
    assert f"{LARGEST_PICTURE + len(PNG):,} bytes" in told["heavy.png"]


@pytest.mark.claims("read-pdf.text")
async def test_a_pdf_is_read_by_its_text_layer(vault: Filled) -> None:
    vault.put_file("Paper.PDF", pdf("Green tea at eighty degrees.", "Second page"))
    found = await vault.ok("read_pdf", path="Paper.PDF")
    assert found == {
        "path": "Paper.PDF",
        "text": "Green tea at eighty degrees.\n\nSecond page",
        "truncated": False,
        "pages": 2,
    }


@pytest.mark.claims("read-pdf.scan")
async def test_a_scan_and_a_broken_pdf_are_refused(vault: Filled) -> None:
    vault.put_file("scan.pdf", pdf("", ""))
    vault.put_file("broken.pdf", pdf("text")[:200])
    vault.put_file("none.pdf", b"\0" * 5_000)
    assert "no text layer" in await vault.told("read_pdf", path="scan.pdf")
    assert "damaged" in await vault.told("read_pdf", path="broken.pdf")
    assert "damaged" in await vault.told("read_pdf", path="none.pdf")


@pytest.mark.claims("read-file.text")
@pytest.mark.parametrize(
    ("name", "content", "text"),
    [
        ("log.txt", b"one\r\ntwo", "one\r\ntwo"),
        ("rows.csv", CHINESE.encode("gb18030"), CHINESE),
        ("rows.tsv", b"a\tb", "a\tb"),
        ("data.json", b'{"a": 1}', '{"a": 1}'),
        ("marked.log", "﻿茶".encode("utf-16-le"), "茶"),
        ("drawing.svg", b"<svg/>", "<svg/>"),
        ("LICENSE", b"MIT", "MIT"),
        ("empty.txt", b"", ""),
    ],
)
async def test_a_text_file_is_decoded(vault: Filled, name: str, content: bytes, text: str) -> None:
    vault.put_file(name, content)
    assert await vault.ok("read_file", path=name) == {"path": name, "text": text, "truncated": False}


async def test_a_long_text_is_read_on_where_it_was_cut(vault: Filled) -> None:
    text = "茶" * LONGEST_TEXT + "the end"
    vault.put_file("long.txt", text.encode())
    first = await vault.ok("read_file", path="long.txt")
    assert (first["text"], first["truncated"], first["nextStart"]) == (
        "茶" * LONGEST_TEXT,
        True,
        LONGEST_TEXT,
    )
    rest = await vault.ok("read_file", path="long.txt", start=first["nextStart"])
    assert rest == {"path": "long.txt", "text": "the end", "truncated": False}
    beyond = await vault.ok("read_file", path="long.txt", start=10**9)
    assert (beyond["text"], beyond["truncated"]) == ("", False)


async def test_of_a_huge_file_the_beginning_is_read(vault: Filled) -> None:
    vault.put_file("huge.csv", b"a,b\n" * (100 * 1024 * 1024 // 4))
    found = await vault.ok("read_file", path="huge.csv")
    assert (found["text"][:8], found["truncated"]) == ("a,b\na,b\n", True)
    end = await vault.ok("read_file", path="huge.csv", start=10 * 1024 * 1024 - 4)
    assert end == {"path": "huge.csv", "text": "a,b\n", "truncated": True}


@pytest.mark.claims("read-file.right-tool")
@pytest.mark.parametrize(
    ("name", "named"),
    [
        ("Note.md", "read_note"),
        ("Paper.pdf", "read_pdf"),
        ("Picture.PNG", "view_image"),
        ("Sheet.xlsx", "read_sheet_range"),
    ],
)
async def test_what_other_tools_read_is_refused_naming_them(vault: Filled, name: str, named: str) -> None:
    if name == "Note.md":
        vault.put(name, "text")
    else:
        vault.put_file(name, b"text")
    said = await vault.told("read_file", path=name)
    assert said.startswith("INVALID_INPUT: path: is ")
    assert named in said


async def test_what_is_no_text_is_refused_and_so_is_what_is_not_there(vault: Filled) -> None:
    vault.put_file("program.bin", b"\x7fELF\0\0\0\x01" * 100)
    vault.put_file("picture.txt", PNG * 100)
    for name in ("program.bin", "picture.txt"):
        assert "is not text" in await vault.told("read_file", path=name)
    for tool in ("read_file", "read_pdf", "view_image", "read_sheet_range", "list_attachments"):
        assert (await vault.told(tool, path="gone.txt")).startswith("NOT_FOUND: ")
        for outside in ("../etc/passwd", "/etc/passwd", "a/%2e%2e/%2e%2e/x"):
            assert (await vault.told(tool, path=outside)).startswith("INVALID_INPUT: ")


async def test_a_library_without_a_reader_of_documents_says_so(installation: Installation) -> None:
    async with filled(installation, None) as vault:
        vault.put_file("Paper.pdf", pdf("text"))
        vault.put_file("rows.csv", b"a,b")
        assert (await vault.told("read_pdf", path="Paper.pdf")).startswith("PROVIDER_UNAVAILABLE: ")
        assert (await vault.told("read_sheet_range", path="rows.csv")).startswith("PROVIDER_UNAVAILABLE: ")
        assert (await vault.ok("read_file", path="rows.csv"))["text"] == "a,b"
