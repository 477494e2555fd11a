"""How do tests run the command line?"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from vademecum.cli import main

# No model: what a command does with one is shown in tests/library, and loading it takes seconds. No folder on
# disk either: tests/mirror has one.
QUIET = {"VADE_EMBEDDER": "off", "VADE_RERANKER": "off", "VADE_MIRROR": "off"}


@dataclass(frozen=True)
class Ran:
    """What a command printed and how it ended."""

    code: int
    out: bytes
    messages: str

    @property
    def text(self) -> str:
        return self.out.decode()

    @property
    def result(self) -> Any:
        """The JSON on standard output, which holds nothing else."""
        return json.loads(self.out)


@dataclass
class Shell:
    """The command line in this process, on a data folder of its own."""

    data: Path
    capture: pytest.CaptureFixture[bytes]
    patch: pytest.MonkeyPatch
    environment: dict[str, str] = field(default_factory=lambda: dict(QUIET))

    def run(self, *words: str) -> Ran:
        """The command as typed."""
        for name in [name for name in os.environ if name.startswith("VADE_")]:
            self.patch.delenv(name)
        for name, text in {"VADE_DATA": str(self.data), **self.environment}.items():
            self.patch.setenv(name, text)
        self.capture.readouterr()
        code = main(words)
        out, messages = self.capture.readouterr()
        return Ran(code, out, messages.decode())

    def ok(self, *words: str) -> Any:
        """The JSON result of a command that has to succeed."""
        ran = self.run(*words, "--json")
        assert ran.code == 0, ran
        return ran.result

    def refused(self, code: int, *words: str) -> str:
        """The messages of a command that has to end with the code and print no result."""
        ran = self.run(*words)
        assert (ran.code, ran.out) == (code, b""), ran
        return ran.messages


def program(data: Path, *words: str, environment: Mapping[str, str] | None = None, **more: Any) -> Ran:
    """The command as a process of its own, with as little environment as a service manager gives."""
    settings = {"PATH": os.environ["PATH"], "VADE_DATA": str(data), **QUIET, **(environment or {})}
    command = [sys.executable, "-m", "vademecum.cli", *words]
    ran = subprocess.run(command, env=settings, capture_output=True, timeout=120, check=False, **more)
    return Ran(ran.returncode, ran.stdout, ran.stderr.decode(errors="replace"))
