"""Are the tree's history, places of items, drafts, blocks and what stands on disk kept?"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tests.storage.samples import ACCOUNT, OTHER_SPACE, SPACE, a_change, a_document, add, at, ids, save
from vademecum.model.drafts import Draft
from vademecum.model.items import Blob, Folder, Kind, Layers
from vademecum.model.names import name_key
from vademecum.model.revisions import Action, Change, FolderAction
from vademecum.ports.places import MirrorFile, MirrorFolder, Placed, PlacedText, StoredBlock, Written
from vademecum.ports.storage import Storage, Transaction


def a_folder(folder_id: str, parent_id: str | None = None, name: str = "Tea") -> Folder:
    return Folder(SPACE, folder_id, parent_id, name, at(1))


def begun(tx: Transaction, change_id: str) -> Change:
    return tx.revisions.begin(a_change(change_id))


def add_folder(storage: Storage, folder: Folder) -> None:
    with storage.write() as tx:
        assert tx.folders.add(folder, name_key(folder.name), begun(tx, f"made {folder.folder_id}"))


def move(storage: Storage, folder: Folder, change_id: str) -> bool:
    with storage.write() as tx:
        return tx.folders.move(folder, name_key(folder.name), begun(tx, change_id))


def test_a_moved_folder_keeps_its_id_and_tells_what_it_was(storage: Storage) -> None:
    top, inner = a_folder("f1"), a_folder("f2", "f1", "Green")
    add_folder(storage, top)
    add_folder(storage, inner)
    moved = replace(inner, parent_id=None, name="Grün")
    assert move(storage, moved, "moved")
    with storage.read() as tx:
        assert tx.folders.find(SPACE, "f2") == moved
        assert tx.folders.named(SPACE, None, name_key("GRÜN")) == moved
        assert tx.folders.named(SPACE, "f1", "green") is None
        told = [(one.number, one.action, one.parent_id, one.name) for one in tx.folders.history(SPACE, "f2")]
        assert told == [(1, FolderAction.CREATE, "f1", "Green"), (2, FolderAction.MOVE, None, "Grün")]
        assert [one.folder_id for one in tx.folders.of_change(SPACE, "moved")] == ["f2"]


def test_a_folder_is_not_moved_onto_another(storage: Storage) -> None:
    add_folder(storage, a_folder("f1"))
    add_folder(storage, a_folder("f2", name="Coffee"))
    assert not move(storage, a_folder("f2", name="TEA"), "moved")
    with storage.read() as tx:
        assert tx.folders.find(SPACE, "f2") == a_folder("f2", name="Coffee")
        assert tx.folders.of_change(SPACE, "moved") == []
    assert move(storage, a_folder("f2", name="COFFEE"), "case")


def test_a_removed_folder_leaves_its_name_and_can_come_back(storage: Storage) -> None:
    tea = a_folder("f1")
    add_folder(storage, tea)
    with storage.write() as tx:
        tx.folders.remove(tea, begun(tx, "removed"))
    with storage.read() as tx:
        assert tx.folders.list(SPACE) == []
        assert tx.folders.named(SPACE, None, "tea") is None
        assert tx.folders.find(SPACE, "f1") == replace(tea, removed_at=at(1))
    with storage.write() as tx:
        assert tx.folders.revive(tea, "tea", begun(tx, "revived"))
    with storage.read() as tx:
        assert tx.folders.list(SPACE) == [tea]
    with storage.write() as tx:
        tx.folders.remove(tea, begun(tx, "removed again"))
    add_folder(storage, a_folder("f9"))
    with storage.write() as tx:
        assert not tx.folders.revive(tea, "tea", begun(tx, "too late"))


def placed(storage: Storage, item_id: str, **changed: Any) -> None:
    add(storage, a_document(item_id, **changed))


def test_items_are_found_by_place_and_only_out_of_the_trash(storage: Storage) -> None:
    add_folder(storage, a_folder("f1"))
    with storage.write() as tx:
        tx.blobs.add(SPACE, Blob("hash", 12, "image/png"))
    placed(storage, "a", folder_id="f1", file_name="Sencha.md", title="Sencha")
    placed(storage, "b", file_name="x.PNG", kind=Kind.IMAGE, blob="hash", layers=Layers())
    placed(storage, "c", file_name="gone.md", trashed_at=at(2))
    placed(storage, "d", space_id=OTHER_SPACE, file_name="Sencha.md")
    sencha = Placed("a", 1, Kind.NOTE, "Sencha", "f1", "Sencha.md", None, len("Body of a."))
    with storage.read() as tx:
        assert tx.places.at(SPACE, "f1", name_key("SENCHA.md")) == sencha
        picture = tx.places.at(SPACE, None, name_key("x.png"))
        assert picture is not None
        assert (picture.item_id, picture.blob, picture.size) == ("b", "hash", 12)
        assert tx.places.at(SPACE, None, "gone.md") is None
        assert {one.item_id for one in tx.places.within(SPACE, None)} == {"a", "b"}
        assert tx.places.within(SPACE, ["f1"]) == [sencha]
        assert [one.item_id for one in tx.places.within(SPACE, [None])] == ["b"]
        assert tx.places.counts(SPACE, [".md", ".png"]) == {"f1": 1, None: 1}
        assert tx.places.counts(SPACE, [".md"]) == {"f1": 1}


def test_the_last_updated_come_first_and_archived_ones_if_asked_for(storage: Storage) -> None:
    placed(storage, "old", updated_at=at(1), file_name="old.md")
    placed(storage, "new", updated_at=at(9), file_name="new.XLSX")
    placed(storage, "kept", updated_at=at(5), file_name="kept.md", archived=True)
    placed(storage, "file", updated_at=at(10), file_name="file.txt")
    with storage.read() as tx:

        def recent(limit: int, *, archived: bool) -> list[str]:
            return ids(tx.places.recent(SPACE, None, [".md", ".xlsx"], archived=archived, limit=limit))

        assert recent(9, archived=False) == ["new", "old"]
        assert recent(9, archived=True) == ["new", "kept", "old"]
        assert recent(1, archived=True) == ["new"]
        assert tx.places.recent(SPACE, ["f1"], [".md"], archived=True, limit=9) == []


def test_texts_are_given_whole_and_what_cannot_be_read_is_told(storage: Storage) -> None:
    add(storage, a_document("a", Layers(authored="茶\r\n"), "---\na: 1\n---\n", file_name="a.md"))
    add(storage, a_document("b", Layers(extracted="clipped"), file_name="b.md"))
    add(storage, a_document("c", Layers(authored="csv"), file_name="c.csv"))
    with storage.read() as tx:
        texts = sorted(tx.places.each_text(SPACE, None, [".md"], archived=False), key=lambda one: one.item_id)
    assert texts == [
        PlacedText("a", None, "a.md", "---\na: 1\n---\n", "茶\r\n"),
        PlacedText("b", None, "b.md", "", "clipped"),
    ]


def test_a_draft_is_kept_for_each_account_and_tells_that_its_item_is_edited(storage: Storage) -> None:
    placed(storage, "item-1")
    draft = Draft(SPACE, "item-1", ACCOUNT, "Title", "not saved", at(3), "item-1", 1)
    new = Draft(SPACE, "draft-1", ACCOUNT, "", "of no item", at(4))
    with storage.write() as tx:
        tx.drafts.put(draft)
        tx.drafts.put(new)
        tx.drafts.put(replace(draft, content="later", changed_at=at(5)))
    with storage.read() as tx:
        assert tx.drafts.find(SPACE, "item-1", ACCOUNT) == replace(draft, content="later", changed_at=at(5))
        assert [one.draft_id for one in tx.drafts.list(SPACE, ACCOUNT)] == ["item-1", "draft-1"]
        assert tx.drafts.edited(SPACE, at(5)) == {"item-1": at(5)}
        assert tx.drafts.edited(SPACE, at(6)) == {}
        assert tx.drafts.edited(OTHER_SPACE, at(1)) == {}
    with storage.write() as tx:
        assert tx.drafts.remove(SPACE, "item-1", ACCOUNT)
        assert not tx.drafts.remove(SPACE, "item-1", ACCOUNT)


def test_blocks_hold_from_a_version_on(storage: Storage) -> None:
    placed(storage, "item-1")
    first, second = StoredBlock("b1", "chart", "Sales", "{}"), StoredBlock("b1", "chart", "Sales", '{"a":1}')
    with storage.write() as tx:
        tx.blocks.put(SPACE, "item-1", 1, [first, StoredBlock("b2", "embed", "Page", "{}")])
        tx.blocks.put(SPACE, "item-1", 3, [first])
        tx.blocks.put(SPACE, "item-1", 3, [second])
    with storage.read() as tx:
        assert tx.blocks.of_item(SPACE, "item-1", 2)["b1"] == first
        assert tx.blocks.of_item(SPACE, "item-1", 3)["b1"] == second
        assert set(tx.blocks.of_item(SPACE, "item-1", 9)) == {"b1", "b2"}
        assert tx.blocks.of_item(SPACE, "item-1", 0) == {}
        assert tx.blocks.in_space(SPACE, "b1") == [("item-1", second)]
        assert tx.blocks.in_space(OTHER_SPACE, "b1") == []


def test_what_stands_on_disk_is_known_by_path_and_by_item(storage: Storage) -> None:
    add_folder(storage, a_folder("f1"))
    placed(storage, "item-1")
    file = MirrorFile(SPACE, "長い/" * 300 + "a.md", "item-1", 1, "hash", 5, 2**60, "1:2")
    folder = MirrorFolder(SPACE, "f1", "Tea", "1:3")
    with storage.write() as tx:
        tx.mirror.put_file(file)
        tx.mirror.put_file(replace(file, item_version=2))
        tx.mirror.put_folder(folder)
        tx.mirror.put_folder(replace(folder, path="Tee"))
    with storage.read() as tx:
        assert tx.mirror.files(SPACE) == [replace(file, item_version=2)]
        assert tx.mirror.file_at(SPACE, file.path) == replace(file, item_version=2)
        assert tx.mirror.folders(SPACE) == [replace(folder, path="Tee")]
        assert tx.mirror.files(OTHER_SPACE) == []
    with storage.write() as tx:
        tx.mirror.remove_file(SPACE, file.path)
        tx.mirror.remove_folder(SPACE, "f1")
    with storage.read() as tx:
        assert (tx.mirror.files(SPACE), tx.mirror.folders(SPACE)) == ([], [])


def test_what_was_written_since_a_change_is_told_once(storage: Storage) -> None:
    add_folder(storage, a_folder("f1"))
    document = a_document("item-1", panel=("file-1", "file-2"))
    with storage.write() as tx:
        change = save(tx, document, "saved")
        tx.revisions.add("item-1", 2, Action.TAGS, document.state, begun(tx, "tagged"))
    with storage.read() as tx:
        assert tx.revisions.change(SPACE, "saved") == change
        assert tx.revisions.change(OTHER_SPACE, "saved") is None
        assert tx.revisions.written_since(SPACE, 0) == Written(("item-1",), ("f1",), 3)
        assert tx.revisions.written_since(SPACE, 1) == Written(("item-1",), (), 3)
        assert tx.revisions.written_since(SPACE, 3) == Written((), (), 3)
        assert tx.revisions.last_sequence(OTHER_SPACE) == 0
        found = tx.revisions.find(SPACE, "item-1", 1)
        loaded = tx.items.load(SPACE, "item-1")
    assert found is not None
    assert loaded is not None
    assert found.state.panel == loaded.item.panel == ("file-1", "file-2")
