"""Can a person open the vault at the command line, and see what is open?"""

from __future__ import annotations

import http.client
import json
import os
import shlex
import signal
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.commands.shell import Shell
from tests.commands.test_workers import processes_of, until
from tests.commands.vault_door import free_port
from tests.external.product import VADE, Product

OFF = {"VADE_EMBEDDER": "off", "VADE_RERANKER": "off"}
WORKERS = 3


@pytest.fixture(scope="module")
def product(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Product]:
    """A running server on an empty data folder."""
    folder = tmp_path_factory.mktemp("vault") / "data"
    with Product(folder, {**OFF, "VADE_VAULT_PORT": str(free_port())}) as running:
        yield running


def told(product: Product, *words: str) -> Any:
    """The JSON result of an action beside the server that succeeds."""
    done = product.command("vault", *words, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def status_of(url: str, token: str) -> int:
    """How the vault answers a question with the token."""
    port = int(url.split(":")[2].split("/", maxsplit=1)[0])
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        connection.request("POST", "/mcp", '{"jsonrpc": "2.0", "id": 1, "method": "ping"}', headers)
        return connection.getresponse().status
    finally:
        connection.close()


@pytest.mark.claims("vault.publish-waits", "vault.new-token")
def test_it_is_open_when_publishing_returns_and_a_new_token_ends_the_old(product: Product) -> None:
    assert told(product, "publish", "on")["publish"]
    shown = told(product, "connection")
    assert shown["url"] == f"http://127.0.0.1:{product.extra['VADE_VAULT_PORT']}/mcp"
    assert status_of(shown["url"], shown["token"]) == 200
    assert told(product, "connection")["token"] == shown["token"]
    new = told(product, "token", "--new")["token"]
    assert status_of(shown["url"], shown["token"]) == 401
    assert status_of(shown["url"], new) == 200
    assert told(product, "publish", "off")["url"] is None
    with pytest.raises(ConnectionRefusedError):
        status_of(shown["url"], new)
    told(product, "publish", "on")
    assert status_of(shown["url"], new) == 200


def test_neither_token_nor_hash_is_told_by_log_status_or_doctor(product: Product) -> None:
    told(product, "publish", "on")
    secret = told(product, "connection")["token"].removeprefix("vade_vault_")
    said = [
        product.command(*words) for words in (("vault", "status"), ("status",), ("doctor",), ("keys", "list"))
    ]
    texts = [done.stdout + done.stderr for done in said]
    texts.append((product.data.parent / "data.log").read_text("utf-8"))
    assert [text for text in texts if secret in text] == []
    held = [
        path for path in product.data.rglob("*") if path.is_file() and secret.encode() in path.read_bytes()
    ]
    assert [path.name for path in held] == ["vault.json"]


@pytest.mark.claims("vault.set-up")
def test_the_connection_comes_with_both_ways_to_register_it(product: Product) -> None:
    shown = told(product, "connection")
    bridge, direct = (shlex.split(shown["commands"][way]) for way in ("bridge", "http"))
    assert bridge[:7] == ["claude", "mcp", "add", "--scope", "user", "vademecum-vault", "--"]
    assert bridge[-3:] == ["bridge", "--data", str(product.data)]
    assert shown["token"] not in bridge
    assert direct[:6] == ["claude", "mcp", "add", "--scope", "user", "--transport"]
    assert direct[6:] == [
        "http",
        "vademecum-vault",
        shown["url"],
        "--header",
        f"Authorization: Bearer {shown['token']}",
    ]
    lines = product.command("vault", "connection").stdout
    assert [part for part in (shown["url"], *shown["commands"].values()) if part not in lines] == []


def test_one_of_several_processes_holds_it_and_another_takes_its_place(tmp_path: Path) -> None:
    port = free_port()
    team = Product(
        tmp_path / "data", {**OFF, "VADE_VAULT_PORT": str(port)}, words=("--workers", str(WORKERS))
    )
    with team:
        until(lambda: len(processes_of(team)) == WORKERS)
        told(team, "publish", "on")
        shown = told(team, "connection")
        assert status_of(shown["url"], shown["token"]) == 200
        holder = json.loads((team.data / ".vade" / "vault.json").read_text("utf-8"))["pid"]
        assert holder in processes_of(team)
        assert team.ended_by(signal.SIGTERM) == 0
    with pytest.raises(ConnectionRefusedError):
        status_of(shown["url"], shown["token"])


def test_publishing_without_a_server_sets_the_switch_and_says_so(shell: Shell) -> None:
    ran = shell.run("vault", "publish", "on", "--json")
    assert (ran.code, ran.result["publish"], ran.result["url"]) == (0, True, None)
    assert "No server runs" in ran.messages
    assert shell.run("vault", "publish", "off").messages == ""


def test_the_switches_are_told_and_turned_one_by_one(shell: Shell) -> None:
    off = {"publish": False, "write": False, "move": False, "space": "me", "url": None}
    assert shell.ok("vault", "status") == off
    for switch in ("write", "move"):
        assert shell.ok("vault", switch, "on")[switch]
    assert shell.ok("vault", "write", "off") == {**off, "move": True}
    assert shell.ok("vault", "status") == {**off, "move": True}


def test_moving_without_writing_may_be_set_and_is_told(shell: Shell) -> None:
    ran = shell.run("vault", "move", "on")
    assert (ran.code, "vade vault write on" in ran.messages) == (0, True)
    assert shell.run("vault", "write", "on").messages == ""


def test_another_space_is_opened_by_its_name(shell: Shell) -> None:
    shell.ok("spaces", "create", "work")
    assert shell.ok("vault", "open", "work")["space"] == "work"
    assert "NOT_FOUND" in shell.refused(1, "vault", "open", "nowhere")
    shell.ok("vault", "open", "me")
    shell.ok("spaces", "archive", "work")
    assert "NOT_PERMITTED" in shell.refused(1, "vault", "open", "work")


def test_the_connection_is_told_before_anything_is_served(shell: Shell) -> None:
    ran = shell.run("vault", "connection", "--json")
    assert ran.result["url"] == "http://127.0.0.1:27180/mcp"
    assert "vade vault publish on" in ran.messages
    assert ran.result["token"].startswith("vade_vault_")


def test_the_default_data_folder_is_not_named_to_the_bridge(tmp_path: Path) -> None:
    kept = {name: text for name, text in os.environ.items() if not name.startswith("VADE_")}
    done = subprocess.run(
        [*VADE, "vault", "connection", "--json"],
        env={**kept, **OFF, "HOME": str(tmp_path)},
        capture_output=True,
        timeout=120,
        check=True,
    )
    assert shlex.split(json.loads(done.stdout)["commands"]["bridge"])[-1] == "bridge"
    assert (tmp_path / "Vademecum" / ".vade" / "vault.json").exists()


def test_status_and_doctor_tell_how_the_vault_stands(shell: Shell) -> None:
    assert shell.ok("status")["vault"] == {"publish": False, "write": False, "move": False}
    assert "vault" not in shell.run("doctor").text + shell.run("status").text
    shell.run("vault", "publish", "on")
    shell.ok("vault", "write", "on")
    assert shell.ok("doctor")["vault"] == {"publish": True, "write": True, "move": False}
    for command in ("status", "doctor"):
        assert "open, to read and write" in shell.run(command).text


def test_a_taken_port_is_told_as_another(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with Product(tmp_path / "data", {**OFF, "VADE_VAULT_PORT": str(port)}) as product:
            url = told(product, "publish", "on")["url"]
            shown = told(product, "connection")
            assert shown["url"] == url
            assert f":{port}/" not in url
            assert status_of(url, shown["token"]) == 200
