"""Which command was asked for?"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence

# Set before anything loads numpy: more threads than cores make one query a hundred times slower.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

COMMANDS: dict[str, tuple[str, str]] = {
    "serve": ("serving", "serve the library over HTTP and MCP"),
    "work": ("working", "work off background jobs in a process of its own"),
    "keys": ("keys", "make, list and revoke agent keys"),
    "accounts": ("accounts", "people"),
    "spaces": ("spaces", "make, share, archive and end spaces"),
    "bridge": ("bridge", "connect an MCP client that starts programs"),
    "vault": ("vault", "open a space to agents on this machine, and say what they may do"),
    "import": ("importing", "bring in Markdown files, folders and Obsidian vaults"),
    "search": ("reading", "search the library"),
    "get": ("reading", "print an item"),
    "history": ("history", "list what an item was before"),
    "revert": ("history", "make an earlier version of an item the newest"),
    "undo": ("undoing", "take back what one change did"),
    "trash": ("trash", "list, restore and purge what was deleted"),
    "status": ("status", "count items, index and waiting work"),
    "doctor": ("status", "check texts, history, links, index and storage"),
    "reindex": ("reindexing", "rebuild what can be rebuilt, while serving"),
    "migrate": ("migrating", "bring the database to the newest schema"),
    "config": ("config", "show the settings and where each came from"),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return the exit code: 0 done, 1 failed, 2 wrong usage (operations)."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if not given:
        print(usage(), file=sys.stderr)
        return 2
    if given[0] in ("-h", "--help", "help"):
        print(usage())
        return 0
    if given[0] in ("-V", "--version", "version"):
        given = ["config", "version"]
    if given[0] not in COMMANDS:
        print(f"vade: there is no command {given[0]!r}\n\n{usage()}", file=sys.stderr)
        return 2
    # The one late import: a command loads its own module only, so that each starts fast. The bridge stands
    # apart, since it must load nothing else of ours.
    place = f"commands.{COMMANDS[given[0]][0]}" if given[0] != "bridge" else "bridge.command"
    module = importlib.import_module(f"vademecum.{place}")
    code: int = module.run(given[0], given[1:])
    return code


def usage() -> str:
    """The overview that `vade --help` prints."""
    width = max(len(name) for name in COMMANDS)
    lines = [f"  {name:<{width}}  {sentence}" for name, (_, sentence) in COMMANDS.items()]
    return "\n".join(
        [
            "vade: your personal context library",
            "",
            "usage: vade COMMAND [OPTIONS]      vade COMMAND --help tells more",
            "",
            *lines,
        ]
    )


if __name__ == "__main__":
    sys.exit(main())
