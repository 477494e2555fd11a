"""How are the official clients and the Inspector run?"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.clients import MCP1_PYTHON, NODE_FOLDER, node, node_command

SCRIPTS = Path(__file__).with_name("clients")
LEGACY, MODERN = "2025-11-25", "2026-07-28"
SECONDS = 120


@dataclass(frozen=True, slots=True)
class ClientProgram:
    """A client, how it is told to find the protocol's version, and the version that it then speaks.

    `outlives_403` is whether its session goes on after a call that was forbidden.
    """

    script: str
    mode: str | None
    version: str
    outlives_403: bool = True

    @property
    def command(self) -> list[str]:
        """How to start it; Node takes the script as a text, so that it finds the packages by name."""
        path = SCRIPTS / self.script
        if path.suffix == ".mjs":
            return [str(node()), "--input-type=module", "--eval", path.read_text("utf-8")]
        return [str(MCP1_PYTHON) if path.stem == "python1" else sys.executable, str(path)]

    def visits(self, way: dict[str, Any], sessions: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """What it saw in each of the sessions, on a way to the server."""
        plan = {**way, "mode": self.mode, "sessions": sessions}
        done = subprocess.run(
            self.command,
            input=json.dumps(plan),
            cwd=NODE_FOLDER,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        seen: list[dict[str, Any]] = json.loads(done.stdout)
        return seen


CLIENTS = {
    "Python 1": ClientProgram("python1.py", None, LEGACY, outlives_403=False),
    "Python 2": ClientProgram("python2.py", "auto", MODERN),
    "Python 2, legacy": ClientProgram("python2.py", "legacy", LEGACY),
    "TypeScript 1": ClientProgram("typescript1.mjs", None, LEGACY),
    "TypeScript 2": ClientProgram("typescript2.mjs", None, LEGACY),
    "TypeScript 2, auto": ClientProgram("typescript2.mjs", "auto", MODERN),
}


@dataclass(frozen=True, slots=True)
class Inspected:
    """How a run of the Inspector ended, and what it printed."""

    code: int
    result: dict[str, Any]
    error: str


def inspector(*words: str) -> Inspected:
    """Run the Inspector's command line once, without a keychain, and without asking anyone to sign in."""
    done = subprocess.run(
        [*node_command("mcp-inspector"), "--cli", *words, "--format", "json", "-q", "--stored-auth-only"],
        env={**os.environ, "MCP_INSPECTOR_SECRET_STORE": "memory"},
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    result = json.loads(done.stdout)["result"] if done.stdout.strip() else {}
    return Inspected(done.returncode, result, done.stderr)


def answer_of(outcome: dict[str, Any]) -> dict[str, Any]:
    """The structured answer of a call that succeeded, which its text has to be the JSON of."""
    structured: dict[str, Any] = outcome["structured"]
    assert not outcome["isError"], outcome
    assert json.loads(outcome["text"]) == structured
    return structured


def code_of(outcome: dict[str, Any]) -> str:
    """The code of a call that was refused, which its text has to begin with."""
    assert outcome["isError"], outcome
    code: str = outcome["structured"]["error"]["code"]
    assert outcome["text"].startswith(f"{code}: ")
    return code
