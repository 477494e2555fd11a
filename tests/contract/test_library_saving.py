"""Does saving keep what is stated of it (contracts 2.4.5, 2.4.6, 2.7)?"""

from __future__ import annotations

import uuid
from typing import Any

import pytest

from tests.contract.account import Account
from tests.faces.mcp.library_tools.contract import ContractWire, new_id
from tests.library.fakes import WordEmbedder
from vademecum.library.reading import document
from vademecum.model.items import CaptureState
from vademecum.model.quota import Limits

pytestmark = pytest.mark.anyio
LINK = "https://a.example/page"
WITH_BLOCK = "---\r\ntitle: Else\ntags: [a, b]\n---\n\nText of the note.\n"
NOT_VERSION_4 = (
    "",
    "x",
    str(uuid.uuid1()),
    str(uuid.UUID(int=0)),
    "0b5c1f526a1f4b0c9a517d3f7f6f1c1",
    "{0b5c1f52-6a1f-4b0c-9a51-7d3f7f6f1c11}",
)


async def links(wire: ContractWire) -> int:
    count: int = (await wire.ok("list_items"))["count"]
    return count


@pytest.mark.claims("save-link.arguments", "save-note.arguments", "save-link.id", "save-note.id")
async def test_a_save_needs_its_arguments_and_a_uuid_of_version_4(wire: ContractWire) -> None:
    for tool, arguments in (
        ("save_link", {"url": LINK}),
        ("save_link", {"id": new_id()}),
        ("save_note", {"authoredContent": "x"}),
        ("save_note", {"id": new_id()}),
        *(("save_link", {"id": bad, "url": LINK}) for bad in NOT_VERSION_4),
        *(("save_note", {"id": bad, "authoredContent": "x"}) for bad in NOT_VERSION_4),
    ):
        assert await wire.refused(tool, **arguments) == "INVALID_INPUT"
    assert await links(wire) == 0
    await wire.ok("save_note", id=new_id(), authoredContent="x")
    await wire.ok("save_note", id=new_id(), authoredContent="x", hubTitle="y")
    assert await links(wire) == 2


@pytest.mark.claims("save-link.url")
async def test_only_web_addresses_are_saved(wire: ContractWire) -> None:
    for bad in ("", "ftp://a.example/", "file:///etc/passwd", "javascript:alert(1)", "a.example", "https://"):
        assert await wire.refused("save_link", id=new_id(), url=bad) == "INVALID_INPUT"
    assert await links(wire) == 0
    for good in ("http://a.example/", "https://a.example/", "HTTPS://A.EXAMPLE/?q=1#part"):
        await wire.ok("save_link", id=new_id(), url=good)
    assert await links(wire) == 3


@pytest.mark.claims("save-link.answer", "save-link.asynchronous", "save-link.statuses")
async def test_a_link_is_answered_before_its_page_is_fetched(account: Account, wire: ContractWire) -> None:
    link = new_id()
    statuses = [await wire.ok("save_link", id=link, url=LINK)]
    assert statuses == [{"itemId": link, "status": "queued", "replayed": False, "alreadyExists": False}]
    waiting = await wire.item(link)
    assert (waiting["content"], waiting["sourceUrl"]) == ("", LINK)
    account.capture(link, "Text of the page", "A page")
    assert (await wire.ok("save_link", id=link, url=LINK))["status"] == "ready"
    item = await wire.item(link)
    assert (item["content"], item["title"], item["kind"], item["provenance"]) == (
        "Text of the page",
        "A page",
        "article",
        "clipped",
    )


@pytest.mark.claims("save-link.statuses", "save-link.failure")
@pytest.mark.parametrize("state", [CaptureState.BLOCKED, CaptureState.FAILED])
async def test_a_capture_that_ends_without_a_text_tells_why(
    account: Account, wire: ContractWire, state: CaptureState
) -> None:
    link = new_id()
    first = await wire.ok("save_link", id=link, url=LINK)
    account.begin_capture(link)
    processing = await wire.ok("save_link", id=link, url=LINK)
    assert (first["status"], processing["status"], "failureReason" in processing) == (
        "queued",
        "processing",
        False,
    )
    other = new_id()
    await wire.ok("save_link", id=other, url=LINK)
    account.fail_capture(other, state, "login page")
    ended = await wire.ok("save_link", id=other, url=LINK)
    assert (ended["status"], ended["failureReason"]) == (state.value, "login page")
    assert (await wire.item(other))["sourceUrl"] == LINK


@pytest.mark.claims("save-link.replay", "save-link.mismatch", "save-link.new-id", "save-link.already-exists")
async def test_a_link_is_replayed_by_its_id_alone(account: Account, wire: ContractWire) -> None:
    first, second = new_id(), new_id()
    saved = await wire.ok("save_link", id=first, url=LINK)
    replay = await wire.ok("save_link", id=first.upper(), url=LINK)
    assert (saved["replayed"], saved["alreadyExists"]) == (False, False)
    assert replay == {"itemId": first, "status": "queued", "replayed": True, "alreadyExists": False}
    assert (await wire.ok("get_quota"))["credits"]["used"] == 1
    assert await wire.refused("save_link", id=first, url="https://b.example/") == "ITEM_IDEMPOTENCY_MISMATCH"
    twin = await wire.ok("save_link", id=second, url=LINK)
    assert twin == {"itemId": second, "status": "queued", "replayed": False, "alreadyExists": True}
    assert await links(wire) == 2
    assert (await wire.ok("save_link", id=first, url=LINK))["alreadyExists"] is True
    await wire.ok("delete_item", id=second, expectedVersion=1)
    assert (await wire.ok("save_link", id=first, url=LINK))["alreadyExists"] is False


@pytest.mark.claims("save-link.trashed", "save-note.trashed")
async def test_the_id_of_a_trashed_item_replays_as_trashed(wire: ContractWire) -> None:
    link, note = new_id(), await wire.note("one")
    await wire.ok("save_link", id=link, url=LINK)
    for item in (link, note):
        await wire.ok("delete_item", id=item, expectedVersion=1)
    of_link = await wire.ok("save_link", id=link, url=LINK)
    of_note = await wire.ok("save_note", id=note, authoredContent="one")
    assert of_link == {"itemId": link, "status": "trashed", "replayed": True, "alreadyExists": False}
    assert of_note == {"itemId": note, "status": "trashed", "replayed": True}
    assert await links(wire) == 0


@pytest.mark.claims("save-link.credit", "save-link.credit-returned", "save-link.insufficient")
async def test_a_link_spends_a_credit_that_a_failure_returns(account: Account) -> None:
    async with account.with_ports(limits=Limits(credits_monthly=1)) as wire:
        first, second, third = new_id(), new_id(), new_id()
        paid = await wire.ok("save_link", id=first, url=LINK)
        unpaid = await wire.ok("save_link", id=second, url="https://b.example/")
        assert ("insufficientCredits" in paid, unpaid["insufficientCredits"]) == (False, True)
        assert (unpaid["status"], (await wire.item(second))["sourceUrl"]) == ("queued", "https://b.example/")
        assert (await wire.ok("get_quota"))["credits"] == {"remaining": 0, "monthly": 1, "used": 1}
        for link, url, lacks in ((first, LINK, None), (second, "https://b.example/", True)):
            again = await wire.ok("save_link", id=link, url=url)
            assert (again["replayed"], again.get("insufficientCredits")) == (True, lacks)
        account.fail_capture(first, CaptureState.FAILED, "gone")
        assert (await wire.ok("get_quota"))["credits"] == {"remaining": 1, "monthly": 1, "used": 0}
        account.fail_capture(second, CaptureState.FAILED, "gone")
        assert (await wire.ok("get_quota"))["credits"]["remaining"] == 1
        kept = await wire.ok("save_link", id=third, url="https://c.example/")
        account.capture(third, "text")
        assert ("insufficientCredits" in kept, (await wire.ok("get_quota"))["credits"]["used"]) == (False, 1)


@pytest.mark.claims("save-link.consent")
async def test_local_models_need_no_consent(account: Account, wire: ContractWire) -> None:
    listed = (await wire.ask("tools/list")).json()["result"]["tools"]
    published = next(tool["outputSchema"]["properties"] for tool in listed if tool["name"] == "save_link")
    assert published["consentRequired"]["type"] == "boolean"
    async with account.with_ports(embedder=WordEmbedder(), second_stage=WordEmbedder("second")) as local:
        saved = await local.ok("save_link", id=new_id(), url=LINK)
    assert saved.get("consentRequired", False) is False


@pytest.mark.claims("save-note.verbatim", "save-note.answer", "save-note.version", "save-note.searchable")
@pytest.mark.parametrize(
    "text", [WITH_BLOCK, " \t needle\r\n\r\n", "\ufeffneedle e\u0301 ｎ\u2028🧑‍🚀", "#\n"]
)
async def test_a_note_is_kept_as_sent_and_found_at_once(wire: ContractWire, text: str) -> None:
    note = new_id()
    saved = await wire.ok("save_note", id=note, authoredContent=text, hubTitle="Magnet")
    assert saved == {"itemId": note, "status": "ready", "replayed": False}
    found = await wire.ok("search_hub", query="magnet")
    item = await wire.item(note)
    assert ([result["id"] for result in found["results"]], item["content"]) == ([note], text)
    assert (item["version"], item["kind"], item["summary"], item["provenance"]) == (
        1,
        "note",
        None,
        "authored",
    )


@pytest.mark.claims("save-note.free")
async def test_notes_and_their_changes_are_free(account: Account) -> None:
    async with account.with_ports(limits=Limits(credits_monthly=1)) as wire:
        note = await wire.note("one")
        await wire.ok("update_note", id=note, authoredContent="two", expectedVersion=1)
        await wire.ok("update_tags", id=note, tags=["a"], expectedVersion=2)
        assert (await wire.ok("get_quota"))["credits"] == {"remaining": 1, "monthly": 1, "used": 0}


@pytest.mark.claims(
    "save-note.replay",
    "save-note.mismatch",
    "save-note.replay-of-first",
    "save-note.new-id",
    "versions.title-clash",
)
async def test_a_note_is_replayed_by_id_and_first_content(wire: ContractWire) -> None:
    note = await wire.note("one", "First")

    async def again(text: str, title: str | None = None) -> Any:
        answer = await wire.result("save_note", id=note, authoredContent=text, hubTitle=title)
        shape = answer["structuredContent"]
        return shape["error"]["code"] if answer["isError"] else (shape["itemId"], shape["replayed"])

    assert await again("one", "Other title") == (note, True)
    for other in ("one\n", "One", "", "ｏne"):
        assert await again(other, "First") == "ITEM_IDEMPOTENCY_MISMATCH"
    await wire.ok("update_note", id=note, authoredContent="two", expectedVersion=1)
    assert (await again("one"), await again("two")) == ((note, True), "ITEM_IDEMPOTENCY_MISMATCH")
    item = await wire.item(note)
    assert (item["content"], item["title"], item["version"]) == ("two", "First", 2)
    assert await wire.note("one", "First") != note
    titles = [result["title"] for result in (await wire.ok("list_items"))["results"]]
    assert titles == ["First", "First"]


@pytest.mark.claims("save-note.frontmatter")
async def test_a_block_of_frontmatter_is_part_of_the_text(account: Account, wire: ContractWire) -> None:
    note = await wire.note(WITH_BLOCK, "Block")
    await wire.ok("update_tags", id=note, tags=["else"], expectedVersion=1)
    item = await wire.item(note)
    assert (item["content"], item["title"], item["tags"]) == (WITH_BLOCK, "Block", ["else"])
    await wire.ok("update_note", id=note, authoredContent=f"{WITH_BLOCK}more", expectedVersion=2)
    assert (await wire.item(note))["content"] == f"{WITH_BLOCK}more"
    kept = document(account.installation.library, account.installation.owner, note)
    assert (kept.frontmatter, kept.body) == ("", f"{WITH_BLOCK}more")
