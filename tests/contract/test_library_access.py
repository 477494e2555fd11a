"""Who may call what, and what is said to those who may not (contracts 2.3, 2.8)?"""

from __future__ import annotations

from typing import Any

import pytest

from tests.contract.account import Account
from tests.faces.installation import ERAS, Served
from tests.faces.mcp.library_tools.contract import ContractWire, new_id
from vademecum.library.connecting import KeyRequest, change_key, revoke_key
from vademecum.library.reading import document
from vademecum.library.spaces import create_space
from vademecum.library.trash import list_trash
from vademecum.model.access import ToolSet
from vademecum.model.errors import NotPermitted
from vademecum.model.items import ItemClass, Kind, Layers, State

MEMORY = State("Needle of memory", Kind.NOTE, Layers(authored="needle in memory"))
pytestmark = pytest.mark.anyio
METADATA = "https://vade.example.org/.well-known/oauth-protected-resource/mcp"
WRITES: dict[str, dict[str, Any]] = {
    "save_link": {"id": new_id(), "url": "https://a.example/"},
    "save_note": {"id": new_id(), "authoredContent": "x"},
    "update_note": {"authoredContent": "x", "expectedVersion": 1},
    "update_tags": {"tags": ["x"], "expectedVersion": 1},
    "delete_item": {"expectedVersion": 1},
}


@pytest.mark.claims("tiers.denied-403", "tiers.denied-code", "tiers.denied-no-challenge")
@pytest.mark.parametrize("version", ERAS)
async def test_a_call_above_the_tier_is_forbidden_and_writes_nothing(
    account: Account, wire: ContractWire, version: str
) -> None:
    note = await wire.note("one")
    for tier, denied in (("read_only", list(WRITES)), ("edit", ["delete_item"])):
        mine = account.wire(tier).using(version=version)
        for tool in denied:
            answer = await mine.call(tool, **{"id": note, **WRITES[tool]})
            error = answer.json()["error"]
            told = (answer.status_code, error["code"], error["message"], error["data"]["code"])
            assert told == (403, -32010, "API_KEY_TIER_DENIED", "API_KEY_TIER_DENIED")
            assert "www-authenticate" not in answer.headers
    assert (await wire.ok("list_items"))["count"] == 1
    item = await wire.item(note)
    assert (item["content"], item["tags"], item["version"]) == ("one", [], 1)


@pytest.mark.claims("tiers.fixed")
async def test_the_tier_of_a_key_cannot_be_changed(account: Account) -> None:
    installed = account.installation
    key, secret = installed.minted("read_only")
    for tier in ("full", "edit", "read"):
        with pytest.raises(NotPermitted):
            change_key(installed.library, installed.owner, key.key_id, KeyRequest("", ToolSet.LIBRARY, tier))
    reader = account.wire().using(key=secret)
    assert (await reader.ok("get_quota"))["tier"] == "read_only"
    assert (await reader.call("save_note", id=new_id(), authoredContent="x")).status_code == 403


@pytest.mark.claims("tiers.never")
@pytest.mark.parametrize("version", ERAS)
async def test_no_tool_restores_purges_exports_or_buys(
    account: Account, wire: ContractWire, version: str
) -> None:
    note = await wire.note("one")
    await wire.ok("delete_item", id=note, expectedVersion=1)
    listed = (await wire.using(version=version).ask("tools/list")).json()["result"]["tools"]
    assert sorted(tool["name"] for tool in listed) == sorted(
        [
            *("search_hub", "list_items", "get_item", "get_quota", "search", "fetch"),
            *("save_link", "save_note", "update_note", "update_tags", "delete_item"),
        ]
    )
    for tool in ("restore_item", "purge_item", "empty_trash", "export", "set_setting", "buy_credits"):
        answer = await wire.using(version=version).call(tool, id=note)
        assert answer.json()["error"]["code"] == -32602
    trash = list_trash(account.installation.library, account.installation.owner, 5)
    assert [item.item_id for item in trash] == [note]


@pytest.mark.claims(
    "credentials.401-empty",
    "credentials.revoked",
    "credentials.expired",
    "credentials.challenge",
    "credentials.one-set",
)
async def test_every_credential_that_is_not_in_force_is_refused_alike(
    account: Account, wire: ContractWire
) -> None:
    installed = account.installation
    revoked, secret = installed.minted()
    alive = wire.using(key=secret)
    expiring = wire.using(key=installed.key(expires_days=1))
    for client in (alive, expiring):
        assert (await client.call("get_quota")).status_code == 200
    revoke_key(installed.library, installed.owner, revoked.key_id)
    installed.clock.pass_by(days=2)
    gateway = wire.using(key=installed.key("read", ToolSet.GATEWAY))
    others = [wire.using(key=key) for key in (None, "nonsense", f"{secret[:-4]}AAAA")]
    for client in (alive, expiring, gateway, *others):
        answer = await client.call("get_quota")
        challenge = answer.headers["www-authenticate"]
        assert (answer.status_code, answer.content, METADATA in challenge) == (401, b"", True)
    for header in ("", "Bearer", "Bearer  ", f"Basic {wire.key}", f"{wire.key}", f"Bearer {wire.key} x"):
        answer = await wire.using(headers={"authorization": header}).call("get_quota")
        assert (answer.status_code, answer.content) == (401, b""), header


@pytest.mark.claims("limits.no-rate")
async def test_many_calls_in_a_row_are_all_answered(wire: ContractWire) -> None:
    answers = [await wire.result("get_quota") for _ in range(120)]
    assert [answer["isError"] for answer in answers] == [False] * 120


@pytest.mark.claims("spaces.default")
async def test_a_key_without_spaces_has_the_personal_space_alone(account: Account) -> None:
    installed = account.installation
    slug = f"work-{new_id()[:8]}"
    create_space(installed.library, installed.owner, slug, "Work")
    plain, work = account.wire(), account.wire(spaces=(slug,))
    mine, theirs = await plain.note("needle mine"), await work.note("needle theirs")
    listed = [result["id"] for result in (await plain.ok("list_items"))["results"]]
    assert (listed, await plain.refused("get_item", id=theirs)) == ([mine], "NOT_FOUND")
    assert document(installed.library, installed.owner, mine).item.space_id == installed.owner.spaces[0]


@pytest.mark.claims("errors.absence", "spaces.ids")
async def test_what_another_account_holds_looks_like_what_does_not_exist(
    account: Account, wire: ContractWire, running: Served
) -> None:
    stranger = ContractWire(wire.client, running.installation.key())
    secret = await stranger.note("a secret")
    for item_id in (secret, new_id()):
        answers = [
            await wire.result("get_item", id=item_id),
            await wire.result("fetch", id=item_id),
            await wire.result("update_note", id=item_id, authoredContent="x", expectedVersion=1),
            await wire.result("update_tags", id=item_id, tags=[], expectedVersion=1),
            await wire.result("delete_item", id=item_id, expectedVersion=1),
        ]
        errors = {answer["structuredContent"]["error"]["code"] for answer in answers}
        texts = {answer["content"][0]["text"].replace(item_id, "ID") for answer in answers}
        assert (errors, len(texts)) == ({"NOT_FOUND"}, 1)
    mine = await wire.ok("save_note", id=secret, authoredContent="other")
    assert (mine["replayed"], (await stranger.item(secret))["content"]) == (False, "a secret")


@pytest.mark.claims("spaces.no-memory")
@pytest.mark.parametrize("kept", [ItemClass.AGENT_MEMORY, ItemClass.PROFILE])
async def test_memory_and_profile_are_shown_by_no_tool(account: Account, kept: ItemClass) -> None:
    wire = account.wire()
    note = await wire.note("needle of the note")
    hidden = account.put(MEMORY, kept)
    listed = await wire.ok("list_items")
    worded = await wire.ok("list_items", keyword="needle")
    searched = await wire.ok("search_hub", query="needle")
    alias = await wire.ok("search", query="needle")
    for answer in (listed, worded, searched, alias):
        assert [result["id"] for result in answer["results"]] == [note]
    for tool in ("get_item", "fetch"):
        assert await wire.refused(tool, id=hidden) == "NOT_FOUND"
    for tool in ("update_note", "update_tags", "delete_item"):
        assert await wire.refused(tool, **{"id": hidden, **WRITES[tool]}) == "NOT_FOUND"
