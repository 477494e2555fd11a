"""Do several processes serve together as one server would?"""

from __future__ import annotations

import http.client
import os
import signal
import socket
import subprocess
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.external.product import Product
from tests.providers.web_server import WebServer, response, serving
from vademecum.commands.serving import listening
from vademecum.faces.http.serving import Listening
from vademecum.settings import read_settings

OFF = {"VADE_EMBEDDER": "off", "VADE_RERANKER": "off"}
WORKERS = 3
LINKS = 4
SECONDS = 60


def until(holds: Callable[[], bool]) -> None:
    """Wait for an event of other processes."""
    end = time.monotonic() + SECONDS
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.05)


def processes_of(product: Product) -> list[int]:
    """The processes that answer, which are those that were started from a function of ours."""
    listed = subprocess.run(
        ["ps", "-A", "-ww", "-o", "pid=,ppid=,command="], capture_output=True, text=True, check=True
    )
    rows = [line.split(maxsplit=2) for line in listed.stdout.splitlines()]
    return [
        int(row[0]) for row in rows if row[1] == str(product.process_id) and "spawn_main" in "".join(row[2:])
    ]


def who_answers(port: int, ask: int) -> set[str]:
    """What sets apart the processes that answered that many connections, all open at once."""
    open_ones = [http.client.HTTPConnection("127.0.0.1", port, timeout=30) for _ in range(ask)]
    try:
        for one in open_ones:
            one.request("GET", "/healthz")
        return {str(one.getresponse().getheader("x-request-id"))[:8] for one in open_ones}
    finally:
        for one in open_ones:
            one.close()


def is_alive(port: int) -> bool:
    try:
        return bool(who_answers(port, 1))
    except OSError:
        return False


@dataclass
class Pages:
    """A site whose pages note how many of them are asked for at once."""

    at_once: list[int] = field(default_factory=list)
    _under_way: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def answer(self, connection: socket.socket) -> None:
        with self._lock:
            self._under_way += 1
            self.at_once.append(self._under_way)
        time.sleep(0.3)  # only so that another process, if one asked too, would be met
        with self._lock:
            self._under_way -= 1
        connection.sendall(response(b"<html><body><p>" + b"A halyard hoists a sail. " * 30))


@pytest.fixture
def pages() -> Pages:
    return Pages()


@pytest.fixture
def web(pages: Pages) -> Iterator[WebServer]:
    with serving({f"/{number}": pages.answer for number in range(LINKS)}) as running:
        yield running


@pytest.fixture
def team(database_url: str, web: WebServer, tmp_path: Path) -> Iterator[Product]:
    """A running server of several processes."""
    extra = {**OFF, "VADE_DATABASE_URL": database_url, "VADE_FETCH_PRIVATE": f"127.0.0.1:{web.port}"}
    with Product(tmp_path / "data", extra, words=("--workers", str(WORKERS))) as running:
        yield running


def capture(product: Product, web: WebServer, amount: int) -> list[str]:
    """Save that many links, and tell what became of each once all captures have ended."""
    links = {str(uuid.uuid4()): web.url(f"/{number}", "127.0.0.1") for number in range(amount)}
    with product.client(product.key()) as client:

        def statuses() -> list[str]:
            return [client.call("save_link", id=one, url=url)["status"] for one, url in links.items()]

        until(lambda: not {"queued", "processing"} & set(statuses()))
        return statuses()


def test_all_answer_on_one_port_and_one_works_off_the_jobs(
    team: Product, web: WebServer, pages: Pages
) -> None:
    until(lambda: len(who_answers(team.port, 4 * WORKERS)) > 1)
    assert capture(team, web, LINKS) == ["ready"] * LINKS
    assert (max(pages.at_once), len(web.requests)) == (1, LINKS)
    key, item_id = team.key(), str(uuid.uuid4())
    team.call(key, "save_note", id=item_id, authoredContent="A zyzzyva.")
    for _ in range(2 * WORKERS):  # each on a connection of its own
        assert team.call(key, "search_hub", query="zyzzyva")["count"] == 1
    assert team.ended_by(signal.SIGTERM) == 0
    assert not is_alive(team.port)


def test_what_ends_by_accident_is_replaced_and_goes_on_working(team: Product, web: WebServer) -> None:
    until(lambda: len(processes_of(team)) == WORKERS)
    before = processes_of(team)
    for one in before:
        os.kill(one, signal.SIGKILL)
    until(lambda: len(set(processes_of(team)) - set(before)) == WORKERS)
    until(lambda: is_alive(team.port))
    assert capture(team, web, 1) == ["ready"]
    assert "another takes its place" in (team.data.parent / "data.log").read_text("utf-8")
    assert team.ended_by(signal.SIGINT) == 0


def test_none_outlives_the_process_that_started_them(team: Product) -> None:
    until(lambda: len(who_answers(team.port, 4 * WORKERS)) > 1)
    assert team.ended_by(signal.SIGKILL) == -signal.SIGKILL
    until(lambda: not is_alive(team.port))


def test_a_port_in_use_is_a_failure_and_a_senseless_number_is_wrong_usage(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        product = Product(tmp_path / "data", OFF)
        port = str(taken.getsockname()[1])
        done = product.command("serve", "--workers", "2", "--port", port)
        assert (done.returncode, port in done.stderr) == (1, True)
    for number in ("0", "-1", "x", "1000"):
        done = product.command("serve", "--workers", number)
        assert (done.returncode, "--workers" in done.stderr) == (2, True)


def test_the_server_believes_the_proxies_that_the_settings_name_and_by_default_none() -> None:
    named = {"VADE_TRUSTED_PROXIES": "192.0.2.1, 10.0.0.0/8", "VADE_HOST": "0.0.0.0", "VADE_PORT": "9000"}
    assert listening(read_settings({}, named)) == Listening("0.0.0.0", 9000, ("10.0.0.0/8", "192.0.2.1"))
    assert listening(read_settings({}, {})).trusted_proxies == ()
