"""How are calls refused, and what do arguments, limits and spaces have in common (contracts 2.8)?"""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.contract.account import Account
from tests.faces.installation import ERAS
from tests.faces.mcp.library_tools.contract import ContractWire, new_id
from vademecum.library.spaces import create_space

pytestmark = pytest.mark.anyio
MEBIBYTE = 1024 * 1024
UNKNOWN = "0b5c1f52-6a1f-4b0c-9a51-7d3f7f6f1c11"


@pytest.mark.claims("errors.form", "answers.fit-schemas")
@pytest.mark.parametrize("version", ERAS)
async def test_every_tool_answers_and_refuses_in_the_published_form(wire: ContractWire, version: str) -> None:
    """The client of these tests holds every answer to the output schema, and both forms to one another."""
    wire = wire.using(version=version)
    note = await wire.note("needle in a note", "Note")
    gone = {"id": UNKNOWN, "expectedVersion": 1}
    answered: list[tuple[str, dict[str, Any]]] = [
        ("search_hub", {"query": "needle"}),
        ("list_items", {"keyword": "needle"}),
        ("get_item", {"id": note}),
        ("get_quota", {}),
        ("save_link", {"id": new_id(), "url": "https://a.example/"}),
        ("save_note", {"id": new_id(), "authoredContent": "x"}),
        ("update_note", {"id": note, "authoredContent": "needle", "expectedVersion": 1}),
        ("update_tags", {"id": note, "tags": ["a"], "expectedVersion": 2}),
        ("search", {"query": "needle"}),
        ("fetch", {"id": note}),
        ("delete_item", {"id": note, "expectedVersion": 3}),
    ]
    refused: list[tuple[str, dict[str, Any], str]] = [
        ("search_hub", {"query": ""}, "INVALID_INPUT"),
        ("search_hub", {"query": "x" * 2001}, "TOO_LARGE"),
        ("list_items", {"limit": 0}, "INVALID_INPUT"),
        ("get_item", {"id": UNKNOWN}, "NOT_FOUND"),
        ("save_link", {"id": "x", "url": "https://a.example/"}, "INVALID_INPUT"),
        ("save_note", {"id": note, "authoredContent": "other"}, "ITEM_IDEMPOTENCY_MISMATCH"),
        ("update_note", {**gone, "authoredContent": "x"}, "NOT_FOUND"),
        ("update_tags", {**gone, "tags": []}, "NOT_FOUND"),
        ("delete_item", gone, "NOT_FOUND"),
        ("search", {}, "INVALID_INPUT"),
        ("fetch", {"id": UNKNOWN}, "NOT_FOUND"),
    ]
    for tool, arguments in answered:
        await wire.ok(tool, **arguments)
    for tool, arguments, code in refused:
        assert await wire.refused(tool, **arguments) == code


@pytest.mark.claims("errors.names-field", "arguments.near-miss")
@pytest.mark.parametrize(
    ("tool", "arguments", "field"),
    [
        ("search_hub", {}, "query"),
        ("search_hub", {"query": "x", "tag": ["a"]}, "tags"),
        ("search_hub", {"query": "x", "limits": 3}, "limit"),
        ("search_hub", {"query": "x", "provenance": "mine"}, "provenance"),
        ("list_items", {"start": "2026-11-30"}, "end"),
        ("list_items", {"end": "2026-11-30"}, "start"),
        ("list_items", {"start": "today", "end": "2026-11-30"}, "start"),
        ("list_items", {"limit": "many"}, "limit"),
        ("get_item", {"id": UNKNOWN, "window_start": 3}, "windowStart"),
        ("get_item", {"id": UNKNOWN, "chunkRadius": 4, "chunk": 0}, "chunkRadius"),
        ("save_note", {"id": UNKNOWN, "authored_content": "x"}, "authoredContent"),
        ("save_link", {"id": UNKNOWN, "url": "ftp://a.example/"}, "url"),
        ("update_note", {"id": UNKNOWN, "authoredContent": "x", "version": 1}, "expectedVersion"),
    ],
)
async def test_a_refused_argument_is_named(
    wire: ContractWire, tool: str, arguments: dict[str, Any], field: str
) -> None:
    result = await wire.result(tool, **arguments)
    assert result["content"][0]["text"].startswith(f"INVALID_INPUT: {field}: ")
    assert result["structuredContent"]["error"]["code"] == "INVALID_INPUT"


@pytest.mark.claims("arguments.unknown-ignored", "arguments.json-text")
async def test_unknown_arguments_are_ignored_and_json_text_is_read(wire: ContractWire) -> None:
    note = await wire.note("needle", reason="because", colour={"deep": [1]})
    await wire.ok("update_tags", id=note, tags='["a", "b, c"]', expectedVersion="1", colour="red")
    item = await wire.item(note, windowLength="3", windowStart="1")
    assert (item["content"], item["tags"], item["version"]) == ("eed", ["a", "b, c"], 2)
    found = await wire.ok("search_hub", query="needle", tags='["a"]', limit="1", colour="red")
    assert found["count"] == 1
    for bad in ("a, b", "a", '"a"'):
        assert await wire.refused("update_tags", id=note, tags=bad, expectedVersion=2) == "INVALID_INPUT"


@pytest.mark.claims("limits.text", "limits.title", "limits.body")
async def test_text_title_and_request_have_limits(wire: ContractWire) -> None:
    note, most = new_id(), 2 * MEBIBYTE
    await wire.ok("save_note", id=note, authoredContent="x" * most, hubTitle="t" * 500)
    over: list[tuple[str, dict[str, Any]]] = [
        ("save_note", {"id": new_id(), "authoredContent": "x" * (most + 1)}),
        ("save_note", {"id": new_id(), "authoredContent": "x", "hubTitle": "t" * 501}),
        ("update_note", {"id": note, "authoredContent": "x" * (most + 1), "expectedVersion": 1}),
        ("update_note", {"id": note, "authoredContent": "x", "hubTitle": "t" * 501, "expectedVersion": 1}),
    ]
    for tool, arguments in over:
        assert await wire.refused(tool, **arguments) == "TOO_LARGE"
    answer = await wire.post(b" " * (16 * MEBIBYTE + 1))
    assert (answer.status_code, answer.json()["error"]["data"]["code"]) == (413, "TOO_LARGE")
    assert (await wire.ok("list_items"))["count"] == 1


@pytest.mark.claims("spaces.named", "spaces.ids")
async def test_a_key_reads_the_spaces_it_names_and_saves_into_the_first(account: Account) -> None:
    installed = account.installation
    slug = f"work-{new_id()[:8]}"
    create_space(installed.library, installed.owner, slug, "Work")
    work, personal = account.wire(spaces=(slug,)), account.wire()
    both = account.wire(spaces=(slug, account.slug()))
    first, mine = await both.note("needle one"), await personal.note("needle two")
    seen = {}
    for name, wire in (("work", work), ("personal", personal), ("both", both)):
        listed = (await wire.ok("list_items"))["results"]
        found = (await wire.ok("search_hub", query="needle"))["results"]
        assert {result["id"] for result in listed} == {result["id"] for result in found}
        seen[name] = {result["id"] for result in listed}
    assert seen == {"work": {first}, "personal": {mine}, "both": {first, mine}}
    taken = await work.ok("save_note", id=mine, authoredContent="the same id elsewhere")
    assert (taken["replayed"], (await personal.item(mine))["content"]) == (False, "needle two")


@pytest.mark.claims("save-note.twins")
async def test_of_saves_with_one_id_one_makes_the_item(wire: ContractWire) -> None:
    note = new_id()
    answers = await asyncio.gather(*(wire.ok("save_note", id=note, authoredContent="x") for _ in range(6)))
    assert sorted(answer["replayed"] for answer in answers) == [False] + [True] * 5
    assert (await wire.ok("list_items"))["count"] == 1
