"""Is every refusal told by the tools?"""

from __future__ import annotations

from collections.abc import Iterator

from vademecum.faces.mcp.problems import ROWS, crash, problem_of
from vademecum.model import errors
from vademecum.model.errors import Refusal


def _all_below(kind: type[Refusal]) -> Iterator[type[Refusal]]:
    for below in kind.__subclasses__():
        yield below
        yield from _all_below(below)


def test_every_class_of_refusal_has_a_row() -> None:
    ours = {kind for kind in _all_below(Refusal) if kind.__module__.startswith("vademecum.")}
    assert set(ROWS) == ours


def test_codes_are_those_of_the_refusals_and_differ() -> None:
    assert {kind: row.code for kind, row in ROWS.items()} == {kind: kind.code for kind in ROWS}
    assert len({row.code for row in ROWS.values()}) == len(ROWS)


def test_an_error_result_has_the_code_first_in_the_text_and_in_its_structure() -> None:
    result = problem_of(errors.InvalidInput("limit", "1 or more is needed")).as_result()
    message = result["structuredContent"]["error"]["message"]
    assert "limit" in message
    assert result == {
        "content": [{"type": "text", "text": f"INVALID_INPUT: {message}"}],
        "structuredContent": {"error": {"code": "INVALID_INPUT", "message": message}},
        "isError": True,
        "resultType": "complete",
    }


def test_a_refusal_about_stored_things_is_told_in_constant_words() -> None:
    told = {
        problem_of(kind(detail, id="x")).message
        for kind, detail in [
            (errors.NotFound, "stored text"),
            (errors.NotFound, ""),
            (errors.NotFound, "other"),
        ]
    }
    assert len(told) == 1


def test_a_crash_tells_its_number_and_nothing_else() -> None:
    problem = crash("1f2e")
    assert (problem.code, "1f2e" in problem.message) == ("INTERNAL_ERROR", True)
