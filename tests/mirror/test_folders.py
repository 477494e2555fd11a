"""Do folders on disk and in the library follow each other, and keep what they are?"""

from __future__ import annotations

import shutil

from tests.mirror.folder import Mirrored
from vademecum.library.changing import begin_change
from vademecum.library.places import tree_of
from vademecum.model.items import Folder
from vademecum.model.names import name_key
from vademecum.model.revisions import FolderAction


def _folders(mirrored: Mirrored) -> dict[str, str]:
    """Ids of folders by their paths."""
    space_id = mirrored.home.owner.spaces[0]
    with mirrored.home.library.storage.read() as tx:
        tree = tree_of(tx, space_id)
        return {tree.path_of(folder.folder_id): folder.folder_id for folder in tx.folders.list(space_id)}


def _move(mirrored: Mirrored, path: str, parent: str | None, name: str) -> None:
    """Move a folder in the library."""
    owner, library = mirrored.home.owner, mirrored.home.library
    ids = _folders(mirrored)
    with library.storage.write() as tx:
        change = begin_change(library, tx, owner, owner.spaces[0], "test")
        folder = tx.folders.find(owner.spaces[0], ids[path])
        assert folder is not None
        moved = Folder(
            folder.space_id, folder.folder_id, ids[parent] if parent else None, name, folder.created_at
        )
        assert tx.folders.move(moved, name_key(name), change)


def _remove(mirrored: Mirrored, path: str) -> None:
    owner, library = mirrored.home.owner, mirrored.home.library
    with library.storage.write() as tx:
        change = begin_change(library, tx, owner, owner.spaces[0], "test")
        folder = tx.folders.find(owner.spaces[0], _folders(mirrored)[path])
        assert folder is not None
        tx.folders.remove(folder, change)


def _filled(mirrored: Mirrored) -> dict[str, str]:
    """Two folders, one within the other, with a note in each; the ids of the items by name."""
    mirrored.step(1)
    mirrored.put("Tea/Green.md", "green")
    mirrored.put("Tea/Japan/Sencha.md", "sencha")
    mirrored.step()
    return {path.rpartition("/")[2]: item.item_id for path, item in mirrored.items().items()}


def test_a_folder_that_is_moved_outside_keeps_its_id_and_its_items_their_versions(mirrored: Mirrored) -> None:
    ids, folders = _filled(mirrored), _folders(mirrored)
    (mirrored.root / "Drinks").mkdir()
    (mirrored.root / "Tea").rename(mirrored.root / "Drinks/Teas")
    mirrored.step()
    after = _folders(mirrored)
    assert after["Drinks/Teas"] == folders["Tea"]
    assert after["Drinks/Teas/Japan"] == folders["Tea/Japan"]
    assert {path: (item.item_id, item.version) for path, item in mirrored.items().items()} == {
        "Drinks/Teas/Green.md": (ids["Green.md"], 1),
        "Drinks/Teas/Japan/Sencha.md": (ids["Sencha.md"], 1),
    }
    space_id = mirrored.home.owner.spaces[0]
    with mirrored.home.library.storage.read() as tx:
        history = tx.folders.history(space_id, folders["Tea"])
    assert [entry.action for entry in history] == [FolderAction.CREATE, FolderAction.MOVE]


def test_a_folder_that_a_tool_copies_and_deletes_keeps_its_id(mirrored: Mirrored) -> None:
    ids, folders = _filled(mirrored), _folders(mirrored)
    shutil.copytree(mirrored.root / "Tea", mirrored.root / "Teas")
    shutil.rmtree(mirrored.root / "Tea")
    mirrored.step()
    assert _folders(mirrored)["Teas"] == folders["Tea"]
    assert mirrored.items()["Teas/Japan/Sencha.md"].item_id == ids["Sencha.md"]


def test_a_folder_whose_name_changes_only_in_case_keeps_its_id(mirrored: Mirrored) -> None:
    _filled(mirrored)
    folders = _folders(mirrored)
    (mirrored.root / "Tea").rename(mirrored.root / "TEA")
    mirrored.step()
    assert _folders(mirrored)["TEA"] == folders["Tea"]
    _move(mirrored, "TEA", None, "tea")
    mirrored.step()
    assert sorted(mirrored.disk()) == ["tea/Green.md", "tea/Japan/Sencha.md"]


def test_a_folder_that_is_moved_here_moves_on_disk_with_all_that_is_in_it(mirrored: Mirrored) -> None:
    _filled(mirrored)
    mirrored.put("Tea/.obsidian/app.json", "{}")
    _move(mirrored, "Tea", None, "Drinks")
    mirrored.step()
    assert sorted(mirrored.disk()) == [
        "Drinks/.obsidian/app.json",
        "Drinks/Green.md",
        "Drinks/Japan/Sencha.md",
    ]
    assert sorted(mirrored.items()) == ["Drinks/Green.md", "Drinks/Japan/Sencha.md"]


def test_two_folders_that_change_names_here_do_so_on_disk(mirrored: Mirrored) -> None:
    mirrored.step(1)
    mirrored.put("A/x.md", "a")
    mirrored.put("B/x.md", "b")
    mirrored.step()
    _move(mirrored, "A", None, "C")
    _move(mirrored, "B", None, "A")
    _move(mirrored, "C", None, "B")
    mirrored.step(4)
    assert mirrored.texts() == {"A/x.md": "b", "B/x.md": "a"}
    assert sorted(path.name for path in mirrored.root.iterdir()) == ["A", "B"]
    assert sorted(_folders(mirrored)) == ["A", "B"]


def test_an_empty_folder_appears_and_disappears_on_either_side(mirrored: Mirrored) -> None:
    mirrored.step(1)
    (mirrored.root / "Later/Much later").mkdir(parents=True)
    mirrored.step()
    assert sorted(_folders(mirrored)) == ["Later", "Later/Much later"]
    (mirrored.root / "Later/Much later").rmdir()
    mirrored.step()
    assert sorted(_folders(mirrored)) == ["Later"]
    _remove(mirrored, "Later")
    mirrored.step(3)
    assert list(mirrored.root.iterdir()) == []
    assert _folders(mirrored) == {}


def test_a_folder_that_is_deleted_outside_goes_with_what_is_in_it(mirrored: Mirrored) -> None:
    _filled(mirrored)
    mirrored.put("other.md", "other")
    mirrored.step()
    shutil.rmtree(mirrored.root / "Tea")
    mirrored.step(3)
    assert list(mirrored.items()) == ["other.md"]
    assert _folders(mirrored) == {}


def test_a_folder_moved_on_both_sides_lies_where_the_library_has_it(mirrored: Mirrored) -> None:
    _filled(mirrored)
    folders = _folders(mirrored)
    _move(mirrored, "Tea", None, "Here")
    (mirrored.root / "Tea").rename(mirrored.root / "There")
    mirrored.step(3)
    assert sorted(mirrored.disk()) == ["Here/Green.md", "Here/Japan/Sencha.md"]
    assert _folders(mirrored)["Here"] == folders["Tea"]
    assert len(mirrored.items()) == 2
