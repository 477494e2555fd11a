"""Is a note of the vault read as one text, whole or in part, and only a note?"""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.library.home import Home
from tests.library.vault import put, put_file
from vademecum.library.notes import read_note
from vademecum.library.spaces import create_space
from vademecum.model.errors import InvalidInput, NotFound, VersionNeeded
from vademecum.model.items import Kind
from vademecum.model.versions import version_from, version_token

HEADER = "---\ntitle: Green\ntags: [tea]\nbrew: 80 °C # not more\n---\n"


def test_a_note_is_read_with_its_own_keys_then_its_body_byte_for_byte(home: Home) -> None:
    body = "\r\n# Green\x85\u2028\n\ttabs \x0c\rend"
    put(home, "Tea/Green.md", body, frontmatter=HEADER, tags=("tea",))
    read = read_note(home.library, home.owner, "tea/GREEN.md")
    assert read.markdown == "---\nbrew: 80 °C # not more\ntype: Note\n---\n" + body
    assert (read.path, read.item.title, read.item.tags) == ("Tea/Green.md", "Green", ("tea",))
    assert (read.start_line, read.end_line, read.total_lines, read.partial) == (1, 8, 8, False)
    assert read.version == version_token(read.item.item_id, 1)


def test_some_lines_have_no_version(home: Home) -> None:
    put(home, "Long.md", "one\r\ntwo\rthree\n")

    def lines(offset: int | None, limit: int | None) -> tuple[str, int, int, int, bool, bool]:
        read = read_note(home.library, home.owner, "Long.md", offset, limit)
        told = read.start_line, read.end_line, read.total_lines, read.partial
        return read.markdown, *told, read.version is not None

    assert lines(4, None) == ("one\r\ntwo\rthree\n", 4, 6, 6, True, False)
    assert lines(5, 1) == ("two\r", 5, 5, 6, True, False)
    assert lines(None, 3) == ("---\r\ntype: Note\r\n---\r\n", 1, 3, 6, True, False)
    assert lines(7, None) == lines(7, 5) == ("", 7, 6, 6, True, False)
    assert lines(1, 6)[1:] == lines(None, 100)[1:] == (1, 6, 6, False, True)


def test_what_is_no_note_is_refused_by_naming_the_tool_for_it(home: Home) -> None:
    put_file(home, "Budget.xlsx", b"sheet", Kind.SHEET)
    put_file(home, "Manual.PDF", b"%PDF", Kind.PDF)
    put_file(home, "Cup.jpg", b"picture", Kind.IMAGE)
    put_file(home, "list.csv", b"a,b")
    tools = {
        "Budget.xlsx": "read_sheet_range",
        "Manual.PDF": "read_pdf",
        "Cup.jpg": "view_image",
        "list.csv": "read_file",
    }
    for path, tool in tools.items():
        with pytest.raises(InvalidInput, match=tool):
            read_note(home.library, home.owner, path)


@pytest.mark.parametrize("path", ["", ".", "Tea", "Green.md", "Tea/Green", "Tea/Green.md/x"])
def test_what_is_not_there_is_not_found(home: Home, path: str) -> None:
    put(home, "Tea/Green.md")
    with pytest.raises(NotFound):
        read_note(home.library, home.owner, path)


@pytest.mark.parametrize(
    "path", ["../Green.md", "/etc/passwd", "Tea/%2e%2e/%2e%2e/x.md", "Tea\\..\\..\\x.md"]
)
def test_a_path_that_leaves_the_vault_is_refused(home: Home, path: str) -> None:
    with pytest.raises(InvalidInput, match="path"):
        read_note(home.library, home.owner, path)


def test_only_the_open_space_is_read(home: Home) -> None:
    other = create_space(home.library, home.owner, "other", "Other")
    put(home, "Green.md", "mine")
    elsewhere = replace(home.owner_again(), spaces=(other.space_id,))
    with pytest.raises(NotFound):
        read_note(home.library, elsewhere, "Green.md")


def test_a_version_is_opaque_and_of_one_note_alone() -> None:
    one, other = "0b8f2a7e-6f5e-4f0e-9d0e-2f1f7d3f9a10", "1b8f2a7e-6f5e-4f0e-9d0e-2f1f7d3f9a10"
    token = version_token(one, 41)
    assert version_from(token, one) == version_from(f" {token}\n", one) == 41
    assert len({version_token(one, 41), version_token(one, 42), version_token(other, 41)}) == 3
    changed = token[:-1] + ("A" if token[-1] != "A" else "B")
    for wrong in (None, "", "  ", "41", token[:-4], token + "AAAA", changed, "é" * 40, token.swapcase()):
        with pytest.raises(VersionNeeded):
            version_from(wrong, one)
    with pytest.raises(VersionNeeded, match="another note"):
        version_from(token, other)
