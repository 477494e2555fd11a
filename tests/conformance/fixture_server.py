"""Which server has everything that the official suite asks of one?"""

from __future__ import annotations

import json
import re
from typing import Any

from mcp.server.caching import CacheHint
from mcp.server.lowlevel.server import Server
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CompleteRequestParams,
    CompleteResult,
    Completion,
    ContentBlock,
    EmptyResult,
    GetPromptRequestParams,
    GetPromptResult,
    InputRequiredResult,
    ListPromptsResult,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ListToolsResult,
    PaginatedRequestParams,
    Prompt,
    PromptArgument,
    PromptMessage,
    ReadResourceRequestParams,
    ReadResourceResult,
    Resource,
    ResourceTemplate,
    SetLevelRequestParams,
    SubscribeRequestParams,
    SubscriptionsListenRequestParams,
    UnsubscribeRequestParams,
)
from mcp_types import Tool as ListedTool

from tests.conformance.fixture_content import embedded, image, image_contents, text, text_contents
from tests.conformance.fixture_rounds import asked_of, elicitation, round_tools
from tests.conformance.fixture_tools import Answer, Context, plain_tools, speaking_tools
from vademecum.faces.http.offload import Offload

_TEXT = "test://static-text"
_BINARY = "test://static-binary"
_WATCHED = "test://watched-resource"
_TEMPLATE = re.compile(r"test://template/([^/]+)/data")
_HINT = CacheHint(ttl_ms=1000, scope="private")


def fixture_server(offload: Offload) -> Server[Any]:
    """A server of the SDK with the tools, prompts and resources that the suite looks for."""
    bus = InMemorySubscriptionBus()
    tools = FixtureTools(offload, bus)
    server: Server[Any] = Server(
        "vademecum-fixture",
        version="1",
        cache_hints={
            "tools/list": _HINT,
            "prompts/list": _HINT,
            "resources/list": _HINT,
            "resources/templates/list": _HINT,
            "resources/read": _HINT,
            "server/discover": _HINT,
        },
        on_list_resources=_list_resources,
        on_list_resource_templates=_list_templates,
        on_list_prompts=_list_prompts,
    )
    server.add_request_handler("tools/list", PaginatedRequestParams, tools.list)
    server.add_request_handler("tools/call", CallToolRequestParams, tools.call)
    server.add_request_handler("prompts/get", GetPromptRequestParams, _get_prompt)
    server.add_request_handler("resources/read", ReadResourceRequestParams, _read_resource)
    server.add_request_handler("resources/subscribe", SubscribeRequestParams, _accept)
    server.add_request_handler("resources/unsubscribe", UnsubscribeRequestParams, _accept)
    server.add_request_handler("logging/setLevel", SetLevelRequestParams, _accept)
    server.add_request_handler("completion/complete", CompleteRequestParams, _complete)
    server.add_request_handler("subscriptions/listen", SubscriptionsListenRequestParams, ListenHandler(bus))
    return server


class FixtureTools:
    """Lists and calls the tools, those that only compute in the threads of the product."""

    def __init__(self, offload: Offload, bus: InMemorySubscriptionBus) -> None:
        self._offload = offload
        self._tools = {tool.name: tool for tool in (*plain_tools(), *speaking_tools(bus), *round_tools())}

    async def list(self, _: Context, __: PaginatedRequestParams) -> ListToolsResult:
        """All of them, in one order."""
        return ListToolsResult(
            tools=[
                ListedTool(
                    name=tool.name, description=f"Fixture {tool.name}.", input_schema=dict(tool.schema)
                )
                for tool in self._tools.values()
            ]
        )

    async def call(self, context: Context, params: CallToolRequestParams) -> Answer:
        """What the tool answers; an error of the protocol for a name that is none."""
        tool = self._tools.get(params.name)
        if tool is not None and tool.plain is not None:
            return await self._offload.run(tool.plain)
        if tool is not None and tool.speaking is not None:
            return await tool.speaking(context, params)
        raise MCPError(INVALID_PARAMS, "Unknown tool")


async def _accept(_: Context, __: object) -> EmptyResult:
    return EmptyResult()


async def _complete(_: Context, __: CompleteRequestParams) -> CompleteResult:
    return CompleteResult(completion=Completion(values=["testValue1"], total=1, has_more=False))


async def _list_resources(_: Context, __: PaginatedRequestParams | None) -> ListResourcesResult:
    return ListResourcesResult(
        resources=[
            Resource(uri=uri, name=uri, description="A resource for tests.", mime_type=mime_type)
            for uri, mime_type in ((_TEXT, "text/plain"), (_BINARY, "image/png"), (_WATCHED, "text/plain"))
        ]
    )


async def _list_templates(_: Context, __: PaginatedRequestParams | None) -> ListResourceTemplatesResult:
    template = ResourceTemplate(
        uri_template="test://template/{id}/data", name="template", mime_type="application/json"
    )
    return ListResourceTemplatesResult(resource_templates=[template])


async def _read_resource(_: Context, params: ReadResourceRequestParams) -> ReadResourceResult:
    uri = str(params.uri)
    filled = _TEMPLATE.fullmatch(uri)
    if filled:
        data = {"id": filled[1], "templateTest": True, "data": f"Data for ID: {filled[1]}"}
        return ReadResourceResult(contents=[text_contents(uri, json.dumps(data), "application/json")])
    if uri == _BINARY:
        return ReadResourceResult(contents=[image_contents(uri)])
    if uri in {_TEXT, _WATCHED}:
        words = "This is the content of the static text resource."
        return ReadResourceResult(contents=[text_contents(uri, words)])
    raise MCPError(INVALID_PARAMS, "Resource not found", {"uri": uri})


async def _list_prompts(_: Context, __: PaginatedRequestParams | None) -> ListPromptsResult:
    takes = {
        "test_simple_prompt": (),
        "test_prompt_with_arguments": ("arg1", "arg2"),
        "test_prompt_with_embedded_resource": ("resourceUri",),
        "test_prompt_with_image": (),
        "test_input_required_result_prompt": (),
    }
    return ListPromptsResult(
        prompts=[
            Prompt(
                name=name,
                description=f"Fixture {name}.",
                arguments=[PromptArgument(name=argument, required=True) for argument in arguments],
            )
            for name, arguments in takes.items()
        ]
    )


async def _get_prompt(_: Context, params: GetPromptRequestParams) -> GetPromptResult | InputRequiredResult:
    given = params.arguments or {}
    blocks: list[ContentBlock]
    match params.name:
        case "test_simple_prompt":
            blocks = [text("This is a simple prompt for testing.")]
        case "test_prompt_with_arguments":
            arguments = f"arg1='{given.get('arg1')}', arg2='{given.get('arg2')}'"
            blocks = [text(f"Prompt with arguments: {arguments}")]
        case "test_prompt_with_embedded_resource":
            resource = embedded(given.get("resourceUri", _TEXT), "Embedded resource content for testing.")
            blocks = [resource, text("Please process the embedded resource above.")]
        case "test_prompt_with_image":
            blocks = [image(), text("Please analyze the image above.")]
        case "test_input_required_result_prompt":
            question = elicitation("What context should the prompt use?", "context")
            asked = asked_of(params, {"user_context": question})
            if asked:
                return InputRequiredResult(input_requests=asked)
            blocks = [text("The context was given.")]
        case _:
            raise MCPError(INVALID_PARAMS, "Unknown prompt")
    return GetPromptResult(messages=[PromptMessage(role="user", content=block) for block in blocks])
