"""How do agents see what the account has left?"""

from __future__ import annotations

from vademecum.faces.mcp.library_tools.shapes import quota_shape
from vademecum.faces.mcp.tool.arguments import Arguments
from vademecum.faces.mcp.tool.declaration import Hints, Schema, Shape, Tool, or_null
from vademecum.library.context import Library
from vademecum.library.quota import quota
from vademecum.model.access import Caller, Tier

_COUNT: Schema = {"type": "integer"}
_COUNT_OR_UNLIMITED: Schema = or_null(_COUNT)


def _part(**properties: Schema) -> Schema:
    return {"type": "object", "properties": properties, "required": list(properties)}


def _get_quota(library: Library, caller: Caller, _: Arguments) -> Shape:
    return quota_shape(quota(library, caller))


GET_QUOTA = Tool(
    name="get_quota",
    tier=Tier.READ_ONLY,
    hints=Hints("See plan and credits", read_only=True),
    description=(
        "See the account's plan, credits, storage and limits, and the tier of this connection. null means"
        " unlimited. Reading and notes cost nothing; each save_link spends a credit, so look here before"
        " saving many links."
    ),
    properties={},
    required=(),
    outputs={
        "tier": {"type": "string", "enum": [tier.value for tier in Tier]},
        "limits": _part(
            storageBytes=_COUNT_OR_UNLIMITED, storageUsedBytes=_COUNT, itemCount=_COUNT, maxLinkBytes=_COUNT
        ),
        "credits": _part(remaining=_COUNT_OR_UNLIMITED, monthly=_COUNT_OR_UNLIMITED, used=_COUNT),
        "resetsAt": {
            **or_null({"type": "string"}),
            "description": "When the month's credits are granted anew.",
        },
        "subscription": _part(plan={"type": "string"}, status={"type": "string"}),
    },
    answers=("tier", "limits", "credits", "resetsAt", "subscription"),
    run=_get_quota,
)
