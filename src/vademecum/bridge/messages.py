"""What does a message of the protocol say of itself, and how is it written on a line or in a header?"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

# The codes of JSON-RPC; the last is free for implementations (mcp 1.2).
PARSE_ERROR, INVALID_REQUEST, INTERNAL_ERROR, BRIDGE_ERROR = -32700, -32600, -32603, -32000
INITIALIZE, DISCOVER, PING = "initialize", "server/discover", "ping"
LIST_TOOLS, CALL_TOOL, CANCELLED = "tools/list", "tools/call", "notifications/cancelled"
LIST_CHANGED = "notifications/tools/list_changed"

MessageId = str | int | float
_VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
_NAMED_BY = {CALL_TOOL: "name", "prompts/get": "name", "resources/read": "uri"}
_PLAIN = re.compile(r"[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?")
# Within JSON these stand in texts only, and some readers take them for the end of a line.
_LINE_ENDS = {"\u0085": b"\\u0085", "\u2028": b"\\u2028", "\u2029": b"\\u2029"}


class NotAMessage(Exception):
    """A line is no message that can be passed on: why, as a code and a sentence, and whom to tell."""

    def __init__(self, code: int, sentence: str, ids: Sequence[MessageId | None] = (None,)) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence
        self.ids = ids


class Message(NamedTuple):
    """A request, or a notification, which has no id; `body` is what was received, byte for byte."""

    body: bytes
    method: str
    params: Mapping[str, Any]
    message_id: MessageId | None

    @property
    def version(self) -> str:
        """The protocol's version where the message itself names one, as those without a handshake do."""
        about = self.params.get("_meta")
        version = about.get(_VERSION_KEY) if isinstance(about, dict) else None
        return version if isinstance(version, str) else ""


class Reply(NamedTuple):
    """What a message is answered with: a line, empty for a notification, and the result that stands in it."""

    line: bytes
    result: Mapping[str, Any] = {}


def read_message(line: bytes) -> Message | None:
    """The message on a line; None for an answer, since the server has asked nothing.

    Raises NotAMessage for what is no JSON, no message, or several at once.
    """
    body = line.strip()
    try:
        parsed = json.loads(body.decode())
    except (ValueError, RecursionError) as error:
        raise NotAMessage(PARSE_ERROR, "The line is not JSON in UTF-8.") from error
    if isinstance(parsed, list):
        ids = [part["id"] for part in parsed if isinstance(part, dict) and _is_id(part.get("id"))]
        raise NotAMessage(INVALID_REQUEST, "Batches are not taken: send one message a line.", ids or [None])
    if not isinstance(parsed, dict):
        raise NotAMessage(INVALID_REQUEST, "A message is a JSON object.")
    if "method" not in parsed and ("result" in parsed or "error" in parsed):
        return None
    method, params, message_id = parsed.get("method"), parsed.get("params"), parsed.get("id")
    if "id" in parsed and not _is_id(message_id):
        raise NotAMessage(INVALID_REQUEST, "The id of a request is a text or a number.")
    if not isinstance(method, str):
        raise NotAMessage(INVALID_REQUEST, "A message names its method.", [message_id])
    return Message(body, method, params if isinstance(params, dict) else {}, message_id)


def _is_id(value: object) -> bool:
    return isinstance(value, MessageId) and not isinstance(value, bool)


def headers_of(message: Message, negotiated: str) -> dict[str, str]:
    """What HTTP says again of the message (mcp 1.2); `negotiated` is the version of an older handshake."""
    version = message.version or ("" if message.method == INITIALIZE else negotiated)
    headers = {"Mcp-Method": _header_value(message.method)}
    if version:
        headers["MCP-Protocol-Version"] = _header_value(version)
    name = message.params.get(_NAMED_BY.get(message.method, ""))
    if isinstance(name, str):
        headers["Mcp-Name"] = _header_value(name)
    return headers


def _header_value(text: str) -> str:
    """The text as it is where a header can carry it, else as Base64."""
    if (_PLAIN.fullmatch(text) or not text) and not text.startswith("=?base64?"):
        return text
    # Half of a surrogate pair has no bytes: the server then tells that header and body differ.
    return f"=?base64?{base64.b64encode(text.encode(errors='replace')).decode()}?="


def parse_answer(body: bytes) -> dict[str, Any] | None:
    """The answer that a body is, or None if it is none."""
    try:
        parsed = json.loads(body.decode())
    except (ValueError, RecursionError):
        return None
    is_answer = isinstance(parsed, dict) and ("result" in parsed or isinstance(parsed.get("error"), dict))
    return parsed if is_answer else None


def as_line(body: bytes) -> bytes:
    """JSON on one line: breaks between its parts become spaces, those within texts are escaped."""
    for mark, escape in _LINE_ENDS.items():
        body = body.replace(mark.encode(), escape)
    return body.replace(b"\r", b" ").replace(b"\n", b" ") + b"\n"


def result_line(message_id: MessageId | None, result: object) -> bytes:
    """The answer to a request that succeeded."""
    return _line({"id": message_id, "result": result})


def error_line(
    message_id: MessageId | None, code: int, sentence: str, data: Mapping[str, Any] | None = None
) -> bytes:
    """The answer to a request that failed."""
    more = {"data": data} if data else {}
    return _line({"id": message_id, "error": {"code": code, "message": sentence, **more}})


def notification_line(method: str) -> bytes:
    """Something told that was not asked."""
    return _line({"method": method})


def with_id(answer: Mapping[str, Any], message_id: MessageId | None) -> bytes:
    """The answer, as one to the request of that id."""
    return _line({**answer, "id": message_id})


def _line(fields: Mapping[str, Any]) -> bytes:
    return json.dumps({"jsonrpc": "2.0", **fields}, separators=(",", ":")).encode() + b"\n"
