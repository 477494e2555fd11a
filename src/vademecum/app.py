"""How do the parts become one library that can be used and served?"""

from __future__ import annotations

import errno
import logging
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum
from pathlib import Path

from vademecum.capture.pipeline import Capture
from vademecum.jobs.runner import Runner, Work
from vademecum.library.checking import Problem
from vademecum.library.connecting import ensure_owner
from vademecum.library.context import Library
from vademecum.library.reindexing import embed_item, embed_item_for_second_stage
from vademecum.library.trash import purge_expired
from vademecum.mirror.examining import examine_mirror
from vademecum.mirror.mirror import Mirror
from vademecum.mirror.watching import Following
from vademecum.model.errors import IncompatibleLibrary, NotPermitted, ProviderUnavailable
from vademecum.model.jobs import JobKind
from vademecum.model.quota import Limits
from vademecum.ports.storage import Storage
from vademecum.providers.documents.reading import SandboxedDocuments
from vademecum.providers.http_fetch import HttpFetcher
from vademecum.providers.opening import open_embedder, open_reranker, open_second_stage
from vademecum.settings import Settings
from vademecum.storage.disk import full_disk_told
from vademecum.storage.files import BlobFolder
from vademecum.storage.migrate import all_migrations
from vademecum.storage.postgres import open_postgres, pending_postgres
from vademecum.storage.sqlite import open_sqlite, pending_sqlite
from vademecum.storage.sqlite_copy import copy_before, copying_alone

_DATABASE = "library.db"
_log = logging.getLogger("vademecum")


class SystemClock:
    """The machine's own clock."""

    def now(self) -> datetime:
        """The moment, in UTC."""
        return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class App:
    """An open installation: its library, and what runs it in the background."""

    library: Library
    settings: Settings
    storage: Storage
    copied: Path | None = None  # the copy taken before the schema was changed, where that was called for

    def runner(self, is_pressed: Callable[[], bool] = lambda: False) -> Runner:
        """The worker of background jobs; the caller starts and stops it. Models give way if `is_pressed`."""
        return Runner(self.storage, self.library.clock, self._work(), is_pressed=is_pressed)

    def _work(self) -> Mapping[JobKind, Work]:
        """The table of job kinds. Captures wait for other machines, models for the processor."""
        library = self.library
        private = frozenset(self.settings.names("FETCH_PRIVATE"))
        capture = Capture(library, HttpFetcher(private))
        return {
            JobKind.CAPTURE: Work("network", capture.run, capture.gave_up, capture.close),
            JobKind.EMBED: Work(
                "vectors", lambda job, progress: embed_item(library, job, progress), gives_way=True
            ),
            JobKind.SECOND_STAGE: Work(
                "second-vectors",
                lambda job, progress: embed_item_for_second_stage(library, job, progress),
                gives_way=True,
            ),
        }

    def warm(self) -> None:
        """Load the models now, so that the first search does not wait for them."""
        for model in (self.library.embedder, self.library.second_stage):
            if model is not None:
                model.embed_query("warm")

    def empty_trash(self) -> int:
        """End what has lain in the trash for longer than the settings keep it."""
        return purge_expired(self.library, self.settings.number("TRASH_DAYS"))

    def problems(self) -> Iterator[Problem]:
        """What is wrong with the models: told, since a library without them still finds by words."""
        try:
            self.warm()
        except ProviderUnavailable as refusal:
            yield Problem(
                "model", "models", refusal.detail, "Look at VADE_EMBEDDER and VADE_RERANKER.", False
            )

    def following(self) -> Following | None:
        """What keeps the folder on disk and the library alike, to be run in a thread; None where none is."""
        root = self.settings.mirror
        return None if root is None else Following(Mirror(self.library, root, self.settings.inner))

    def mirror_problems(self) -> Iterator[Problem]:
        """What is wrong between the folder on disk and the library, and what is not brought over yet."""
        root = self.settings.mirror
        return iter(()) if root is None else examine_mirror(self.library, root, self.settings.inner)

    def close(self) -> None:
        """Let go of the database, and end what reads documents."""
        if self.library.documents is not None:
            self.library.documents.close()
        self.storage.close()


def open_app(settings: Settings, *, with_owner: bool = False) -> App:
    """Open the installation that the settings name, making what is missing and migrating what is older.

    Raises IncompatibleLibrary for a library of another kind or version, and StorageFull or NotPermitted
    when the data folder cannot be written: all before anything listens.
    """
    prepare_folders(settings)
    storage, copied = open_storage(settings)
    second = settings.text("RERANKER")
    library = Library(
        storage=storage,
        blobs=BlobFolder(_blob_folder(settings)),
        clock=SystemClock(),
        embedder=open_embedder(settings.text("EMBEDDER"), settings.text("LLM_KEY")),
        second_stage=open_second_stage(second),
        reranker=open_reranker(second, settings.text("LLM_KEY")),
        documents=SandboxedDocuments(),
        limits=Limits(settings.limit("STORAGE_LIMIT"), settings.limit("CREDITS_MONTHLY")),
        public_url=settings.public_url,
    )
    if with_owner:
        ensure_owner(library)
    return App(library, settings, storage, copied)


def prepare_folders(settings: Settings) -> None:
    """Make the data folder and prove that it can be written. Raises StorageFull, NotPermitted."""
    probe = settings.inner / "probe"
    try:
        with full_disk_told():
            settings.data.mkdir(parents=True, exist_ok=True)
            settings.inner.mkdir(mode=0o700, exist_ok=True)
            probe.write_bytes(b"")
            probe.unlink(missing_ok=True)  # another starter may have taken it away
            for held in (settings.inner / _DATABASE, _blob_folder(settings)):
                if held.exists() and not os.access(held, os.W_OK):
                    raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(held))
    except OSError as error:
        raise _not_writable(settings, error) from error


def _not_writable(settings: Settings, error: OSError) -> NotPermitted:
    reason = os.strerror(error.errno) if error.errno else str(error)
    at = f" ({error.filename})" if error.filename else ""
    return NotPermitted(
        f"The data folder {settings.data} cannot be written: {reason}{at}.",
        advice="Give yourself the right to write there, or name another folder with --data or VADE_DATA.",
    )


def open_storage(settings: Settings) -> tuple[Storage, Path | None]:
    """The database that the settings name: SQLite in the data folder unless an address is given.

    A library of an older version is migrated, on SQLite after a copy, which comes second.
    """
    address = _postgres_address(settings)
    if address:
        return _open_postgres(address), None
    path = _sqlite_file(settings)
    if not path.parent.is_dir():
        raise IncompatibleLibrary(f"There is no folder {path.parent} to hold the database.")
    if not path.exists() or not path.stat().st_size or not pending_sqlite(path):
        return open_sqlite(path), None
    backups = settings.inner / "backups"
    with copying_alone(backups):
        missing = pending_sqlite(path)  # another starter may have seen to it
        copied = copy_before(missing[0], path, backups, SystemClock().now()) if missing else None
        if copied is not None:
            _log.info("the library is brought to the newest schema; as it was, it is kept in %s", copied)
        return open_sqlite(path), copied


class SchemaState(Enum):
    """Whether the database of an installation is there, and of this version."""

    MISSING = "missing"
    OLDER = "older"
    CURRENT = "current"


def schema_state(settings: Settings) -> SchemaState:
    """Whether opening the library would have to make or change its database; writes nothing.

    Raises IncompatibleLibrary for a library of a newer or another version, ProviderUnavailable when the
    database server does not answer.
    """
    address = _postgres_address(settings)
    missing = pending_postgres(address) if address else pending_sqlite(_sqlite_file(settings))
    if not missing:
        return SchemaState.CURRENT
    return SchemaState.OLDER if len(missing) < len(all_migrations()) else SchemaState.MISSING


def _postgres_address(settings: Settings) -> str | None:
    address = settings.text("DATABASE_URL")
    return address if address.startswith(("postgresql://", "postgres://")) else None


def _sqlite_file(settings: Settings) -> Path:
    address = settings.text("DATABASE_URL")
    path = Path(address.removeprefix("sqlite:///")) if address else settings.inner / _DATABASE
    if path.is_dir():
        raise IncompatibleLibrary(f"{path} is a folder, not a database.")
    return path


def _open_postgres(address: str) -> Storage:
    missing = pending_postgres(address)
    if missing and len(missing) < len(all_migrations()):
        _log.warning(
            "the database is brought to the newest schema (%s) and was not copied: see to copies of your own",
            ", ".join(missing),
        )
    return open_postgres(address)


def _blob_folder(settings: Settings) -> Path:
    given = settings.text("BLOBS")
    return Path(given).expanduser() if given else settings.inner / "blobs"
