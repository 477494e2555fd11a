"""What did a caller mean by the arguments of a call?"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from vademecum.faces.mcp.tool.names import meant_instead
from vademecum.faces.mcp.tool.values import check_of
from vademecum.model.errors import InvalidInput
from vademecum.model.sheets import CellInput

_MOST_UNKNOWN = 32


@dataclass(frozen=True, slots=True)
class Arguments:
    """Arguments that were read: each is of its declared kind, and defaults stand where none was given."""

    values: Mapping[str, object]

    def given(self, name: str) -> bool:
        """Whether there is a value, given or by default."""
        return name in self.values

    def text(self, name: str) -> str:
        return cast(str, self.values[name])

    def text_if_given(self, name: str) -> str | None:
        return self.text(name) if self.given(name) else None

    def integer(self, name: str) -> int:
        return cast(int, self.values[name])

    def flag(self, name: str) -> bool:
        return cast(bool, self.values[name])

    def texts(self, name: str) -> tuple[str, ...]:
        """The entries of a list of texts, empty when it was not given."""
        return tuple(cast("list[str]", self.values.get(name, [])))

    def rows(self, name: str) -> list[list[CellInput]]:
        """The rows of a table."""
        return cast("list[list[CellInput]]", self.values[name])


Reader = Callable[[Mapping[str, Any] | None], Arguments]


def reader_of(
    properties: Mapping[str, Mapping[str, Any]], required: tuple[str, ...], clamped: frozenset[str]
) -> Reader:
    """What reads the arguments of one tool, made once when the tools are declared.

    An unknown argument is ignored, unless it is a near miss of a known one: then the call is refused by
    naming that one (decisions, All three). A null counts as not given. Refusals are InvalidInput and
    TooLarge, and name the field.
    """
    checks = {name: check_of(schema, clamped=name in clamped) for name, schema in properties.items()}
    defaults = {name: schema["default"] for name, schema in properties.items() if "default" in schema}

    def read(raw: Mapping[str, Any] | None) -> Arguments:
        given = {name: value for name, value in (raw or {}).items() if value is not None}
        _refuse_near_misses(given, checks)
        for name in required:
            if name not in given:
                raise InvalidInput(name, "is missing")
        read_values = {name: check(name, given[name]) for name, check in checks.items() if name in given}
        return Arguments({**defaults, **read_values})

    return read


def _refuse_near_misses(given: Mapping[str, Any], known: Mapping[str, object]) -> None:
    unknown = [name for name in given if name not in known]
    if len(unknown) > _MOST_UNKNOWN:
        raise InvalidInput("arguments", f"more than {_MOST_UNKNOWN} unknown ones")
    for name in unknown:
        meant = meant_instead(name, known)
        if meant is not None:
            raise InvalidInput(meant, f"is the name of the argument, not {ascii(name)[1:-1]}")
