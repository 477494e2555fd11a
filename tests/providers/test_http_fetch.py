"""What is fetched, and what is refused before or while it is read?"""

from __future__ import annotations

import gzip
import socket
import threading
import zlib
from typing import Any

import httpcore2
import pytest

from tests.providers.web_server import Answer, WebServer, redirect, response, serving
from vademecum.model.errors import FetchRefused
from vademecum.ports.fetch import FetchedPage, FetchReason
from vademecum.providers.http_fetch import FetchLimits, HttpFetcher
from vademecum.providers.network_guard import system_resolver

PAGE = b"<!doctype html><title>Tide tables</title><p>High water at noon.</p>"


class DialCounter(httpcore2.NetworkBackend):
    """A network that notes where somebody wanted to connect, and connects nowhere."""

    def __init__(self) -> None:
        self.dialled: list[tuple[str, int]] = []

    def connect_tcp(self, host: str, port: int, *_: Any, **__: Any) -> httpcore2.NetworkStream:
        self.dialled.append((host, port))
        raise httpcore2.ConnectError("there is no network")


def numeric(host: str, port: int) -> list[str]:
    """Resolve every spelling of an address, and `localhost`, without asking the network."""
    if host.rstrip(".") == "localhost":
        return ["127.0.0.1", "::1"]
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_NUMERICHOST)
    return [str(entry[4][0]) for entry in found]


def fetcher(server: WebServer, limits: FetchLimits | None = None) -> HttpFetcher:
    return HttpFetcher(server.private, limits)


def refusal(fetcher: HttpFetcher, url: str) -> tuple[str, bool]:
    with pytest.raises(FetchRefused) as refused:
        fetcher.fetch(url)
    assert isinstance(refused.value.reason, FetchReason)
    return refused.value.reason, refused.value.passing


REFUSED_ADDRESSES = {
    "http://127.0.0.1/": FetchReason.PRIVATE,
    "http://localhost/": FetchReason.PRIVATE,
    "http://localhost./": FetchReason.PRIVATE,
    "http://0.0.0.0/": FetchReason.PRIVATE,
    "http://0/": FetchReason.PRIVATE,
    "http://2130706433/": FetchReason.PRIVATE,
    "http://0x7f.1/": FetchReason.PRIVATE,
    "http://0x7f000001/": FetchReason.PRIVATE,
    "http://017700000001/": FetchReason.PRIVATE,
    "http://127.1/": FetchReason.PRIVATE,
    "http://[::1]/": FetchReason.PRIVATE,
    "http://[::]/": FetchReason.PRIVATE,
    "http://[::ffff:127.0.0.1]/": FetchReason.PRIVATE,
    "http://[::ffff:7f00:1]/": FetchReason.PRIVATE,
    "http://[::127.0.0.1]/": FetchReason.PRIVATE,
    "http://[64:ff9b::7f00:1]/": FetchReason.PRIVATE,
    "http://[64:ff9b:1::1]/": FetchReason.PRIVATE,
    "http://[2002:7f00:1::]/": FetchReason.PRIVATE,
    "http://[fd00::1]/": FetchReason.PRIVATE,
    "http://[fe80::1]/": FetchReason.PRIVATE,
    "http://[fec0::1]/": FetchReason.PRIVATE,
    "http://169.254.169.254/latest/meta-data/": FetchReason.PRIVATE,
    "http://10.0.0.1/": FetchReason.PRIVATE,
    "http://172.16.0.1/": FetchReason.PRIVATE,
    "http://192.168.1.1/": FetchReason.PRIVATE,
    "https://100.64.0.1/": FetchReason.PRIVATE,
    "http://192.0.0.8/": FetchReason.PRIVATE,
    "http://192.88.99.1/": FetchReason.PRIVATE,
    "http://198.18.0.1/": FetchReason.PRIVATE,
    "http://224.0.0.1/": FetchReason.PRIVATE,
    "http://240.0.0.1/": FetchReason.PRIVATE,
    "http://255.255.255.255/": FetchReason.PRIVATE,
    "http://reader:secret@example.org/": FetchReason.ADDRESS,
    "http://example.org@127.0.0.1/": FetchReason.ADDRESS,
    "file:///etc/passwd": FetchReason.SCHEME,
    "gopher://127.0.0.1/": FetchReason.SCHEME,
    "ftp://example.org/": FetchReason.SCHEME,
    "javascript:alert(1)": FetchReason.SCHEME,
    "data:text/html,x": FetchReason.SCHEME,
    "example.org/page": FetchReason.SCHEME,
    "http://127.0.0.1:6379/": FetchReason.PORT,
    "http://example.org:22/": FetchReason.PORT,
    "http:///etc/passwd": FetchReason.ADDRESS,
    "http://exa mple.org/": FetchReason.NAME,
    "http://example.org/" + "a" * 5000: FetchReason.ADDRESS,
}


@pytest.mark.parametrize(("url", "reason"), REFUSED_ADDRESSES.items())
def test_a_hostile_address_is_refused_and_nothing_is_dialled(url: str, reason: FetchReason) -> None:
    network = DialCounter()
    assert refusal(HttpFetcher(resolve=numeric, network=network), url) == (reason, False)
    assert network.dialled == []


def test_a_host_in_circled_digits_is_refused_and_nothing_is_dialled() -> None:
    network = DialCounter()
    reason, _ = refusal(
        HttpFetcher(resolve=numeric, network=network), "http://\u2460\u2461\u2466.\u24ea.\u24ea.\u2460/"
    )
    assert reason in (FetchReason.ADDRESS, FetchReason.PRIVATE)
    assert network.dialled == []


def test_a_name_is_resolved_once_and_the_checked_address_is_dialled() -> None:
    network, asked = DialCounter(), []

    def resolve(host: str, port: int) -> list[str]:
        asked.append((host, port))
        return ["93.184.216.34"]

    assert refusal(HttpFetcher(resolve=resolve, network=network), "https://example.org/") == (
        FetchReason.CONNECTION,
        True,
    )
    assert asked == [("example.org", 443)]
    assert network.dialled == [("93.184.216.34", 443)]


def test_every_address_of_a_name_is_tried_in_turn() -> None:
    network = DialCounter()
    found = ["93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946"]
    refusal(HttpFetcher(resolve=lambda _host, _port: found, network=network), "http://example.org/")
    assert network.dialled == [(address, 80) for address in found]


def test_a_name_that_turns_private_between_two_requests_is_refused_at_the_second() -> None:
    """The name is public when first asked and loopback when the redirect leads to it again."""
    with serving({"/": redirect("/again"), "/again": response(PAGE)}) as server:
        answers = [["93.184.216.34"], ["127.0.0.1"]]
        network = Rerouted(server.port)
        rebinding = HttpFetcher(resolve=lambda _host, _port: answers.pop(0), network=network)
        assert refusal(rebinding, "http://rebind.test/") == (FetchReason.PRIVATE, False)
        assert network.dialled == ["93.184.216.34"]
        assert server.paths == ["/"]


class Rerouted(httpcore2.SyncBackend):
    """A network in which every address is the test's own server."""

    def __init__(self, port: int) -> None:
        self._port = port
        self.dialled: list[str] = []

    def connect_tcp(self, host: str, *_: Any, **__: Any) -> httpcore2.NetworkStream:
        self.dialled.append(host)
        return super().connect_tcp("127.0.0.1", self._port)


@pytest.mark.parametrize(
    ("location", "reason"),
    [
        ("http://169.254.169.254/latest/meta-data/", FetchReason.PRIVATE),
        ("http://localhost/", FetchReason.PRIVATE),
        ("//[::1]/", FetchReason.PRIVATE),
        ("file:///etc/passwd", FetchReason.SCHEME),
        ("http://user@example.org/", FetchReason.ADDRESS),
        ("http://example.org:22/", FetchReason.PORT),
        ("http://example.org:99999/", FetchReason.PORT),
        ("/", FetchReason.REDIRECTS),
        ("", FetchReason.RESPONSE),
    ],
)
def test_a_redirect_is_judged_like_a_first_address(location: str, reason: FetchReason) -> None:
    with serving({"/": redirect(location)}) as server:
        assert refusal(fetcher(server), server.url()) == (reason, False)


def test_five_redirects_are_followed_and_six_are_not() -> None:
    hops = {f"/{n}": redirect(f"/{n + 1}") for n in range(6)}
    with serving({**hops, "/6": response(PAGE)}) as server:
        assert fetcher(server).fetch(server.url("/1")).address == server.url("/6")
        assert refusal(fetcher(server), server.url("/0"))[0] is FetchReason.REDIRECTS


def test_a_location_with_spaces_and_other_scripts_is_followed() -> None:
    target = "/%E6%B8%AF%20a"
    with serving({"/": redirect("/\u6e2f a".encode().decode("latin-1")), target: response(PAGE)}) as server:
        assert fetcher(server).fetch(server.url()).address == server.url(target)


def test_a_meta_refresh_is_not_followed() -> None:
    body = b'<html><meta http-equiv="refresh" content="0; url=http://169.254.169.254/">'
    with serving({"/": response(body)}) as server:
        page = fetcher(server).fetch(server.url("/#part"))
    assert page == FetchedPage(server.url(), 200, "text/html", "utf-8", body)
    assert server.paths == ["/"]


def test_no_cookie_credential_or_proxy_of_the_environment_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9/")
    with serving({"/": response(PAGE, Set_Cookie="id=1"), "/b": response(PAGE)}) as server:
        reader = fetcher(server)
        reader.fetch(server.url())
        reader.fetch(server.url("/b"))
    sent = "\n".join(server.requests).lower()
    assert len(server.requests) == 2
    assert f"host: localhost:{server.port}" in sent
    assert not any(header in sent for header in ("cookie:", "authorization:", "referer:"))


STATUSES = {
    "401 Unauthorized": (FetchReason.BLOCKED, False),
    "403 Forbidden": (FetchReason.BLOCKED, False),
    "404 Not Found": (FetchReason.NOT_FOUND, False),
    "410 Gone": (FetchReason.NOT_FOUND, False),
    "418 Teapot": (FetchReason.REFUSED_BY_SITE, False),
    "429 Too Many Requests": (FetchReason.BLOCKED, True),
    "500 Internal Server Error": (FetchReason.SERVER, True),
    "503 Service Unavailable": (FetchReason.BLOCKED, True),
    "304 Not Modified": (FetchReason.REFUSED_BY_SITE, False),
}


@pytest.mark.parametrize(("status", "expected"), STATUSES.items())
def test_a_status_tells_whether_a_later_try_may_succeed(status: str, expected: tuple[str, bool]) -> None:
    with serving({"/": response(b"", status)}) as server:
        assert refusal(fetcher(server), server.url()) == expected


def drip(connection: socket.socket) -> None:
    """A body that never ends, one byte at a time, so that no single read times out."""
    connection.sendall(response(PAGE, Content_Length="100000"))
    never = threading.Event()
    while not never.wait(0.02):
        connection.sendall(b".")


def slow_head(connection: socket.socket) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\n")
    never = threading.Event()
    while not never.wait(0.02):
        connection.sendall(b"X-A: b\r\n")


@pytest.mark.parametrize("answer", [drip, slow_head])
def test_a_page_that_does_not_end_is_given_up_when_the_whole_time_is_over(answer: Answer) -> None:
    with serving({"/": answer}) as server:
        hurried = fetcher(server, FetchLimits(seconds=0.4))
        assert refusal(hurried, server.url()) == (FetchReason.TOO_SLOW, True)


SMALL = FetchLimits(body_bytes=1000)
BOMB = b"a" * 900_000
LARGE_BODIES = {
    "told": response(b"a" * 1001),
    "untold": response(b"a" * 1001, Content_Length=""),
    "gzip bomb": response(gzip.compress(BOMB), Content_Encoding="gzip"),
    "gzip in two members": response(gzip.compress(b"a" * 501) * 2, Content_Encoding="gzip"),
    "zlib bomb": response(zlib.compress(BOMB), Content_Encoding="deflate"),
}


@pytest.mark.parametrize("answer", LARGE_BODIES.values(), ids=LARGE_BODIES.keys())
def test_a_body_over_the_limit_is_refused_however_it_is_sent(answer: bytes) -> None:
    with serving({"/": answer}) as server:
        assert refusal(fetcher(server, SMALL), server.url()) == (FetchReason.TOO_LARGE, False)


RAW = zlib.compressobj(wbits=-15)
ENCODED = {
    "identity": (PAGE, ""),
    "gzip": (gzip.compress(PAGE), "gzip"),
    "gzip in two members": (gzip.compress(PAGE[:20]) + gzip.compress(PAGE[20:]), "gzip"),
    "zlib": (zlib.compress(PAGE), "deflate"),
    "bare deflate": (RAW.compress(PAGE) + RAW.flush(), "deflate"),
}


@pytest.mark.parametrize(("body", "encoding"), ENCODED.values(), ids=ENCODED.keys())
def test_every_encoding_that_is_asked_for_gives_the_same_page(body: bytes, encoding: str) -> None:
    with serving({"/": response(body, Content_Encoding=encoding)}) as server:
        assert fetcher(server).fetch(server.url()).body == PAGE


BROKEN = {
    "length too large": response(PAGE, Content_Length="5000"),
    "cut gzip": response(gzip.compress(PAGE)[:-9], Content_Encoding="gzip"),
    "no gzip": response(PAGE, Content_Encoding="gzip"),
    "unknown encoding": response(PAGE, Content_Encoding="br"),
    "twice encoded": response(PAGE, Content_Encoding="gzip, gzip"),
    "no http": b"SSH-2.0-OpenSSH\r\n\r\n",
    "endless head": b"HTTP/1.1 200 OK\r\n" + b"A: b\r\n" * 100_000,
    "redirect without address": response(b"", "302 Found"),
}


@pytest.mark.parametrize("answer", BROKEN.values(), ids=BROKEN.keys())
def test_a_broken_answer_is_refused(answer: bytes) -> None:
    with serving({"/": answer}) as server:
        assert refusal(fetcher(server), server.url())[0] is FetchReason.RESPONSE


def test_an_untruthful_short_length_ends_the_page_there() -> None:
    with serving({"/": response(PAGE, Content_Length="15")}) as server:
        assert fetcher(server).fetch(server.url()).body == PAGE[:15]


@pytest.mark.parametrize("answer", [response(b""), response(b"", "204 No Content", Content_Length="")])
def test_an_empty_answer_is_an_empty_page(answer: bytes) -> None:
    with serving({"/": answer}) as server:
        assert fetcher(server).fetch(server.url()).body == b""


TYPES = {
    "html": ("text/html; charset=Shift_JIS", PAGE, ("text/html", "Shift_JIS")),
    "xhtml": ("application/xhtml+xml", PAGE, ("application/xhtml+xml", None)),
    "plain": ("text/plain;charset=utf-8", b"<b> is a tag", ("text/plain", "utf-8")),
    "markdown": ("text/markdown", b"# Tides", ("text/markdown", None)),
    "html without a type": ("", PAGE, ("text/html", None)),
    "html as bytes": ("application/octet-stream", b"\n" + PAGE, ("text/html", None)),
    "text as bytes": ("application/octet-stream", "\u6f6e".encode(), ("text/plain", None)),
    "html as xml": ("application/xml", b'<?xml version="1.0"?><html lang="en"></html>', ("text/html", None)),
}


@pytest.mark.parametrize(("declared", "body", "expected"), TYPES.values(), ids=TYPES.keys())
def test_the_media_type_follows_the_header_and_where_that_is_silent_the_bytes(
    declared: str, body: bytes, expected: tuple[str, str | None]
) -> None:
    with serving({"/": response(body, Content_Type=declared)}) as server:
        page = fetcher(server).fetch(server.url())
    assert (page.media_type, page.charset) == expected


UNSUPPORTED = {
    "pdf": ("application/pdf", b"%PDF-1.7"),
    "pdf as html": ("text/html", b"%PDF-1.7"),
    "pdf as bytes": ("application/octet-stream", b"%PDF-1.7"),
    "image": ("image/png", b"\x89PNG\r\n\x1a\n"),
    "image as text": ("text/plain", b"\x89PNG\r\n\x1a\n"),
    "feed": ("application/xml", b'<?xml version="1.0"?><rss></rss>'),
    "bytes": ("application/octet-stream", b"\xfe\xed\x00\x01"),
    "json": ("application/json", b"{}"),
}


@pytest.mark.parametrize(("declared", "body"), UNSUPPORTED.values(), ids=UNSUPPORTED.keys())
def test_what_is_no_page_is_refused_by_its_media_type(declared: str, body: bytes) -> None:
    with serving({"/": response(body, Content_Type=declared)}) as server:
        assert refusal(fetcher(server), server.url()) == (FetchReason.MEDIA_TYPE, False)


def test_a_name_that_does_not_exist_is_refused() -> None:
    def unknown(host: str, port: int) -> list[str]:
        raise socket.gaierror(socket.EAI_NONAME, "unknown")

    assert refusal(HttpFetcher(resolve=unknown), "http://nowhere.test/") == (FetchReason.NAME, False)


def test_a_closed_port_is_told_as_a_failed_connection() -> None:
    with serving({}) as server:
        closed = fetcher(server)
    assert refusal(closed, server.url()) == (FetchReason.CONNECTION, True)


def test_the_system_names_each_address_once() -> None:
    found = system_resolver("localhost", 80)
    assert found
    assert sorted(found) == sorted(set(found))
