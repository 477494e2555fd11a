"""Does a library in PostgreSQL bear lost connections, full disks and crowds?"""

from __future__ import annotations

import threading
from collections.abc import Iterator

import psycopg
import pytest

from tests.databases import PostgresDatabases
from tests.storage.opening import migrate, query
from tests.storage.samples import OTHER_SPACE, SPACE, a_change, a_document, add, add_people
from vademecum.model.errors import Busy, ProviderUnavailable, Refusal, StorageFull, StoredDataDamaged
from vademecum.storage.postgres import PostgresStorage, open_postgres
from vademecum.storage.postgres_connection import WRITE

CUT_ALL = """
SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid()
"""


@pytest.fixture
def url(postgres_source: PostgresDatabases) -> Iterator[str]:
    """The address of an empty library."""
    yield postgres_source.fresh(migrate)
    postgres_source.discard()


@pytest.fixture
def storage(url: str) -> Iterator[PostgresStorage]:
    """A library with an account and two spaces."""
    opened = open_postgres(url)
    add_people(opened)
    yield opened
    opened.close()


def cut_connections(url: str) -> None:
    """What a restart of the server does to those who were connected."""
    with psycopg.connect(url, autocommit=True) as admin:
        admin.execute(CUT_ALL)


def test_connections_that_a_restart_has_cut_are_passed_over(url: str, storage: PostgresStorage) -> None:
    with storage.read(), storage.read(), storage.read():
        pass
    cut_connections(url)
    add(storage, a_document())
    with storage.read() as tx:
        assert tx.items.every_id(SPACE) == ["item-1"]


def test_a_transaction_that_lost_its_connection_is_refused_without_a_trace(
    url: str, storage: PostgresStorage
) -> None:
    def lose_it() -> None:
        with storage.write() as tx:
            tx.items.add(a_document(), None)
            cut_connections(url)
            tx.items.every_id(SPACE)

    with pytest.raises(Busy):
        lose_it()
    with storage.read() as tx:
        assert tx.items.every_id(SPACE) == []


def test_whoever_gets_no_connection_in_time_is_told_so(url: str) -> None:
    storage = open_postgres(url, busy_seconds=0.1, connections=1)
    with storage.read() as tx:
        assert tx.access.spaces() == []
        with pytest.raises(Busy), storage.read():
            pass
    with storage.read() as tx:
        assert tx.access.spaces() == []
    storage.close()


def test_a_server_that_does_not_answer_is_told(url: str) -> None:
    nowhere = url.replace(url.rpartition(":")[2].partition("/")[0], "1")
    with pytest.raises(ProviderUnavailable):
        open_postgres(nowhere)


@pytest.mark.parametrize(
    ("code", "refusal"),
    [
        ("53100", StorageFull),
        ("XX001", StoredDataDamaged),
        ("XX002", StoredDataDamaged),
        ("40P01", Busy),
        ("40001", Busy),
        ("55P03", Busy),
        ("57014", Busy),
        ("53300", Busy),
    ],
)
def test_what_the_server_says_is_told_as_a_refusal(
    storage: PostgresStorage, code: str, refusal: type[Refusal]
) -> None:
    def fail() -> None:
        with storage._transaction(WRITE) as database:
            database.run("INSERT INTO installation (name, value) VALUES ('id', 'x')")
            database.run(f"DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '{code}'; END $$")

    with pytest.raises(refusal):
        fail()
    with storage.read() as tx:
        assert tx.installation.get("id") is None


def test_of_two_who_wait_for_each_other_one_is_refused_and_the_other_goes_on(
    storage: PostgresStorage,
) -> None:
    ended: list[str] = []
    both_hold_one = threading.Barrier(2)

    def write(first: str, second: str) -> None:
        try:
            with storage.write() as tx:
                tx.revisions.begin(a_change(first, space_id=first))
                both_hold_one.wait()
                tx.revisions.begin(a_change(first, space_id=second))
        except Busy:
            ended.append("refused")
        else:
            ended.append(first)

    pairs = ((SPACE, OTHER_SPACE), (OTHER_SPACE, SPACE))
    writers = [threading.Thread(target=write, args=pair) for pair in pairs]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert sorted(ended) in (["refused", SPACE], ["refused", OTHER_SPACE])
    with storage.write() as tx:
        sequences = [
            tx.revisions.begin(a_change("c", space_id=space)).sequence for space in (SPACE, OTHER_SPACE)
        ]
    assert sequences == [2, 2]


def test_commits_wait_for_the_disk_whatever_the_server_prefers(url: str, storage: PostgresStorage) -> None:
    assert query(url, "SHOW synchronous_commit") == [("off",)]
    with storage._transaction(WRITE) as database:
        row = database.one("SHOW synchronous_commit")
    assert row is not None
    assert row["synchronous_commit"] == "on"


def test_an_index_that_is_not_valid_is_told(url: str, storage: PostgresStorage) -> None:
    with psycopg.connect(url) as server:
        server.execute("UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'item_by_age'::regclass")
    assert storage.integrity_problems() == ["index item_by_age is not valid"]


def test_nothing_but_the_extension_needs_a_superuser(postgres_source: PostgresDatabases) -> None:
    """A provider's database comes with an owner who is none; the extension is one that owners may create."""
    url = postgres_source.fresh()
    with psycopg.connect(url, autocommit=True) as admin:
        name = url.rpartition("/")[2]
        admin.execute(f"CREATE ROLE {name}_owner LOGIN".encode())
        admin.execute(f"ALTER DATABASE {name} OWNER TO {name}_owner".encode())
        admin.execute("CREATE EXTENSION IF NOT EXISTS vector")
    storage = open_postgres(url.replace("postgres@", f"{name}_owner@"))
    add_people(storage)
    add(storage, a_document())
    storage.close()
    postgres_source.discard()
    with psycopg.connect(postgres_source._server.admin_url, autocommit=True) as admin:
        admin.execute(f"DROP ROLE {name}_owner".encode())
