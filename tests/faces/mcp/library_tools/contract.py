"""Does an answer keep what its tool has published?"""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from jsonschema import Draft202012Validator

from tests.faces.installation import Wire
from vademecum.faces.mcp.library_tools.toolset import LIBRARY_TOOLS

SCHEMAS = {tool.name: tool.output_schema for tool in LIBRARY_TOOLS.tools}


def undeclared(schema: Mapping[str, Any], value: Any, path: str = "") -> Iterator[str]:
    """Every field of the value that the schema does not name, where it does not say that there are others."""
    if isinstance(value, dict) and schema.get("additionalProperties") is not True:
        declared = schema.get("properties", {})
        for name, inner in value.items():
            if name not in declared:
                yield f"{path}.{name}"
            else:
                yield from undeclared(declared[name], inner, f"{path}.{name}")
    if isinstance(value, list):
        for inner in value:
            yield from undeclared(schema.get("items", {}), inner, f"{path}[]")


def check(tool: str, shape: Any) -> None:
    """Fails unless the shape fits the tool's schema and has no field beside those that it names."""
    Draft202012Validator(SCHEMAS[tool]).validate(shape)
    assert list(undeclared(SCHEMAS[tool], shape)) == []


@dataclass
class ContractWire(Wire):
    """A client that holds every answer, refusals too, to the published schema."""

    async def result(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        result = await super().result(tool, **arguments)
        check(tool, result["structuredContent"])
        return result

    async def note(self, text: str, title: str | None = None, **more: Any) -> str:
        """The id of a new note."""
        saved = await self.ok("save_note", id=new_id(), authoredContent=text, hubTitle=title, **more)
        item_id: str = saved["itemId"]
        return item_id

    async def item(self, item_id: str, **arguments: Any) -> dict[str, Any]:
        """What `get_item` gives of the item."""
        shape = await self.ok("get_item", id=item_id, **arguments)
        item: dict[str, Any] = shape["item"]
        return item


def new_id() -> str:
    """A new UUID as a client makes them."""
    return str(uuid.uuid4())
