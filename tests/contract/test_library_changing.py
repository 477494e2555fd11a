"""Do changing and deleting keep what is stated of them (contracts 2.4.7 to 2.4.9, 2.7)?"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from tests.contract.account import Account
from tests.faces.installation import LEGACY
from tests.faces.mcp.library_tools.contract import ContractWire, new_id
from vademecum.library.auditing import recent
from vademecum.library.history import revert, revision, revisions
from vademecum.library.reading import document
from vademecum.library.spaces import create_space
from vademecum.library.trash import list_trash, restore
from vademecum.model.items import Kind, Layers, State

pytestmark = pytest.mark.anyio
STALE = (0, 2, 99, -1, 2**53 - 1)


async def now(wire: ContractWire, note: str) -> tuple[Any, ...]:
    item = await wire.item(note)
    return item["content"], item["title"], item["tags"], item["version"]


@pytest.mark.claims("update-note.arguments", "update-tags.arguments", "delete.arguments")
async def test_a_change_needs_all_its_arguments(wire: ContractWire) -> None:
    note = await wire.note("one", "Title")
    whole: dict[str, dict[str, Any]] = {
        "update_note": {"id": note, "authoredContent": "two", "expectedVersion": 1},
        "update_tags": {"id": note, "tags": ["a"], "expectedVersion": 1},
        "delete_item": {"id": note, "expectedVersion": 1},
    }
    for tool, arguments in whole.items():
        for missing in arguments:
            rest = {name: value for name, value in arguments.items() if name != missing}
            result = await wire.result(tool, **rest)
            assert result["content"][0]["text"].startswith(f"INVALID_INPUT: {missing}: ")
    assert await now(wire, note) == ("one", "Title", [], 1)


@pytest.mark.claims("update-note.whole-text", "update-note.rename", "update-note.answer")
async def test_an_update_replaces_the_whole_text_and_renames_when_asked(wire: ContractWire) -> None:
    note = await wire.note("one\n\nand more", "Old")
    first = await wire.ok("update_note", id=note, authoredContent="two", expectedVersion=1)
    assert (first, await now(wire, note)) == ({"itemId": note, "version": 2}, ("two", "Old", [], 2))
    second = await wire.ok("update_note", id=note, authoredContent="", hubTitle="New", expectedVersion=2)
    assert (second, await now(wire, note)) == ({"itemId": note, "version": 3}, ("", "New", [], 3))


@pytest.mark.claims("update-note.any-item")
async def test_on_a_capture_the_text_overrides_what_was_extracted(
    account: Account, wire: ContractWire
) -> None:
    link = new_id()
    await wire.ok("save_link", id=link, url="https://a.example/")
    account.capture(link, "extracted needle", "Page")
    captured = await wire.item(link)
    version = captured["version"]
    await wire.ok("update_note", id=link, authoredContent="my own words", expectedVersion=version)
    item = await wire.item(link)
    assert (item["content"], item["provenance"], item["sourceUrl"], item["version"]) == (
        "my own words",
        "authored",
        "https://a.example/",
        version + 1,
    )
    kept = document(account.installation.library, account.installation.owner, link)
    assert (kept.layers.extracted, kept.state.blob is not None) == ("extracted needle", True)
    found = [await wire.ok("search_hub", query=f'"{words}"') for words in ("extracted needle", "own words")]
    assert [answer["count"] for answer in found] == [0, 1]


@pytest.mark.claims("update-note.kept-by-capture")
async def test_a_late_capture_leaves_authored_text_and_title_alone(
    account: Account, wire: ContractWire
) -> None:
    link = new_id()
    await wire.ok("save_link", id=link, url="https://a.example/")
    await wire.ok("update_note", id=link, authoredContent="mine", hubTitle="My title", expectedVersion=1)
    account.capture(link, "extracted", "Page title")
    content, title, *_ = await now(wire, link)
    kept = document(account.installation.library, account.installation.owner, link)
    assert (content, title, kept.layers.extracted) == ("mine", "My title", "extracted")


@pytest.mark.claims("update-note.keeps-block")
async def test_an_update_leaves_the_frontmatter_of_the_item(account: Account, wire: ContractWire) -> None:
    block = "---\ntitle: Title\ncolour: red\n---\n"
    note = account.put(State("Title", Kind.NOTE, Layers(authored="one"), frontmatter=block))
    assert await now(wire, note) == ("one", "Title", [], 1)
    await wire.ok("update_note", id=note, authoredContent="---\na: b\n---\ntwo", expectedVersion=1)
    kept = document(account.installation.library, account.installation.owner, note)
    assert (kept.frontmatter, kept.body) == (block, "---\na: b\n---\ntwo")


@pytest.mark.claims("update-note.conflict", "update-tags.conflict", "delete.conflict")
async def test_a_stale_version_writes_nothing_and_the_fresh_one_does(wire: ContractWire) -> None:
    note = await wire.note("one", "Title")
    for stale in STALE:
        changes: tuple[tuple[str, dict[str, Any]], ...] = (
            ("update_note", {"authoredContent": "lost", "hubTitle": "Lost"}),
            ("update_tags", {"tags": ["lost"]}),
            ("delete_item", {}),
        )
        for tool, arguments in changes:
            assert await wire.refused(tool, id=note, expectedVersion=stale, **arguments) == "VERSION_CONFLICT"
    assert await now(wire, note) == ("one", "Title", [], 1)
    fresh = (await wire.item(note))["version"]
    await wire.ok("update_note", id=note, authoredContent="two", expectedVersion=fresh)
    fresh = (await wire.item(note))["version"]
    await wire.ok("update_tags", id=note, tags=["a"], expectedVersion=fresh)
    fresh = (await wire.item(note))["version"]
    assert (await wire.ok("delete_item", id=note, expectedVersion=fresh))["alreadyDeleted"] is False


@pytest.mark.claims("update-note.one-winner")
async def test_of_writers_with_one_version_one_wins(wire: ContractWire) -> None:
    note = await wire.note("one")
    for version in range(1, 4):
        texts = [f"{version} {writer}" for writer in range(4)]
        results = await asyncio.gather(
            *(
                wire.result("update_note", id=note, authoredContent=text, expectedVersion=version)
                for text in texts
            )
        )
        won = [text for text, result in zip(texts, results, strict=True) if not result["isError"]]
        codes = {result["structuredContent"]["error"]["code"] for result in results if result["isError"]}
        assert (len(won), codes) == (1, {"VERSION_CONFLICT"})
        assert await now(wire, note) == (won[0], "one", [], version + 1)


@pytest.mark.claims("update-note.revision", "update-tags.revision")
async def test_every_write_is_a_revision_that_the_person_can_revert(
    account: Account, wire: ContractWire
) -> None:
    library, owner = account.installation.library, account.installation.owner
    note = await wire.note("one", "Old")
    await wire.ok("update_note", id=note, authoredContent="two", hubTitle="New", expectedVersion=1)
    await wire.ok("update_tags", id=note, tags=["a", "b"], expectedVersion=2)
    history = [
        (one.version, revision(library, owner, note, one.version).state.layers.authored, one.title, one.tags)
        for one in revisions(library, owner, note)
    ]
    assert history == [
        (3, "two", "New", ("a", "b")),
        (2, "two", "New", ()),
        (1, "one", "Old", ()),
    ]
    revert(library, owner, note, 2)
    assert await now(wire, note) == ("two", "New", [], 4)
    revert(library, owner, note, 1)
    assert await now(wire, note) == ("one", "Old", [], 5)
    revert(library, owner, note, 3)
    assert await now(wire, note) == ("two", "New", ["a", "b"], 6)


@pytest.mark.claims("update-tags.full-list", "update-tags.answer", "update-tags.most", "limits.tag")
async def test_tags_are_the_full_list_of_at_most_twenty(wire: ContractWire) -> None:
    note = await wire.note("one", "Title")
    twenty = [f"tag{number}" for number in range(20)]
    for version, tags in enumerate((["a", "b"], ["c"], twenty, ["x" * 100], []), 1):
        answer = await wire.ok("update_tags", id=note, tags=tags, expectedVersion=version)
        assert answer == {"itemId": note, "version": version + 1}
        assert await now(wire, note) == ("one", "Title", tags, version + 1)
    many = await wire.refused("update_tags", id=note, tags=[*twenty, "more"], expectedVersion=6)
    assert many in {"INVALID_INPUT", "TOO_LARGE"}
    assert await wire.refused("update_tags", id=note, tags=["x" * 101], expectedVersion=6) == "TOO_LARGE"
    assert await now(wire, note) == ("one", "Title", [], 6)


@pytest.mark.claims("delete.trash", "delete.answer", "delete.again")
async def test_deleting_moves_to_the_trash_and_is_repeatable(account: Account, wire: ContractWire) -> None:
    library, owner = account.installation.library, account.installation.owner
    note = await wire.note("needle", "Title")
    first = await wire.ok("delete_item", id=note, expectedVersion=1)
    again = [await wire.ok("delete_item", id=note, expectedVersion=version) for version in (1, 2, 77, -1)]
    assert first == {"itemId": note, "deleted": True, "version": 2, "alreadyDeleted": False}
    assert again == [{"itemId": note, "deleted": True, "version": 2, "alreadyDeleted": True}] * 4
    assert [item.item_id for item in list_trash(library, owner, 5)] == [note]
    assert (await wire.ok("list_items"))["count"] == 0
    assert (await wire.ok("search_hub", query="needle"))["count"] == 0
    for tool in ("get_item", "fetch"):
        assert await wire.refused(tool, id=note) == "NOT_FOUND"
    assert await wire.refused("update_note", id=note, authoredContent="x", expectedVersion=2) == "NOT_FOUND"
    assert await wire.refused("update_tags", id=note, tags=[], expectedVersion=2) == "NOT_FOUND"
    restore(library, owner, note)
    assert await now(wire, note) == ("needle", "Title", [], 3)
    assert (await wire.ok("search_hub", query="needle"))["count"] == 1


@pytest.mark.claims("versions.old-title")
async def test_an_old_title_still_leads_to_the_item(wire: ContractWire) -> None:
    note = await wire.note("one", "Halyard")
    await wire.ok("update_note", id=note, authoredContent="two", hubTitle="Sheet", expectedVersion=1)
    found = await wire.ok("search_hub", query="Halyard")
    assert [(result["id"], result["title"]) for result in found["results"]] == [(note, "Sheet")]


@pytest.mark.claims("audit.write")
async def test_a_write_is_audited_with_key_and_client(account: Account) -> None:
    library, owner = account.installation.library, account.installation.owner
    key, secret = account.installation.minted()
    wire = account.wire().using(key=secret)
    note = await wire.note("one")
    await wire.refused("update_note", id=note, authoredContent="lost", expectedVersion=9)
    await wire.ok("update_tags", id=note, tags=["a"], expectedVersion=1)
    rows = [row for row in recent(library, owner, 50) if row.change_id]
    assert sorted((row.tool, row.item_id, row.client_name, row.credential_id) for row in rows) == [
        ("save_note", note, "tests 1", key.key_id),
        ("update_tags", note, "tests 1", key.key_id),
    ]
    assert {row.change_id for row in rows} == {
        one.change.change_id for one in revisions(library, owner, note)
    }


@pytest.mark.claims("audit.client")
async def test_the_client_is_named_by_its_call_or_user_agent(account: Account, wire: ContractWire) -> None:
    library, owner = account.installation.library, account.installation.owner
    await wire.using(headers={"user-agent": "codex/1"}).note("modern")
    await wire.using(version=LEGACY[-1], headers={"user-agent": "codex/1"}).note("legacy")
    assert sorted(str(row.client_name) for row in recent(library, owner, 5)) == ["codex/1", "tests 1"]


@pytest.mark.claims("audit.session")
async def test_a_session_ends_after_half_an_hour_without_a_call(account: Account, wire: ContractWire) -> None:
    library, owner = account.installation.library, account.installation.owner
    notes = []
    for minutes in (0, 29, 29, 31):
        account.installation.clock.pass_by(minutes=minutes)
        notes.append(await wire.note(f"after {minutes}"))
    other = await account.wire().note("with another key")
    session = {row.item_id: row.session_id for row in recent(library, owner, 50)}
    first, second, third, fourth = (session[note] for note in notes)
    assert (first == second == third, len({first, fourth, session[other]})) == (True, 3)


@pytest.mark.claims("audit.reads")
async def test_reads_and_refusals_are_audited_where_they_looked(account: Account) -> None:
    library, owner = account.installation.library, account.installation.owner
    slug = f"work-{new_id()[:8]}"
    work = create_space(library, owner, slug, "Work").space_id
    personal = owner.spaces[0]
    async with account.with_ports() as wire:
        mine = await wire.note("mine")
        both = wire.using(key=account.installation.key(spaces=(slug, account.slug())))
        theirs = await both.note("theirs")
        await both.item(mine)
        await both.item(theirs)
        await both.ok("search_hub", query="mine")
        await both.refused("update_tags", id=theirs, tags=[], expectedVersion=9)
    rows = recent(library, replace(owner, spaces=(personal, work)), 50)
    assert sorted((row.tool, row.outcome, row.space_id == work) for row in rows) == [
        ("get_item", "ok", False),
        ("get_item", "ok", True),
        ("save_note", "ok", False),
        ("save_note", "ok", True),
        ("search_hub", "ok", False),
        ("update_tags", "VERSION_CONFLICT", True),
    ]
