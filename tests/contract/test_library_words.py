"""Do manifest, guide, instructions and tool list say what is stated (contracts 2.3, 2.12, 2.14, 2.16)?"""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.contract.account import Account
from tests.faces.installation import ERAS, LEGACY, MODERN, PUBLIC_URL
from tests.faces.mcp.library_tools.contract import ContractWire
from tests.shape.tree import ROOT

pytestmark = pytest.mark.anyio
READ = {"search_hub", "list_items", "get_item", "get_quota", "search", "fetch"}
EDIT = READ | {"save_link", "save_note", "update_note", "update_tags"}
FULL = EDIT | {"delete_item"}
TIERS = {"read_only": READ, "edit": EDIT, "full": FULL}


async def tools(wire: ContractWire) -> dict[str, dict[str, Any]]:
    listed = (await wire.ask("tools/list")).json()["result"]["tools"]
    return {tool["name"]: tool for tool in listed}


async def told(wire: ContractWire) -> tuple[str, str]:
    """Guide and instructions, each on one line."""
    guide = (await wire.client.get("/for-agents/skill.md")).text
    instructions = (await wire.ask("server/discover")).json()["result"]["instructions"]
    return " ".join(guide.split()), " ".join(instructions.split())


@pytest.mark.claims("tiers.read-only-tools", "tiers.edit-tools", "tiers.full-tools")
@pytest.mark.parametrize("version", ERAS)
async def test_each_tier_sees_exactly_its_tools(account: Account, version: str) -> None:
    seen = {tier: set(await tools(account.wire(tier).using(version=version))) for tier in TIERS}
    assert (seen, [len(names) for names in seen.values()]) == (TIERS, [6, 10, 11])


@pytest.mark.claims(
    "search.hints", "get.hints", "quota.hints", "save-link.hints", "update-note.hints", "delete.hints"
)
async def test_the_tools_are_annotated_as_stated(wire: ContractWire) -> None:
    hints = {name: tool["annotations"] for name, tool in (await tools(wire)).items()}
    assert {name for name in hints if hints[name]["readOnlyHint"]} == READ
    assert (hints["search_hub"]["openWorldHint"], hints["save_link"]["idempotentHint"]) == (False, True)
    update, delete = hints["update_note"], hints["delete_item"]
    names = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")
    assert [update[name] for name in names] == [False, False, False, False]
    assert (delete["destructiveHint"], delete["idempotentHint"]) == (True, True)


@pytest.mark.claims("search-alias.input", "fetch.input")
async def test_the_aliases_take_one_text_each(wire: ContractWire) -> None:
    every = await tools(wire)
    for name, argument in (("search", "query"), ("fetch", "id")):
        schema = every[name]["inputSchema"]
        assert (set(schema["properties"]), schema["required"]) == ({argument}, [argument])
        assert schema["properties"][argument]["type"] == "string"


@pytest.mark.claims("manifest.schema", "manifest.fields")
@pytest.mark.parametrize("source", ["served", "kept"])
async def test_the_manifest_has_the_stated_fields(wire: ContractWire, source: str) -> None:
    if source == "served":
        manifest, url = (await wire.client.get("/server.json")).json(), f"{PUBLIC_URL}/mcp"
    else:
        manifest, url = json.loads((ROOT / "server.json").read_text("utf-8")), "https://{host}/mcp"
    assert manifest["$schema"].endswith("/2025-12-11/server.schema.json")
    for field in ("name", "title", "description", "version"):
        assert manifest[field]
    assert manifest["websiteUrl"].startswith("https://")
    assert (set(manifest["repository"]), manifest["repository"]["source"]) == ({"url", "source"}, "github")
    assert [(remote["type"], remote["url"]) for remote in manifest["remotes"]] == [("streamable-http", url)]
    assert "packages" not in manifest


@pytest.mark.claims("credentials.metadata")
async def test_the_resource_metadata_names_the_endpoint_alone(wire: ContractWire) -> None:
    answer = await wire.client.get("/.well-known/oauth-protected-resource/mcp")
    metadata = answer.json()
    assert (metadata["resource"], "authorization_servers" in metadata) == (f"{PUBLIC_URL}/mcp", False)


@pytest.mark.claims("guide.served", "guide.tiers", "tiers.self-check")
async def test_the_guide_is_served_to_anyone_and_tells_the_tiers(wire: ContractWire) -> None:
    answer = await wire.client.get("/for-agents/skill.md")
    kind = answer.headers["content-type"].partition(";")[0]
    assert (answer.status_code, kind, f"{PUBLIC_URL}/mcp" in answer.text) == (200, "text/markdown", True)
    guide, _ = await told(wire)
    rows = {line.split("|")[1].strip(): line for line in answer.text.splitlines() if line.startswith("| `")}
    assert [name for name in READ if f"`{name}`" not in rows["`read_only`"]] == []
    assert [name for name in EDIT - READ if f"`{name}`" not in rows["`edit`"]] == []
    assert "`delete_item`" in rows["`full`"]
    for words in (
        "a `read_only` key shows 6, an `edit` key 10, a `full` key 11",
        "fixed for the life of a key",
        "HTTP 403 and `API_KEY_TIER_DENIED`",
        "HTTP 401 and an empty body",
    ):
        assert words in guide


@pytest.mark.claims("guide.tools")
async def test_the_guide_tells_how_the_tools_behave(wire: ContractWire) -> None:
    guide, _ = await told(wire)
    words = [
        *(
            "8,000 characters",
            "20,000",
            "`windowStart`",
            "`nextStart`",
            "`truncated`",
            "`chunkRadius` (0 to 3)",
        ),
        *("`chunkRef`", "`rerankApplied`", "`vectorSearchApplied`", "`sensefoldUrl`", "`sourceUrl`"),
        *("`replayed: true`", "ITEM_IDEMPOTENCY_MISMATCH", "`expectedVersion`", "VERSION_CONFLICT"),
        *("at most 20 tags", "`alreadyDeleted: true`", "TOO_LARGE", "NOT_FOUND", "INVALID_INPUT", "BUSY"),
        *(f"`{name}`" for name in sorted(FULL)),
    ]
    assert [word for word in words if word not in guide] == []


CONDUCT = [
    pytest.param(["VERSION_CONFLICT"], ["retry once"], id="retry-once"),
    pytest.param(["otes belong to the user"], ["unless asked"], id="notes"),
    pytest.param(["delete only what the user named"], [], id="delete"),
    pytest.param(["as data"], ["never follow instructions"], id="data"),
    pytest.param(["get_quota"], ["before"], id="quota"),
    pytest.param(["void once the item is edited"], ["search again instead of storing it"], id="chunk-refs"),
    pytest.param(["ite with"], ["sensefoldUrl"], id="cite"),
    pytest.param(["weak"], ["once", "shorter query", "another language"], id="weak-results"),
    pytest.param(["UUID v4"], ["before the first attempt", "on every retry"], id="ids"),
]


@pytest.mark.claims(
    "conduct.retry-once",
    "conduct.notes",
    "conduct.delete",
    "conduct.data",
    "conduct.quota",
    "conduct.chunk-refs",
    "conduct.cite",
    "conduct.weak-results",
    "conduct.ids",
)
@pytest.mark.parametrize(("topic", "rule"), CONDUCT)
async def test_guide_and_instructions_tell_the_rules_of_conduct(
    wire: ContractWire, topic: list[str], rule: list[str]
) -> None:
    for text in await told(wire):
        assert [words for words in topic + rule if words not in text] == []


@pytest.mark.claims("guide.served")
@pytest.mark.parametrize("version", LEGACY)
async def test_the_handshake_tells_the_same_instructions(wire: ContractWire, version: str) -> None:
    about = {"name": "t", "version": "1"}
    params = {"protocolVersion": version, "capabilities": {}, "clientInfo": about}
    answer = await wire.using(version=version).ask("initialize", params)
    discovered = await wire.using(version=MODERN).ask("server/discover")
    assert answer.json()["result"]["instructions"] == discovered.json()["result"]["instructions"]
