"""Do the finding tools answer in the form of the contract (contracts 2.4.1, 2.4.2, 2.4.10, 2.5)?"""

from __future__ import annotations

import json

import pytest

from tests.faces.installation import PUBLIC_URL, Served
from tests.faces.mcp.library_tools.contract import ContractWire, new_id
from vademecum.library.spaces import create_space

pytestmark = pytest.mark.anyio


async def test_a_search_tells_what_matched_and_how_it_was_ranked(wire: ContractWire) -> None:
    note = await wire.note("# Catalogue\n\nCards are sorted by pinyin.", "Library cards")
    await wire.note("Nothing of the kind.", "Other")
    answer = await wire.ok("search_hub", query="sorted pinyin")
    result = answer["results"][0]
    assert (answer["count"], answer["rerankApplied"], answer["vectorSearchApplied"]) == (1, False, False)
    assert result.pop("score") > 0
    assert "pinyin" in result.pop("snippet")
    assert result == {
        "id": note,
        "title": "Library cards",
        "kind": "note",
        "summary": None,
        "tags": [],
        "provenance": "authored",
        "sensefoldUrl": f"{PUBLIC_URL}/i/{note}",
        "chunkRef": {"ordinal": 0, "headingPath": ["Catalogue"]},
        "createdAt": "2026-11-30T12:00:00.000000Z",
        "updatedAt": "2026-11-30T12:00:00.000000Z",
    }


async def test_a_list_is_newest_first_with_the_beginning_of_each_text(
    wire: ContractWire, served: Served
) -> None:
    notes = []
    for number in range(12):
        notes.append(await wire.note(f"Text {number} " + "x" * 1000, f"Note {number}"))
        served.installation.clock.pass_by(minutes=1)
    answer = await wire.ok("list_items")
    assert (answer["count"], [result["id"] for result in answer["results"]]) == (10, notes[:1:-1])
    first = answer["results"][0]
    assert first["topSnippet"].startswith("Text 11 x")
    assert len(first["topSnippet"]) <= 320
    assert {"score", "snippet"} & set(first) == set()


async def test_limits_are_clamped_above_and_refused_below(wire: ContractWire) -> None:
    for number in range(52):
        await wire.note(f"needle {number}", f"Note {number}")
    for tool, arguments in (("list_items", {}), ("search_hub", {"query": "needle"})):
        for limit in (50, 51, 10**12, "60"):
            assert (await wire.ok(tool, limit=limit, **arguments))["count"] == 50
        for bad in (0, -1, 2.5, "many", [1]):
            assert await wire.refused(tool, limit=bad, **arguments) == "INVALID_INPUT"
    assert (await wire.ok("search_hub", query="needle"))["count"] == 5


async def test_fifty_results_stay_small(wire: ContractWire) -> None:
    for number in range(50):
        await wire.note("needle 針 " + "長い文章。" * 2000, f"Note {number}")
    for tool, arguments in (("list_items", {"keyword": "needle"}), ("search_hub", {"query": "needle"})):
        answer = await wire.ok(tool, limit=50, **arguments)
        assert (answer["count"], len(json.dumps(answer, ensure_ascii=False)) < 50_000) == (50, True)


async def test_keywords_are_literal_and_all_needed_anywhere_in_the_text(wire: ContractWire) -> None:
    note = await wire.note("alpha " + "x " * 3000 + "omega 東京都", "One")
    await wire.note("alpha only", "Two")
    for keyword in ("alpha omega", "OMEGA", "東京都 alpha"):
        assert [found["id"] for found in (await wire.ok("list_items", keyword=keyword))["results"]] == [note]
    assert (await wire.ok("list_items", keyword="alpha beta"))["count"] == 0
    assert (await wire.ok("list_items", keyword=""))["count"] == 2


async def test_dates_come_in_pairs_and_a_whole_end_day_counts(wire: ContractWire) -> None:
    await wire.note("needle", "Today")
    for tool, arguments in (("list_items", {}), ("search_hub", {"query": "needle"})):
        for start, end, count in (
            ("2026-11-30", "2026-11-30", 1),
            ("2026-11-30T12:00:00Z", "2026-11-30T12:00:01Z", 1),
            ("2026-11-29", "2026-11-30T12:00:00Z", 0),
            ("2026-11-30T13:00:00+01:00", "2026-12-01", 1),
            ("2026-12-01", "2026-12-31", 0),
        ):
            assert (await wire.ok(tool, start=start, end=end, **arguments))["count"] == count
        for bad in ({"start": "2026-11-30"}, {"end": "2026-11-30"}, {"start": "today", "end": "2026-11-30"}):
            assert await wire.refused(tool, **bad, **arguments) == "INVALID_INPUT"


async def test_tags_and_provenance_narrow_a_search(wire: ContractWire) -> None:
    note, other = await wire.note("needle", "One"), await wire.note("needle", "Two")
    await wire.ok("update_tags", id=note, tags=["Work/Plan", "b"], expectedVersion=1)
    await wire.ok("update_tags", id=other, tags=["b"], expectedVersion=1)
    link = new_id()
    await wire.ok("save_link", id=link, url="https://needle.example/")

    async def found(**filters: object) -> set[str]:
        return {
            result["id"] for result in (await wire.ok("search_hub", query="needle", **filters))["results"]
        }

    assert await found(tags=["#b"]) == {note, other}
    assert await found(tags=["work", "B"]) == {note}
    assert await found(tags='["work/plan"]') == {note}
    assert await found(tags=["missing"]) == set()
    assert await found(provenance="authored") >= {note, other}
    assert await found(provenance="ocr") == set()
    assert await wire.refused("search_hub", query="needle", provenance="mine") == "INVALID_INPUT"
    assert await wire.refused("list_items", provenance="mine") == "INVALID_INPUT"


@pytest.mark.parametrize("query", ["", "   ", "\n", "x" * 2001])
async def test_a_query_needs_words_and_has_a_limit(wire: ContractWire, query: str) -> None:
    codes = {await wire.refused("search_hub", query=query), await wire.refused("search", query=query)}
    assert codes <= {"INVALID_INPUT", "TOO_LARGE"}


@pytest.mark.parametrize(
    "query",
    [
        '"',
        '""',
        "(",
        "a OR",
        "NEAR(",
        "*",
        "-",
        "%",
        "_",
        "'; DROP TABLE items; --",
        "\u202e",
        "🧑‍🚀",
        "。",
        "NOT",
        "x" * 2000,
    ],
)
async def test_any_query_is_answered(wire: ContractWire, query: str) -> None:
    await wire.note("some text", "Some")
    result = await wire.result("search_hub", query=query)
    code = result["structuredContent"].get("error", {}).get("code", "INVALID_INPUT")
    assert code == "INVALID_INPUT"


async def test_the_search_alias_gives_the_same_items_in_its_own_form(wire: ContractWire) -> None:
    note = await wire.note("needle in hay", "Needle")
    for number in range(8):
        await wire.note(f"needle {number}", f"Note {number}")
    native = (await wire.ok("search_hub", query="needle"))["results"]
    alias = await wire.ok("search", query="needle")
    assert set(alias) == {"results"}
    assert [result["id"] for result in alias["results"]] == [result["id"] for result in native]
    shown = next(
        result for result in (await wire.ok("search", query="hay"))["results"] if result["id"] == note
    )
    assert "hay" in shown.pop("text")
    assert shown == {"id": note, "title": "Needle", "url": f"{PUBLIC_URL}/i/{note}"}
    for result in alias["results"]:
        assert (await wire.ok("fetch", id=result["id"]))["url"] == result["url"]


async def test_a_key_finds_and_reads_only_in_the_spaces_that_it_names(
    wire: ContractWire, served: Served
) -> None:
    installation = served.installation
    create_space(installation.library, installation.owner, "work", "Work")
    mine = await wire.note("needle mine", "Mine")
    work = wire.using(key=installation.key(spaces=("work",)))
    theirs = await work.note("needle work", "Theirs")
    both = wire.using(key=installation.key(spaces=("me", "work")))

    async def found(who: ContractWire) -> set[str]:
        listed = (await who.ok("list_items"))["results"]
        searched = (await who.ok("search_hub", query="needle"))["results"]
        assert {result["id"] for result in listed} == {result["id"] for result in searched}
        return {result["id"] for result in listed}

    assert (await found(wire), await found(work), await found(both)) == ({mine}, {theirs}, {mine, theirs})
    assert await wire.refused("get_item", id=theirs) == "NOT_FOUND"
    assert await work.refused("delete_item", id=mine, expectedVersion=1) == "NOT_FOUND"
    assert (await both.item(theirs))["content"] == "needle work"
    assert (await work.ok("get_quota"))["limits"]["itemCount"] == 1
    taken = await work.ok("save_note", id=mine, authoredContent="other content of the same id")
    assert taken["replayed"] is False
