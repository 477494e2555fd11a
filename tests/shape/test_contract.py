"""Does the source keep the import contract, and would the contract notice if it did not?"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from tests.shape.tree import ROOT

CONTRACTS = re.findall(r'^name = "([^"]+)"\ntype = ', (ROOT / "pyproject.toml").read_text(), re.MULTILINE)

# One violation for each contract, or two that need each other, each meant for the contract it stands under.
PLANTED = {
    "Everything points inward": {"library/planted.py": "from vademecum.storage import sql"},
    "What implements a port does not know the use cases": {
        "jobs/planted.py": "from vademecum import library"
    },
    "The process apart knows nothing but the model": {
        "sandbox/planted.py": "from vademecum import text",
    },
    "Faces do not know each other": {
        "faces/web/__init__.py": "",
        "faces/http/planted.py": "from vademecum.faces import web",
    },
    "The three tool sets do not know each other": {
        "faces/mcp/vault_tools/__init__.py": "from vademecum.faces.mcp import library_tools",
    },
    "The two databases do not know each other": {
        "storage/migrations/planted.py": "from vademecum.storage import sql",
    },
    "The core uses no framework and no driver": {"model/planted.py": "import sqlite3"},
    "Only the wiring reads settings": {"providers/planted.py": "from vademecum import settings"},
    "No cycles anywhere": {
        "text/planted_a.py": "from vademecum.text import planted_b",
        "text/planted_b.py": "from vademecum.text import planted_a",
    },
}


def test_the_source_keeps_every_contract() -> None:
    assert _outcomes(ROOT) == dict.fromkeys(CONTRACTS, "KEPT")


def test_every_contract_notices_a_violation(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copyfile(ROOT / "pyproject.toml", tmp_path / "pyproject.toml")
    for modules in PLANTED.values():
        for name, source in modules.items():
            path = tmp_path / "src/vademecum" / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(f"{source}\n")
    assert PLANTED.keys() == set(CONTRACTS)
    assert _outcomes(tmp_path) == dict.fromkeys(CONTRACTS, "BROKEN")


def test_a_part_that_no_contract_names_is_refused(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copyfile(ROOT / "pyproject.toml", tmp_path / "pyproject.toml")
    (tmp_path / "src/vademecum/planted.py").write_text("")
    assert _outcomes(tmp_path)["Everything points inward"] == "BROKEN"


def _outcomes(project: Path) -> dict[str, str]:
    """What the linter says of each contract, over the source of the project."""
    program = [
        sys.executable,
        "-c",
        "from importlinter.cli import lint_imports_command as run; run()",
        "--no-cache",
    ]
    done = subprocess.run(
        program,
        cwd=project,
        env={**os.environ, "PYTHONPATH": str(project / "src"), "NO_COLOR": "1", "COLUMNS": "200"},
        capture_output=True,
        text=True,
        check=False,
    )
    found = dict(re.findall(r"^(.+?) (KEPT|BROKEN)\b", done.stdout, re.MULTILINE))
    assert found, done.stdout + done.stderr
    return found
