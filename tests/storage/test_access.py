"""Are people, spaces, members and keys kept?"""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.storage.samples import (
    ACCOUNT,
    OTHER_SPACE,
    SPACE,
    a_chunk,
    a_document,
    a_job,
    a_key,
    a_space,
    an_account,
    an_entry,
    at,
    save,
)
from vademecum.model.access import ToolSet
from vademecum.model.items import Blob, Folder, Role
from vademecum.ports.storage import ImportedFile, ItemName, Storage, StoredLink

PERSONAL, SHARED = a_space(personal_of=ACCOUNT), a_space(OTHER_SPACE, created_at=at(1))


def test_accounts_are_kept_and_listed_oldest_first(storage: Storage) -> None:
    late = an_account("b", name="Bé", created_at=at(9), is_owner=True, password_hash="h", zone="Asia/Tokyo")
    early = an_account("a", created_at=at(8))
    with storage.write() as tx:
        assert tx.access.add_account(late)
        assert tx.access.add_account(early)
    with storage.read() as tx:
        assert tx.access.account("b") == late
        assert tx.access.account_named("Bé") == late
        assert tx.access.account("c") is None
        assert tx.access.account_named("bé") is None
        assert tx.access.accounts() == [an_account(), early, late]


@pytest.mark.parametrize("taken", [an_account(name="other"), an_account("other", name=ACCOUNT)])
def test_ids_and_names_of_accounts_are_unique(storage: Storage, taken: object) -> None:
    assert isinstance(taken, type(an_account()))
    with storage.write() as tx:
        assert not tx.access.add_account(taken)
    with storage.read() as tx:
        assert tx.access.accounts() == [an_account()]


def test_a_password_is_set_and_taken_away(storage: Storage) -> None:
    for password_hash in ("new", None):
        with storage.write() as tx:
            tx.access.set_password(ACCOUNT, password_hash)
        with storage.read() as tx:
            assert tx.access.account(ACCOUNT) == an_account(password_hash=password_hash)


def test_spaces_are_found_by_id_slug_and_owner(storage: Storage) -> None:
    with storage.read() as tx:
        assert tx.access.space(SPACE) == PERSONAL
        assert tx.access.space_with_slug(OTHER_SPACE) == SHARED
        assert tx.access.personal_space(ACCOUNT) == PERSONAL
        assert tx.access.spaces() == [PERSONAL, SHARED]
        assert tx.access.space("none") is None
        assert tx.access.space_with_slug("none") is None
        assert tx.access.personal_space("none") is None


@pytest.mark.parametrize(
    "taken",
    [a_space(slug="other"), a_space("other", slug=SPACE), a_space("other", personal_of=ACCOUNT)],
)
def test_ids_slugs_and_personal_spaces_are_unique(storage: Storage, taken: object) -> None:
    assert isinstance(taken, type(PERSONAL))
    with storage.write() as tx:
        assert not tx.access.add_space(taken)
    with storage.read() as tx:
        assert tx.access.spaces() == [PERSONAL, SHARED]


def test_a_space_is_archived_and_brought_back(storage: Storage) -> None:
    for moment in (at(5), None):
        with storage.write() as tx:
            tx.access.set_archived(OTHER_SPACE, moment)
        with storage.read() as tx:
            assert tx.access.space(OTHER_SPACE) == replace(SHARED, archived_at=moment)


def test_members_have_one_role_each(storage: Storage) -> None:
    friend = an_account("friend", created_at=at(3))
    with storage.write() as tx:
        tx.access.add_account(friend)
        tx.access.set_member(OTHER_SPACE, "friend", Role.READER)
        tx.access.set_member(OTHER_SPACE, ACCOUNT, Role.OWNER)
        tx.access.set_member(SPACE, ACCOUNT, Role.OWNER)
        tx.access.set_member(OTHER_SPACE, "friend", Role.EDITOR)
    with storage.read() as tx:
        assert tx.access.members(OTHER_SPACE) == [(an_account(), Role.OWNER), (friend, Role.EDITOR)]
        assert tx.access.spaces_of("friend") == [(SHARED, Role.EDITOR)]
        assert tx.access.spaces_of(ACCOUNT) == [(PERSONAL, Role.OWNER), (SHARED, Role.OWNER)]
    with storage.write() as tx:
        assert tx.access.remove_member(OTHER_SPACE, "friend")
        assert not tx.access.remove_member(OTHER_SPACE, "friend")
    with storage.read() as tx:
        assert tx.access.spaces_of("friend") == []
        assert tx.access.members("none") == []


def test_the_personal_space_comes_before_older_ones(storage: Storage) -> None:
    older = a_space("older", created_at="2020-01-01T00:00:00.000000Z")
    with storage.write() as tx:
        tx.access.add_space(older)
        for space_id in ("older", SPACE):
            tx.access.set_member(space_id, ACCOUNT, Role.OWNER)
    with storage.read() as tx:
        assert tx.access.spaces_of(ACCOUNT) == [(PERSONAL, Role.OWNER), (older, Role.OWNER)]


def test_keys_are_found_by_their_hash_and_listed_oldest_first(storage: Storage) -> None:
    late = a_key(
        "late",
        tool_set=ToolSet.GATEWAY,
        spaces=(OTHER_SPACE, SPACE),
        created_at=at(5),
        expires_at=at(50),
        revoked_at=at(6),
        last_used_at=at(7),
    )
    with storage.write() as tx:
        tx.access.add_key(late)
        tx.access.add_key(a_key())
    with storage.read() as tx:
        assert tx.access.key_with_hash("hash of late") == late
        assert tx.access.key_with_hash("late") is None
        assert tx.access.keys(ACCOUNT) == [a_key(), late]
        assert tx.access.keys("none") == []


def test_a_key_is_changed_in_what_may_change(storage: Storage) -> None:
    changed = a_key(tier="read", name="New", spaces=(SPACE,), expires_at=at(9), revoked_at=at(8))
    with storage.write() as tx:
        tx.access.add_key(a_key())
        assert tx.access.replace_key(replace(changed, key_hash="x", shown="x", last_used_at=at(3)))
        assert not tx.access.replace_key(a_key("none"))
    with storage.read() as tx:
        assert tx.access.keys(ACCOUNT) == [changed]


def test_another_secret_opens_the_same_connection(storage: Storage) -> None:
    with storage.write() as tx:
        tx.access.add_key(a_key(last_used_at=at(3)))
        tx.access.add_key(a_key("other"))
        assert tx.access.renew_key("key-1", "new hash", "new head")
        assert not tx.access.renew_key("none", "x", "x")
    with storage.read() as tx:
        assert tx.access.key_with_hash(a_key().key_hash) is None
        opened = tx.access.key_with_hash("new hash")
        assert opened == a_key(last_used_at=at(3), key_hash="new hash", shown="new head")
        assert a_key("other") in tx.access.keys(ACCOUNT)


def test_uses_without_a_long_gap_are_one_session(storage: Storage) -> None:
    uses = [(at(10), "s1", at(0)), (at(40), "s2", at(10)), (at(71), "s3", at(41)), (at(72), "s4", at(42))]
    with storage.write() as tx:
        tx.access.add_key(a_key())
        sessions = [tx.access.use_key("key-1", moment, new, start) for moment, new, start in uses]
    assert sessions == ["s1", "s1", "s3", "s3"]
    with storage.read() as tx:
        assert tx.access.keys(ACCOUNT) == [a_key(last_used_at=at(72))]


def test_a_use_that_is_noted_late_does_not_turn_back_the_clock(storage: Storage) -> None:
    with storage.write() as tx:
        tx.access.add_key(a_key())
        assert tx.access.use_key("key-1", at(20), "s1", at(0)) == "s1"
        assert tx.access.use_key("key-1", at(10), "s2", at(0)) == "s1"
        assert tx.access.use_key("none", at(10), "s3", at(0)) == "s3"
    with storage.read() as tx:
        assert tx.access.keys(ACCOUNT) == [a_key(last_used_at=at(20))]


def fill(storage: Storage, space_id: str) -> None:
    """A row in every table of a space's content."""
    with storage.write() as tx:
        tx.access.set_member(space_id, ACCOUNT, Role.OWNER)
        document = a_document(space_id=space_id, tags=("t",), folder_id=None)
        change = save(tx, document, "change-1")
        tx.folders.add(Folder(space_id, "f1", None, "F", at(1)), "f", change)
        tx.folders.add(Folder(space_id, "f2", "f1", "G", at(1)), "g", change)
        inner = a_document("item-2", space_id=space_id, folder_id="f2", item_class=document.item.item_class)
        save(tx, inner, "change-2")
        tx.items.set_names(space_id, "item-1", [ItemName("n", "N", "title")])
        tx.links.replace(space_id, "item-1", [StoredLink(0, "wiki", "N", "n", None, None, None, 0, 1)])
        tx.jobs.add(a_job(space_id=space_id))
        tx.audit.add([an_entry(space_id=space_id)])
        tx.imports.add([ImportedFile(space_id, "vault", "a.md", "h", "item-1", 1)])
        tx.blobs.add(space_id, Blob("a" * 64, 5, "image/png"))
        tx.index.replace(space_id, "item-1", 1, [a_chunk()])


def test_purging_a_space_leaves_nothing_of_it_and_all_of_others(storage: Storage) -> None:
    fill(storage, SPACE)
    fill(storage, OTHER_SPACE)
    key = a_key(spaces=(OTHER_SPACE,))
    with storage.write() as tx:
        tx.access.add_key(key)
        tx.access.purge_space(OTHER_SPACE)
    with storage.read() as tx:
        assert tx.access.spaces() == [PERSONAL]
        assert tx.access.spaces_of(ACCOUNT) == [(PERSONAL, Role.OWNER)]
        assert tx.access.keys(ACCOUNT) == [key]
        kept = {
            space_id: (
                tx.items.every_id(space_id),
                [folder.folder_id for folder in tx.folders.list(space_id)],
                tx.items.text_bytes([space_id]),
                tx.blobs.used_bytes([space_id]),
                len(tx.audit.list([space_id], 10)),
                tx.links.count(space_id),
                len(tx.imports.known(space_id, "vault")),
                sum(tx.jobs.pending([space_id]).values()),
                tx.index.counts([space_id])["chunks"],
            )
            for space_id in (SPACE, OTHER_SPACE)
        }
    assert kept == {
        SPACE: (["item-1", "item-2"], ["f1", "f2"], 30, 5, 1, 1, 1, 1, 1),
        OTHER_SPACE: ([], [], 0, 0, 0, 0, 0, 0, 0),
    }
    assert storage.integrity_problems() == []


def test_the_records_of_a_space_without_items_go_a_few_at_a_time(storage: Storage) -> None:
    fill(storage, SPACE)
    fill(storage, OTHER_SPACE)
    with storage.write() as tx:
        tx.audit.add([an_entry(f"audit-{number}", space_id=OTHER_SPACE) for number in range(2, 6)])
        for item_id in tx.items.every_id(OTHER_SPACE):
            tx.items.purge(OTHER_SPACE, item_id)
    left = []
    more = True
    while more:
        with storage.write() as tx:
            more = tx.access.purge_records(OTHER_SPACE, 2)
            left.append(len(tx.audit.list([OTHER_SPACE], 10)))
    assert left == [3, 1, 0, 0]
    with storage.read() as tx:
        assert tx.folders.list(OTHER_SPACE) == []
        assert (len(tx.folders.list(SPACE)), len(tx.audit.list([SPACE], 10))) == (2, 1)
        assert tx.revisions.gaps(SPACE) == []
    assert storage.integrity_problems() == []


def test_a_purged_space_may_come_again_and_count_from_one(storage: Storage) -> None:
    fill(storage, OTHER_SPACE)
    with storage.write() as tx:
        tx.access.purge_space(OTHER_SPACE)
        assert tx.access.add_space(SHARED)
        assert save(tx, a_document(space_id=OTHER_SPACE), "change-1").sequence == 1
