"""Who gets past the guards, and what does every answer carry?"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace

import httpx2
import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import Message, Receive, Scope, Send

from vademecum.faces.http.guards import Guards, request_number
from vademecum.faces.http.options import HttpOptions

pytestmark = pytest.mark.anyio
OPTIONS = HttpOptions(
    public_url="https://vade.example.org", version="1", allowed_hosts=("nas.local:8484", "Vade.LAN", "")
)
Get = Callable[..., Awaitable[httpx2.Response]]


async def echo(scope: Scope, receive: Receive, send: Send) -> None:
    """Answers with the number of the request, or fails as asked."""
    request = Request(scope, receive)
    if request.url.path == "/crash":
        raise RuntimeError("secret-of-the-house")
    headers = {"content-security-policy": "default-src 'self'"} if request.url.path == "/own-policy" else {}
    await PlainTextResponse(request_number(scope), headers=headers)(scope, receive, send)


@pytest.fixture
def get() -> Get:
    transport = httpx2.ASGITransport(app=Guards(echo, OPTIONS))

    async def asked(path: str = "/", **headers: str) -> httpx2.Response:
        async with httpx2.AsyncClient(transport=transport, base_url="http://localhost:8484") as client:
            return await client.get(path, headers=headers)

    return asked


@pytest.mark.parametrize(
    "host",
    [
        "vade.example.org",
        "VADE.example.ORG:443",
        "nas.local:8484",
        "vade.lan",
        "vade.lan:99",
        "localhost",
        "localhost:8484",
        "127.0.0.1:1",
        "[::1]",
        "[::1]:8484",
    ],
)
async def test_our_own_hosts_are_let_in(get: Get, host: str) -> None:
    assert (await get(host=host)).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "vade.example.org.evil.example",
        "evil-vade.example.org",
        "nas.local",
        "nas.local:1",
        "localhost.evil.example",
        "localhost@evil.example",
        "localhost:8484.evil.example",
        "localhost:",
        "127.0.0.1.evil.example:8484",
        "[::1].evil.example",
        "[::1",
        "[::2]",
        "",
        ":8484",
        "0.0.0.0:8484",
    ],
)
async def test_a_foreign_host_is_refused_naming_the_setting(get: Get, host: str) -> None:
    refused = await get(host=host)
    named = ["VADE_PUBLIC_URL" in refused.text, "VADE_ALLOWED_HOSTS" in refused.text]
    assert (refused.status_code, named) == (421, [True, True])


async def test_two_hosts_are_refused() -> None:
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        return {"type": "http.disconnect"}

    headers = [(b"host", b"localhost"), (b"host", b"evil.example")]
    scope: Scope = {"type": "http", "method": "GET", "path": "/", "query_string": b"", "headers": headers}
    await Guards(echo, OPTIONS)(scope, receive, send)
    assert sent[0]["status"] == 421


@pytest.mark.parametrize(
    ("host", "origin"),
    [
        ("vade.example.org", "https://vade.example.org"),
        ("localhost:8484", "https://vade.example.org"),
        ("localhost:8484", "http://localhost:6274"),
        ("localhost:8484", "http://127.0.0.1:3000"),
        ("localhost:8484", "http://[::1]:3000"),
        ("vade.lan:8484", "http://vade.lan:8484"),
        ("localhost:8484", "http://nas.local:8484"),
        ("localhost:8484", "https://vade.lan"),
    ],
)
async def test_pages_of_our_own_may_ask(get: Get, host: str, origin: str) -> None:
    assert (await get(host=host, origin=origin)).status_code == 200


@pytest.mark.parametrize(
    "origin",
    [
        "https://evil.example",
        "http://vade.example.org",
        "https://vade.example.org:8443",
        "https://vade.example.org.evil.example",
        "http://localhost.evil.example",
        "null",
        "",
        "localhost",
        "file://",
        "chrome-extension://localhost",
        "http://nas.local:1",
    ],
)
async def test_any_other_origin_is_refused(get: Get, origin: str) -> None:
    refused = await get(origin=origin)
    assert (refused.status_code, "VADE_ALLOWED_HOSTS" in refused.text) == (403, True)


async def test_every_answer_carries_the_headers_and_its_own_number(get: Get) -> None:
    first, second, refused = await get(), await get(), await get(host="evil.example")
    for answer in (first, second, refused):
        assert {
            "x-content-type-options": "nosniff",
            "x-frame-options": "DENY",
            "referrer-policy": "no-referrer",
            "content-security-policy": "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
        }.items() <= dict(answer.headers).items()
    assert (first.text, second.text) == (first.headers["x-request-id"], second.headers["x-request-id"])
    assert len({first.text, second.text, refused.headers["x-request-id"]}) == 3


async def test_a_page_with_a_policy_of_its_own_keeps_it(get: Get) -> None:
    assert (await get("/own-policy")).headers.get_list("content-security-policy") == ["default-src 'self'"]


async def test_a_crash_is_one_line_in_the_log_and_a_number_to_the_caller(
    get: Get, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO):
        crashed = await get("/crash")
    number = crashed.headers["x-request-id"]
    assert (crashed.status_code, number in crashed.text, "secret" in crashed.text) == (500, True, False)
    assert [
        number in record.getMessage() for record in caplog.records if record.name == "vademecum.http"
    ] == [True]


async def test_what_is_for_this_machine_alone_names_no_setting_and_lets_no_page_in() -> None:
    options = replace(OPTIONS, machine_only=True)
    transport = httpx2.ASGITransport(app=Guards(echo, options))
    async with httpx2.AsyncClient(transport=transport, base_url="http://localhost:8484") as client:
        for host in ("vade.example.org", "nas.local:8484", "evil.example"):
            refused = await client.get("/", headers={"host": host})
            assert (refused.status_code, "VADE_" in refused.text) == (421, False)
        for origin in ("https://vade.example.org", "http://localhost:8484", "null", ""):
            refused = await client.get("/", headers={"origin": origin})
            assert (refused.status_code, "VADE_" in refused.text) == (403, False)
        assert (await client.get("/", headers={"host": "127.0.0.1:1"})).status_code == 200
