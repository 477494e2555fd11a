"""Are notes, sheets, files and folders of a vault listed with where they lie?"""

from __future__ import annotations

import pytest

from tests.library.home import Home, an_id
from tests.library.vault import put, put_file
from vademecum.library.listing import (
    FileKind,
    Include,
    ListedFolder,
    file_kind,
    list_files,
    list_folders,
    list_notes,
)
from vademecum.library.saving import save_note
from vademecum.library.trash import delete_item
from vademecum.model.errors import InvalidInput, NotFound
from vademecum.model.items import Kind


@pytest.fixture
def vault(home: Home) -> Home:
    """Three notes, a sheet, a picture and a text file in three folders."""
    put(home, "Welcome.md", "hello")
    put(home, "Tea/Green/Sencha.md", "steamed", tags=("Japan",), frontmatter="---\na: 茶\n---\n")
    put(home, "Tea/Oolong.markdown", "rolled")
    put_file(home, "Tea/prices.XLSX", b"sheet", Kind.SHEET)
    put_file(home, "Tea/leaf.PNG", b"picture", Kind.IMAGE)
    put_file(home, "Tea/Green/list.csv", b"a,b")
    return home


def listed(home: Home, folder: str = "", limit: int = 200) -> list[str]:
    found = list_notes(home.library, home.owner, folder, archived=False, limit=limit)
    return [one.path for one in found]


def test_the_last_updated_notes_and_sheets_come_first(vault: Home) -> None:
    assert listed(vault) == ["Tea/prices.XLSX", "Tea/Oolong.markdown", "Tea/Green/Sencha.md", "Welcome.md"]
    assert listed(vault, limit=1) == ["Tea/prices.XLSX"]
    (first, *_) = list_notes(vault.library, vault.owner, "", archived=False, limit=1)
    assert (first.folder, first.item.title) == ("Tea", "prices.XLSX")


def test_a_folder_is_listed_with_all_below_it_however_its_name_is_written(vault: Home) -> None:
    assert listed(vault, "tea/GREEN/") == ["Tea/Green/Sencha.md"]
    assert set(listed(vault, "Tea")) == {"Tea/prices.XLSX", "Tea/Oolong.markdown", "Tea/Green/Sencha.md"}
    assert listed(vault, ".") == listed(vault)


@pytest.mark.parametrize("path", ["Coffee", "Tea/Sencha", "Welcome.md"])
def test_a_folder_that_is_not_there_is_told(vault: Home, path: str) -> None:
    with pytest.raises(NotFound, match="no folder"):
        listed(vault, path)


@pytest.mark.parametrize("path", ["../x", "/etc", "a/../../b", "%2e%2e/x", "Tea//x"])
def test_a_path_that_leaves_the_vault_is_refused(vault: Home, path: str) -> None:
    for call in (
        lambda: listed(vault, path),
        lambda: list_folders(vault.library, vault.owner, path, None),
        lambda: list_files(vault.library, vault.owner, path, recursive=True, include=Include.ALL),
    ):
        with pytest.raises(InvalidInput):
            call()


def test_what_lies_in_the_trash_is_not_listed(vault: Home) -> None:
    (sencha,) = list_notes(vault.library, vault.owner, "Tea/Green", archived=False, limit=9)
    delete_item(vault.library, vault.owner, sencha.item.item_id, sencha.item.version)
    assert listed(vault, "Tea/Green") == []
    assert list_folders(vault.library, vault.owner, "Tea/Green", None).total == 0


def test_nothing_of_another_account_is_listed(vault: Home) -> None:
    other = vault.somebody()
    save_note(vault.library, other, an_id(), "mine", "Mine")
    assert [one.path for one in list_notes(vault.library, other, "", archived=False, limit=9)] == [
        "Notes/Mine.md"
    ]
    with pytest.raises(NotFound):
        list_notes(vault.library, other, "Tea", archived=False, limit=9)


def files(home: Home, path: str, include: Include, *, recursive: bool = True) -> dict[str, tuple[str, int]]:
    found, truncated = list_files(home.library, home.owner, path, recursive=recursive, include=include)
    assert not truncated
    return {one.path: (one.kind.value, one.size) for one in found}


def test_files_are_listed_by_path_with_kind_and_size(vault: Home) -> None:
    assert files(vault, "", Include.FILES) == {
        "Tea/Green/list.csv": ("other", 3),
        "Tea/leaf.PNG": ("image", 7),
        "Tea/prices.XLSX": ("other", 5),
    }
    assert files(vault, "Tea/Green", Include.ALL) == {
        "Tea/Green/Sencha.md": ("note", len("steamed---\na: 茶\n---\n".encode())),
        "Tea/Green/list.csv": ("other", 3),
    }
    assert set(files(vault, "Tea", Include.NOTES, recursive=False)) == {"Tea/Oolong.markdown"}
    assert set(files(vault, "", Include.ALL, recursive=False)) == {"Welcome.md"}


def test_the_kind_of_a_file_follows_its_name() -> None:
    names = ("a.md", "b.JPG", "c.webm", "d.mp3", "e.pdf", "f", ".png")
    assert [file_kind(name) for name in names] == [
        FileKind.NOTE,
        FileKind.IMAGE,
        FileKind.VIDEO,
        FileKind.AUDIO,
        FileKind.OTHER,
        FileKind.OTHER,
        FileKind.OTHER,
    ]


def told(folder: ListedFolder) -> tuple[str, int, int, bool, list[object]]:
    inner: list[object] = [told(child) for child in folder.children]
    return folder.path, folder.documents, folder.total, folder.truncated, inner


def test_folders_are_a_tree_with_counts(vault: Home) -> None:
    green: tuple[object, ...] = ("Tea/Green", 1, 1, False, [])
    assert told(list_folders(vault.library, vault.owner, "", None)) == (
        "",
        1,
        4,
        False,
        [("Tea", 2, 3, False, [green])],
    )
    assert told(list_folders(vault.library, vault.owner, "tea", None)) == ("Tea", 2, 3, False, [green])


def test_where_the_depth_cuts_the_tree_it_says_so(vault: Home) -> None:
    cut = list_folders(vault.library, vault.owner, "", 1)
    assert told(cut) == ("", 1, 4, False, [("Tea", 2, 3, True, [])])


def test_at_most_two_thousand_folders_are_listed_those_near_the_top_first(
    sqlite_home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vademecum.library.listing.FOLDERS_MOST", 3)
    for path in ("a/x/y/1.md", "b/1.md", "c/1.md", "d/1.md"):
        put(sqlite_home, path)
    top = list_folders(sqlite_home.library, sqlite_home.owner, "", None)
    assert told(top) == (
        "",
        0,
        4,
        True,
        [("a", 0, 1, True, []), ("b", 1, 1, False, []), ("c", 1, 1, False, [])],
    )
