"""Do the writing tools keep the reliability contract (contracts 2.4.5 to 2.4.9 and 2.7)?"""

from __future__ import annotations

import asyncio

import pytest

from tests.faces.installation import Served
from tests.faces.mcp.library_tools.contract import ContractWire, new_id
from vademecum.library.auditing import recent
from vademecum.library.history import revisions
from vademecum.library.trash import purge, restore

pytestmark = pytest.mark.anyio
VERBATIM = "\ufeff---\r\ntitle: x\r\n---\r\n\r\n  二行目 \t\n\n\n<b>&amp;</b> \u2028 e\u0301 🧑‍🚀\n"


async def test_a_note_is_saved_once_and_kept_byte_for_byte(wire: ContractWire) -> None:
    note = new_id()
    saved = await wire.ok("save_note", id=note, authoredContent=VERBATIM, hubTitle="題")
    item = await wire.item(note)
    assert saved == {"itemId": note, "status": "ready", "replayed": False}
    assert (item["content"], item["title"], item["version"], item["kind"]) == (VERBATIM, "題", 1, "note")
    assert (item["provenance"], item["truncated"], "sourceUrl" in item) == ("authored", False, False)


async def test_replaying_a_save_returns_the_first_item(wire: ContractWire, served: Served) -> None:
    note = new_id()
    await wire.ok("save_note", id=note, authoredContent="one", hubTitle="First")
    replays = [
        await wire.ok("save_note", id=note.upper(), authoredContent="one", hubTitle="Other"),
        await wire.ok("save_note", id=note, authoredContent="one"),
    ]
    item = await wire.item(note)
    assert replays == [{"itemId": note, "status": "ready", "replayed": True}] * 2
    assert (item["title"], item["version"]) == ("First", 1)
    assert (await wire.ok("list_items"))["count"] == 1


async def test_the_same_id_with_other_content_is_refused_and_nothing_written(wire: ContractWire) -> None:
    note = await wire.note("one")
    for other in ("one ", "One", ""):
        assert await wire.refused("save_note", id=note, authoredContent=other) == "ITEM_IDEMPOTENCY_MISMATCH"
    assert await wire.refused("save_link", id=note, url="https://a.example/") == "ITEM_IDEMPOTENCY_MISMATCH"
    assert (await wire.item(note))["content"] == "one"


async def test_a_replay_is_of_the_first_content_even_after_an_edit_or_a_delete(wire: ContractWire) -> None:
    note = await wire.note("one")
    await wire.ok("update_note", id=note, authoredContent="two", expectedVersion=1)
    edited = await wire.ok("save_note", id=note, authoredContent="one")
    assert edited == {"itemId": note, "status": "ready", "replayed": True}
    assert await wire.refused("save_note", id=note, authoredContent="two") == "ITEM_IDEMPOTENCY_MISMATCH"
    await wire.ok("delete_item", id=note, expectedVersion=2)
    trashed = await wire.ok("save_note", id=note, authoredContent="one")
    assert trashed == {"itemId": note, "status": "trashed", "replayed": True}


async def test_a_new_id_always_makes_a_new_item(wire: ContractWire) -> None:
    made = {await wire.note("same text", "Same title") for _ in range(3)}
    titles = [result["title"] for result in (await wire.ok("list_items"))["results"]]
    assert (len(made), titles) == (3, ["Same title"] * 3)


async def test_twins_of_one_save_make_one_item(wire: ContractWire) -> None:
    note = new_id()
    answers = await asyncio.gather(*(wire.ok("save_note", id=note, authoredContent="x") for _ in range(8)))
    assert sorted(answer["replayed"] for answer in answers) == [False] + [True] * 7
    assert {answer["itemId"] for answer in answers} == {note}


@pytest.mark.parametrize(
    "bad",
    ["", "x", "0b5c1f52-6a1f-1b0c-9a51-7d3f7f6f1c11", "{0b5c1f52-6a1f-4b0c-9a51-7d3f7f6f1c11}", "x" * 10_000],
)
async def test_a_save_needs_a_version_4_uuid(wire: ContractWire, bad: str) -> None:
    codes = {
        await wire.refused("save_note", id=bad, authoredContent="x"),
        await wire.refused("save_link", id=bad, url="https://a.example/"),
    }
    assert codes <= {"INVALID_INPUT", "TOO_LARGE"}


async def test_a_link_is_queued_replayed_and_told_apart(wire: ContractWire) -> None:
    first, second = new_id(), new_id()
    saved = await wire.ok("save_link", id=first, url="https://a.example/x?b=1")
    again = await wire.ok("save_link", id=first, url="https://a.example/x?b=1")
    other = await wire.ok("save_link", id=second, url="https://a.example/x?b=1&utm_source=z")
    assert saved == {"itemId": first, "status": "queued", "replayed": False, "alreadyExists": False}
    assert again == {"itemId": first, "status": "queued", "replayed": True, "alreadyExists": False}
    assert other == {"itemId": second, "status": "queued", "replayed": False, "alreadyExists": True}
    assert await wire.refused("save_link", id=first, url="https://b.example/") == "ITEM_IDEMPOTENCY_MISMATCH"
    item = await wire.item(first)
    assert (item["sourceUrl"], item["content"], item["provenance"]) == (
        "https://a.example/x?b=1",
        "",
        "clipped",
    )


@pytest.mark.parametrize(
    "bad",
    [
        "",
        "ftp://a.example/",
        "javascript:alert(1)",
        "file:///etc/passwd",
        "https://",
        "a.example",
        "https://u:p@a.example/",
    ],
)
async def test_only_web_addresses_are_saved(wire: ContractWire, bad: str) -> None:
    assert await wire.refused("save_link", id=new_id(), url=bad) == "INVALID_INPUT"
    assert (await wire.ok("list_items"))["count"] == 0


async def test_an_update_replaces_the_whole_text_and_may_rename(wire: ContractWire, served: Served) -> None:
    note = await wire.note("one", "Old")
    first = await wire.ok("update_note", id=note, authoredContent="two", expectedVersion=1)
    second = await wire.ok("update_note", id=note, authoredContent="three", hubTitle="New", expectedVersion=2)
    item = await wire.item(note)
    assert (first, second) == ({"itemId": note, "version": 2}, {"itemId": note, "version": 3})
    assert (item["content"], item["title"], item["version"]) == ("three", "New", 3)
    history = revisions(served.installation.library, served.installation.owner, note)
    assert [(one.version, one.title) for one in history] == [
        (3, "New"),
        (2, "Old"),
        (1, "Old"),
    ]


@pytest.mark.parametrize("version", [0, 2, 99, -1, 2**53 - 1])
async def test_a_stale_version_changes_nothing(wire: ContractWire, version: int) -> None:
    note = await wire.note("one", "Old")
    codes = {
        await wire.refused("update_note", id=note, authoredContent="lost", expectedVersion=version),
        await wire.refused("update_tags", id=note, tags=["lost"], expectedVersion=version),
        await wire.refused("delete_item", id=note, expectedVersion=version),
    }
    item = await wire.item(note)
    assert (codes, item["content"], item["tags"], item["version"]) == ({"VERSION_CONFLICT"}, "one", [], 1)


async def test_of_two_writers_with_one_version_exactly_one_wins(wire: ContractWire) -> None:
    note = await wire.note("one")
    for version in range(1, 6):
        results = await asyncio.gather(
            *(
                wire.result(
                    "update_note", id=note, authoredContent=f"{version} {writer}", expectedVersion=version
                )
                for writer in range(4)
            )
        )
        assert sorted(result["isError"] for result in results) == [False, True, True, True]
    assert (await wire.item(note))["version"] == 6


async def test_tags_are_replaced_as_a_whole(wire: ContractWire) -> None:
    note = await wire.note("one")
    written = await wire.ok(
        "update_tags", id=note, tags=["Work/Plan", "#日本", "work/plan"], expectedVersion=1
    )
    assert written == {"itemId": note, "version": 2}
    assert (await wire.item(note))["tags"] == ["Work/Plan", "日本"]
    await wire.ok("update_tags", id=note, tags=[], expectedVersion=2)
    assert ((await wire.item(note))["tags"], (await wire.item(note))["content"]) == ([], "one")


async def test_tags_may_come_as_json_text_and_not_as_comma_text(wire: ContractWire) -> None:
    note = await wire.note("one")
    await wire.ok("update_tags", id=note, tags='["a", "b, c"]', expectedVersion="1")
    assert (await wire.item(note))["tags"] == ["a", "b, c"]
    for bad in ("a, b", "a", '"a"', {"a": 1}, [1], [""], ["a" * 101], [f"t{n}" for n in range(21)]):
        assert await wire.refused("update_tags", id=note, tags=bad, expectedVersion=2) in {
            "INVALID_INPUT",
            "TOO_LARGE",
        }
    assert (await wire.item(note))["version"] == 2


async def test_deleting_is_repeatable_whatever_version_is_named(wire: ContractWire, served: Served) -> None:
    note = await wire.note("one")
    first = await wire.ok("delete_item", id=note, expectedVersion=1)
    again = await wire.ok("delete_item", id=note, expectedVersion=77)
    assert first == {"itemId": note, "deleted": True, "version": 2, "alreadyDeleted": False}
    assert again == {"itemId": note, "deleted": True, "version": 2, "alreadyDeleted": True}
    assert await wire.refused("get_item", id=note) == "NOT_FOUND"
    assert await wire.refused("update_note", id=note, authoredContent="x", expectedVersion=2) == "NOT_FOUND"
    assert (await wire.ok("list_items"))["count"] == 0
    restore(served.installation.library, served.installation.owner, note)
    assert (await wire.item(note))["content"] == "one"


@pytest.mark.parametrize("unknown", ["0b5c1f52-6a1f-4b0c-9a51-7d3f7f6f1c11", "x", "", "../../etc/passwd"])
async def test_what_is_not_there_is_not_found(wire: ContractWire, unknown: str) -> None:
    codes = {
        await wire.refused("get_item", id=unknown),
        await wire.refused("fetch", id=unknown),
        await wire.refused("update_note", id=unknown, authoredContent="x", expectedVersion=1),
        await wire.refused("update_tags", id=unknown, tags=[], expectedVersion=1),
        await wire.refused("delete_item", id=unknown, expectedVersion=1),
    }
    assert codes == {"NOT_FOUND"}


async def test_a_purged_item_is_gone_for_every_tool(wire: ContractWire, served: Served) -> None:
    note = await wire.note("one")
    await wire.ok("delete_item", id=note, expectedVersion=1)
    purge(served.installation.library, served.installation.owner, note)
    assert await wire.refused("delete_item", id=note, expectedVersion=1) == "NOT_FOUND"


async def test_texts_and_titles_have_limits(wire: ContractWire) -> None:
    note, most = new_id(), 2 * 1024 * 1024
    assert await wire.refused("save_note", id=note, authoredContent="x" * (most + 1)) == "TOO_LARGE"
    assert await wire.refused("save_note", id=note, authoredContent="x", hubTitle="t" * 501) == "TOO_LARGE"
    await wire.ok("save_note", id=note, authoredContent="x", hubTitle="t" * 500)
    long_text = {"authoredContent": "x" * (most + 1), "expectedVersion": 1}
    assert await wire.refused("update_note", id=note, **long_text) == "TOO_LARGE"


@pytest.mark.parametrize("text", ["a\0b", "\ud800"])
async def test_a_text_that_no_file_can_hold_is_refused_by_name(wire: ContractWire, text: str) -> None:
    answer = await wire.call("save_note", id=new_id(), authoredContent=text)
    assert "INVALID_INPUT: authoredContent: " in answer.text


async def test_a_note_may_be_empty_or_nothing_but_odd_characters(wire: ContractWire) -> None:
    for text in ("", " ", "\n\n", "\x01\x1f\x7f", "\u202e\u200b", "\ufffe\uffff", "e\u0301" * 300):
        note = await wire.note(text)
        assert (await wire.item(note))["content"] == text


@pytest.mark.parametrize(
    ("tool", "arguments", "field"),
    [
        ("save_note", {"id": new_id()}, "authoredContent"),
        ("save_note", {"id": new_id(), "authoredContent": "x", "title": "t"}, "hubTitle"),
        ("save_note", {"id": new_id(), "authored_content": "x"}, "authoredContent"),
        ("save_note", {"id": new_id(), "authoredContent": ["x"]}, "authoredContent"),
        ("save_link", {"id": new_id(), "uri": "https://a.example/"}, "url"),
        ("save_link", {"id": new_id(), "url": "https://a.example/", "url_": "x"}, "url"),
        ("update_note", {"id": new_id(), "authoredContent": "x"}, "expectedVersion"),
        ("update_note", {"id": new_id(), "authoredContent": "x", "expected_version": 1}, "expectedVersion"),
        (
            "update_note",
            {"id": new_id(), "authoredContent": "x", "expectedVersion": "one"},
            "expectedVersion",
        ),
        ("update_note", {"id": new_id(), "authoredContent": "x", "expectedVersion": 1.5}, "expectedVersion"),
        ("update_note", {"id": new_id(), "authoredContent": "x", "expectedVersion": True}, "expectedVersion"),
        ("update_tags", {"id": new_id(), "tag": ["x"], "expectedVersion": 1}, "tags"),
        ("delete_item", {"id": new_id(), "version": 1}, "expectedVersion"),
    ],
)
async def test_bad_arguments_are_refused_by_name(
    wire: ContractWire, tool: str, arguments: dict[str, object], field: str
) -> None:
    result = await wire.result(tool, **arguments)
    assert result["content"][0]["text"].startswith(f"INVALID_INPUT: {field}: ")


async def test_unknown_arguments_change_nothing(wire: ContractWire) -> None:
    note = await wire.note("one", reason="because", verbose=True)
    assert (await wire.item(note, format="json"))["content"] == "one"


async def test_every_write_is_audited_with_its_change_by_key_and_client(
    wire: ContractWire, served: Served
) -> None:
    note = await wire.note("one")
    await wire.ok("update_note", id=note, authoredContent="two", expectedVersion=1)
    await wire.ok("update_tags", id=note, tags=["a"], expectedVersion=2)
    await wire.ok("delete_item", id=note, expectedVersion=3)
    rows = recent(served.installation.library, served.installation.owner, 50)
    written = [row for row in rows if row.change_id]
    tools = ["delete_item", "update_note", "update_tags", "save_note"]
    assert sorted(row.tool for row in written) == sorted(tools)
    assert {(row.item_id, row.outcome, row.client_name) for row in written} == {(note, "ok", "tests 1")}
    history = revisions(served.installation.library, served.installation.owner, note)
    assert {revision.change.change_id for revision in history} == {row.change_id for row in written}
