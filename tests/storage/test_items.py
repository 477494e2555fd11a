"""Are items kept as they were given?"""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.storage.opening import change_rows
from tests.storage.samples import (
    OTHER_SPACE,
    SPACE,
    a_change,
    a_chunk,
    a_document,
    a_job,
    add,
    at,
    ids,
    save,
)
from vademecum.model.errors import InvalidInput, StoredDataDamaged
from vademecum.model.ids import content_hash
from vademecum.model.items import CaptureState, Document, IndexState, ItemClass, Kind, Layers
from vademecum.model.jobs import JobKind
from vademecum.model.revisions import Action
from vademecum.ports.storage import ImportedFile, ItemName, Storage, StoredLink

EVERYTHING = a_document(
    layers=Layers(
        authored="\ufeffEin Text\r\nmit allem: 日本語\n\n",
        extracted="",
        summary="短い要約",
        recognized="x" * 5000,
    ),
    frontmatter="---\r\ntitle: 'Ä'\r\n---\r\n",
    version=7,
    kind=Kind.ARTICLE,
    title="Ein 'Titel' mit \"allem\" % und \\ :name",
    tags=("Zeit/Ort", "日本", "a b"),
    source_url="https://example.org/?a=1&b=%20",
    blob="f" * 64,
    pinned=True,
    archived=True,
    trashed_at=at(9),
    item_class=ItemClass.AGENT_MEMORY,
    capture_state=CaptureState.BLOCKED,
    capture_reason="login",
    index_state=IndexState.FAILED,
    index_reason="why",
)


@pytest.mark.parametrize("document", [a_document(), EVERYTHING, a_document(layers=Layers())])
def test_an_item_is_loaded_as_it_was_added(storage: Storage, document: Document) -> None:
    add(storage, document, source_key="example.org")
    with storage.read() as tx:
        assert tx.items.load(SPACE, "item-1") == document
        assert tx.items.find(SPACE, "item-1") == document.item


@pytest.mark.parametrize("text", ["a\0b", "\x1a", "\x1a0", "\0\x1a\x1a0\0", "\\u0000", "%s %(name)s :name"])
def test_no_character_of_a_text_or_title_is_lost(storage: Storage, text: str) -> None:
    document = a_document(
        layers=Layers(authored=text, summary=text),
        frontmatter=text,
        title=text,
        tags=(text,),
        source_url=text,
    )
    add(storage, document)
    with storage.read() as tx:
        assert tx.items.load(SPACE, "item-1") == document


def test_a_lone_surrogate_is_refused_by_name(storage: Storage) -> None:
    for document in (
        a_document(layers=Layers(authored="a\ud800"), excerpt="", first_hash="any"),
        a_document(title="a\ud800"),
    ):
        with pytest.raises(InvalidInput) as refusal, storage.write() as tx:
            tx.items.add(document, None)
        assert refusal.value.field == "text"
    with storage.read() as tx:
        assert tx.items.every_id(SPACE) == []


def test_what_is_unknown_is_nothing(storage: Storage) -> None:
    with storage.read() as tx:
        assert tx.items.find(SPACE, "item-1") is None
        assert tx.items.load(SPACE, "item-1") is None
        assert tx.items.find_all([(SPACE, "item-1")]) == {}
        assert tx.items.find_all([]) == {}


def test_a_taken_id_is_not_added_again(storage: Storage) -> None:
    first = a_document()
    add(storage, first)
    with storage.write() as tx:
        assert not tx.items.add(a_document(layers=Layers(authored="other"), tags=("b",)), None)
    with storage.read() as tx:
        assert tx.items.load(SPACE, "item-1") == first
        assert tx.items.text_bytes([SPACE]) == len("Body of item-1.")


def test_ids_are_unique_within_a_space_only(storage: Storage) -> None:
    mine, theirs = a_document(), a_document(space_id=OTHER_SPACE, title="Theirs")
    add(storage, mine, theirs)
    with storage.read() as tx:
        assert tx.items.load(SPACE, "item-1") == mine
        assert tx.items.load(OTHER_SPACE, "item-1") == theirs
        keys = [(OTHER_SPACE, "item-1"), (SPACE, "item-1"), (SPACE, "item-2")]
        assert tx.items.find_all(keys) == {keys[0]: theirs.item, keys[1]: mine.item}


def test_many_are_loaded_at_once_with_what_they_share(storage: Storage) -> None:
    shared = Layers(authored="shared", summary="short")
    mine = [a_document(f"item-{number}", shared) for number in range(3)]
    bare = a_document("item-3", Layers())
    full = a_document("item-4", Layers("own", "shared", "short", "seen"), frontmatter="---\na: 1\n---\n")
    twice = a_document("item-5", Layers(authored="same", extracted="same"))
    theirs = a_document("item-1", Layers(authored="shared"), space_id=OTHER_SPACE)
    every = [*mine, bare, full, twice, theirs]
    add(storage, *every)
    keys = [(document.item.space_id, document.item.item_id) for document in every]
    with storage.read() as tx:
        found = list(tx.items.load_all([*keys, (SPACE, "item-9")]))
        assert sorted(map(repr, found)) == sorted(map(repr, every))
        assert list(tx.items.load_all([])) == []


def test_many_are_not_loaded_when_a_text_of_one_is_missing(storage: Storage, library_url: str) -> None:
    add(storage, a_document("item-1"), a_document("item-2"))
    change_rows(library_url, f"DELETE FROM text WHERE hash = '{content_hash('Body of item-2.')}'")
    with storage.read() as tx:
        loaded = tx.items.load_all([(SPACE, "item-1"), (SPACE, "item-2")])
        with pytest.raises(StoredDataDamaged):
            list(loaded)


def test_replacing_sets_all_that_a_new_version_changes(storage: Storage) -> None:
    add(storage, a_document(tags=("old",)))
    changed = a_document(
        layers=Layers(extracted="new", summary="short"),
        frontmatter="---\n---\n",
        version=2,
        kind=Kind.THREAD,
        title="New",
        tags=("new",),
        file_name="New.md",
        source_url="https://example.org",
        blob="a" * 64,
        pinned=True,
        archived=True,
        trashed_at=at(5),
        updated_at=at(5),
        content_edited_at=at(5),
        first_hash=content_hash("Body of item-1."),
    )
    with storage.write() as tx:
        assert tx.items.replace(changed, "example.org", 1)
    with storage.read() as tx:
        assert tx.items.load(SPACE, "item-1") == changed
        assert ids(tx.items.with_source([SPACE], "example.org")) == ["item-1"]


def test_replacing_leaves_birth_and_the_states_of_capture_and_index(storage: Storage) -> None:
    add(storage, a_document())
    with storage.write() as tx:
        tx.items.set_capture(SPACE, "item-1", CaptureState.PROCESSING, None)
        tx.items.set_index(SPACE, "item-1", 1, IndexState.INDEXED, None)
        late = a_document(version=2, created_at=at(30), first_hash="other", item_class=ItemClass.PROFILE)
        assert tx.items.replace(late, None, 1)
    expected = a_document(version=2, capture_state=CaptureState.PROCESSING, index_state=IndexState.INDEXED)
    with storage.read() as tx:
        assert tx.items.load(SPACE, "item-1") == expected


def test_replacing_another_version_does_nothing(storage: Storage) -> None:
    before = a_document()
    add(storage, before)
    with storage.write() as tx:
        assert not tx.items.replace(a_document(version=3, title="New", tags=("x",)), None, 2)
        assert not tx.items.replace(a_document("item-2", version=2), None, 1)
    with storage.read() as tx:
        assert tx.items.load(SPACE, "item-1") == before
        assert tx.items.load(SPACE, "item-2") is None


def test_capture_and_index_states_are_set_alone(storage: Storage) -> None:
    before = a_document()
    add(storage, before)
    with storage.write() as tx:
        tx.items.set_capture(SPACE, "item-1", CaptureState.FAILED, "timeout")
        tx.items.set_index(SPACE, "item-1", 1, IndexState.SKIPPED, "no text")
    with storage.read() as tx:
        assert tx.items.find(SPACE, "item-1") == replace(
            before.item,
            capture_state=CaptureState.FAILED,
            capture_reason="timeout",
            index_state=IndexState.SKIPPED,
            index_reason="no text",
        )


def test_the_index_state_of_a_former_version_is_not_set(storage: Storage) -> None:
    document = a_document(version=2)
    add(storage, document)
    with storage.write() as tx:
        tx.items.set_index(SPACE, "item-1", 1, IndexState.INDEXED, None)
    with storage.read() as tx:
        assert tx.items.find(SPACE, "item-1") == document.item


def test_purging_leaves_no_row_of_the_item_and_none_of_others_goes(storage: Storage) -> None:
    shared = "kept by both"
    gone = a_document(layers=Layers(authored=shared, summary="only mine"), tags=("a",))
    kept = a_document("item-2", layers=Layers(authored=shared), tags=("a",))
    link = StoredLink(0, "wiki", "T", "t", None, None, None, 0, 5)
    with storage.write() as tx:
        for document in (gone, kept):
            item = document.item
            save(tx, document, f"change of {item.item_id}")
            tx.items.set_names(SPACE, item.item_id, [ItemName("t", "T", "title")])
            tx.links.replace(SPACE, item.item_id, [link])
            tx.imports.add([ImportedFile(SPACE, "vault", item.item_id, "h", item.item_id, 1)])
            tx.jobs.add(a_job(f"job of {item.item_id}", subject=item.item_id))
    with storage.write() as tx:
        tx.items.purge(SPACE, "item-1")
    with storage.read() as tx:
        assert tx.items.every_id(SPACE) == ["item-2"]
        assert tx.items.load(SPACE, "item-2") == kept
        assert tx.revisions.list(SPACE, "item-1") == []
        assert tx.items.names(SPACE, "item-1") == []
        assert tx.links.out_of(SPACE, "item-1") == []
        assert tx.links.count(SPACE) == 1
        assert list(tx.imports.known(SPACE, "vault")) == ["item-2"]
        assert tx.jobs.pending([SPACE])[JobKind.EMBED.value] == 1
        assert tx.items.text_bytes([SPACE]) == len(shared)
        assert len(tx.revisions.list(SPACE, "item-2")) == 1
    assert storage.integrity_problems() == []


def test_purging_goes_through_the_index(storage: Storage) -> None:
    add(storage, a_document("item-1"), a_document("item-2"))
    with storage.write() as tx:
        for item_id in ("item-1", "item-2"):
            tx.index.replace(SPACE, item_id, 1, [a_chunk()])
        tx.items.purge(SPACE, "item-1")
    with storage.read() as tx:
        assert tx.index.chunks_of(SPACE, "item-1") == []
        assert tx.index.counts([SPACE])["chunks"] == 1
        assert tx.index.counts([SPACE])["chunks"] == len(tx.index.chunks_of(SPACE, "item-2"))


def test_purging_takes_the_texts_of_former_versions_too(storage: Storage) -> None:
    first = a_document(layers=Layers(authored="first"))
    second = first.with_state(
        replace(first.state, layers=Layers(authored="second!")), version=2, at=at(2), trashed_at=None
    )
    with storage.write() as tx:
        save(tx, first, "change-1")
        change = tx.revisions.begin(a_change("change-2"))
        assert tx.items.replace(second, None, 1)
        tx.revisions.add("item-1", 2, Action.UPDATE, second.state, change)
    with storage.read() as tx:
        assert tx.items.text_bytes([SPACE]) == len("firstsecond!")
    with storage.write() as tx:
        tx.items.purge(SPACE, "item-1")
    with storage.read() as tx:
        assert tx.items.text_bytes([SPACE]) == 0


def test_purging_what_is_not_there_does_nothing(storage: Storage) -> None:
    add(storage, a_document())
    with storage.write() as tx:
        tx.items.purge(SPACE, "item-2")
    with storage.read() as tx:
        assert tx.items.every_id(SPACE) == ["item-1"]


def test_a_purged_id_can_be_used_again(storage: Storage) -> None:
    add(storage, a_document(tags=("old",)))
    again = a_document(layers=Layers(authored="again"))
    with storage.write() as tx:
        tx.items.purge(SPACE, "item-1")
        assert tx.items.add(again, None)
    with storage.read() as tx:
        assert tx.items.load(SPACE, "item-1") == again
