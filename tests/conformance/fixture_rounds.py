"""Which tools and prompts does the suite want that ask the client to come back with an answer?"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Callable

from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    ClientCapabilities,
    CreateMessageRequest,
    CreateMessageRequestParams,
    ElicitationCapability,
    ElicitRequest,
    ElicitRequestFormParams,
    InputRequest,
    InputRequiredResult,
    InputResponseRequestParams,
    ListRootsRequest,
    RequestParams,
    SamplingMessage,
)

from tests.conformance.fixture_content import text
from tests.conformance.fixture_tools import Answer, Context, FixtureTool, Speaking, said, strings

Asked = dict[str, InputRequest]
_SECRET = secrets.token_bytes(32)


def elicitation(message: str, *names: str) -> InputRequest:
    """A question to the person at the client."""
    form = ElicitRequestFormParams(message=message, requested_schema=dict(strings(*names)))
    return ElicitRequest(params=form)


def sampling(prompt: str) -> InputRequest:
    """A question to the client's model."""
    message = SamplingMessage(role="user", content=text(prompt))
    return CreateMessageRequest(params=CreateMessageRequestParams(messages=[message], max_tokens=100))


def asked_of(params: InputResponseRequestParams, questions: Asked) -> Asked:
    """The questions that the client has not answered."""
    answered = params.input_responses or {}
    return {name: question for name, question in questions.items() if name not in answered}


def round_tools() -> list[FixtureTool]:
    """The tools that need another round."""
    name = elicitation("What is your name?", "name")
    roots = ListRootsRequest(params=RequestParams())
    asking: dict[str, Speaking] = {
        "elicitation": _one_round({"user_name": name}),
        "sampling": _one_round({"capital_question": sampling("What is the capital of France?")}),
        "list_roots": _one_round({"client_roots": roots}),
        "request_state": _one_round({"confirm": elicitation("Please confirm", "ok")}, "confirm"),
        "multiple_inputs": _one_round(
            {"user_name": name, "greeting": sampling("Generate a greeting"), "client_roots": roots}, "three"
        ),
        "multi_round": _two_rounds,
        "tampered_state": _one_round({"confirm": elicitation("Please confirm", "ok")}, "untouched"),
        "capabilities": _for_the_capable,
    }
    tools = [
        FixtureTool(f"test_input_required_result_{what}", speaking=tool) for what, tool in asking.items()
    ]
    return [*tools, FixtureTool("test_streaming_elicitation", speaking=_one_round({"user_name": name}))]


def _one_round(questions: Asked, state: str | None = None) -> Speaking:
    """Done when all questions are answered; a state that is given has to come back as it was."""

    async def ask(_: Context, params: CallToolRequestParams) -> Answer:
        open_questions = asked_of(params, questions)
        if open_questions:
            return InputRequiredResult(
                input_requests=open_questions, request_state=None if state is None else _sealed(state)
            )
        if state is not None:
            _check(params, {state})
        return said("state-ok, all was answered.")

    return ask


async def _two_rounds(_: Context, params: CallToolRequestParams) -> Answer:
    answered = params.input_responses or {}
    if "step2" in answered:
        _check(params, {"two"})
        return said("Both steps are done.")
    if "step1" in answered:
        _check(params, {"one"})
        question = elicitation("Step 2: What is your favorite color?", "color")
        return InputRequiredResult(input_requests={"step2": question}, request_state=_sealed("two"))
    question = elicitation("Step 1: What is your name?", "name")
    return InputRequiredResult(input_requests={"step1": question}, request_state=_sealed("one"))


async def _for_the_capable(context: Context, params: CallToolRequestParams) -> Answer:
    """Asks only in the ways that the client declared."""
    declares: Callable[[ClientCapabilities], bool] = context.session.check_client_capability
    questions: Asked = {"idea": sampling("Have an idea.")}
    if declares(ClientCapabilities(elicitation=ElicitationCapability())):
        questions["wish"] = elicitation("What do you wish?", "wish")
    open_questions = asked_of(params, questions)
    return InputRequiredResult(input_requests=open_questions) if open_questions else said("All was answered.")


def _sealed(state: str) -> str:
    """The state with a seal, since a client may send back anything."""
    return f"{state}.{hmac.new(_SECRET, state.encode(), hashlib.sha256).hexdigest()}"


def _check(params: InputResponseRequestParams, expected: set[str]) -> None:
    given = params.request_state or ""
    if not any(hmac.compare_digest(given.encode(), _sealed(state).encode()) for state in expected):
        raise MCPError(INVALID_PARAMS, "The state of the request is not one that was given out.")
