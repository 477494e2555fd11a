"""Writes the references that follow from the code: tools, settings and commands."""

from __future__ import annotations

import contextlib
import io
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from vademecum.cli import COMMANDS, main
from vademecum.faces.mcp.library_tools.toolset import LIBRARY_TOOLS
from vademecum.faces.mcp.tool.declaration import Tool, ToolSetDeclaration
from vademecum.faces.mcp.vault_tools.toolset import VAULT_TOOLS
from vademecum.model.access import Tier
from vademecum.settings import PREFIX, SETTINGS

DOCS = Path(__file__).parent.parent / "docs"
_NOTE = "*This page is written by `make docs` from the code; change it there.*"
_TOOLS_INTRODUCTION = """\
The library set is served at `{path}`. A key sees the tools of its tier: 6 for `read_only`, 10 for `edit`, 11
for `full`. Answers come as structured content and as the same JSON in one text block. Refusals carry a code,
which [troubleshooting](troubleshooting.md) explains."""
_VAULT_INTRODUCTION = """\
The vault set is served on this machine alone while the vault is published ([the vault](vault.md)). 13 tools
read, 7 need the switch `write`, 4 the switch `move` as well. Paths are relative to the top of the open space.
Answers come as structured content and as the same JSON in one text block; refusals say what happened and what
to do."""
_SWITCHES = {
    Tier.READ_ONLY: "While the vault is published.",
    Tier.EDIT: "With the switch `write`.",
    Tier.FULL: "With the switches `write` and `move`.",
}
_SETTINGS_INTRODUCTION = """\
A setting is taken from the command line, else from the environment, else from `vade.toml` in the data folder
(there in lower case and without the prefix, as in `port = 8484`), else it has its default. A misspelt name or
a value that cannot be stops every command. `vade config list` shows what is in force and where it came from.
"""
_COMMANDS_INTRODUCTION = """\
Every command works beside a running server and takes effect on it at once. Results go to standard output,
messages to standard error. A command ends with 0 when it is done, 1 when it failed, 2 when it was used
wrongly."""
_ACTIONS = {
    "keys": ("create", "set", "list", "revoke"),
    "accounts": ("create", "list", "reset-password"),
    "spaces": ("create", "list", "archive", "restore", "purge", "members"),
    "vault": ("publish", "write", "move", "open", "status", "connection", "token"),
    "trash": ("list", "restore", "purge"),
    "config": ("list", "get"),
}


def tools_page() -> str:
    """Every tool of the library set with its tier, arguments and answer."""
    tiers = {tier: f"Tier: `{tier.value}` and above." for tier in Tier}
    return _page_of_tools(
        "# Tools reference", _TOOLS_INTRODUCTION.format(path=LIBRARY_TOOLS.path), LIBRARY_TOOLS, tiers
    )


def vault_tools_page() -> str:
    """Every tool of the vault set with its switches, arguments and answer."""
    return _page_of_tools("# Tools of the vault", _VAULT_INTRODUCTION, VAULT_TOOLS, _SWITCHES)


def _page_of_tools(
    heading: str, introduction: str, declared: ToolSetDeclaration, tiers: Mapping[Tier, str]
) -> str:
    parts = [heading, _NOTE, introduction, *(_tool(tool, tiers[tool.tier]) for tool in declared.tools)]
    return "\n\n".join(parts) + "\n"


def _tool(tool: Tool, needed_to_call: str) -> str:
    lines = [f"## {tool.name}", "", f"*{tool.hints.title}. {needed_to_call}*", ""]
    lines += [tool.description, "", "| argument | type | needed | meaning |", "|---|---|---|---|"]
    for name, schema in tool.properties.items():
        needed = "yes" if name in tool.required else _default(schema)
        lines.append(f"| `{name}` | {_type(schema)} | {needed} | {_cell(schema.get('description', ''))} |")
    if not tool.properties:
        lines.append("| none | | | |")
    if tool.outputs is None:
        return "\n".join([*lines, "", "Answers content blocks, without structured content."])
    answers = ", ".join(f"`{name}`" + ("" if name in tool.answers else "?") for name in tool.outputs)
    return "\n".join([*lines, "", f"Answers {answers} (a question mark: only where it applies)."])


def _type(schema: Mapping[str, Any]) -> str:
    kind = schema.get("type", "any")
    if kind == "array":
        return f"list of {_type(schema.get('items', {}))}"
    if "enum" in schema:
        return " \\| ".join(f"`{value}`" for value in schema["enum"])
    bounds = [
        f"{word} {schema[key]:,}" for key, word in (("minimum", "from"), ("maximum", "to")) if key in schema
    ]
    return " ".join([str(kind), *bounds])


def _default(schema: Mapping[str, Any]) -> str:
    return f"default `{schema['default']}`" if "default" in schema else ""


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def settings_page() -> str:
    """Every setting with its default and what it is for."""
    lines = [
        "# Settings",
        "",
        _NOTE,
        "",
        _SETTINGS_INTRODUCTION,
        "",
        "| setting | default | meaning |",
        "|---|---|---|",
    ]
    used = [setting for setting in SETTINGS if setting.used]
    for setting in used:
        name = f"`{PREFIX}{setting.name}`" + (f", `{PREFIX}{setting.name}_FILE`" if setting.secret else "")
        lines.append(f"| {name} | {f'`{setting.default}`' if setting.default else ''} | {setting.sentence} |")
    later = ", ".join(f"`{PREFIX}{setting.name}`" for setting in SETTINGS if not setting.used)
    lines += ["", f"Known names that no part uses yet: {later}."]
    return "\n".join(lines) + "\n"


def commands_page() -> str:
    """What `--help` says of every command and of its actions."""
    parts = [
        "# Commands",
        _NOTE,
        _COMMANDS_INTRODUCTION,
    ]
    for command in COMMANDS:
        parts.append(f"## vade {command}\n\n```\n{_help(command)}\n```")
        parts += [f"```\n{_help(command, action)}\n```" for action in _ACTIONS.get(command, ())]
    return "\n\n".join(parts) + "\n"


def _help(command: str, *actions: str) -> str:
    os.environ["COLUMNS"] = "100"
    with contextlib.redirect_stdout(io.StringIO()) as said:
        main([command, *actions, "--help"])
    return said.getvalue().strip()


PAGES = {
    "tools.md": tools_page,
    "vault-tools.md": vault_tools_page,
    "settings.md": settings_page,
    "commands.md": commands_page,
}


if __name__ == "__main__":
    for name, page in PAGES.items():
        (DOCS / name).write_text(page(), encoding="utf-8")
