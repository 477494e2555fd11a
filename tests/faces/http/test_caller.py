"""What is read of a request about who sends it?"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.types import Scope

from tests.faces.installation import Installation
from vademecum.faces.http import caller as caller_module
from vademecum.faces.http.caller import CLIENT_NAME_LENGTH, Doorkeeper, bearer, by_agent_key, client_name
from vademecum.faces.http.offload import Offload
from vademecum.library.connecting import identify, revoke_key
from vademecum.library.context import Library
from vademecum.model.access import Caller, ToolSet
from vademecum.model.errors import CredentialRefused


def _scope(*values: str) -> Scope:
    return {"headers": [(b"authorization", value.encode("latin-1")) for value in values]}


@pytest.mark.parametrize("value", ["Bearer abc", "bearer abc", "BEARER   abc  "])
def test_a_bearer_secret_is_read(value: str) -> None:
    assert bearer(_scope(value)) == "abc"


@pytest.mark.parametrize(
    "values",
    [
        (),
        ("",),
        ("Bearer",),
        ("Bearer ",),
        ("Basic abc",),
        ("abc",),
        ("Bearer " + "x" * 600,),
        ("Bearer a", "Bearer b"),
    ],
)
def test_anything_else_is_no_secret(values: tuple[str, ...]) -> None:
    assert bearer(_scope(*values)) is None


def test_a_secret_in_the_address_is_not_looked_at() -> None:
    assert bearer({"headers": [], "query_string": b"access_token=abc", "path": "/mcp"}) is None


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (None, None),
        ("", None),
        (" \n\t", None),
        ("Claude Code\r\n2.1\x1b[31m", "Claude Code 2.1 [31m"),
        ("名前 1.0", "名前 1.0"),
        ("\ud800x", "x"),
        ("a" * 5000, "a" * 200),
    ],
)
def test_a_client_name_becomes_one_bounded_line(text: str | None, name: str | None) -> None:
    assert client_name(text) == name


@given(st.text(max_size=2000))
def test_any_client_name_can_be_kept(text: str) -> None:
    name = client_name(text)
    assert name is None or (name.isprintable() and 0 < len(name) <= CLIENT_NAME_LENGTH and name.encode())


class Counted:
    """How often callers were looked up."""

    def __init__(self) -> None:
        self.times = 0

    def identify(self, library: Library, key: str, tool_set: ToolSet, client: str | None) -> Caller:
        """What the library tells, counted."""
        self.times += 1
        return identify(library, key, tool_set, client)


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Counted:
    counts = Counted()
    monkeypatch.setattr(caller_module, "identify", counts.identify)
    return counts


@pytest.fixture
def offload() -> Iterator[Offload]:
    with Offload() as opened:
        yield opened


@pytest.mark.anyio
async def test_without_a_mark_every_request_is_looked_up(
    installation: Installation, offload: Offload, counted: Counted
) -> None:
    keeper = Doorkeeper(installation.library, offload, by_agent_key(ToolSet.LIBRARY))
    asked = _scope(f"Bearer {installation.key()}")
    callers = [await keeper.caller_of(asked) for _ in range(3)]
    assert (len(set(callers)), counted.times) == (1, 3)


@pytest.mark.anyio
async def test_while_the_mark_stays_a_caller_is_known_for_a_second(
    installation: Installation, offload: Offload, counted: Counted, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [100.0]
    monkeypatch.setattr(caller_module, "monotonic", lambda: now[0])
    keeper = Doorkeeper(installation.library, offload, by_agent_key(ToolSet.LIBRARY), lambda: "same")
    first, second = (_scope(f"Bearer {installation.key(tier)}") for tier in ("full", "edit"))
    tiers = [(await keeper.caller_of(asked)).tier.value for asked in (first, second, first, second)]
    assert (tiers, counted.times) == (["full", "edit", "full", "edit"], 2)
    now[0] += 1.1
    await keeper.caller_of(first)
    assert counted.times == 3


@pytest.mark.anyio
async def test_a_revoked_key_is_refused_at_once_when_the_mark_tells_of_a_change(
    installation: Installation, offload: Offload, counted: Counted
) -> None:
    marks = itertools.count()
    mark = [next(marks)]
    keeper = Doorkeeper(installation.library, offload, by_agent_key(ToolSet.LIBRARY), lambda: mark[0])
    key, secret = installation.minted()
    asked = _scope(f"Bearer {secret}")
    await keeper.caller_of(asked)
    revoke_key(installation.library, installation.owner, key.key_id)
    mark[0] = next(marks)
    for _ in range(2):  # a refusal is not remembered either
        with pytest.raises(CredentialRefused):
            await keeper.caller_of(asked)
    assert counted.times == 3


@pytest.mark.anyio
async def test_only_so_many_callers_are_known(
    installation: Installation, offload: Offload, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(caller_module, "_MOST_KNOWN", 2)
    keeper = Doorkeeper(installation.library, offload, by_agent_key(ToolSet.LIBRARY), lambda: 1)
    secret = installation.key()
    for number in range(9):
        headers = [
            (b"authorization", f"Bearer {secret}".encode()),
            (b"user-agent", f"agent {number}".encode()),
        ]
        caller = await keeper.caller_of({"headers": headers})
        assert caller.client_name == f"agent {number}"
    assert len(keeper._known) <= 2
