"""Are the small records kept: audit, imports, blobs, credits and facts of the installation?"""

from __future__ import annotations

import threading

import pytest

from tests.storage.samples import ACCOUNT, OTHER_SPACE, SPACE, a_document, add, an_entry, at
from vademecum.model.items import Blob
from vademecum.ports.storage import ImportedFile, Storage

MONTH = "2026-11"


def test_audit_entries_are_listed_newest_first_over_all_spaces(storage: Storage) -> None:
    entries = [
        an_entry("a", at=at(1), credential_id=None, item_id=None, change_id="c", client_name="<x>\0"),
        an_entry("b", at=at(3), session_id=None, outcome="NOT_FOUND"),
        an_entry("c", at=at(2), space_id=OTHER_SPACE),
        an_entry("d", at=at(3)),
    ]
    with storage.write() as tx:
        tx.audit.add(entries)
        tx.audit.add([])
    first, second, third, fourth = entries
    with storage.read() as tx:
        assert tx.audit.list([SPACE, OTHER_SPACE], 10) == [fourth, second, third, first]
        assert tx.audit.list([SPACE, OTHER_SPACE], 2) == [fourth, second]
        assert tx.audit.list([OTHER_SPACE], 10) == [third]
        assert tx.audit.list([], 10) == []


def test_what_was_imported_is_known_by_its_source(storage: Storage) -> None:
    add(storage, a_document("a"), a_document("b"))
    long = "x" * 5000
    files = [
        ImportedFile(SPACE, "vault", "a.md", "hash-1", "a", 1),
        ImportedFile(SPACE, "vault", long, "hash-2", "b", 4),
        ImportedFile(SPACE, long, "a.md", "hash-3", "a", 1),
    ]
    with storage.write() as tx:
        for file in files:
            tx.imports.add([file])
    with storage.read() as tx:
        assert tx.imports.known(SPACE, "vault") == {"a.md": files[0], long: files[1]}
        assert tx.imports.known(SPACE, long) == {"a.md": files[2]}
        assert tx.imports.known(OTHER_SPACE, "vault") == {}


def test_a_later_import_of_a_file_takes_the_place_of_the_former(storage: Storage) -> None:
    add(storage, a_document("a"), a_document("b"))
    later = ImportedFile(SPACE, "vault", "a.md", "hash-2", "b", 7)
    with storage.write() as tx:
        tx.imports.add([ImportedFile(SPACE, "vault", "a.md", "hash-1", "a", 1)])
        tx.imports.replace(later)
    with storage.read() as tx:
        assert tx.imports.known(SPACE, "vault") == {"a.md": later}


def test_a_space_has_a_blob_once(storage: Storage) -> None:
    small, large = Blob("a" * 64, 5, "image/png"), Blob("b" * 64, 3 * 2**31, "video/mp4")
    with storage.write() as tx:
        for blob in (large, small, Blob("a" * 64, 5, "other")):
            tx.blobs.add(SPACE, blob)
        tx.blobs.add(OTHER_SPACE, small)
    with storage.read() as tx:
        assert tx.blobs.list(SPACE) == [small, large]
        assert tx.blobs.find(SPACE, "a" * 64) == small
        assert tx.blobs.find(OTHER_SPACE, "b" * 64) is None
        assert tx.blobs.used_bytes([SPACE]) == 5 + 3 * 2**31
        assert tx.blobs.used_bytes([SPACE, OTHER_SPACE]) == 10 + 3 * 2**31
        assert tx.blobs.used_bytes([]) == 0


@pytest.mark.parametrize(
    ("steps", "used"),
    [
        ([(3, 10, True), (7, 10, True), (1, 10, False)], 10),
        ([(11, 10, False)], 0),
        ([(10, 10, True), (-3, 10, True), (3, 10, True)], 10),
        ([(5, None, True), (10**12, None, True)], 10**12 + 5),
        ([(2, 10, True), (-5, 10, True)], 0),
        ([(-5, 10, True)], 0),
        ([(9, None, True), (-1, 3, True), (1, 3, False)], 8),
        ([(0, 0, True), (1, 0, False)], 0),
    ],
)
def test_credits_are_spent_up_to_the_limit_and_given_back(
    storage: Storage, steps: list[tuple[int, int | None, bool]], used: int
) -> None:
    with storage.write() as tx:
        assert [tx.credits.spend(ACCOUNT, MONTH, amount, most) for amount, most, _ in steps] == [
            granted for *_, granted in steps
        ]
    with storage.read() as tx:
        assert tx.credits.used(ACCOUNT, MONTH) == used
        assert tx.credits.used(ACCOUNT, "2026-12") == 0


def test_credits_are_not_spent_twice_by_two_at_once(storage: Storage) -> None:
    granted: list[bool] = []

    def spend() -> None:
        for _ in range(10):
            with storage.write() as tx:
                granted.append(tx.credits.spend(ACCOUNT, MONTH, 1, 12))

    spenders = [threading.Thread(target=spend) for _ in range(3)]
    for spender in spenders:
        spender.start()
    for spender in spenders:
        spender.join()
    with storage.read() as tx:
        assert (granted.count(True), tx.credits.used(ACCOUNT, MONTH)) == (12, 12)


def test_a_fact_of_the_installation_is_replaced(storage: Storage) -> None:
    with storage.read() as tx:
        assert tx.installation.get("id") is None
    with storage.write() as tx:
        tx.installation.put("id", "one")
        tx.installation.put("id", "two")
    with storage.read() as tx:
        assert tx.installation.get("id") == "two"
