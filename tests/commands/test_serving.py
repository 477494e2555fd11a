"""Do commands work beside a running server and take effect on it at once?"""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.external.product import VADE, CallFailedError, Product

OFF = {"VADE_EMBEDDER": "off", "VADE_RERANKER": "off"}


@pytest.fixture(scope="module")
def product(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Product]:
    """A running server on an empty data folder."""
    with Product(tmp_path_factory.mktemp("serving") / "data", OFF) as running:
        yield running


def told(product: Product, *words: str) -> Any:
    """The JSON result of a command that succeeds beside the server."""
    done = product.command(*words, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_key_works_from_when_it_is_made_until_it_is_revoked(product: Product) -> None:
    made = told(product, "keys", "create", "--name", "x", "--face", "library", "--tier", "full")
    with product.client(made["key"]) as client:
        assert client.call("get_quota")["tier"] == "full"
        told(product, "keys", "revoke", made["id"])
        with pytest.raises(CallFailedError) as refused:
            client.call("get_quota")
    assert refused.value.status == 401


def test_what_is_imported_beside_the_server_is_found_by_its_next_search(
    product: Product, tmp_path: Path
) -> None:
    (tmp_path / "halyard.md").write_text("The spinnaker halyard.", encoding="utf-8")
    assert told(product, "import", str(tmp_path / "halyard.md"))["imports"][0]["added"] == 1
    (found,) = product.call(product.key("read_only"), "search_hub", query="spinnaker")["results"]
    assert found["title"] == "halyard"
    assert found["sensefoldUrl"] == f"http://localhost:{product.port}/i/{found['id']}"


def test_what_an_agent_writes_is_seen_by_the_commands_and_taken_back_by_them(product: Product) -> None:
    key, item_id = product.key(), str(uuid.uuid4())
    with product.client(key) as client:
        client.call("save_note", id=item_id, authoredContent="First", hubTitle="Note of an agent")
        client.call("update_note", id=item_id, authoredContent="Second", expectedVersion=1)
        tools = [one["tool"] for one in told(product, "history", item_id)["revisions"]]
        assert tools == ["update_note", "save_note"]
        assert told(product, "revert", item_id, "1")["version"] == 3
        item = client.call("get_item", id=item_id)["item"]
        assert (item["content"], item["version"]) == ("First", 3)
        client.call("delete_item", id=item_id, expectedVersion=3)
        told(product, "trash", "restore", item_id)
        assert client.call("get_item", id=item_id)["item"]["version"] == 5
    assert told(product, "doctor")["damage"] == 0


def test_reindexing_beside_the_server_disturbs_no_one(product: Product) -> None:
    key, item_id = product.key(), str(uuid.uuid4())
    product.call(key, "save_note", id=item_id, authoredContent="A zyzzyva.")
    report = told(product, "reindex")
    assert report["reindexed"] == report["items"] >= 1
    assert product.call(key, "search_hub", query="zyzzyva")["count"] == 1


def test_a_port_in_use_is_a_failure(product: Product, tmp_path: Path) -> None:
    other = Product(tmp_path / "other", OFF)
    done = other.command("serve", "--port", str(product.port))
    assert done.returncode == 1
    assert str(product.port) in done.stderr


def test_the_port_of_the_command_line_wins(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    product = Product(tmp_path / "data", {**OFF, "VADE_PORT": "1"})
    product.port = port
    command = [*VADE, "serve", "--port", str(port)]
    with subprocess.Popen(command, env=product.environment, stderr=subprocess.PIPE) as running:
        assert running.stderr is not None
        said = running.stderr.readline()
        while b"/mcp" not in said:
            said += running.stderr.readline()
        assert str(port).encode() in said
        while not _alive(port):
            assert running.poll() is None
        running.send_signal(signal.SIGTERM)
        running.stderr.read()
        assert running.wait(60) == 0


def _alive(port: int) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == 200
    except OSError:
        return False
    finally:
        connection.close()


def test_the_key_is_not_told_by_the_log(tmp_path: Path) -> None:
    product = Product(tmp_path / "data", {**OFF, "VADE_LOG_LEVEL": "debug"})
    key = product.key()
    with product:
        product.call(key, "get_quota")
        product.stop(signal.SIGTERM)
    log = (tmp_path / "data.log").read_text(encoding="utf-8")
    assert "/mcp" in log
    assert key not in log
    assert key[20:] not in log


def test_a_worker_runs_until_it_is_told_to_stop(tmp_path: Path) -> None:
    product = Product(tmp_path / "data", OFF)
    with subprocess.Popen([*VADE, "work"], env=product.environment, stderr=subprocess.PIPE) as running:
        assert running.stderr is not None
        assert running.stderr.readline()
        os.kill(running.pid, signal.SIGINT)
        running.stderr.read()
        assert running.wait(60) == 0
