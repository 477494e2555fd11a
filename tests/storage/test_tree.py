"""Are folders, names and links kept, and do links find their targets?"""

from __future__ import annotations

from typing import Any

import pytest

from tests.storage.samples import OTHER_SPACE, SPACE, a_change, a_document, add, at, ids
from vademecum.model.items import Folder
from vademecum.model.names import name_key
from vademecum.ports.storage import ItemName, Storage, StoredLink

LONG = "長い" * 2000


def a_folder(
    folder_id: str, parent_id: str | None = None, name: str = "Notes", space_id: str = SPACE
) -> Folder:
    return Folder(space_id, folder_id, parent_id, name, at(1))


def add_folders(storage: Storage, *folders: Folder) -> list[bool]:
    added = []
    for folder in folders:
        with storage.write() as tx:
            change = tx.revisions.begin(a_change(f"change of {folder.folder_id}", space_id=folder.space_id))
            added.append(tx.folders.add(folder, name_key(folder.name), change))
    return added


def a_link(target: str, ordinal: int = 0, **changed: Any) -> StoredLink:
    fields: dict[str, Any] = {
        "ordinal": ordinal,
        "kind": "wiki",
        "target": target,
        "target_key": name_key(target),
        "heading": None,
        "display": None,
        "relation": None,
        "start": 10,
        "end": 20,
    }
    return StoredLink(**fields | changed)


def set_names(storage: Storage, item_id: str, *names: ItemName, space_id: str = SPACE) -> None:
    with storage.write() as tx:
        tx.items.set_names(space_id, item_id, names)


def a_name(text: str, origin: str = "title") -> ItemName:
    return ItemName(name_key(text), text, origin)


def test_folders_are_found_by_id_and_by_name_in_their_parent(storage: Storage) -> None:
    top, inner = a_folder("f1"), a_folder("f2", "f1", "2026")
    assert add_folders(storage, top, inner) == [True, True]
    with storage.read() as tx:
        assert tx.folders.find(SPACE, "f2") == inner
        assert tx.folders.find(OTHER_SPACE, "f2") is None
        assert tx.folders.named(SPACE, None, "notes") == top
        assert tx.folders.named(SPACE, "f1", "2026") == inner
        assert tx.folders.named(SPACE, None, "2026") is None
        assert tx.folders.named(SPACE, "f2", "2026") is None
        assert tx.folders.list(SPACE) == [inner, top]
        assert tx.folders.list(OTHER_SPACE) == []


def test_a_parent_has_one_folder_of_a_name_also_at_the_top(storage: Storage) -> None:
    folders = [
        a_folder("f1"),
        a_folder("f2", name="NOTES"),
        a_folder("f3", "f1"),
        a_folder("f4", "f1"),
        a_folder("f1", space_id=OTHER_SPACE),
    ]
    assert add_folders(storage, *folders) == [True, False, True, False, True]
    with storage.read() as tx:
        assert [folder.folder_id for folder in tx.folders.list(SPACE)] == ["f1", "f3"]


def test_an_item_lies_in_its_folder(storage: Storage) -> None:
    add_folders(storage, a_folder("f1"))
    document = a_document(folder_id="f1")
    add(storage, document)
    with storage.read() as tx:
        assert tx.items.load(SPACE, "item-1") == document


def test_taken_file_names_are_those_of_the_folder_out_of_the_trash(storage: Storage) -> None:
    add_folders(storage, a_folder("f1"))
    add(
        storage,
        a_document("a", file_name="Plan.md"),
        a_document("b", file_name="PLAN 2.md"),
        a_document("c", file_name="Plane.md", trashed_at=at(2)),
        a_document("d", file_name="Other.md"),
        a_document("e", file_name="Plan 3.md", folder_id="f1"),
        a_document("f", file_name="Plan 4.md", space_id=OTHER_SPACE),
        a_document("g", file_name="pla\U0010fffe.md"),
    )
    with storage.read() as tx:
        assert tx.items.taken_file_keys(SPACE, None, "plan") == {"plan.md", "plan 2.md"}
        assert tx.items.taken_file_keys(SPACE, "f1", "plan") == {"plan 3.md"}
        assert tx.items.taken_file_keys(SPACE, None, "pla") == {"plan.md", "plan 2.md", "pla\U0010fffe.md"}
        everything = {"plan.md", "plan 2.md", "other.md", "pla\U0010fffe.md"}
        assert tx.items.taken_file_keys(SPACE, None, "") == everything
        assert tx.items.taken_file_keys(SPACE, None, "q") == frozenset()


def test_names_are_given_back_as_they_were_set(storage: Storage) -> None:
    add(storage, a_document())
    names = (a_name("Plan"), a_name("Plan", "file"), a_name("Plan B", "alias"), a_name("plan", "past"))
    set_names(storage, "item-1", a_name("gone"))
    set_names(storage, "item-1", *names)
    with storage.read() as tx:
        assert tx.items.names(SPACE, "item-1") == list(names)
        assert tx.items.named([SPACE], "gone") == []
    set_names(storage, "item-1")
    with storage.read() as tx:
        assert tx.items.names(SPACE, "item-1") == []


def test_a_name_leads_to_its_bearers_best_origin_first(storage: Storage) -> None:
    documents = [
        a_document("past"),
        a_document("alias"),
        a_document("file"),
        a_document("title", created_at=at(3)),
        a_document("older", created_at=at(2)),
        a_document("trashed", trashed_at=at(5)),
        a_document("away", space_id=OTHER_SPACE),
    ]
    add(storage, *documents)
    for origin in ("past", "alias", "file", "title"):
        set_names(storage, origin, a_name("Plan", origin), a_name("Plan", "past"))
    set_names(storage, "older", a_name("Plan"))
    set_names(storage, "trashed", a_name("Plan"))
    set_names(storage, "away", a_name("Plan"), space_id=OTHER_SPACE)
    item = {document.item.item_id: document.item for document in documents}
    mine = [
        (item["older"], "title"),
        (item["title"], "title"),
        (item["file"], "file"),
        (item["alias"], "alias"),
        (item["past"], "past"),
    ]
    with storage.read() as tx:
        assert tx.items.named([SPACE], "plan") == mine
        assert tx.items.named([SPACE, OTHER_SPACE], "plan") == [(item["away"], "title"), *mine]
        assert tx.items.named([SPACE], "pla") == []


def test_names_of_any_length_are_told_apart(storage: Storage) -> None:
    add(storage, a_document("a"), a_document("b"))
    set_names(storage, "a", a_name(LONG + "a"))
    set_names(storage, "b", a_name(LONG + "b"))
    with storage.read() as tx:
        assert ids([item for item, _ in tx.items.named([SPACE], name_key(LONG + "b"))]) == ["b"]


def test_links_are_given_back_as_they_were_set(storage: Storage) -> None:
    add(storage, a_document("a"), a_document("b"))
    links = [
        a_link("Plan", 0, heading="Teil 1", display="das", relation="part-of", start=3, end=99),
        a_link("https://example.org", 1, kind="external", target_key=""),
    ]
    with storage.write() as tx:
        tx.links.replace(SPACE, "a", [a_link("gone")])
        tx.links.replace(SPACE, "a", links)
        tx.links.replace(SPACE, "b", [a_link("Other")])
    with storage.read() as tx:
        assert tx.links.out_of(SPACE, "a") == links
        assert tx.links.out_of(OTHER_SPACE, "a") == []
        assert tx.links.count(SPACE) == 3
        assert tx.links.count(OTHER_SPACE) == 0


def test_links_are_found_by_any_name_of_their_target(storage: Storage) -> None:
    new, old = a_document("new", created_at=at(2)), a_document("old")
    trashed = a_document("trashed", trashed_at=at(3))
    add(storage, new, old, trashed)
    first, second = a_link("Plan"), a_link("Plan B", 1)
    external = a_link("x", 2, target_key="")
    with storage.write() as tx:
        tx.links.replace(SPACE, "new", [first, second, external])
        tx.links.replace(SPACE, "old", [first])
        tx.links.replace(SPACE, "trashed", [first])
    expected = [(new.item, first), (new.item, second), (old.item, first)]
    with storage.read() as tx:
        assert tx.links.into(SPACE, ["plan", "plan b", "plan", "none", ""]) == expected
        assert tx.links.into(SPACE, []) == []
        assert tx.links.into(OTHER_SPACE, ["plan"]) == []


def test_a_ghost_is_unresolved_until_its_target_appears(storage: Storage) -> None:
    add(storage, a_document("source"), a_document("trashed-source", trashed_at=at(2)))
    ghost, long = a_link("Ghost", 1), a_link(LONG, 2)
    with storage.write() as tx:
        tx.links.replace(SPACE, "source", [a_link("x", 0, target_key=""), ghost, long])
        tx.links.replace(SPACE, "trashed-source", [ghost])
    with storage.read() as tx:
        assert tx.links.unresolved(SPACE) == [("source", ghost), ("source", long)]
    add(storage, a_document("target"), a_document("trashed", trashed_at=at(2)))
    set_names(storage, "target", a_name("ghost", "past"))
    set_names(storage, "trashed", a_name(LONG))
    with storage.read() as tx:
        assert tx.links.unresolved(SPACE) == [("source", long)]
        assert tx.links.unresolved(OTHER_SPACE) == []


@pytest.mark.parametrize("key", ["a\0b", "\x1a0"])
def test_a_name_with_a_control_character_is_found(storage: Storage, key: str) -> None:
    add(storage, a_document())
    set_names(storage, "item-1", a_name(key))
    with storage.read() as tx:
        assert ids([item for item, _ in tx.items.named([SPACE], key)]) == ["item-1"]
        assert tx.items.named([SPACE], "a") == []
