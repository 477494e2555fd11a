"""Does the command line say what it can do, and end with the code that scripts rely on?"""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands.shell import QUIET, Shell, program
from vademecum import __version__
from vademecum.cli import COMMANDS, main


@pytest.mark.parametrize("words", [["--help"], ["-h"], ["help"]])
def test_help_lists_every_command_on_standard_output(shell: Shell, words: list[str]) -> None:
    ran = shell.run(*words)
    assert (ran.code, ran.messages) == (0, "")
    for name, (_, sentence) in COMMANDS.items():
        assert f"  {name} " in ran.text
        assert sentence in ran.text


def test_without_a_command_the_usage_is_a_message(shell: Shell) -> None:
    assert "usage: vade" in shell.refused(2)


@pytest.mark.parametrize("words", [["serv"], ["--verbose"], ["Search", "x"], [""]])
def test_an_unknown_command_is_wrong_usage(shell: Shell, words: list[str]) -> None:
    assert "usage: vade" in shell.refused(2, *words)
    assert not shell.data.exists()


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_tells_what_it_takes_and_opens_nothing_for_it(shell: Shell, name: str) -> None:
    ran = shell.run(name, "--help")
    assert (ran.code, ran.messages) == (0, "")
    assert ran.text.startswith(f"usage: vade {name}")
    assert [option for option in ("--data DIR", "--json") if option not in ran.text] == []
    assert not shell.data.exists()


@pytest.mark.parametrize("words", [["--version"], ["-V"], ["version"]])
def test_the_version_is_told(shell: Shell, words: list[str]) -> None:
    ran = shell.run(*words)
    assert (ran.code, ran.text) == (0, f"vade {__version__}\n")
    assert not shell.data.exists()


@pytest.mark.parametrize(
    "words",
    [
        ["keys"],
        ["keys", "create"],
        ["keys", "create", "--name", "x", "--face", "vault", "--tier", "full"],
        ["keys", "nothing"],
        ["vault"],
        ["vault", "publish"],
        ["vault", "write", "yes"],
        ["vault", "open"],
        ["vault", "token"],
        ["vault", "delete", "on"],
        ["keys", "revoke"],
        ["accounts"],
        ["accounts", "create"],
        ["spaces"],
        ["spaces", "members"],
        ["spaces", "members", "set", "work", "ada", "boss"],
        ["import"],
        ["search"],
        ["search", "x", "--limit", "many"],
        ["get"],
        ["history"],
        ["revert", "x"],
        ["revert", "x", "one"],
        ["undo"],
        ["undo", "x", "y"],
        ["trash"],
        ["trash", "restore"],
        ["status", "surplus"],
        ["doctor", "--fix"],
        ["config", "get"],
        ["config", "get", "PROT"],
        ["serve", "--port", "0"],
        ["serve", "--port", "web"],
        ["serve", "--bogus"],
        ["bridge", "--face", "web"],
        ["bridge", "--face", "library"],
        ["bridge", "surplus"],
        ["migrate", "x"],
        ["reindex", "x"],
    ],
)
def test_wrong_usage_ends_with_2_and_says_why_on_standard_error(shell: Shell, words: list[str]) -> None:
    assert shell.refused(2, *words)
    assert not shell.data.exists()


# The bridge loads nothing of ours, the table of settings neither: it reads the few that it needs.
@pytest.mark.parametrize("name", sorted(COMMANDS.keys() - {"bridge"}))
def test_a_misspelt_setting_stops_every_command(shell: Shell, name: str) -> None:
    enough = {
        "keys": ["list"],
        "accounts": ["list"],
        "spaces": ["list"],
        "import": ["."],
        "search": ["x"],
        "get": ["x"],
        "history": ["x"],
        "revert": ["x", "1"],
        "undo": ["x"],
        "trash": ["list"],
        "vault": ["status"],
    }
    shell.environment["VADE_PROT"] = "1"
    assert "VADE_PROT" in shell.refused(2, name, *enough.get(name, []))
    del shell.environment["VADE_PROT"]
    shell.environment["VADE_EMBEDDER"] = "best"
    assert "VADE_EMBEDDER" in shell.refused(2, name, *enough.get(name, []))
    assert not shell.data.exists()


def test_options_of_every_command_count_before_and_after_the_action(shell: Shell, tmp_path: Path) -> None:
    other = tmp_path / "other"
    given = ["--data", str(other), "--json"]
    for words in (["keys", *given, "list"], ["keys", "list", *given]):
        assert shell.run(*words).result == {"keys": []}
    assert (other / ".vade" / "library.db").exists()
    assert not shell.data.exists()


def test_a_data_folder_that_cannot_be_is_a_failure(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    assert "vade.toml" in shell.refused(2, "status", "--data", str(tmp_path / "file"))
    shell.data.mkdir()
    (shell.data / ".vade").write_text("x")
    said = shell.refused(1, "status")
    assert f"The data folder {shell.data} cannot be written" in said
    assert "NOT_PERMITTED" in said


@pytest.mark.parametrize(
    ("number", "code"),
    [(errno.EACCES, "NOT_PERMITTED"), (errno.EROFS, "NOT_PERMITTED"), (errno.ENOSPC, "STORAGE_FULL")],
)
def test_why_a_data_folder_cannot_be_written_is_told_as_it_is(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, number: int, code: str
) -> None:
    def mkdir(self: Path, *_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number), str(self))

    monkeypatch.setattr(Path, "mkdir", mkdir)
    said = shell.refused(1, "status")
    assert code in said
    if code == "NOT_PERMITTED":
        assert f"{shell.data} cannot be written: {os.strerror(number)}" in said
        assert "--data" in said


def test_a_database_without_the_right_to_write_is_told_with_its_path(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell.ok("status")
    place = shell.data / ".vade" / "library.db"
    really = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: path != place and really(path, mode))
    said = shell.refused(1, "status")
    assert "NOT_PERMITTED" in said
    assert str(place) in said


@pytest.mark.parametrize("place", ["{data}", "{data}/no/such/folder/x.db"])
def test_a_database_that_cannot_be_is_a_failure(shell: Shell, place: str) -> None:
    shell.environment["VADE_DATABASE_URL"] = f"sqlite:///{place.format(data=shell.data)}"
    assert "INCOMPATIBLE_LIBRARY" in shell.refused(1, "status")


def test_a_database_that_does_not_answer_is_a_failure_and_its_password_is_not_told(shell: Shell) -> None:
    shell.environment["VADE_DATABASE_URL"] = "postgresql://me:hush@127.0.0.1:1/db?connect_timeout=2"
    said = shell.refused(1, "status")
    assert "PROVIDER_UNAVAILABLE" in said
    assert "hush" not in said


def test_a_library_of_something_else_is_left_alone(shell: Shell) -> None:
    place = shell.data / ".vade" / "library.db"
    place.parent.mkdir(parents=True)
    place.write_bytes(b"not a database at all, but some other file" * 100)
    assert shell.run("status").code == 1
    assert place.read_bytes() == b"not a database at all, but some other file" * 100


# --- as a process -----------------------------------------------------------------------------------------


def test_the_program_works_without_a_terminal_a_locale_or_a_home(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "绿茶.md").write_text("# 绿茶\n\n水温 70°", encoding="utf-8")
    data = tmp_path / "data"
    imported = program(data, "import", str(notes), "--json")
    assert (imported.code, imported.result["imports"][0]["added"]) == (0, 1)
    for environment in ({"LC_ALL": "C"}, {"PYTHONIOENCODING": "ascii"}, {"PYTHONIOENCODING": "latin-1"}):
        found = program(data, "search", "绿茶", "--json", environment=environment)
        assert found.code == 0, found.messages
        (one,) = found.result["results"]
        assert one["title"] == "绿茶"
        got = program(data, "get", one["id"], environment=environment)
        assert (got.code, got.out) == (0, (notes / "绿茶.md").read_bytes())
        assert program(data, "search", "绿茶", environment=environment).code == 0


def test_a_reader_who_leaves_early_is_no_error_to_see(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "vademecum.cli", "config", "list"]
    environment = {"PATH": "", "VADE_DATA": str(tmp_path), **QUIET}
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.close()
        messages = running.stderr.read()
        code = running.wait(timeout=60)
    assert (code, messages) == (1, b"")


def test_threads_of_the_linear_algebra_are_limited_before_anything_loads_it() -> None:
    check = "import os, sys, vademecum.cli; print(os.environ['OPENBLAS_NUM_THREADS'], 'numpy' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", check], env={}, capture_output=True, timeout=60, check=True)
    assert ran.stdout.split() == [b"1", b"False"]


def test_a_command_loads_no_more_than_it_needs() -> None:
    check = (
        "import sys; from vademecum.cli import main; main(['--help']);"
        "print(sorted({'numpy', 'uvicorn', 'mcp', 'psycopg'} & set(sys.modules)), file=sys.stderr)"
    )
    ran = subprocess.run([sys.executable, "-c", check], env={}, capture_output=True, timeout=60, check=True)
    assert ran.stderr.strip() == b"[]"


def test_main_takes_the_words_of_the_process(monkeypatch: pytest.MonkeyPatch, shell: Shell) -> None:
    monkeypatch.setattr(sys, "argv", ["vade", "--help"])
    assert main() == 0
