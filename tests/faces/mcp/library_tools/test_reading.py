"""Do the reading tools give exactly the part of a text that was asked for (contracts 2.4.3, 2.4.11)?"""

from __future__ import annotations

import pytest

from tests.faces.installation import PUBLIC_URL, Served
from tests.faces.mcp.library_tools.contract import ContractWire, new_id

pytestmark = pytest.mark.anyio
LONG = "".join(f"第{number:05}行 🧑‍🚀 line\n" for number in range(1500))
SECTIONS = "\n".join(f"# Part {number}\n\n" + f"Words of part {number}. " * 60 + "\n" for number in range(6))


async def test_without_a_window_the_first_8000_characters_are_read(wire: ContractWire) -> None:
    note = await wire.note(LONG)
    item = await wire.item(note)
    assert item["content"] == LONG[:8000]
    assert item["contentWindow"] == {"start": 0, "length": 8000, "total": len(LONG)}
    assert (item["truncated"], item["nextStart"], "chunkWindow" in item) == (True, 8000, False)


@pytest.mark.parametrize("length", [1, 777, 8000, 20_000])
async def test_windows_joined_are_the_text(wire: ContractWire, length: int) -> None:
    text = LONG if length > 100 else LONG[:40]
    note = await wire.note(text)
    parts, start = [], 0
    while True:
        item = await wire.item(note, windowStart=start, windowLength=length)
        parts.append(item["content"])
        if not item["truncated"]:
            assert "nextStart" not in item
            break
        start = item["nextStart"]
    assert ("".join(parts), {len(part) for part in parts[:-1]} <= {length}) == (text, True)


async def test_a_window_over_the_maximum_is_clamped_and_others_are_refused(wire: ContractWire) -> None:
    note = await wire.note(LONG)
    for length in (20_001, 10**9, "50000"):
        item = await wire.item(note, windowLength=length)
        assert item["contentWindow"] == {"start": 0, "length": 20_000, "total": len(LONG)}
    for bad in (
        {"windowLength": 0},
        {"windowLength": -1},
        {"windowStart": -1},
        {"windowStart": 1.5},
        {"windowStart": "a"},
    ):
        assert await wire.refused("get_item", id=note, **bad) == "INVALID_INPUT"


@pytest.mark.parametrize("start", [22_000, 10**6, 2**53 - 1])
async def test_a_window_beyond_the_end_is_empty(wire: ContractWire, start: int) -> None:
    note = await wire.note("short")
    item = await wire.item(note, windowStart=start)
    assert (item["content"], item["truncated"], item["contentWindow"]["total"]) == ("", False, 5)


async def test_an_item_has_every_field_of_the_contract(wire: ContractWire, served: Served) -> None:
    note = await wire.note("# Head\n\ntext", "Title")
    served.installation.clock.pass_by(hours=1)
    await wire.ok("update_tags", id=note, tags=["a"], expectedVersion=1)
    assert await wire.item(note) == {
        "id": note,
        "title": "Title",
        "kind": "note",
        "summary": None,
        "tags": ["a"],
        "provenance": "authored",
        "sensefoldUrl": f"{PUBLIC_URL}/i/{note}",
        "createdAt": "2026-11-30T12:00:00.000000Z",
        "updatedAt": "2026-11-30T13:00:00.000000Z",
        "version": 2,
        "content": "# Head\n\ntext",
        "contentWindow": {"start": 0, "length": 12, "total": 12},
        "truncated": False,
        "contentEditedAt": "2026-11-30T12:00:00.000000Z",
    }


async def test_a_matched_section_is_read_with_its_neighbours(wire: ContractWire) -> None:
    note = await wire.note(SECTIONS, "Sections")
    found = (await wire.ok("search_hub", query='"Words of part 3"'))["results"][0]
    ordinal = found["chunkRef"]["ordinal"]
    alone = await wire.item(note, chunk=ordinal, chunkRadius=0)
    around = await wire.item(note, chunk=ordinal)
    assert alone["chunkWindow"] == {"ordinals": [ordinal]}
    assert ("Words of part 3" in alone["content"], alone["content"] in around["content"]) == (True, True)
    assert around["chunkWindow"]["ordinals"] == [
        place for place in (ordinal - 1, ordinal, ordinal + 1) if place >= 0
    ]
    start = alone["contentWindow"]["start"]
    assert SECTIONS[start : start + alone["contentWindow"]["length"]] == alone["content"]


async def test_sections_out_of_bounds_are_refused(wire: ContractWire) -> None:
    note = await wire.note(SECTIONS)
    for bad in (
        {"chunk": 999},
        {"chunk": -1},
        {"chunk": 0, "chunkRadius": 4},
        {"chunk": 0, "chunkRadius": -1},
        {"chunk": "first"},
        {"chunk": 0, "chunkRef": {"ordinal": 0}},
    ):
        assert await wire.refused("get_item", id=note, **bad) == "INVALID_INPUT"


async def test_fetch_reads_on_by_continuation_ids_and_says_where_a_part_stands(wire: ContractWire) -> None:
    note = await wire.note(LONG, "Long")
    parts: list[str] = []
    next_id = note
    while True:
        part = await wire.ok("fetch", id=next_id)
        assert (part["id"], part["title"], part["url"]) == (next_id, "Long", f"{PUBLIC_URL}/i/{note}")
        banner, _, text = part["text"].partition("\n\n")
        start = len("".join(parts))
        assert f"{start + 1:,} to {start + len(text):,} of {len(LONG):,}" in banner
        parts.append(text)
        assert part["metadata"]["truncated"] is ("next_id" in part["metadata"])
        if "next_id" not in part["metadata"]:
            break
        next_id = part["metadata"]["next_id"]
        assert next_id == f"{note}@{len(''.join(parts))}"
    assert "".join(parts) == LONG


async def test_fetch_of_a_short_item_is_the_text_alone(wire: ContractWire) -> None:
    note = await wire.note("short text", "Short")
    assert await wire.ok("fetch", id=note) == {
        "id": note,
        "title": "Short",
        "text": "short text",
        "url": f"{PUBLIC_URL}/i/{note}",
        "metadata": {
            "truncated": False,
            "content_base": "authored",
            "kind": "note",
            "version": 1,
            "created_at": "2026-11-30T12:00:00.000000Z",
            "updated_at": "2026-11-30T12:00:00.000000Z",
        },
    }


async def test_fetch_of_a_link_names_its_source(wire: ContractWire) -> None:
    link = new_id()
    await wire.ok("save_link", id=link, url="https://a.example/x")
    fetched = await wire.ok("fetch", id=link)
    assert (fetched["text"], fetched["metadata"]["source_url"]) == ("", "https://a.example/x")
    assert fetched["metadata"]["content_base"] == "clipped"


@pytest.mark.parametrize("tail", ["@", "@x", "@-1", "@1.5", "@1@2", "@99999999999999999999"])
async def test_a_malformed_continuation_is_refused(wire: ContractWire, tail: str) -> None:
    note = await wire.note("short")
    assert await wire.refused("fetch", id=note + tail) == "INVALID_INPUT"


async def test_a_continuation_beyond_the_end_is_empty(wire: ContractWire) -> None:
    note = await wire.note("short")
    part = await wire.ok("fetch", id=f"{note}@500")
    assert (part["text"].partition("\n\n")[2], part["metadata"]["truncated"]) == ("", False)


async def test_quota_counts_what_there_is(wire: ContractWire, reader: ContractWire) -> None:
    await wire.note("12345")
    quota = await reader.ok("get_quota")
    assert quota.pop("limits").items() >= {"storageBytes": None, "itemCount": 1}.items()
    assert quota == {
        "tier": "read_only",
        "credits": {"remaining": None, "monthly": None, "used": 0},
        "resetsAt": None,
        "subscription": {"plan": "self-hosted", "status": "active"},
    }
