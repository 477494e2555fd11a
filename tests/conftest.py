"""What do all tests share?"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Literal

import pytest
from hypothesis import HealthCheck, settings

from tests.databases import Databases, PostgresDatabases, SqliteDatabases
from tests.postgres import PostgresServer, postgres_server

# Read when numpy is loaded, which nothing above does and every test may do.
os.environ["OPENBLAS_NUM_THREADS"] = "1"

# Time decides no test: a busy machine is no fault of the code. A run of CI says the same twice; at a desk
# each run looks elsewhere.
settings.register_profile(
    "vademecum",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize="CI" in os.environ,
)
settings.load_profile("vademecum")

DatabaseKind = Literal["sqlite", "postgres"]


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A PostgreSQL server, started when the first test asks for it and stopped with the session."""
    with postgres_server() as server:
        yield server


@pytest.fixture(scope="session")
def sqlite_source(tmp_path_factory: pytest.TempPathFactory) -> SqliteDatabases:
    """Where `databases` and `sqlite_url` take theirs from."""
    return SqliteDatabases(tmp_path_factory.mktemp("sqlite"))


@pytest.fixture(scope="session")
def postgres_source(postgres: PostgresServer) -> Iterator[PostgresDatabases]:
    """Where `databases` and `postgres_url` take theirs from."""
    source = PostgresDatabases(postgres)
    yield source
    source.close()


@pytest.fixture(params=["sqlite", "postgres"])
def database_kind(request: pytest.FixtureRequest) -> DatabaseKind:
    """Runs the test once on each database."""
    kind: DatabaseKind = request.param
    return kind


@pytest.fixture
def databases(request: pytest.FixtureRequest, database_kind: DatabaseKind) -> Iterator[Databases]:
    """Databases of the kind, as many as the test wants, dropped after it."""
    source: Databases = request.getfixturevalue(f"{database_kind}_source")
    yield source
    source.discard()


@pytest.fixture
def database_url(databases: Databases) -> str:
    """The address of an empty database."""
    return databases.fresh()


@pytest.fixture
def sqlite_url(sqlite_source: SqliteDatabases) -> Iterator[str]:
    """The address of an empty SQLite database."""
    yield sqlite_source.fresh()
    sqlite_source.discard()


@pytest.fixture
def postgres_url(postgres_source: PostgresDatabases) -> Iterator[str]:
    """The address of an empty PostgreSQL database."""
    yield postgres_source.fresh()
    postgres_source.discard()
