"""Which tools do tests of the server serve where it does not matter what a tool does?"""

from __future__ import annotations

import threading
from typing import Any

from vademecum.faces.mcp.tool.arguments import Arguments
from vademecum.faces.mcp.tool.declaration import Hints, Shape, Tool, ToolSetDeclaration
from vademecum.library.context import Library
from vademecum.model.access import Caller, Tier, ToolSet
from vademecum.model.errors import NotFound

_TEXT: dict[str, Any] = {"type": "string"}


class Seen:
    """What the tools of a small set were called with, and where they wait."""

    def __init__(self) -> None:
        self.callers: list[Caller] = []
        self.release = threading.Event()
        self.waiting = threading.Semaphore(0)

    def tools(self) -> ToolSetDeclaration:
        """Three tools of the three tiers, and some that fail or wait."""
        tools = (
            self._tool("look", Tier.READ_ONLY, self._look, read_only=True),
            self._tool("write", Tier.EDIT, self._look),
            self._tool("erase", Tier.FULL, self._look, destructive=True),
            self._tool("crash", Tier.READ_ONLY, self._crash, read_only=True),
            self._tool("miss", Tier.READ_ONLY, self._miss, read_only=True),
            self._tool("wait", Tier.READ_ONLY, self._wait, read_only=True),
        )
        return ToolSetDeclaration(ToolSet.LIBRARY, "/mcp", "Small set", "Be kind.", tools, "read_only", True)

    def _tool(self, name: str, tier: Tier, run: Any, **hints: bool) -> Tool:
        return Tool(
            name=name,
            tier=tier,
            hints=Hints(name.title(), **hints),
            description=f"It can {name}.",
            properties={"id": _TEXT, "text": _TEXT, "count": {"type": "integer", "default": 1}},
            required=(),
            outputs={"text": _TEXT, "count": {"type": "integer"}},
            answers=("text", "count"),
            run=run,
        )

    def _look(self, _: Library, caller: Caller, arguments: Arguments) -> Shape:
        self.callers.append(caller)
        return {"text": arguments.text_if_given("text") or "", "count": arguments.integer("count")}

    def _crash(self, _: Library, __: Caller, ___: Arguments) -> Shape:
        raise RuntimeError("secret-of-the-house")

    def _miss(self, _: Library, __: Caller, ___: Arguments) -> Shape:
        raise NotFound

    def _wait(self, _: Library, __: Caller, ___: Arguments) -> Shape:
        self.waiting.release()
        self.release.wait()
        return {"text": "waited", "count": 0}
