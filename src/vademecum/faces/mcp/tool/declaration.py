"""What is a tool, and what is a set of them?"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from vademecum.faces.http.caller import Identify
from vademecum.faces.mcp.tool.arguments import Arguments, Reader, reader_of
from vademecum.library.context import Library
from vademecum.model.access import Caller, Tier, ToolSet
from vademecum.model.errors import Refusal, TierDenied

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


@dataclass(frozen=True, slots=True)
class Blocks:
    """An answer that is content blocks and nothing else, for what is no JSON (mcp 0)."""

    content: tuple[Shape, ...]


def image(data: bytes, media_type: str) -> Blocks:
    """An answer that is one image."""
    return Blocks(({"type": "image", "data": b64encode(data).decode("ascii"), "mimeType": media_type},))


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
    there. A tool whose `outputs` are None answers with `Blocks` and publishes no output schema: some clients
    drop an image that comes beside structured content (mcp 0). What is `explained` is required too, but it is
    the use case that refuses its absence, since it knows what to do.
    """

    name: str
    tier: Tier
    hints: Hints
    description: str
    properties: Mapping[str, Schema]
    required: tuple[str, ...]
    outputs: Mapping[str, Schema] | None
    answers: tuple[str, ...]
    run: Callable[[Library, Caller, Arguments], Shape | Blocks] = field(repr=False)
    clamped: frozenset[str] = frozenset()
    meta: Mapping[str, Any] = field(default_factory=dict)
    explained: frozenset[str] = frozenset()

    @property
    def input_schema(self) -> Schema:
        return {"type": "object", "properties": dict(self.properties), "required": list(self.required)}

    @property
    def output_schema(self) -> Schema:
        """Holds for a success and for a refusal, so that no client meets a result that does not fit (cases
        M09). Empty, which everything fits, for a tool that answers with blocks.
        """
        if self.outputs is None:
            return {}
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
            **({} if self.outputs is None else {"outputSchema": self.output_schema}),
            "annotations": self.hints.as_wire(),
        }
        return wire | ({"_meta": dict(self.meta)} if self.meta else {})

    def reader(self) -> Reader:
        """What reads the arguments of a call."""
        required = tuple(name for name in self.required if name not in self.explained)
        return reader_of(self.properties, required, self.clamped)


def tier_denied(caller: Caller, tool: Tool) -> Refusal:
    """The refusal of a tool that the caller's key or connection does not include."""
    return TierDenied(needed=tool.tier.value, tier=caller.tier.value)


@dataclass(frozen=True, slots=True)
class ToolSetDeclaration:
    """One of the published contracts: its tools, its words to the model, and its ways.

    Only the library set answers a call above the tier with HTTP 403 (decisions, All three). `list_seconds` is
    how long a client may go on using the list it was given.

    `least_scope` is None where there are no scopes to ask for and no metadata that tells of them. A 401 has
    an empty body unless `without_credential` says what to do (decisions, How the parts fit together).
    `known_by` tells who shows a secret, by default an agent key of the set; `denied` is how a call above the
    tier is refused.
    """

    tool_set: ToolSet
    path: str
    title: str
    instructions: str
    tools: tuple[Tool, ...]
    least_scope: str | None
    forbids_by_status: bool = False
    list_seconds: int = 60
    without_credential: str | None = None
    known_by: Identify | None = field(default=None, repr=False)
    denied: Callable[[Caller, Tool], Refusal] = field(default=tier_denied, repr=False)

    def allows(self, caller: Caller, tier: Tier) -> bool:
        """Whether the caller may use, and so see, tools of the tier: judged anew at every call."""
        return caller.tier.includes(tier)
