"""How do tests open the vault's listener in their own process, and speak to it?"""

from __future__ import annotations

import asyncio
import json
import socket
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2

from tests.faces.installation import Wire
from vademecum.app import App, open_app
from vademecum.commands.vault_file import VaultFile
from vademecum.commands.vault_listening import VaultListener
from vademecum.faces.http.offload import Offload
from vademecum.faces.mcp.tool.declaration import Tool
from vademecum.faces.mcp.vault_tools.toolset import vault_tool_set
from vademecum.library.connecting import ensure_owner
from vademecum.library.vault import set_switch
from vademecum.model.vault import Switch
from vademecum.settings import read_settings

SECONDS = 60


def free_port() -> int:
    """A port that nobody has at the moment."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


async def until(holds: Callable[[], object]) -> None:
    """Wait for an event of another task or process."""
    end = time.monotonic() + SECONDS
    while not holds():
        assert time.monotonic() < end
        await asyncio.sleep(0.01)


@dataclass
class Door:
    """A data folder whose vault is served with some tools, and what may be asked of it."""

    app: App
    tools: tuple[Tool, ...]

    @property
    def file(self) -> VaultFile:
        return VaultFile(self.app.settings.inner)

    def told(self) -> dict[str, Any]:
        """What `vault.json` says."""
        said: dict[str, Any] = json.loads((self.app.settings.inner / "vault.json").read_text("utf-8"))
        return said

    def turn(self, switch: Switch, *, on: bool) -> None:
        set_switch(self.app.library, switch, on=on)

    async def turned(self, *, on: bool) -> None:
        """Publish or close, and wait until the listener has followed."""
        self.turn(Switch.PUBLISH, on=on)
        await until(lambda: (self.file.read().port is not None) == on)

    @asynccontextmanager
    async def serving(self) -> AsyncIterator[None]:
        """Serve as `vade serve` does, as far as the vault goes."""
        with Offload() as offload:
            async with VaultListener(self.app, offload, vault_tool_set(self.tools)).running():
                yield

    @asynccontextmanager
    async def wire(self) -> AsyncIterator[Wire]:
        """A client with the token, at the address that the file tells."""
        known = self.file.read()
        async with httpx2.AsyncClient(base_url=f"http://127.0.0.1:{known.port}") as client:
            yield Wire(client, known.token)


def a_door(data: Path, tools: tuple[Tool, ...], **settings: str) -> Door:
    """A new data folder with an owner; `settings` are named without their prefix."""
    given = {"DATA": str(data), "EMBEDDER": "off", "RERANKER": "off", "VAULT_PORT": str(free_port())}
    app = open_app(read_settings({**given, **settings}, {}))
    ensure_owner(app.library)
    return Door(app, tools)
