"""What becomes of the arguments of a call?"""

from __future__ import annotations

from typing import Any

import pytest

from vademecum.faces.mcp.tool.arguments import Arguments, reader_of
from vademecum.model.errors import InvalidInput

PROPERTIES: dict[str, dict[str, Any]] = {
    "query": {"type": "string"},
    "tags": {"type": "array", "items": {"type": "string"}, "maxItems": 5},
    "limit": {"type": "integer", "minimum": 1, "maximum": 50, "default": 5},
}
read = reader_of(PROPERTIES, ("query",), frozenset({"limit"}))


def test_defaults_stand_where_nothing_was_given() -> None:
    assert read({"query": "a"}) == Arguments({"query": "a", "limit": 5})


def test_null_counts_as_not_given() -> None:
    assert read({"query": "a", "limit": None, "tags": None}) == Arguments({"query": "a", "limit": 5})


def test_an_unknown_argument_is_ignored() -> None:
    assert read({"query": "a", "verbose": {"deep": [1]}}) == Arguments({"query": "a", "limit": 5})


@pytest.mark.parametrize(
    ("raw", "field"),
    [
        ({}, "query"),
        (None, "query"),
        ({"query": None}, "query"),
        ({"querry": "a"}, "query"),
        ({"query": "a", "querry": "a"}, "query"),
        ({"query": "a", "limits": 3}, "limit"),
        ({"query": "a", "tag": ["x"]}, "tags"),
        ({"query": "a", "tags": "x, y"}, "tags"),
        ({"query": "a", **{f"zz{n}": n for n in range(33)}}, "arguments"),
    ],
)
def test_a_refusal_names_the_argument(raw: dict[str, Any] | None, field: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        read(raw)
    assert refused.value.field == field


def test_the_refusal_of_a_near_miss_cannot_carry_text_that_no_answer_can_hold() -> None:
    with pytest.raises(InvalidInput) as refused:
        read({"query": "a", "que\ud800ry": "b"})
    assert refused.value.detail.isascii()


def test_a_list_that_was_not_given_is_empty() -> None:
    assert (read({"query": "a"}).texts("tags"), read({"query": "a", "tags": '["x"]'}).texts("tags")) == (
        (),
        ("x",),
    )
