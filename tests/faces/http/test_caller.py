"""What is read of a request about who sends it?"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.types import Scope

from vademecum.faces.http.caller import CLIENT_NAME_LENGTH, bearer, client_name


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
