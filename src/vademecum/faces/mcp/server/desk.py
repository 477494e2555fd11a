"""What is done with a call that was let through?"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp_types import CLIENT_INFO_META_KEY, INVALID_PARAMS, CallToolRequestParams, PaginatedRequestParams
from starlette.requests import Request

from vademecum.faces.http.caller import client_name
from vademecum.faces.http.guards import request_number
from vademecum.faces.mcp.problems import CRASHED, crash, problem_of
from vademecum.faces.mcp.server.gate import CALLER, Door
from vademecum.faces.mcp.tool.arguments import Reader
from vademecum.faces.mcp.tool.declaration import Blocks, Shape, Tool
from vademecum.library.auditing import read_entry
from vademecum.model.access import Caller
from vademecum.model.errors import Busy, NotFound, Refusal
from vademecum.model.ids import item_id

logger = logging.getLogger("vademecum.mcp")
Context = ServerRequestContext[Any, Request]
OK = "ok"
_COMPACT = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False)


@dataclass(frozen=True, slots=True)
class _Call:
    caller: Caller
    tool: Tool
    read: Reader
    arguments: Mapping[str, Any] | None
    number: str


class Desk:
    """Lists the tools that a caller may see and carries out their calls in the threads of the core.

    Every refusal is a tool result with its code, and so is a failure that no one foresaw, with the number of
    its log line; only a tool that the set does not have is a protocol error (−32602).
    """

    def __init__(self, door: Door) -> None:
        self._door = door
        self._tools = {tool.name: (tool, tool.reader()) for tool in door.declared.tools}
        self._lists: dict[tuple[str, ...], Shape] = {}

    async def list_tools(self, context: Context, params: PaginatedRequestParams | None) -> Shape:
        """The tools of the caller on the request, in the order of their declaration."""
        if params is not None and params.cursor:
            raise MCPError(code=INVALID_PARAMS, message="The list has one page: there is no cursor.")
        caller = _caller(context)
        seen = tuple(
            tool.name for tool, _ in self._tools.values() if self._door.declared.allows(caller, tool.tier)
        )
        if seen not in self._lists:
            tools = [self._tools[name][0].as_wire() for name in seen]
            self._lists[seen] = {"tools": tools, "resultType": "complete"}
        return self._lists[seen]

    async def call_tool(self, context: Context, params: CallToolRequestParams) -> Shape:
        """The answer of the tool: as structured content and as the same JSON in one text block, or its
        blocks.
        """
        if params.name not in self._tools:
            raise MCPError(code=INVALID_PARAMS, message=f"Unknown tool: {ascii(params.name[:64])[1:-1]}")
        tool, read = self._tools[params.name]
        caller = _named(_caller(context), context.meta)
        call = _Call(caller, tool, read, params.arguments, request_number(_request(context).scope))
        try:
            result, outcome = await self._door.offload.run(self._carry_out, call)
        except Busy as busy:
            return problem_of(busy).as_result()
        if outcome != OK or tool.hints.read_only:  # a write that succeeded was recorded in its transaction
            self._record(call, outcome)
        return result

    def _carry_out(self, call: _Call) -> tuple[Shape, str]:
        """The result and, in one word, how it ended; never raises."""
        try:
            return _success(self._run(call)), OK
        except Refusal as refusal:
            problem = problem_of(refusal)
            return problem.as_result(), problem.code
        except Exception:
            logger.exception("request %s: the tool %s failed", call.number, call.tool.name)
            return crash(call.number).as_result(), CRASHED

    def _run(self, call: _Call) -> Shape | Blocks:
        if not self._door.declared.allows(call.caller, call.tool.tier):
            raise self._door.declared.denied(call.caller, call.tool)
        return call.tool.run(self._door.library, call.caller, call.read(call.arguments))

    def _record(self, call: _Call, outcome: str) -> None:
        subject = _subject(call.arguments)
        entry = read_entry(self._door.library, call.caller, call.tool.name, subject, outcome)
        self._door.journal.note(call.caller, entry)


def _success(answer: Shape | Blocks) -> Shape:
    """One object in both forms, since clients show a model only the one or only the other (mcp 0)."""
    if isinstance(answer, Blocks):
        return {"content": list(answer.content), "isError": False, "resultType": "complete"}
    return {
        "content": [{"type": "text", "text": _COMPACT.encode(answer)}],
        "structuredContent": answer,
        "isError": False,
        "resultType": "complete",
    }


def _request(context: Context) -> Request:
    return cast(Request, context.request)  # there is one, since every call comes over HTTP


def _caller(context: Context) -> Caller:
    caller: Caller = _request(context).scope[CALLER]
    return caller


def _named(caller: Caller, meta: Mapping[str, Any] | None) -> Caller:
    """The caller under the name that its client gives with the call, else as it was (decisions, Client's
    name).
    """
    about = (meta or {}).get(CLIENT_INFO_META_KEY)
    if not isinstance(about, Mapping):
        return caller
    words = [about.get("name"), about.get("version")]
    name = client_name(" ".join(word for word in words if isinstance(word, str)))
    return replace(caller, client_name=name) if name else caller


def _subject(arguments: Mapping[str, Any] | None) -> str | None:
    """The item that a call is about, as far as it names one by a well-formed id."""
    named = (arguments or {}).get("id")
    if not isinstance(named, str):
        return None
    try:
        return item_id(named.partition("@")[0])
    except NotFound:
        return None
