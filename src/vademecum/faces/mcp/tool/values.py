"""When is a JSON value of the kind that an argument needs, and what is meant by one that is nearly so?"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from typing import Any

from vademecum.model.errors import InvalidInput, TooLarge

Check = Callable[[str, object], object]  # field and value in; the value meant out, or InvalidInput, TooLarge
Schema = Mapping[str, Any]
_LONGEST_NUMBER = 40  # characters of a number given as text
_LONGEST_LIST = 65_536  # characters of a list or object given as text
_GREATEST = 2**53 - 1  # the greatest integer that every JSON reader keeps exact
_KEYWORDS = {"type", "description", "default", "enum", "minimum", "maximum", "maxLength", "items", "minItems"}
_KEYWORDS |= {"maxItems", "properties", "required", "anyOf"}


def check_of(schema: Schema, *, clamped: bool = False) -> Check:
    """The check that a schema describes. A JSON string is taken for a list, number or boolean that it spells.

    (decisions, All three). Raises ValueError, when the tools are declared, for a keyword that it would not
    enforce. The result of the check always fits the schema.
    """
    unknown = set(schema) - _KEYWORDS
    if unknown:
        raise ValueError(f"keywords that nothing enforces: {sorted(unknown)}")
    if "anyOf" in schema:
        return _any_of([check_of(choice) for choice in schema["anyOf"]])
    makers = {"string": _text, "integer": _integer, "number": _number, "boolean": _boolean, "null": _null}
    makers |= {"array": _list, "object": _object}
    return makers[schema["type"]](schema, clamped)


def _any_of(choices: list[Check]) -> Check:
    """What the first of the checks says that takes the value."""

    def check(field: str, value: object) -> object:
        said = []
        for choice in choices:
            try:
                return choice(field, value)
            except InvalidInput as refusal:
                said.append(refusal.reason)
        raise InvalidInput(field, "; or ".join(said))

    return check


def _text(schema: Schema, _: bool) -> Check:
    choices: list[str] | None = schema.get("enum")
    longest: int | None = schema.get("maxLength")

    def check(field: str, value: object) -> object:
        if not isinstance(value, str):
            raise InvalidInput(field, "a text is needed")
        if longest is not None and len(value) > longest:
            raise TooLarge(field, longest)
        if choices is not None and value not in choices:
            raise InvalidInput(field, f"one of {', '.join(choices)} is needed")
        _check_characters(field, value)
        return value

    return check


def _check_characters(field: str, text: str) -> None:
    """Refuse what no file and not every database can hold."""
    if "\0" in text:
        raise InvalidInput(field, f"character {text.index(chr(0))} is NUL")
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise InvalidInput(field, f"character {error.start} is a lone surrogate") from error


def _integer(schema: Schema, clamped: bool) -> Check:
    least: int = schema.get("minimum", -_GREATEST)
    most: int = schema.get("maximum", _GREATEST)

    def check(field: str, value: object) -> object:
        number = _whole(_spelled(value, _LONGEST_NUMBER) if isinstance(value, str) else value)
        if number is None:
            raise InvalidInput(field, "a whole number is needed")
        if number < least:
            raise InvalidInput(field, f"{least} or more is needed")
        if number > most and not clamped:
            raise InvalidInput(field, f"{most} or less is needed")
        return min(number, most)

    return check


def _whole(value: object) -> int | None:
    """The integer that a JSON number is; 3.0 is 3, while 3.5, NaN, true and what is no number are none."""
    if isinstance(value, float) and math.isfinite(value) and value.is_integer():
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _number(_: Schema, __: bool) -> Check:
    def check(field: str, value: object) -> object:
        number = _spelled(value, _LONGEST_NUMBER) if isinstance(value, str) else value
        is_number = isinstance(number, int | float) and not isinstance(number, bool)
        if not is_number or (isinstance(number, float) and not math.isfinite(number)):
            raise InvalidInput(field, "a number is needed")
        return number

    return check


def _null(_: Schema, __: bool) -> Check:
    def check(field: str, value: object) -> object:
        if value is not None:
            raise InvalidInput(field, "null is needed")
        return None

    return check


def _boolean(_: Schema, __: bool) -> Check:
    def check(field: str, value: object) -> object:
        found = _spelled(value, _LONGEST_NUMBER) if isinstance(value, str) else value
        if not isinstance(found, bool):
            raise InvalidInput(field, "true or false is needed")
        return found

    return check


def _list(schema: Schema, _: bool) -> Check:
    each = check_of(schema["items"])
    least: int = schema.get("minItems", 0)
    most: int = schema["maxItems"]

    def check(field: str, value: object) -> object:
        found = _spelled(value, _LONGEST_LIST) if isinstance(value, str) else value
        if not isinstance(found, list):
            raise InvalidInput(field, 'a list is needed, such as ["one", "two"]')
        if not least <= len(found) <= most:
            raise InvalidInput(field, f"{least} to {most} entries are allowed")
        return [each(f"{field}[{place}]", entry) for place, entry in enumerate(found)]

    return check


def _object(schema: Schema, _: bool) -> Check:
    checks = {name: check_of(part) for name, part in schema["properties"].items()}
    required: list[str] = schema.get("required", [])

    def check(field: str, value: object) -> object:
        found = _spelled(value, _LONGEST_LIST) if isinstance(value, str) else value
        if not isinstance(found, dict):
            raise InvalidInput(field, "an object is needed")
        missing = [name for name in required if found.get(name) is None]
        if missing:
            raise InvalidInput(f"{field}.{missing[0]}", "is missing")
        return {
            name: part(f"{field}.{name}", found[name])
            for name, part in checks.items()
            if found.get(name) is not None
        }

    return check


def _spelled(text: str, longest: int) -> object:
    """The JSON value that a text spells; where it spells none the text itself, which no check above takes."""
    if len(text) > longest:
        return text
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text
