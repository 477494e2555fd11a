"""Are requests carried side by side, cancelled and repeated as they have to be, over kept connections?"""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Barrier, Event, Thread

import pytest

from tests.bridge.program import MODERN, Bridge, bridge, note_vault
from tests.bridge.scripted import Request, Response, Script, Scripted, result, scripted

_SECONDS = 60.0


@contextmanager
def bridged(data: Path, script: Script = result) -> Iterator[tuple[Scripted, Bridge]]:
    with scripted(script) as server:
        note_vault(data, server.port)
        with bridge(data) as running:
            yield server, running


def test_eight_requests_are_under_way_at_once_and_the_ninth_waits(tmp_path: Path) -> None:
    together, free = Barrier(9), Event()

    def script(request: Request) -> Response:
        if request.message["id"] < 8:
            together.wait(_SECONDS)
            free.wait(_SECONDS)
        return result(request)

    with bridged(tmp_path, script) as (server, running):
        for number in range(9):
            running.send("tools/call", number)
        together.wait(_SECONDS)
        assert sorted(request.message["id"] for request in server.requests) == list(range(8))
        free.set()
        assert sorted(running.read()["id"] for _ in range(9)) == list(range(9))
        assert len({request.connection for request in server.requests}) == 8


def test_requests_one_after_another_use_one_connection(tmp_path: Path) -> None:
    with bridged(tmp_path) as (server, running):
        for number in range(5):
            running.ask("tools/call", number)
        assert len({request.connection for request in server.requests}) == 1


@pytest.mark.parametrize("params", [{}, MODERN], ids=["handshake", "stateless"])
def test_a_cancelled_request_ends_unanswered_and_its_connection_with_it(
    tmp_path: Path, params: dict[str, object]
) -> None:
    free = Event()

    def script(request: Request) -> Response | None:
        if request.message.get("id") == "slow":
            free.wait(_SECONDS)
        return result(request)

    with bridged(tmp_path, script) as (server, running):
        running.send("tools/call", "slow", **params)
        server.wait_for("tools/call")
        running.send("notifications/cancelled", requestId="slow", **params)
        running.ask("tools/list", 1, **params)
        free.set()
        code, answers, _ = running.end()
        # Had the request still been waited for, it would have been answered before the end.
        assert (code, answers) == (0, [])
        methods = {request.method for request in server.requests}
        # Without a handshake the end of the connection is the message.
        assert ("notifications/cancelled" in methods) == (not params)
        calls = [request.method for request in server.requests].count("tools/call")
        assert calls == 1


def test_a_request_cancelled_before_its_turn_is_never_sent(tmp_path: Path) -> None:
    free = Event()

    def script(request: Request) -> Response:
        if request.method == "tools/call":
            free.wait(_SECONDS)
        return result(request)

    with bridged(tmp_path, script) as (server, running):
        for number in range(8):
            running.send("tools/call", number)
        server.wait_for(*["tools/call"] * 8)
        running.send("resources/list", "late", **MODERN)
        running.send("notifications/cancelled", requestId="late", **MODERN)
        # A refusal is answered where lines are read, hence after the cancellation was.
        running.write(b"{\n")
        assert running.read()["error"]["code"] == -32700
        free.set()
        _, answers, _ = running.end()
        assert sorted(answer["id"] for answer in answers) == list(range(8))
        assert {request.method for request in server.requests} == {"tools/call"}


def test_more_than_the_bridge_can_hold_is_refused(tmp_path: Path) -> None:
    free = Event()

    def script(request: Request) -> Response:
        free.wait(_SECONDS)
        return result(request)

    with bridged(tmp_path, script) as (_, running):
        for number in range(257):
            running.send("tools/list", number)
        refused = running.read()
        assert (refused["id"], refused["error"]["code"]) == (256, -32000)
        free.set()
        _, answers, _ = running.end()
        assert sorted(answer["id"] for answer in answers) == list(range(256))


def test_a_call_after_the_server_closed_the_idle_connection_is_made_once(tmp_path: Path) -> None:
    with bridged(tmp_path, lambda request: result(request, closes=True)) as (server, running):
        for number in range(5):
            assert running.ask("tools/call", number)["result"] == {"seen": "tools/call"}
            assert server.closed.acquire(timeout=_SECONDS)
        assert [request.message["id"] for request in server.requests] == list(range(5))


def test_a_connection_is_not_used_again_where_the_answer_says_that_it_ends(tmp_path: Path) -> None:
    with bridged(tmp_path, lambda request: result(request, headers={"Connection": "close"})) as (
        server,
        running,
    ):
        for number in range(3):
            running.ask("tools/call", number)
        assert [request.message["id"] for request in server.requests] == list(range(3))


def test_a_call_that_may_have_been_carried_out_is_not_repeated(tmp_path: Path) -> None:
    with bridged(tmp_path, lambda _: None) as (server, running):
        error = running.ask("tools/call", 1)["error"]
        assert error["code"] == -32000
        assert "look before you repeat" in error["message"]
        assert len(server.requests) == 1


def test_what_only_reads_is_asked_once_more_when_the_connection_breaks(tmp_path: Path) -> None:
    def script(request: Request) -> Response | None:
        return result(request) if len(server.requests) > 1 else None

    with bridged(tmp_path, script) as (server, running):
        assert running.ask("tools/list", 1)["result"] == {"seen": "tools/list"}
        assert len(server.requests) == 2
    with bridged(tmp_path, lambda _: None) as (server, running):
        assert running.ask("tools/list", 1)["error"]["code"] == -32000
        assert len(server.requests) == 2


def test_an_answer_that_breaks_off_is_an_error(tmp_path: Path) -> None:
    def script(request: Request) -> Response:
        return result(request, headers={"Content-Length": "99999"}, closes=True)

    with bridged(tmp_path, script) as (_, running):
        assert running.ask("tools/call", 1)["error"]["code"] == -32000


@pytest.mark.parametrize(
    "hello", [b"220 mail.example.org ESMTP\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n"]
)
def test_a_program_of_another_kind_on_the_port_is_an_error(tmp_path: Path, hello: bytes) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def answer() -> None:
            connection, _ = listening.accept()
            with connection:
                connection.recv(65536)
                connection.sendall(hello)
                connection.recv(65536)  # until the bridge has had enough

        Thread(target=answer, daemon=True).start()
        note_vault(tmp_path, listening.getsockname()[1])
        with bridge(tmp_path) as running:
            assert running.ask("tools/call", 1)["error"]["code"] == -32000


def test_what_is_under_way_at_the_end_of_the_input_is_answered(tmp_path: Path) -> None:
    free = Event()

    def script(request: Request) -> Response:
        free.wait(_SECONDS)
        return result(request)

    with bridged(tmp_path, script) as (server, running):
        for number in range(12):
            running.send("tools/call", number)
        server.wait_for(*["tools/call"] * 8)
        free.set()
        code, answers, log = running.end()
        assert (code, sorted(answer["id"] for answer in answers), log) == (0, list(range(12)), "")
