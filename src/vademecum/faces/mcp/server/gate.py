"""Who is let through to a tool set, and what is refused with an HTTP status before the protocol is spoken?"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from vademecum.faces.http.caller import Doorkeeper
from vademecum.faces.http.guards import header
from vademecum.faces.http.offload import Offload
from vademecum.faces.http.options import HttpOptions
from vademecum.faces.http.pages import resource_metadata_path
from vademecum.faces.mcp.problems import Problem, problem_of
from vademecum.faces.mcp.server.answers import event_stream
from vademecum.faces.mcp.server.journal import Journal
from vademecum.faces.mcp.tool.declaration import Tool, ToolSetDeclaration
from vademecum.library.auditing import read_entry
from vademecum.library.context import Library
from vademecum.model.access import Caller
from vademecum.model.errors import Busy, CredentialRefused, Refusal, TierDenied, TooLarge

CALLER = "vademecum.caller"
# Free for implementations (mcp 1.2); that of a refused credential is given (decisions, How the parts fit).
_NUMBERS = {CredentialRefused: -32001, TierDenied: -32010, Busy: -32011, TooLarge: -32012}
_BOTH = b"application/json, text/event-stream"
_WILD = ("*/*", "application/*", "application/json")


@dataclass(frozen=True, slots=True)
class Door:
    """What stands around one tool set."""

    library: Library
    offload: Offload
    options: HttpOptions
    declared: ToolSetDeclaration
    journal: Journal
    keeper: Doorkeeper


class Gate:
    """Authentication, method, size and tier, in this order; then the request goes on with its caller.

    401 for every credential that is not in force, alike (contracts 2.8); 405 for anything
    but POST, after authentication because some clients begin with a GET to find the challenge (mcp P3); 413;
    and for a tool above the caller's tier 403 with a JSON-RPC error (decisions, Library). What cannot be read
    as a call is passed on to the SDK, which refuses it well.
    """

    def __init__(self, door: Door, app: ASGIApp) -> None:
        self._door = door
        self._app = app
        self._tools = {tool.name: tool for tool in door.declared.tools}
        self._tiers = frozenset(tool.tier for tool in door.declared.tools)
        self._challenge = {"www-authenticate": _challenge(door)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        door = self._door
        try:
            caller = await door.keeper.caller_of(scope)
            if scope["method"] != "POST":
                await Response(status_code=405, headers={"allow": "POST"})(scope, receive, send)
                return
            body = await _read(scope, receive, door.options)
            self._check_tier(caller, body)
        except CredentialRefused:
            await self._without_credential()(scope, receive, send)
        except TimeoutError:
            await Response(status_code=408, headers={"connection": "close"})(scope, receive, send)
        except _Refused as refused:
            await refused.response()(scope, receive, send)
        except Busy as busy:
            await _Refused(503, busy).response()(scope, receive, send)
        else:
            accepted = header(scope["headers"], b"accept")
            send = event_stream(send) if _only_events(accepted) else send
            await self._app(_passed_on(scope, caller), _replay(body, receive), send)

    def _without_credential(self) -> Response:
        """The 401: empty, or with the advice of the tool set as a JSON-RPC error."""
        advice = self._door.declared.without_credential
        if advice is None:
            return Response(status_code=401, headers=self._challenge)
        return _Refused(401, CredentialRefused(advice=advice)).response(self._challenge)

    def _check_tier(self, caller: Caller, body: bytes) -> None:
        """Raise the 403 for a call of a tool of this set that the caller may not use."""
        declared = self._door.declared
        if not declared.forbids_by_status or all(declared.allows(caller, tier) for tier in self._tiers):
            return
        call = _tool_call(body)
        tool = self._tools.get(call.name) if call else None
        if call is None or tool is None or declared.allows(caller, tool.tier):
            return
        self._door.journal.note(caller, self._denied(caller, tool))
        raise _Refused(403, declared.denied(caller, tool), call.message_id)

    def _denied(self, caller: Caller, tool: Tool) -> Any:
        return read_entry(self._door.library, caller, tool.name, None, TierDenied.code)


def _challenge(door: Door) -> str:
    """What a client without a credential is told to look for."""
    scope = door.declared.least_scope
    if scope is None:
        return "Bearer"
    metadata = door.options.public_url + resource_metadata_path(door.declared.path)
    return f'Bearer resource_metadata="{metadata}", scope="{scope}"'


class _Refused(Exception):
    """A refusal that is told by an HTTP status and a JSON-RPC error of the same code."""

    def __init__(self, status: int, refusal: Refusal, message_id: str | int | None = None) -> None:
        super().__init__(refusal.code)
        self._status = status
        self._refusal = refusal
        self._id = message_id

    def response(self, headers: Mapping[str, str] | None = None) -> Response:
        problem: Problem = problem_of(self._refusal)
        error = {
            "code": _NUMBERS[type(self._refusal)],
            "message": problem.code,
            "data": {"code": problem.code, "message": problem.message},
        }
        body = json.dumps({"jsonrpc": "2.0", "id": self._id, "error": error})
        of_status = {503: {"retry-after": "2"}, 413: {"connection": "close"}}.get(self._status, {})
        return Response(body, self._status, {**of_status, **(headers or {})}, "application/json")


@dataclass(frozen=True, slots=True)
class _ToolCall:
    name: str
    message_id: str | int


def _tool_call(body: bytes) -> _ToolCall | None:
    """The call of a tool that a body is, or None for everything else, well formed or not.

    Most bodies are known without parsing; only an escape or another encoding can hide the method's name.
    """
    if b"tools/call" not in body and b"\\" not in body and b"\0" not in body:
        return None
    try:
        message = json.loads(body)
    except (ValueError, RecursionError):
        return None
    if not isinstance(message, dict) or message.get("method") != "tools/call":
        return None
    params, message_id = message.get("params"), message.get("id")
    name = params.get("name") if isinstance(params, Mapping) else None
    if isinstance(message_id, bool) or not isinstance(message_id, str | int) or not isinstance(name, str):
        return None
    return _ToolCall(name, message_id)


async def _read(scope: Scope, receive: Receive, options: HttpOptions) -> bytes:
    """The whole body, counted while it streams in. Raises the 413, and TimeoutError when it does not come."""
    declared = header(scope["headers"], b"content-length") or ""
    if declared.isdigit() and int(declared[:20]) > options.body_limit:
        raise _too_large(options)
    parts: list[bytes] = []
    size = 0
    async with asyncio.timeout(options.body_seconds):
        while True:
            message = await receive()
            part: bytes = message.get("body", b"")
            size += len(part)
            if size > options.body_limit:
                raise _too_large(options)
            parts.append(part)
            if not message.get("more_body", False):
                return parts[0] if len(parts) == 1 else b"".join(parts)


def _too_large(options: HttpOptions) -> _Refused:
    return _Refused(413, TooLarge("body", options.body_limit, "bytes"))


def _replay(body: bytes, receive: Receive) -> Receive:
    """A receiving side that gives the body that was read, then whatever comes after it."""
    given = False

    async def replayed() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replayed


def _only_events(accepted: str | None) -> bool:
    """Whether a client takes event streams and no plain JSON (cases M03)."""
    if accepted is None or "application/json" in accepted:
        return False
    kinds = {part.partition(";")[0].strip().lower() for part in accepted.split(",")}
    return "text/event-stream" in kinds and kinds.isdisjoint(_WILD)


def _passed_on(scope: Scope, caller: Caller) -> Scope:
    """The request as the SDK is to see it: with its caller, and of its headers those of the protocol.

    Any Accept header is answered, never with 406 (cases M03); the parser in use leaves white space around
    header values, which the protocol does not count; and the SDK reads every header several times.
    """
    headers = [(name, value.strip()) for name, value in scope["headers"] if name[:4] == b"mcp-"]
    headers += [pair for pair in scope["headers"] if pair[0] == b"content-type"]
    headers.append((b"accept", _BOTH))
    return {**scope, "headers": headers, CALLER: caller}
