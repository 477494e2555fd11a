"""What does the vault tool set say of itself?"""

from __future__ import annotations

from tests.faces.mcp.small_set import Seen
from vademecum.faces.mcp.vault_tools.toolset import VAULT_TOOLS, vault_tool_set
from vademecum.model.access import Tier, ToolSet


def test_the_beginning_of_its_instructions_stands_on_its_own() -> None:
    beginning = VAULT_TOOLS.instructions[:512]
    assert [word for word in ("vault", "unverified input", "version") if word not in beginning] == []
    assert len(VAULT_TOOLS.instructions) < 4000


def test_it_is_reached_by_the_token_alone_and_refuses_by_results() -> None:
    assert (VAULT_TOOLS.tool_set, VAULT_TOOLS.path, VAULT_TOOLS.least_scope) == (ToolSet.VAULT, "/mcp", None)
    assert not VAULT_TOOLS.forbids_by_status


def test_tools_stand_in_the_order_of_the_switches() -> None:
    """Reading, writing, moving: a client's list grows at its end when a switch is turned on."""
    order = list(Tier)
    tiers = [order.index(tool.tier) for tool in VAULT_TOOLS.tools]
    assert tiers == sorted(tiers)
    tools = Seen().tools().tools
    assert vault_tool_set(tools).tools == tools
