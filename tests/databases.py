"""Where does each test get a database of its own from?"""

from __future__ import annotations

import itertools
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import psycopg
from psycopg import sql

from tests.postgres import PostgresServer

# Brings the empty database at the address to where the tests want to start, and leaves no connection open.
Prepare = Callable[[str], None]


class Databases(Protocol):
    """Gives databases of one kind."""

    def fresh(self, prepare: Prepare | None = None) -> str:
        """The address of a database that nobody else uses.

        It is empty, or as `prepare` leaves an empty one; `prepare` is run once and its result copied.
        """

    def discard(self) -> None:
        """Drops every database given since the last call."""


class SqliteDatabases:
    """SQLite files in one folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._numbers = itertools.count()
        self._templates: dict[Prepare, Path] = {}
        self._given: list[Path] = []

    def fresh(self, prepare: Prepare | None = None) -> str:
        """A new file; see `Databases.fresh`."""
        path = self._new_path()
        self._given.append(path)
        if prepare is not None:
            shutil.copyfile(self._template(prepare), path)
        return _sqlite_url(path)

    def discard(self) -> None:
        """Removes the files, with what SQLite keeps beside them."""
        while self._given:
            path = self._given.pop()
            for file in path.parent.glob(f"{path.name}*"):
                file.unlink()

    def _template(self, prepare: Prepare) -> Path:
        if prepare not in self._templates:
            path = self._new_path()
            prepare(_sqlite_url(path))
            # The last connection to close moves the write-ahead log into the file, so that a copy is whole.
            leftover = [file.name for file in path.parent.glob(f"{path.name}-*") if file.stat().st_size]
            if leftover:
                message = f"{prepare} left a connection open: {leftover}"
                raise RuntimeError(message)
            self._templates[prepare] = path
        return self._templates[prepare]

    def _new_path(self) -> Path:
        return self._folder / f"{next(self._numbers)}.db"


def _sqlite_url(path: Path) -> str:
    return f"sqlite:///{path}"


class PostgresDatabases:
    """Databases of one PostgreSQL server."""

    def __init__(self, server: PostgresServer) -> None:
        self._server = server
        # A server that was given may serve several workers at once.
        self._prefix = f"vade_test_{os.getpid()}_"
        self._numbers = itertools.count()
        self._templates: dict[Prepare, str] = {}
        self._given: list[str] = []

    def fresh(self, prepare: Prepare | None = None) -> str:
        """A new database; see `Databases.fresh`."""
        template = "template0" if prepare is None else self._template(prepare)
        name = self._create(template)
        self._given.append(name)
        return self._server.url(name)

    def discard(self) -> None:
        """Drops them, with the connections that a test has left open."""
        self._drop(self._given)
        self._given.clear()

    def close(self) -> None:
        """Drops everything, templates too."""
        self.discard()
        self._drop(list(self._templates.values()))
        self._templates.clear()

    def _template(self, prepare: Prepare) -> str:
        if prepare not in self._templates:
            name = self._create("template0")
            prepare(self._server.url(name))
            self._templates[prepare] = name
        return self._templates[prepare]

    def _create(self, template: str) -> str:
        name = f"{self._prefix}{next(self._numbers)}"
        create = sql.SQL("CREATE DATABASE {} TEMPLATE {}")
        with psycopg.connect(self._server.admin_url, autocommit=True) as admin:
            admin.execute(create.format(sql.Identifier(name), sql.Identifier(template)))
        return name

    def _drop(self, names: list[str]) -> None:
        with psycopg.connect(self._server.admin_url, autocommit=True) as admin:
            for name in names:
                admin.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))
