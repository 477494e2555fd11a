"""How do the server, the commands and the bridge tell each other where the vault is and what opens it?"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from vademecum.faces.http.pages import vault_address
from vademecum.library.context import Library
from vademecum.library.vault import is_token, new_token
from vademecum.storage.disk import full_disk_told

_NAME = "vault.json"
_TURN = "vault.lock"
_LARGEST = 65_536  # bytes; what is larger was not written here


@dataclass(frozen=True, slots=True)
class Connection:
    """The vault's token, and the port of its listener while that is open."""

    token: str | None = None
    port: int | None = None


class VaultFile:
    """`vault.json` in the data folder's inner one, which only its owner may read (operations, Data folder).

    It holds `token`, `port`, `url` and the number of the serving process as `pid`; all but the token are null
    while no listener is open. A change replaces it whole, one change at a time among all processes. Methods
    that change it raise StorageFull and OSError.
    """

    def __init__(self, inner: Path) -> None:
        self._inner = inner
        self._path = inner / _NAME

    def read(self) -> Connection:
        """What it says; nothing where it is missing or is not ours."""
        try:
            with self._path.open("rb") as file:
                known = json.loads(file.read(_LARGEST))
        except (FileNotFoundError, ValueError, RecursionError):
            return Connection()
        if not isinstance(known, dict):
            return Connection()
        token, port = known.get("token"), known.get("port")
        return Connection(
            token if isinstance(token, str) else None,
            port if isinstance(port, int) and not isinstance(port, bool) else None,
        )

    def ensure_token(self, library: Library) -> str:
        """The token in force, made at first need and where the one that is kept here no longer is."""
        with self._alone():
            known = self.read()
            if known.token is not None and is_token(library, known.token):
                return known.token
            return self._make_token(library, known)

    def replace_token(self, library: Library) -> str:
        """A new token in place of the one before, which fails from now on."""
        with self._alone():
            return self._make_token(library, self.read())

    def _make_token(self, library: Library, known: Connection) -> str:
        token = new_token(library)
        self._write(replace(known, token=token))
        return token

    def keep_port(self, port: int | None) -> None:
        """Keep where the listener is open, or that it is closed; writes nothing where that is known."""
        with self._alone():
            known = self.read()
            if known.port != port:
                self._write(replace(known, port=port))

    def is_served(self) -> bool:
        """Whether a server runs that opens and closes the listener as the switches say."""
        try:
            number = os.open(self._inner / _TURN, os.O_RDONLY)
        except FileNotFoundError:
            return False
        try:
            return not _locked(number, fcntl.LOCK_SH)
        finally:
            os.close(number)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        number = os.open(self._inner, os.O_RDONLY)
        try:
            fcntl.flock(number, fcntl.LOCK_EX)
            yield
        finally:
            os.close(number)

    def _write(self, connection: Connection) -> None:
        is_open = connection.port is not None
        told = {
            "url": None if connection.port is None else vault_address(connection.port),
            "port": connection.port,
            "token": connection.token,
            "pid": os.getpid() if is_open else None,
        }
        # Under a name of its own, so that what a kill leaves is overwritten by the next change.
        unfinished = self._path.with_name(f"{_NAME}.unfinished")
        with full_disk_told():
            number = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(number, "w", encoding="ascii") as file:
                json.dump(told, file, indent=2)
            unfinished.replace(self._path)


class Turn:
    """The right to hold the vault's listener: of all processes over a data folder one has it.

    It is kept until it is given back or the process ends, in whatever way.
    """

    def __init__(self, inner: Path) -> None:
        self._number = os.open(inner / _TURN, os.O_RDWR | os.O_CREAT, 0o600)
        self._is_taken = False

    def is_taken(self) -> bool:
        """Whether this process has the right, or takes it now."""
        self._is_taken = self._is_taken or _locked(self._number, fcntl.LOCK_EX)
        return self._is_taken

    def give_back(self) -> None:
        """Let another process take it."""
        os.close(self._number)


def _locked(number: int, kind: int) -> bool:
    try:
        fcntl.flock(number, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
