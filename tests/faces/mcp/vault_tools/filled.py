"""How do tests of the vault tools put notes and files into the vault that they ask?"""

from __future__ import annotations

import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any

from tests.faces.installation import Installation
from tests.faces.mcp.vault_tools.contract import VaultWire, vault_over
from tests.library.home import Home
from tests.library.vault import put, put_file
from vademecum.ports.documents import Documents

PNG = b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sII", 13, b"IHDR", 3, 2) + b"\x08\x06\0\0\0"
JPEG = b"\xff\xd8\xff\xc0" + struct.pack(">HBHHB", 11, 8, 2, 3, 1) + b"\x01\x11\x00\xff\xd9"
GIF = b"GIF89a" + struct.pack("<HH", 3, 2) + b"\0\0\0;"
WEBP = b"RIFF\x16\0\0\0WEBPVP8X" + struct.pack("<IB", 10, 0) + b"\0\0\0\x02\0\0\x01\0\0"


@dataclass
class Filled:
    """A vault with every switch on, what reads its sheets and PDFs, and the agent that asks it."""

    wire: VaultWire
    home: Home

    def put(self, path: str, body: str = "", **more: Any) -> None:
        put(self.home, path, body, **more)

    def put_file(self, path: str, content: bytes) -> None:
        put_file(self.home, path, content)

    async def ok(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        return await self.wire.ok(tool, **arguments)

    async def told(self, tool: str, /, **arguments: Any) -> str:
        """What a refused call says, with its code."""
        code = await self.wire.refused(tool, **arguments)
        return f"{code}: {await self.wire.told(tool, **arguments)}"


@asynccontextmanager
async def filled(installation: Installation, documents: Documents | None) -> AsyncIterator[Filled]:
    """The vault of the installation, whose documents are read by those given."""
    reading = replace(installation, library=replace(installation.library, documents=documents))
    async with vault_over(reading) as wire:
        yield Filled(wire, Home(reading, ""))
