"""Does an answer of the vault keep what its tool has published, and who asks there?"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from jsonschema import Draft202012Validator

from tests.faces.installation import Installation, Wire, serving
from tests.faces.mcp.library_tools.contract import undeclared
from vademecum.faces.mcp.vault_tools.toolset import VAULT_TOOLS
from vademecum.library.vault import new_token, set_switch
from vademecum.model.vault import Switch

SCHEMAS = {tool.name: tool.output_schema for tool in VAULT_TOOLS.tools}


@dataclass
class VaultWire(Wire):
    """The agent beside the person, which holds every answer, refusals too, to the published schema."""

    async def result(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        result = await super().result(tool, **arguments)
        if SCHEMAS[tool]:
            Draft202012Validator(SCHEMAS[tool]).validate(result["structuredContent"])
            assert list(undeclared(SCHEMAS[tool], result["structuredContent"])) == []
        return result

    async def told(self, tool: str, /, **arguments: Any) -> str:
        """What a refused call says to the agent."""
        await self.refused(tool, **arguments)
        result = await self.result(tool, **arguments)
        message: str = result["structuredContent"]["error"]["message"]
        return message


@asynccontextmanager
async def vault_over(installation: Installation) -> AsyncIterator[VaultWire]:
    """The vault of the installation's owner with every switch on."""
    for switch in Switch:
        set_switch(installation.library, switch, on=True)
    token = new_token(installation.library)
    async with serving(installation, VAULT_TOOLS) as served:
        yield VaultWire(served.wire.client, token)
