"""Which JSON values does an argument take, and what is made of them?"""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from vademecum.faces.mcp.tool.values import check_of
from vademecum.model.errors import InvalidInput, TooLarge

LIST = {"type": "array", "items": {"type": "string"}, "maxItems": 3}
LIMIT = {"type": "integer", "minimum": 1, "maximum": 50}
CHOICE = {"type": "string", "enum": ["any", "ocr"]}
FLAG = {"type": "boolean"}
NUMBER = {"type": "number"}
CELL = {"anyOf": [{"type": "string"}, NUMBER, FLAG, {"type": "null"}]}
OBJECT = {"type": "object", "properties": {"to": {"type": "string"}, "times": LIMIT}, "required": ["to"]}


@pytest.mark.parametrize(
    ("schema", "given_value", "meant"),
    [
        (LIMIT, 5, 5),
        (LIMIT, 3.0, 3),
        (LIMIT, "7", 7),
        (LIMIT, " 7.0 ", 7),
        (LIST, ["a", "b"], ["a", "b"]),
        (LIST, '["a", "b,c"]', ["a", "b,c"]),
        (LIST, "[]", []),
        (FLAG, "true", True),
        (FLAG, False, False),
        (CHOICE, "ocr", "ocr"),
        (NUMBER, 2.5, 2.5),
        (NUMBER, "-7e3", -7000.0),
        (CELL, "7", "7"),
        (CELL, 7, 7),
        (CELL, True, True),
        (CELL, None, None),
        (OBJECT, {"to": "x", "other": 1}, {"to": "x"}),
        (OBJECT, '{"to": "x", "times": "2"}', {"to": "x", "times": 2}),
    ],
)
def test_what_is_meant_is_taken(schema: dict[str, Any], given_value: object, meant: object) -> None:
    assert check_of(schema)("field", given_value) == meant


@pytest.mark.parametrize(
    ("schema", "given_value", "field"),
    [
        (LIMIT, 0, "field"),
        (LIMIT, -1, "field"),
        (LIMIT, 51, "field"),
        (LIMIT, 2.5, "field"),
        (LIMIT, True, "field"),
        (LIMIT, float("nan"), "field"),
        (LIMIT, float("inf"), "field"),
        (LIMIT, 1e308, "field"),
        (LIMIT, 10**4000, "field"),
        (LIMIT, "five", "field"),
        (LIMIT, "NaN", "field"),
        (LIMIT, "9" * 10_000, "field"),
        (LIMIT, [1], "field"),
        (LIST, "a, b", "field"),
        (LIST, "a", "field"),
        (LIST, '"a"', "field"),
        (LIST, "[" * 60_000, "field"),
        (LIST, '["' + "x" * 70_000 + '"]', "field"),
        (LIST, ["a", 1], "field[1]"),
        (LIST, ["a", ["b"]], "field[1]"),
        (LIST, list("abcd"), "field"),
        (LIST, {"0": "a"}, "field"),
        (FLAG, 1, "field"),
        (FLAG, "yes", "field"),
        (CHOICE, "OCR", "field"),
        (CHOICE, 1, "field"),
        ({"type": "string"}, 5, "field"),
        ({"type": "string"}, "a\ud800b", "field"),
        ({"type": "string"}, "a\0b", "field"),
        (NUMBER, True, "field"),
        (NUMBER, float("inf"), "field"),
        (NUMBER, "seven", "field"),
        (CELL, [1], "field"),
        (CELL, float("nan"), "field"),
        (OBJECT, {}, "field.to"),
        (OBJECT, {"to": 1}, "field.to"),
        (OBJECT, "to", "field"),
    ],
)
def test_what_is_malformed_is_refused_naming_the_field(
    schema: dict[str, Any], given_value: object, field: str
) -> None:
    with pytest.raises(InvalidInput) as refused:
        check_of(schema)("field", given_value)
    assert refused.value.field == field


@pytest.mark.parametrize(("given_value", "meant"), [(51, 50), (10**30, 50), ("9000", 50), (50, 50), (1, 1)])
def test_a_clamped_number_is_lowered_to_its_maximum(given_value: object, meant: int) -> None:
    assert check_of(LIMIT, clamped=True)("limit", given_value) == meant


def test_a_clamped_number_below_its_minimum_is_still_refused() -> None:
    with pytest.raises(InvalidInput):
        check_of(LIMIT, clamped=True)("limit", 0)


def test_a_text_over_its_length_is_too_large() -> None:
    check = check_of({"type": "string", "maxLength": 3})
    assert check("title", "日本語") == "日本語"
    with pytest.raises(TooLarge) as refused:
        check("title", "日本語x")
    assert (refused.value.field, refused.value.limit) == ("title", 3)


def test_a_schema_that_could_not_be_enforced_is_not_declared() -> None:
    with pytest.raises(ValueError, match="pattern"):
        check_of({"type": "string", "pattern": "x"})


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=8,
)


@pytest.mark.parametrize("schema", [LIST, LIMIT, NUMBER, CELL, CHOICE, FLAG, OBJECT], ids=json.dumps)
@given(value=_JSON | st.integers(-3, 60) | st.lists(st.text(max_size=3), max_size=4))
def test_whatever_is_taken_fits_the_published_schema(schema: dict[str, Any], value: object) -> None:
    taken: object
    try:
        taken = check_of(schema)("field", value)
    except (InvalidInput, TooLarge):
        return
    assert Draft202012Validator(schema).is_valid(taken)
