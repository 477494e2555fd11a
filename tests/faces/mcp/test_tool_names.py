"""Which unknown argument names are taken for misspellings?"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vademecum.faces.mcp.tool.names import meant_instead

SEARCH = ("query", "tags", "provenance", "start", "end", "limit")
READ = ("id", "windowStart", "windowLength", "chunk", "chunkRadius")
WRITE = ("id", "authoredContent", "hubTitle", "expectedVersion", "url")


@pytest.mark.parametrize(
    ("unknown", "known", "meant"),
    [
        ("querry", SEARCH, "query"),
        ("qurey", SEARCH, "query"),
        ("Query", SEARCH, "query"),
        ("tag", SEARCH, "tags"),
        ("limt", SEARCH, "limit"),
        ("startDate", SEARCH, "start"),
        ("end_date", SEARCH, "end"),
        ("expected_version", WRITE, "expectedVersion"),
        ("expectedversion", WRITE, "expectedVersion"),
        ("EXPECTED-VERSION", WRITE, "expectedVersion"),
        ("version", WRITE, "expectedVersion"),
        ("title", WRITE, "hubTitle"),
        ("content", WRITE, "authoredContent"),
        ("authorContent", WRITE, "authoredContent"),
        ("url_", WRITE, "url"),
        ("ID", WRITE, "id"),
        ("window_start", READ, "windowStart"),
        ("chunkRef", READ, "chunk"),
        ("budget", ("budgetTokens",), "budgetTokens"),
    ],
)
def test_a_near_miss_is_told_the_right_name(unknown: str, known: tuple[str, ...], meant: str) -> None:
    assert meant_instead(unknown, known) == meant


@pytest.mark.parametrize(
    "unknown", ["verbose", "sort", "and", "format", "sessionId", "note", "i", "", "数", "x" * 10_000]
)
def test_a_name_that_has_nothing_to_do_with_ours_is_no_near_miss(unknown: str) -> None:
    assert [meant_instead(unknown, known) for known in (SEARCH, READ, WRITE)] == [None, None, None]


@given(st.text(max_size=200))
def test_any_name_at_all_gets_an_answer(unknown: str) -> None:
    assert meant_instead(unknown, SEARCH) in {None, *SEARCH}
