"""What is a tool, and what is a set of them?"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from vademecum.faces.mcp.tool.arguments import Arguments, Reader, reader_of
from vademecum.library.context import Library
from vademecum.model.access import Caller, Tier, ToolSet

Shape = dict[str, Any]  # what a tool answers, ready for JSON
Schema = Mapping[str, Any]
_ERROR: Schema = {
    "type": "object",
    "description": "Present instead of everything else when the call was refused.",
    "properties": {
        "code": {"type": "string", "description": "Stable upper-case code."},
        "message": {"type": "string", "description": "What happened and what to do next."},
    },
    "required": ["code", "message"],
}


def or_null(schema: Schema) -> Schema:
    """The schema for a value that may be null, in the spelling that most clients can take."""
    return {"anyOf": [schema, {"type": "null"}]}


@dataclass(frozen=True, slots=True)
class Hints:
    """What a client may assume of a tool before it asks the person; `title` is shown to them."""

    title: str
    read_only: bool = False
    destructive: bool = False
    idempotent: bool = False
    open_world: bool = False

    def as_wire(self) -> dict[str, Any]:
        wire: dict[str, Any] = {
            "title": self.title,
            "readOnlyHint": self.read_only,
            "openWorldHint": self.open_world,
        }
        if not self.read_only:
            wire |= {"destructiveHint": self.destructive, "idempotentHint": self.idempotent}
        return wire


@dataclass(frozen=True, slots=True)
class Tool:
    """A declaration of constants and the function behind it (style 5.8).

    `properties` and `required` are the input; a number named in `clamped` is lowered to its maximum instead
    of being refused. `outputs` and `answers` are the properties of the answer and those that always stand
    there. What is `explained` is required too, but it is the use case that refuses its absence, since it
    knows what to do.
    """

    name: str
    tier: Tier
    hints: Hints
    description: str
    properties: Mapping[str, Schema]
    required: tuple[str, ...]
    outputs: Mapping[str, Schema]
    answers: tuple[str, ...]
    run: Callable[[Library, Caller, Arguments], Shape] = field(repr=False)
    clamped: frozenset[str] = frozenset()
    meta: Mapping[str, Any] = field(default_factory=dict)
    explained: frozenset[str] = frozenset()

    @property
    def input_schema(self) -> Schema:
        return {"type": "object", "properties": dict(self.properties), "required": list(self.required)}

    @property
    def output_schema(self) -> Schema:
        """Holds for a success and for a refusal, so that no client meets a result that does not fit (cases
        M09).
        """
        return {
            "type": "object",
            "properties": {**self.outputs, "error": _ERROR},
            "anyOf": [{"required": list(self.answers)}, {"required": ["error"]}],
        }

    def as_wire(self) -> dict[str, Any]:
        """The tool as `tools/list` shows it."""
        wire: dict[str, Any] = {
            "name": self.name,
            "title": self.hints.title,
            "description": self.description,
            "inputSchema": self.input_schema,
            "outputSchema": self.output_schema,
            "annotations": self.hints.as_wire(),
        }
        return wire | ({"_meta": dict(self.meta)} if self.meta else {})

    def reader(self) -> Reader:
        """What reads the arguments of a call."""
        required = tuple(name for name in self.required if name not in self.explained)
        return reader_of(self.properties, required, self.clamped)


@dataclass(frozen=True, slots=True)
class ToolSetDeclaration:
    """One of the published contracts: its tools, its words to the model, and its ways.

    Only the library set answers a call above the tier with HTTP 403 (decisions, All three). `list_seconds` is
    how long a client may go on using the list it was given.
    """

    tool_set: ToolSet
    path: str
    title: str
    instructions: str
    tools: tuple[Tool, ...]
    least_scope: str
    forbids_by_status: bool = False
    list_seconds: int = 60

    def allows(self, caller: Caller, tier: Tier) -> bool:
        """Whether the caller may use, and so see, tools of the tier: judged anew at every call."""
        return caller.tier.includes(tier)
