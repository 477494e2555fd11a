"""Is history kept whole?"""

from __future__ import annotations

from dataclasses import replace

from tests.storage.samples import OTHER_SPACE, SPACE, a_change, a_document, add, at, save
from vademecum.model.items import Document, Kind, Layers, State
from vademecum.model.revisions import Action, ActorKind, HistoryEntry, Revision
from vademecum.ports.storage import Storage, Transaction

STATE = State(
    title="Titel",
    kind=Kind.PDF,
    layers=Layers(authored="a\r\n", extracted="", summary="s", recognized="r"),
    tags=("X", "y/z"),
    file_name="Titel.pdf",
    frontmatter="---\nx: 1\n---\n",
    source_url="https://example.org",
    blob="b" * 64,
    pinned=True,
    archived=True,
    trashed=True,
)


def rewrite(tx: Transaction, before: Document, state: State, change_id: str) -> Revision:
    """The next version of an item, under a change of its own."""
    version = before.item.version + 1
    change = tx.revisions.begin(a_change(change_id))
    trashed_at = at(9) if state.trashed else None
    after = before.with_state(state, version=version, at=at(9), trashed_at=trashed_at)
    assert tx.items.replace(after, None, before.item.version)
    tx.revisions.add(before.item.item_id, version, Action.UPDATE, state, change)
    return Revision(SPACE, before.item.item_id, version, Action.UPDATE, state, change)


def an_entry(revision: Revision) -> HistoryEntry:
    """What a history shows of a revision."""
    state = revision.state
    return HistoryEntry(revision.version, revision.action, state.title, state.tags, revision.change)


def test_changes_are_numbered_within_their_space(storage: Storage) -> None:
    numbers = []
    for change_id, space_id in (("a", SPACE), ("b", OTHER_SPACE), ("c", SPACE)):
        given = a_change(change_id, space_id=space_id)
        with storage.write() as tx:
            begun = tx.revisions.begin(given)
        numbers.append(begun.sequence)
        assert begun == replace(given, sequence=begun.sequence)
    assert numbers == [1, 1, 2]


def test_revisions_keep_the_whole_state_and_its_change(storage: Storage) -> None:
    before = a_document()
    with storage.write() as tx:
        first_change = save(tx, before, "change-1")
    with storage.write() as tx:
        second = rewrite(tx, before, STATE, "change-2")
    first = Revision(SPACE, "item-1", 1, Action.CREATE, before.state, first_change)
    with storage.read() as tx:
        assert tx.revisions.list(SPACE, "item-1") == [an_entry(second), an_entry(first)]
        assert tx.revisions.find(SPACE, "item-1", 1) == first
        assert tx.revisions.find(SPACE, "item-1", 2) == second
        assert tx.revisions.find(SPACE, "item-1", 3) is None
        assert tx.revisions.find(OTHER_SPACE, "item-1", 1) is None
        assert tx.revisions.list(SPACE, "item-2") == []


def test_a_change_is_kept_with_all_that_it_says(storage: Storage) -> None:
    given = a_change(
        actor_kind=ActorKind.PERSON,
        credential_id=None,
        client_name="<b>\0 'x'",
        session_id=None,
        tool="update_note",
        made_at=at(44),
    )
    document = a_document()
    with storage.write() as tx:
        change = tx.revisions.begin(given)
        tx.items.add(document, None)
        tx.revisions.add("item-1", 1, Action.CREATE, document.state, change)
    with storage.read() as tx:
        found = tx.revisions.find(SPACE, "item-1", 1)
    assert found is not None
    assert found.change == replace(given, sequence=1)


def test_the_revisions_of_a_change_are_found(storage: Storage) -> None:
    with storage.write() as tx:
        change = tx.revisions.begin(a_change())
        for item_id in ("b", "a"):
            document = a_document(item_id)
            tx.items.add(document, None)
            tx.revisions.add(item_id, 1, Action.CREATE, document.state, change)
        save(tx, a_document("c"), "change-2")
    expected = [
        Revision(SPACE, item_id, 1, Action.CREATE, a_document(item_id).state, change)
        for item_id in ("a", "b")
    ]
    with storage.read() as tx:
        assert tx.revisions.of_change(SPACE, "change-1") == expected
        assert tx.revisions.of_change(OTHER_SPACE, "change-1") == []


def test_a_history_without_gaps_is_sound(storage: Storage) -> None:
    before = a_document()
    with storage.write() as tx:
        save(tx, before, "change-1")
        rewrite(tx, before, STATE, "change-2")
    with storage.read() as tx:
        assert tx.revisions.gaps(SPACE) == []


def test_every_kind_of_gap_is_told(storage: Storage) -> None:
    with storage.write() as tx:
        save(tx, a_document("sound"), "change-1")
        save(tx, a_document("behind"), "change-2")
        assert tx.items.replace(a_document("behind", version=2), None, 1)
        change = tx.revisions.begin(a_change("change-3"))
        for item_id, versions in (("late", (2,)), ("hole", (1, 3)), ("ahead", (1, 2))):
            document = a_document(item_id, version=versions[-1] if item_id != "ahead" else 1)
            tx.items.add(document, None)
            for version in versions:
                tx.revisions.add(item_id, version, Action.UPDATE, document.state, change)
    add(storage, a_document("none"), a_document("elsewhere", space_id=OTHER_SPACE))
    with storage.read() as tx:
        assert tx.revisions.gaps(SPACE) == ["ahead", "behind", "hole", "late", "none"]
        assert tx.revisions.gaps(OTHER_SPACE) == ["elsewhere"]
