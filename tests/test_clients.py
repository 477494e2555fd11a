"""Are the programs of others there, in the versions that are pinned?"""

from __future__ import annotations

import json
import subprocess

from tests.clients import MCP1_PYTHON, NODE_FOLDER, node, node_command

PINNED: dict[str, str] = json.loads((NODE_FOLDER / "package.json").read_text())["dependencies"]


def _output(command: list[str]) -> str:
    return subprocess.run(command, cwd=NODE_FOLDER, capture_output=True, text=True, check=True).stdout.strip()


def test_the_conformance_suite_is_the_pinned_one() -> None:
    assert _output([*node_command("conformance"), "--version"]) == PINNED["@modelcontextprotocol/conformance"]


def test_the_inspector_starts() -> None:
    assert "--transport" in _output([*node_command("mcp-inspector"), "--cli", "--help"])


def test_both_generations_of_the_typescript_client_can_be_imported() -> None:
    script = """
        const first = await import("@modelcontextprotocol/sdk/client/index.js");
        const second = await import("@modelcontextprotocol/client");
        console.log(typeof first.Client, typeof second.Client);
    """
    assert _output([str(node()), "--input-type=module", "--eval", script]) == "function function"


def test_the_python_client_of_the_first_generation_is_there() -> None:
    script = "import importlib.metadata as m; print(m.version('mcp'))"
    assert _output([str(MCP1_PYTHON), "-c", script]).startswith("1.")
