"""Does `vade bridge` start light, take its settings, and end as it should?"""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.bridge.program import VADE, bridge, environment, note_vault
from tests.bridge.scripted import scripted

# Runs the command, and tells which modules were loaded for it.
LOADING = """
import sys
before = set(sys.modules)
from vademecum.cli import main
code = main(["bridge"])
print(*sorted(set(sys.modules) - before), file=sys.stderr)
sys.exit(code)
"""
HEAVY = {
    "asyncio",
    "http",
    "email",
    "urllib.request",
    "ssl",
    "logging",
    "concurrent",
    "inspect",
    "dataclasses",
}


def run(data: Path, *words: str, **settings: str) -> subprocess.CompletedProcess[bytes]:
    """The command on an input that has ended."""
    settings = environment(data, **settings)
    return subprocess.run(
        [*VADE, *words], env=settings, input=b"", capture_output=True, timeout=60, check=False
    )


def test_nothing_heavy_is_loaded_and_of_ours_only_the_bridge(tmp_path: Path) -> None:
    words = [sys.executable, "-c", LOADING]
    done = subprocess.run(
        words, env=environment(tmp_path), input=b"", capture_output=True, timeout=60, check=True
    )
    loaded = set(done.stderr.decode().split())
    assert done.stdout == b""
    assert "vademecum.bridge.relay" in loaded
    ours = {name for name in loaded if name.split(".")[0] == "vademecum"}
    assert {name for name in ours if not name.startswith("vademecum.bridge")} == {
        "vademecum",
        "vademecum.cli",
    }
    assert loaded & HEAVY == set()
    assert {name.split(".")[0] for name in loaded - ours} <= set(sys.stdlib_module_names)


@pytest.mark.parametrize("face", ["library", "gateway"])
def test_a_remote_set_needs_a_key(tmp_path: Path, face: str) -> None:
    done = run(tmp_path, "--face", face)
    assert (done.returncode, done.stdout) == (2, b"")
    told = done.stderr.decode()
    assert [word for word in ("VADE_KEY", f"vade keys create --face {face}") if word not in told] == []


@pytest.mark.parametrize(
    "settings",
    [
        {"VADE_KEY": "two words"},
        {"VADE_KEY": "鍵"},
        {"VADE_KEY": "key", "VADE_PORT": "web"},
        {"VADE_KEY": "key", "VADE_PORT": "0"},
        {"VADE_KEY_FILE": "/nowhere/key"},
        {"VADE_KEY": "key", "VADE_DATA": "~nobody-of-that-name/x"},
    ],
)
def test_settings_that_cannot_be_are_wrong_usage(tmp_path: Path, settings: dict[str, str]) -> None:
    done = run(tmp_path, "--face", "library", **settings)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.startswith(b"vade bridge: ")
    assert b"two words" not in done.stderr


def test_a_settings_file_that_cannot_be_read_is_wrong_usage(tmp_path: Path) -> None:
    (tmp_path / "vade.toml").write_text("port = ", "utf-8")
    done = run(tmp_path, "--face", "library", VADE_KEY="key")
    assert (done.returncode, done.stdout, b"vade.toml" in done.stderr) == (2, b"", True)


@pytest.mark.parametrize("words", [["--face", "web"], ["--bogus"], ["surplus"]])
def test_wrong_words_are_wrong_usage(tmp_path: Path, words: list[str]) -> None:
    done = run(tmp_path, *words)
    assert (done.returncode, done.stdout) == (2, b"")


def test_the_end_of_the_input_is_the_end_without_a_word(tmp_path: Path) -> None:
    done = run(tmp_path / "data")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_quietly(tmp_path: Path, number: signal.Signals) -> None:
    with scripted() as server, bridge(tmp_path) as running:
        note_vault(tmp_path, server.port)
        running.ask("tools/list", 1)
        running.process.send_signal(number)
        assert running.ended() == (-number, [], "")


@pytest.mark.parametrize(("face", "path"), [("library", "/mcp"), ("gateway", "/gateway/mcp")])
def test_a_remote_set_is_found_at_its_path_with_the_key(tmp_path: Path, face: str, path: str) -> None:
    with (
        scripted() as server,
        bridge(tmp_path, "--face", face, VADE_KEY="the-key", VADE_PORT=str(server.port)) as running,
    ):
        running.ask("tools/list", 1)
        (request,) = server.requests
        assert (request.path, request.headers["Authorization"]) == (path, "Bearer the-key")


def test_settings_come_from_the_environment_then_from_the_file_in_the_data_folder(tmp_path: Path) -> None:
    key = tmp_path / "key"
    key.write_text("from-a-file\n", "utf-8")
    words = ("--face", "library", "--data", str(tmp_path))
    with scripted() as server:
        settings = f'port = {server.port}\nkey = "from-the-settings"\nhost = "127.0.0.1"\n'
        (tmp_path / "vade.toml").write_text(settings, "utf-8")
        cases = [
            ({}, "from-the-settings"),
            ({"VADE_KEY": "from-the-environment"}, "from-the-environment"),
            ({"VADE_KEY_FILE": str(key)}, "from-a-file"),
        ]
        for given, shown in cases:
            with bridge(tmp_path / "other", *words, **given) as running:
                running.ask("tools/list", 1)
                assert server.requests[-1].headers["Authorization"] == f"Bearer {shown}"


def test_the_data_folder_is_the_one_named_else_that_of_the_environment_else_at_home(tmp_path: Path) -> None:
    home = {"HOME": str(tmp_path / "home")}
    with scripted() as server:
        for number, folder in enumerate(("named", "environment", "home/Vademecum")):
            note_vault(tmp_path / folder, server.port, f"token-{number}")
        with bridge(tmp_path / "environment", "--data", str(tmp_path / "named"), **home) as running:
            running.ask("tools/list", 1)
        with bridge(tmp_path / "environment", **home) as running:
            running.ask("tools/list", 1)
        with bridge(Path(), **{**home, "VADE_DATA": ""}) as running:
            running.ask("tools/list", 1)
        shown = [request.headers["Authorization"] for request in server.requests]
        assert shown == ["Bearer token-0", "Bearer token-1", "Bearer token-2"]
