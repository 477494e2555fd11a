"""Is a library copied before a newer version changes its database?"""

from __future__ import annotations

import sqlite3
import stat
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.commands.shell import Shell
from tests.storage.opening import SQLITE, path_of, query, started_together
from vademecum.app import open_app
from vademecum.settings import read_settings
from vademecum.storage import migrate
from vademecum.storage.migrate import Migration, all_migrations
from vademecum.storage.sqlite_copy import COPIES_KEPT

Newer = Callable[[], None]


@pytest.fixture
def newer(monkeypatch: pytest.MonkeyPatch) -> Newer:
    """Makes the next version of the program with each call: one step more."""

    def make() -> None:
        steps = migrate.all_migrations()
        number = len(steps) + 1
        step = Migration(number, f"step_{number}", f"CREATE TABLE step_{number} (name TEXT NOT NULL);")
        monkeypatch.setattr(migrate, "all_migrations", lambda: [*steps, step])

    return make


@pytest.fixture
def library(shell: Shell, notes: Path) -> Path:
    """The file of a library with two notes."""
    shell.ok("import", str(notes))
    return shell.data / ".vade" / "library.db"


def backups(shell: Shell) -> list[Path]:
    return sorted((shell.data / ".vade" / "backups").glob("*.db*"))


def is_empty(url: str) -> bool:
    """Whether nothing was made at the address, not so much as a file."""
    if url.startswith(SQLITE):
        return not path_of(url).exists()
    return query(url, "SELECT 1 FROM pg_tables WHERE schemaname = current_schema()") == []


def rows(path: Path, statement: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as file:
        return list(file.execute(statement))


def test_a_new_library_and_one_of_this_version_are_not_copied(shell: Shell, library: Path) -> None:
    assert library.exists()
    assert shell.ok("migrate") == {"applied": [], "copy": None}
    assert not (shell.data / ".vade" / "backups").exists()


def test_an_older_library_is_copied_as_it_was_and_then_migrated(
    shell: Shell, library: Path, newer: Newer
) -> None:
    before = rows(library, "SELECT item_id, title, version FROM item ORDER BY item_id")
    newer()
    told = shell.ok("migrate")
    step = f"step_{len(all_migrations()) + 1}"
    assert told["applied"] == [step]
    (copy,) = backups(shell)
    assert (str(copy), step in copy.name) == (told["copy"], True)
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert stat.S_IMODE(copy.parent.stat().st_mode) == 0o700
    assert rows(copy, "SELECT item_id, title, version FROM item ORDER BY item_id") == before
    assert rows(copy, "SELECT MAX(number) FROM schema_migration") == [(len(all_migrations()),)]
    assert rows(copy, "PRAGMA integrity_check") == [("ok",)]
    assert rows(library, f"SELECT * FROM {step}") == []
    assert shell.ok("migrate") == {"applied": [], "copy": None}
    assert shell.ok("search", "halyard")["count"] == 1


def test_what_another_process_has_just_written_is_in_the_copy(
    shell: Shell, library: Path, newer: Newer
) -> None:
    with closing(sqlite3.connect(library)) as server:  # so that the last changes are in the log alone
        server.execute("INSERT INTO installation VALUES ('written', 'late')")
        server.commit()
        newer()
        shell.ok("migrate")
        (copy,) = backups(shell)
        assert rows(copy, "SELECT value FROM installation WHERE name = 'written'") == [("late",)]


def test_the_newest_copies_stay_and_nothing_else_is_taken_away(
    shell: Shell, library: Path, newer: Newer
) -> None:
    (library.parent / "backups").mkdir()
    own = library.parent / "backups" / "my own copy.db"
    own.write_bytes(b"mine")
    for _ in range(COPIES_KEPT + 2):
        newer()
        shell.ok("migrate")
    kept = [path for path in backups(shell) if path != own]
    last = len(all_migrations()) + COPIES_KEPT + 2
    assert sorted(int(path.name.split("-")[1].removeprefix("step_")) for path in kept) == list(
        range(last - COPIES_KEPT + 1, last + 1)
    )
    assert own.read_bytes() == b"mine"


def test_without_a_copy_nothing_is_changed(shell: Shell, library: Path, newer: Newer) -> None:
    (library.parent / "backups").write_bytes(b"in the way")
    newer()
    told = shell.refused(1, "migrate")
    assert (str(library.parent / "backups") in told, "NOT_PERMITTED" in told) == (True, True)
    assert rows(library, "SELECT MAX(number) FROM schema_migration") == [(len(all_migrations()),)]


def test_a_copy_that_a_crash_left_unfinished_is_no_copy(shell: Shell, library: Path, newer: Newer) -> None:
    folder = library.parent / "backups"
    folder.mkdir()
    (folder / "before-x-20260101T000000Z.db.unfinished").write_bytes(b"half")
    newer()
    shell.ok("migrate")
    assert [path.suffix for path in backups(shell)] == [".db"]


def test_of_several_starters_one_copies(shell: Shell, library: Path, newer: Newer) -> None:
    newer()
    settings = read_settings({"DATA": str(shell.data), "EMBEDDER": "off", "RERANKER": "off"}, {})

    def start() -> Path | None:
        app = open_app(settings)
        app.close()
        return app.copied

    copies = started_together(4, start)
    assert len(copies) == 4
    assert [copy for copy in copies if copy] == backups(shell)
    assert len(backups(shell)) == 1


def test_a_trial_does_not_change_the_schema_and_says_what_does(
    shell: Shell, library: Path, notes: Path, newer: Newer
) -> None:
    newer()
    step = f"step_{len(all_migrations()) + 1}"
    refused = shell.refused(1, "import", str(notes), "--dry-run")
    assert ("vade migrate" in refused, "without --dry-run" in refused) == (True, True)
    assert rows(library, "SELECT COUNT(*) FROM sqlite_schema WHERE name LIKE 'step%'") == [(0,)]
    assert backups(shell) == []
    assert shell.ok("migrate")["applied"] == [step]
    assert shell.ok("import", str(notes), "--dry-run")["imports"][0]["unchanged"] == 2


def test_nor_does_it_on_another_database_and_an_empty_one_stays_empty(
    shell: Shell, database_url: str, notes: Path, newer: Newer
) -> None:
    shell.environment["VADE_DATABASE_URL"] = database_url
    tried = shell.ok("import", str(notes), "--dry-run")["imports"][0]
    assert tried["added"] == 2
    assert (is_empty(database_url), shell.data.exists()) == (True, False)
    shell.ok("import", str(notes))
    newer()
    assert "vade migrate" in shell.refused(1, "import", str(notes), "--dry-run")
    applied = query(database_url, "SELECT MAX(number) FROM schema_migration")
    assert applied == [(len(all_migrations()),)]


def test_postgresql_is_migrated_without_a_copy_and_says_so(
    postgres_url: str, tmp_path: Path, newer: Newer, caplog: pytest.LogCaptureFixture
) -> None:
    given = {"DATA": str(tmp_path), "DATABASE_URL": postgres_url, "EMBEDDER": "off", "RERANKER": "off"}
    open_app(read_settings(given, {})).close()
    assert caplog.messages == []
    newer()
    app = open_app(read_settings(given, {}))
    step = f"step_{len(all_migrations()) + 1}"
    assert (app.copied, list(app.storage.migrated)) == (None, [step])
    app.close()
    assert [step in message and "not copied" in message for message in caplog.messages] == [True]
    assert query(postgres_url, f"SELECT * FROM {step}") == []
    assert not (tmp_path / ".vade" / "backups").exists()
