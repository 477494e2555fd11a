"""What do the plain pages say that people and programs meet before they have a key?"""

from __future__ import annotations

from importlib.resources import files
from typing import Any

from vademecum.faces.http.options import LOOPBACK_HOST
from vademecum.model.errors import NotFound
from vademecum.model.ids import item_id

LIBRARY_PATH = "/mcp"
VAULT_PATH = "/mcp"
VAULT_SWITCHED = "on this machine alone, once it is published: vade vault publish on"
GATEWAY_PATH = "/gateway/mcp"
REGISTRY_NAME = "io.github.vademecum/vademecum"
REPOSITORY = "https://github.com/vademecum/vademecum"
REGISTRY_SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
KEY_COMMAND = "vade keys create --name NAME --face library --tier read_only"


def vault_address(port: int) -> str:
    """Where the vault's tools are when its listener has the port."""
    return f"http://{LOOPBACK_HOST}:{port}{VAULT_PATH}"


def welcome(public_url: str, vault_port: int, vault_state: str = VAULT_SWITCHED) -> str:
    """The three endpoints and how to get a key, as the command line prints it and `/` answers.

    `vault_state` says whether the vault's listener is open, or, by default, what that depends on.
    """
    endpoints = (
        ("library", f"{public_url}{LIBRARY_PATH}", ""),
        ("gateway", f"{public_url}{GATEWAY_PATH}", "  (not offered by this version)"),
        ("vault", vault_address(vault_port), f"  ({vault_state})"),
    )
    lines = [f"  {name:<8} {address}{note}" for name, address, note in endpoints]
    return "\n".join(
        [
            "Vademecum is running. Its MCP endpoints:",
            "",
            *lines,
            "",
            "Clients need a key. Make one on this machine with:",
            "",
            f"  {KEY_COMMAND}",
            "",
            f"A guide for agents is at {public_url}/for-agents/skill.md",
            "",
        ]
    )


def item_page(public_url: str, text: str) -> str | None:
    """What the address of an item says to anyone: the same for every id, so that none can be guessed.

    None when the text is no id.
    """
    try:
        found = item_id(text)
    except NotFound:
        return None
    return (
        "This is the address of an item in a personal Vademecum library.\n"
        f"\n  {public_url}/i/{found}\n\n"
        "The owner of the library reads it on the machine where the library is kept:\n"
        f"\n  vade get {found}\n\n"
        "An agent that is connected to the library reads it with the tool get_item and the same id.\n"
    )


def agent_guide(public_url: str) -> str:
    """The guide for agents with this server's address filled in; otherwise a constant text."""
    text = files("vademecum.faces.http").joinpath("skill.md").read_text("utf-8")
    return text.replace("{public_url}", public_url)


def registry_entry(version: str, url: str) -> dict[str, Any]:
    """The server's entry for MCP registries with the endpoint at `url` (contracts 2.12)."""
    secret = {
        "name": "Authorization",
        "description": "Bearer and an agent key, made with: vade keys create",
        "isRequired": True,
        "isSecret": True,
    }
    return {
        "$schema": REGISTRY_SCHEMA,
        "name": REGISTRY_NAME,
        "title": "Vademecum",
        "description": "Your own self-hosted library of notes and saved pages: search, cite, read, write.",
        "version": version,
        "websiteUrl": f"{REPOSITORY}/blob/main/docs/clients.md",
        "repository": {"url": REPOSITORY, "source": "github"},
        "remotes": [{"type": "streamable-http", "url": url, "headers": [secret]}],
    }


def resource_metadata(public_url: str, path: str, title: str) -> dict[str, Any]:
    """What names an endpoint as a protected resource (RFC 9728); no authorization server as long as keys are
    minted.

    (decisions, How the parts fit together).
    """
    return {"resource": f"{public_url}{path}", "resource_name": title, "bearer_methods_supported": ["header"]}


def resource_metadata_path(path: str) -> str:
    """Where the metadata of the endpoint at `path` lies, the well-known name before the path (mcp 5.2)."""
    return f"/.well-known/oauth-protected-resource{path}"
