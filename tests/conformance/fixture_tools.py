"""Which tools does the suite want to call that answer at once, or speak to the client while they run?"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from mcp.server.context import ServerRequestContext
from mcp.server.subscriptions import InMemorySubscriptionBus, PromptsListChanged, ToolsListChanged
from mcp.shared.exceptions import MCPError
from mcp.shared.message import ServerMessageMetadata
from mcp_types import (
    MISSING_REQUIRED_CLIENT_CAPABILITY,
    CallToolRequestParams,
    CallToolResult,
    ClientCapabilities,
    CreateMessageRequest,
    CreateMessageRequestParams,
    CreateMessageResult,
    InputRequiredResult,
    LoggingMessageNotification,
    LoggingMessageNotificationParams,
    SamplingCapability,
    SamplingMessage,
)
from starlette.requests import Request

from tests.conformance.fixture_content import audio, embedded, image, text

Context = ServerRequestContext[Any, Request]
Answer = CallToolResult | InputRequiredResult
Plain = Callable[[], CallToolResult]
Speaking = Callable[[Context, CallToolRequestParams], Awaitable[Answer]]
_LOG_LEVEL = "io.modelcontextprotocol/logLevel"
_MODERN = "2026-07-28"
_NOTHING: Mapping[str, Any] = {"type": "object", "properties": {}}


@dataclass(frozen=True, slots=True)
class FixtureTool:
    """A tool: either `plain`, which runs in a thread as all our tools do, or `speaking`, which may await."""

    name: str
    plain: Plain | None = None
    speaking: Speaking | None = None
    schema: Mapping[str, Any] = field(default_factory=lambda: _NOTHING)


def strings(*names: str) -> Mapping[str, Any]:
    """The schema of an object whose members are required strings."""
    return {
        "type": "object",
        "properties": {name: {"type": "string"} for name in names},
        "required": list(names),
    }


def said(words: str) -> CallToolResult:
    """An answer of one text block."""
    return CallToolResult(content=[text(words)])


def plain_tools() -> list[FixtureTool]:
    """The tools that answer at once."""
    return [
        FixtureTool("test_simple_text", lambda: said("This is a simple text response for testing.")),
        FixtureTool("test_image_content", lambda: CallToolResult(content=[image()])),
        FixtureTool("test_audio_content", lambda: CallToolResult(content=[audio()])),
        FixtureTool("test_embedded_resource", _embedded),
        FixtureTool("test_multiple_content_types", _mixed),
        FixtureTool("test_error_handling", _failed),
        FixtureTool(
            "json_schema_2020_12_tool", lambda: said("The schema is the point."), schema=_RICH_SCHEMA
        ),
        FixtureTool(
            "test_mirrored_header", lambda: said("The header is the point."), schema=_MIRRORED_SCHEMA
        ),
    ]


def speaking_tools(bus: InMemorySubscriptionBus) -> list[FixtureTool]:
    """The tools that tell or ask the client something while they run, and those that change a list."""

    async def change_tools(_: Context, __: CallToolRequestParams) -> Answer:
        await bus.publish(ToolsListChanged())
        return said("The list of tools changed.")

    async def change_prompts(_: Context, __: CallToolRequestParams) -> Answer:
        await bus.publish(PromptsListChanged())
        return said("The list of prompts changed.")

    return [
        FixtureTool("test_tool_with_logging", speaking=_logging),
        FixtureTool("test_logging_tool", speaking=_logging),
        FixtureTool("test_tool_with_progress", speaking=_progress),
        FixtureTool("test_sampling", speaking=_sampling, schema=strings("prompt")),
        FixtureTool("test_elicitation", speaking=_elicitation, schema=strings("message")),
        FixtureTool("test_elicitation_sep1034_defaults", speaking=_elicitation_of(_DEFAULTS)),
        FixtureTool("test_elicitation_sep1330_enums", speaking=_elicitation_of(_CHOICES)),
        FixtureTool("test_missing_capability", speaking=_needs_sampling),
        FixtureTool("test_trigger_tool_change", speaking=change_tools),
        FixtureTool("test_trigger_prompt_change", speaking=change_prompts),
    ]


def _embedded() -> CallToolResult:
    resource = embedded("test://embedded-resource", "This is an embedded resource content.")
    return CallToolResult(content=[resource])


def _mixed() -> CallToolResult:
    resource = embedded("test://mixed-content-resource", '{"test":"data","value":123}', "application/json")
    return CallToolResult(content=[text("Multiple content types test:"), image(), resource])


def _failed() -> CallToolResult:
    words = "This tool intentionally returns an error for testing"
    return CallToolResult(content=[text(words)], is_error=True)


async def _logging(context: Context, _: CallToolRequestParams) -> Answer:
    """Since 2026-07-28 a client is told only what it asked for with the call."""
    if context.protocol_version != _MODERN or _LOG_LEVEL in (context.meta or {}):
        for words in ("Tool execution started", "Tool processing data", "Tool execution completed"):
            entry = LoggingMessageNotificationParams(level="info", data=words)
            await context.session.send_notification(
                LoggingMessageNotification(params=entry), context.request_id
            )
    return said("Three messages were logged.")


async def _progress(context: Context, _: CallToolRequestParams) -> Answer:
    for done in (0, 50, 100):
        await context.session.report_progress(done, 100)
    return said("All is done.")


async def _sampling(context: Context, params: CallToolRequestParams) -> Answer:
    prompt = str((params.arguments or {}).get("prompt", ""))
    request = CreateMessageRequest(
        params=CreateMessageRequestParams(
            messages=[SamplingMessage(role="user", content=text(prompt))], max_tokens=100
        )
    )
    about = ServerMessageMetadata(related_request_id=context.request_id)
    answer = await context.session.send_request(request, CreateMessageResult, metadata=about)
    return said(f"LLM response: {answer.content}")


async def _elicitation(context: Context, params: CallToolRequestParams) -> Answer:
    message = str((params.arguments or {}).get("message", ""))
    answer = await context.session.elicit_form(
        message, dict(strings("username", "email")), context.request_id
    )
    return said(f"User response: action={answer.action}, content={answer.content}")


def _elicitation_of(properties: Mapping[str, Any]) -> Speaking:
    async def elicit(context: Context, _: CallToolRequestParams) -> Answer:
        schema = {"type": "object", "properties": dict(properties), "required": []}
        answer = await context.session.elicit_form("Please choose.", schema, context.request_id)
        return said(f"Elicitation completed: action={answer.action}, content={answer.content}")

    return elicit


async def _needs_sampling(context: Context, _: CallToolRequestParams) -> Answer:
    if not context.session.check_client_capability(ClientCapabilities(sampling=SamplingCapability())):
        needed: dict[str, Any] = {"requiredCapabilities": {"sampling": {}}}
        raise MCPError(MISSING_REQUIRED_CLIENT_CAPABILITY, "This tool needs sampling.", needed)
    return said("The client declares sampling.")


_DEFAULTS: Mapping[str, Any] = {
    "name": {"type": "string", "default": "John Doe"},
    "age": {"type": "integer", "default": 30},
    "score": {"type": "number", "default": 95.5},
    "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
    "verified": {"type": "boolean", "default": True},
}
_OPTIONS = ["option1", "option2", "option3"]
_TITLED = [{"const": f"value{number}", "title": f"Choice {number}"} for number in (1, 2, 3)]
_CHOICES: Mapping[str, Any] = {
    "untitledSingle": {"type": "string", "enum": _OPTIONS},
    "titledSingle": {"type": "string", "oneOf": _TITLED},
    "legacyEnum": {
        "type": "string",
        "enum": ["opt1", "opt2", "opt3"],
        "enumNames": ["Option One", "Option Two", "Option Three"],
    },
    "untitledMulti": {"type": "array", "items": {"type": "string", "enum": _OPTIONS}},
    "titledMulti": {"type": "array", "items": {"anyOf": _TITLED}},
}
_RICH_SCHEMA: Mapping[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {"address": {"$anchor": "addressDef", **strings("street", "city")}},
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}
_MIRRORED_SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {"region": {"type": "string", "x-mcp-header": "Region"}},
}
