"""Does the vault's listener follow its switch, and whom does it let in?"""

from __future__ import annotations

import asyncio
import json
import logging
import socket
import stat
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.commands.vault_door import Door, a_door, free_port, until
from tests.external.product import Product
from tests.faces.installation import ERAS, Wire
from tests.faces.mcp.small_set import Seen
from vademecum.commands.vault_file import VaultFile
from vademecum.library.auditing import recent
from vademecum.library.connecting import person
from vademecum.library.spaces import archive_space, create_space
from vademecum.library.vault import open_space
from vademecum.model.revisions import ActorKind
from vademecum.model.vault import Switch

pytestmark = pytest.mark.anyio
OFF = {"VADE_EMBEDDER": "off", "VADE_RERANKER": "off"}
READABLE = ["look", "crash", "miss", "wait"]


@pytest.fixture
def anyio_backend() -> str:
    """The event loop that the server uses."""
    return "asyncio"


@pytest.fixture
def seen() -> Seen:
    return Seen()


@pytest.fixture
def door(tmp_path: Path, seen: Seen) -> Iterator[Door]:
    """A data folder whose vault is not yet served."""
    made = a_door(tmp_path / "data", seen.tools().tools)
    yield made
    made.app.close()


@pytest.fixture
async def open_door(door: Door) -> AsyncIterator[Door]:
    """One whose vault is served and published, to read."""
    async with door.serving():
        await door.turned(on=True)
        yield door


@pytest.fixture
async def wire(open_door: Door) -> AsyncIterator[Wire]:
    """A client of the open vault."""
    async with open_door.wire() as opened:
        yield opened


def answers(port: int) -> bool:
    """Whether anything listens on the port."""
    try:
        socket.create_connection(("127.0.0.1", port), 5).close()
    except OSError:
        return False
    return True


async def names(wire: Wire) -> list[str]:
    """The tools in the client's list."""
    answer = await wire.ask("tools/list")
    return [tool["name"] for tool in answer.json()["result"]["tools"]]


@pytest.mark.claims("vault.off-by-default")
async def test_nothing_listens_until_it_is_published(door: Door) -> None:
    port = door.app.settings.number("VAULT_PORT")
    async with door.serving():
        await until(door.file.is_served)
        assert not answers(port)
        await door.turned(on=True)
        assert answers(port)


@pytest.mark.claims("vault.while-served")
async def test_it_opens_and_closes_again_and_again_while_serving(open_door: Door) -> None:
    for _ in range(3):
        port = open_door.file.read().port
        assert port is not None
        await open_door.turned(on=False)
        assert not await asyncio.to_thread(answers, port)
        await open_door.turned(on=True)
        async with open_door.wire() as wire:
            assert await names(wire) == READABLE


async def test_it_follows_another_process_on_each_database(
    tmp_path: Path, seen: Seen, database_url: str
) -> None:
    door = a_door(tmp_path / "data", seen.tools().tools, DATABASE_URL=database_url)
    elsewhere = Product(tmp_path / "data", {**OFF, "VADE_DATABASE_URL": database_url})

    async def vade(*words: str) -> None:
        ran = await asyncio.to_thread(elsewhere.command, "vault", *words)
        assert ran.returncode == 0, ran.stderr

    try:
        async with door.serving():
            await until(door.file.is_served)
            await vade("publish", "on")
            async with door.wire() as wire:
                assert await names(wire) == READABLE
                await vade("write", "on")
                assert await names(wire) == ["look", "write", *READABLE[1:]]
                await vade("token", "--new")
                assert (await wire.ask("tools/list")).status_code == 401
            port = door.file.read().port
            await vade("publish", "off")
            assert port is not None
            assert not answers(port)
    finally:
        door.app.close()


@pytest.mark.claims("vault.loopback")
async def test_it_listens_on_this_machine_alone(open_door: Door) -> None:
    port = open_door.file.read().port
    assert port is not None
    with socket.socket() as probe:  # another address of this machine is free on the port
        probe.bind(("127.0.0.2", port))
        probe.listen()


@pytest.mark.claims("vault.port")
async def test_another_port_is_used_where_the_port_is_taken(door: Door) -> None:
    port = door.app.settings.number("VAULT_PORT")
    with socket.create_server(("127.0.0.1", port)):
        async with door.serving():
            await door.turned(on=True)
            assert door.file.read().port not in (None, port)
            async with door.wire() as wire:
                assert await names(wire) == READABLE


async def test_the_file_tells_where_it_is_to_its_owner_alone_and_no_longer_than_it_is_there(
    door: Door,
) -> None:
    async with door.serving():
        await door.turned(on=True)
        told = door.told()
        assert told["url"] == f"http://127.0.0.1:{told['port']}/mcp"
        assert str(told["token"]).startswith("vade_vault_")
        mode = (door.app.settings.inner / "vault.json").stat().st_mode
        assert stat.S_IMODE(mode) == 0o600
    assert door.told() == {"url": None, "port": None, "token": told["token"], "pid": None}
    assert not door.file.is_served()


@pytest.mark.parametrize("content", [None, b"", b"{", b"[]", b'{"port": "x", "token": 1}', b"[" * 100_000])
async def test_a_file_that_is_gone_or_spoilt_is_made_anew(door: Door, content: bytes | None) -> None:
    path = door.app.settings.inner / "vault.json"
    async with door.serving():
        await door.turned(on=True)
        port = door.file.read().port
        if content is None:
            path.unlink()
        else:
            path.write_bytes(content)
        token = door.file.ensure_token(door.app.library)
        await until(lambda: door.file.read().port == port)
        assert door.told()["token"] == token
        async with door.wire() as wire:
            assert await names(wire) == READABLE


async def test_what_a_killed_server_left_is_put_right_by_the_next(door: Door) -> None:
    door.file.keep_port(free_port())
    async with door.serving():
        await until(lambda: door.file.read().port is None)


@pytest.mark.claims("vault.token")
@pytest.mark.parametrize("version", ERAS)
async def test_every_request_needs_the_token(wire: Wire, version: str) -> None:
    for key in (None, "nonsense", f"{str(wire.key)[:-4]}AAAA"):
        for method in ("tools/list", "ping", "initialize", "server/discover"):
            answer = await wire.using(key=key, version=version).ask(method)
            error = answer.json()["error"]
            told = (answer.status_code, answer.json()["id"], error["code"], error["data"]["code"])
            assert told == (401, None, -32001, "UNAUTHORIZED")
            assert "vade vault connection" in error["data"]["message"]
            assert answer.headers["www-authenticate"] == "Bearer"
    assert (await wire.client.get("/mcp")).status_code == 401
    authorized = {"authorization": f"Bearer {wire.key}"}
    assert (await wire.client.get("/mcp", headers=authorized)).status_code == 405


@pytest.mark.claims("vault.origin")
@pytest.mark.parametrize(
    "origin",
    ["https://evil.example", "http://localhost", "http://127.0.0.1:27180", "null", "", "https://vade.test"],
)
async def test_a_request_with_an_origin_is_refused_whatever_it_says(wire: Wire, origin: str) -> None:
    answer = await wire.using(headers={"origin": origin}).call("look")
    assert (answer.status_code, "Origin" in answer.text) == (403, True)
    assert (await wire.client.get("/healthz", headers={"origin": origin})).status_code == 403


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "0.0.0.0", "vade.example.org"])
async def test_only_names_of_this_machine_are_answered(wire: Wire, host: str) -> None:
    answer = await wire.using(headers={"host": host}).call("look")
    assert (answer.status_code, "VADE_" in answer.text) == (421, False)
    for mine in ("localhost:1", "127.0.0.1", "[::1]:27180"):
        assert (await wire.using(headers={"host": mine}).call("look")).status_code == 200


async def test_nothing_but_the_tools_and_a_sign_of_life_is_served(wire: Wire) -> None:
    assert (await wire.client.get("/healthz")).text == "ok\n"
    assert (await wire.using(path="/mcp/").call("look")).status_code == 200
    for path in ("/", "/readyz", "/server.json", "/for-agents/skill.md", "/gateway/mcp", "/mcp/x"):
        answer = await wire.client.get(path, headers={"authorization": f"Bearer {wire.key}"})
        assert answer.status_code == 404, path


async def test_a_body_may_hold_an_attachment_of_twenty_megabytes_and_no_more_than_the_cap(wire: Wire) -> None:
    attached = "A" * (4 * 20 * 1024 * 1024 // 3)
    assert (await wire.call("look", unknown_argument_with_the_file=attached)).status_code == 200
    reading, writing = await asyncio.open_connection("127.0.0.1", wire.client.base_url.port)
    head = f"POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {wire.key}\r\nContent-Length: "
    writing.write(f"{head}{32 * 1024 * 1024 + 1}\r\n\r\n".encode())
    answer = await reading.read()
    writing.close()
    assert answer.startswith(b"HTTP/1.1 413 ")
    assert b"TOO_LARGE" in answer


@pytest.mark.claims("vault.switches", "vault.refused-by-result")
@pytest.mark.parametrize("version", ERAS)
async def test_a_tool_above_the_switches_is_refused_as_a_result_that_says_what_to_do(
    open_door: Door, wire: Wire, seen: Seen, version: str
) -> None:
    mine = wire.using(version=version)
    assert await names(mine) == READABLE
    for tool, command in (("write", "vade vault write on"), ("erase", "vade vault move on")):
        result = await mine.result(tool, text="x")
        assert result["isError"]
        assert command in result["content"][0]["text"]
        assert result["structuredContent"]["error"]["code"] == "SWITCHED_OFF"
    assert seen.callers == []
    open_door.turn(Switch.MOVE, on=True)
    assert await names(mine) == READABLE
    assert await mine.refused("erase") == "SWITCHED_OFF"


@pytest.mark.claims("vault.at-once")
async def test_a_client_with_an_old_list_is_judged_by_the_switches_as_they_are(
    open_door: Door, wire: Wire
) -> None:
    open_door.turn(Switch.WRITE, on=True)
    open_door.turn(Switch.MOVE, on=True)
    assert (await wire.ok("write", text="x"))["text"] == "x"
    assert (await wire.ok("erase", text="x"))["text"] == "x"
    open_door.turn(Switch.MOVE, on=False)
    assert await wire.refused("erase") == "SWITCHED_OFF"
    open_door.turn(Switch.WRITE, on=False)
    assert await wire.refused("write") == "SWITCHED_OFF"
    assert (await wire.ok("look", text="x"))["text"] == "x"


async def test_what_is_under_way_ends_well_and_nothing_new_gets_in_once_it_is_closed(
    open_door: Door, wire: Wire, seen: Seen
) -> None:
    slow = asyncio.create_task(wire.call("wait"))
    await asyncio.to_thread(seen.waiting.acquire)
    open_door.turn(Switch.PUBLISH, on=False)
    assert (await wire.call("look")).status_code == 401
    await until(lambda: open_door.file.read().port is None)
    assert not answers(wire.client.base_url.port or 0)
    await open_door.turned(on=True)  # while the last of the old listener is still under way
    async with open_door.wire() as again:
        assert (await again.call("look")).status_code == 200
    seen.release.set()
    assert (await slow).json()["result"]["structuredContent"]["text"] == "waited"


@pytest.mark.claims("vault.one-space")
async def test_the_open_space_is_the_only_one_and_changes_at_once(
    open_door: Door, wire: Wire, seen: Seen
) -> None:
    library = open_door.app.library
    owner = person(library, None)
    work = create_space(library, owner, "work", "Work")
    await wire.ok("look")
    open_space(library, "work")
    await wire.ok("look")
    assert [caller.spaces for caller in seen.callers] == [owner.spaces[:1], (work.space_id,)]
    assert {caller.actor_kind for caller in seen.callers} == {ActorKind.VAULT}
    archive_space(library, owner, "work")
    assert (await wire.call("look")).status_code == 401


async def test_a_read_is_audited_under_the_vault(open_door: Door, wire: Wire) -> None:
    await wire.ok("look")
    library = open_door.app.library
    owner = person(library, None)
    await until(lambda: recent(library, owner, 5))
    (row,) = recent(library, owner, 5)
    assert (row.tool, row.actor_kind, row.client_name) == ("look", "vault", "tests 1")
    assert row.credential_id is not None
    assert row.session_id is not None


async def test_of_two_servers_on_a_folder_one_holds_it_and_the_other_takes_over(door: Door) -> None:
    first, second = door.serving(), door.serving()
    await first.__aenter__()
    await door.turned(on=True)
    port = door.file.read().port
    await second.__aenter__()
    try:
        assert door.file.read().port == port
    finally:
        await first.__aexit__(None, None, None)
    try:
        await until(lambda: door.file.read().port is not None)
        async with door.wire() as wire:
            assert await names(wire) == READABLE
    finally:
        await second.__aexit__(None, None, None)


async def test_a_folder_that_cannot_be_written_is_told_and_tried_again(
    door: Door, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: Any) -> None:
        raise PermissionError("vault.json")

    monkeypatch.setattr(VaultFile, "ensure_token", fails)
    monkeypatch.setattr("vademecum.commands.vault_listening._PAUSE_AFTER_FAILURE", 0.01)
    with caplog.at_level(logging.WARNING):
        async with door.serving():
            door.turn(Switch.PUBLISH, on=True)
            await until(lambda: "does not follow its switch" in caplog.text)
            monkeypatch.undo()
            await until(lambda: door.file.read().port is not None)


async def test_the_token_stands_in_no_log(door: Door, caplog: pytest.LogCaptureFixture, seen: Seen) -> None:
    with caplog.at_level(logging.DEBUG):
        async with door.serving():
            await door.turned(on=True)
            async with door.wire() as wire:
                await wire.call("look")
                await wire.call("crash")
                await wire.post(b"{")
    secret = str(door.told()["token"]).removeprefix("vade_vault_")
    assert "the vault is open at" in caplog.text
    assert secret not in caplog.text
    assert json.dumps(secret) not in caplog.text
