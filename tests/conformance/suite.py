"""How is the official conformance suite run, and what did it find?"""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from tests.clients import NODE_FOLDER, node_command

SECONDS = 150
_FOLDER = re.compile(r"server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z")


# The scenarios that ask nothing of the tools that are served (mcp 4.2), by revision.
_GENERIC = {
    "2025-11-25": ("server-initialize", "ping", "tools-list", "dns-rebinding-protection"),
    "2026-07-28": (
        "server-stateless",
        "tools-list",
        "dns-rebinding-protection",
        "http-header-validation",
        "caching",
        "server-sse-multiple-streams",
        "input-required-result-unsupported-methods",
    ),
}
GENERIC_CASES = [(revision, scenario) for revision, scenarios in _GENERIC.items() for scenario in scenarios]


@dataclass(frozen=True, slots=True)
class Findings:
    """The outcome of a run: its exit code, its words, and the statuses of each scenario's checks."""

    code: int
    words: str
    checks: Mapping[str, Mapping[str, frozenset[str]]]

    @property
    def failed(self) -> dict[str, set[str]]:
        """The failed checks of each scenario that has any."""
        found = {
            scenario: {check for check, statuses in checks.items() if "FAILURE" in statuses}
            for scenario, checks in self.checks.items()
        }
        return {scenario: checks for scenario, checks in found.items() if checks}

    @property
    def passed(self) -> set[str]:
        """The scenarios in which something was seen to hold and nothing failed."""
        return {
            scenario
            for scenario, checks in self.checks.items()
            if scenario not in self.failed and any("SUCCESS" in statuses for statuses in checks.values())
        }


def run_suite(url: str, folder: Path, *words: str) -> Findings:
    """Let the suite loose on the server at the address; what it writes goes below the folder."""
    done = subprocess.run(
        [*node_command("conformance"), "server", "--url", url, "--output-dir", str(folder), *words],
        env={**os.environ, "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    checks = {
        match[1]: _statuses(path / "checks.json")
        for path in folder.iterdir()
        if (match := _FOLDER.fullmatch(path.name))
    }
    return Findings(done.returncode, done.stdout + done.stderr, checks)


def conforms(url: str, folder: Path, expected_failures: Path, case: tuple[str, str]) -> None:
    """Fails unless the endpoint passes one of `GENERIC_CASES`, but for what the baseline expects."""
    revision, scenario = case
    words = (
        "--scenario",
        scenario,
        "--spec-version",
        revision,
        "--expected-failures",
        str(expected_failures),
    )
    found = run_suite(url, folder, *words)
    assert (found.code, set(found.checks)) == (0, {scenario}), found.words
    assert any("SUCCESS" in statuses for statuses in found.checks[scenario].values())


def required(revision: str) -> set[str]:
    """The scenarios of servers that a revision requires, as the suite itself lists them."""
    return set(_requirements(revision)["server"])


def unscored(revision: str, reason: str) -> set[str]:
    """The scenarios of servers that are run for a revision but not required, for the reason named."""
    entries = _requirements(revision)["not_scored"]
    return {entry["scenario"] for entry in entries if (entry["leg"], entry["reason"]) == ("server", reason)}


def baseline(path: Path) -> set[tuple[str, str]]:
    """The scenarios and checks that a baseline expects to fail."""
    entries = yaml.safe_load(path.read_text("utf-8"))["server"]
    return {(scenario, check) for scenario, _, check in (entry.partition(":") for entry in entries)}


def _requirements(revision: str) -> dict[str, Any]:
    package = NODE_FOLDER / "node_modules/@modelcontextprotocol/conformance"
    listed: dict[str, Any] = yaml.safe_load((package / f"requirements/{revision}.yaml").read_text("utf-8"))
    return listed


def _statuses(path: Path) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for check in json.loads(path.read_text("utf-8")):
        found.setdefault(check["id"], set()).add(check["status"])
    return {check: frozenset(statuses) for check, statuses in found.items()}
