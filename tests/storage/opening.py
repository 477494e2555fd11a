"""How do storage tests open the database at an address?"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Barrier
from typing import Any, TypeVar

import psycopg

from vademecum.ports.storage import Storage
from vademecum.storage.postgres import open_postgres
from vademecum.storage.sqlite import open_sqlite

SQLITE = "sqlite:///"

Result = TypeVar("Result")


def path_of(url: str) -> Path:
    """The file of a SQLite address."""
    return Path(url.removeprefix(SQLITE))


def open_at(url: str, *, busy_seconds: float = 10) -> Storage:
    """The library at the address, brought to the newest schema."""
    if url.startswith(SQLITE):
        return open_sqlite(path_of(url), busy_seconds=busy_seconds)
    return open_postgres(url, busy_seconds=busy_seconds)


def migrate(url: str) -> None:
    """Leaves an empty library and no open connection."""
    open_at(url).close()


def change_rows(url: str, statement: str) -> None:
    """Change stored rows behind the library's back, without the foreign keys that would forbid it."""
    if url.startswith(SQLITE):
        with closing(sqlite3.connect(path_of(url))) as file, file:
            file.execute(statement)
    else:
        with psycopg.connect(url) as server:
            server.execute("SET session_replication_role = replica")
            server.execute(statement.replace(" x'", " '\\x").encode())


def query(url: str, statement: str) -> list[tuple[Any, ...]]:
    """Rows as the database gives them."""
    if url.startswith(SQLITE):
        with closing(sqlite3.connect(path_of(url))) as file:
            return list(file.execute(statement))
    with psycopg.connect(url) as server:
        return list(server.execute(statement.encode()))


def started_together(count: int, start: Callable[[], Result]) -> list[Result]:
    """What each of several threads gets that start at one moment; what one of them raises is raised."""
    together = Barrier(count)

    def wait_and_start() -> Result:
        together.wait()
        return start()

    with ThreadPoolExecutor(count) as threads:
        starting = [threads.submit(wait_and_start) for _ in range(count)]
        return [begun.result() for begun in starting]
