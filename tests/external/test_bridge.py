"""Does a client that connected over the bridge before there was a server work once there is one?"""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Literal

import pytest
from mcp import StdioServerParameters
from mcp.client import Client
from mcp.client.stdio import stdio_client
from mcp_types import CallToolResult, TextContent

from tests.external.product import VADE, Product


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_client_that_was_there_before_the_server_works_once_it_runs(
    tmp_path: Path, mode: Literal["auto", "legacy"]
) -> None:
    product = Product(tmp_path / "data", {"VADE_EMBEDDER": "off", "VADE_RERANKER": "off"})
    product.extra["VADE_KEY"] = product.key()
    try:
        absent, present = asyncio.run(_calls(product, mode))
    finally:
        product.stop()
    assert (absent.is_error, "vade serve" in _text(absent)) == (True, True)
    assert (present.is_error, json.loads(_text(present))["count"]) == (False, 0)


async def _calls(product: Product, mode: Literal["auto", "legacy"]) -> tuple[CallToolResult, CallToolResult]:
    """What a call gives before the server runs, and afterwards in the same session."""
    words = [*VADE[1:], "bridge", "--face", "library"]
    started = StdioServerParameters(command=VADE[0], args=words, env=product.environment)
    # The output of tests may be caught in memory, which a process cannot write to.
    with (product.data.parent / "bridge.log").open("w", encoding="utf-8") as log:
        async with Client(stdio_client(started, log), mode=mode) as client:
            assert (await client.list_tools()).tools == []
            absent = await client.call_tool("list_items", {"limit": 1})
            await asyncio.to_thread(product.start)
            present = await client.call_tool("list_items", {"limit": 1})
            assert "list_items" in {tool.name for tool in (await client.list_tools()).tools}
            return absent, present


def _text(answer: CallToolResult) -> str:
    (block,) = answer.content
    assert isinstance(block, TextContent)
    return block.text
