"""Which requests are let in at all, and what does every answer carry?"""

from __future__ import annotations

import itertools
import logging
import secrets
from collections.abc import Iterable, Mapping
from urllib.parse import urlsplit

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from vademecum.faces.http.options import HttpOptions

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
logger = logging.getLogger("vademecum.http")
_HOST_REFUSED = (
    "The host name of this request is not one of this server's. Set VADE_PUBLIC_URL to the address under"
    " which the server is reached, or add the name to VADE_ALLOWED_HOSTS.\n"
)
_ORIGIN_REFUSED = (
    "Pages of that origin may not call this server. Set VADE_PUBLIC_URL to the address under which the server"
    " is reached, or add the origin's host to VADE_ALLOWED_HOSTS.\n"
)
_OTHER_MACHINE_REFUSED = (
    "This listener is for programs of this machine: it answers under localhost, 127.0.0.1 and [::1].\n"
)
_PAGE_REFUSED = "Web pages may not call this listener: no request with an Origin header is let in.\n"
_POLICY = (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'; base-uri 'none'")
_NO_STORE = (b"cache-control", b"no-store")
_HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
)
Headers = Iterable[tuple[bytes, bytes]]


def request_number(scope: Scope) -> str:
    """The number by which an answer and its log line are found together."""
    number: str = scope["vademecum.request"]
    return number


def header(headers: Headers, name: bytes) -> str | None:
    """The value of a header that stands exactly once, else None; `name` is in lower case."""
    value: bytes | None = None
    for found, given in headers:
        if found == name:
            if value is not None:
                return None
            value = given
    return None if value is None else value.decode("latin-1").strip()


class Guards:
    """Everything that holds for all paths: Host, Origin, security headers, a number, and one line for a
    crash.

    A foreign Host is answered 421 and a foreign Origin 403 (mcp 7, cases M06), before anything else is looked
    at.
    """

    def __init__(
        self, app: ASGIApp, options: HttpOptions, exact: Mapping[str, ASGIApp] | None = None
    ) -> None:
        """`exact` holds the applications of single paths, which are called most and need no routing."""
        self._app = app
        self._exact = dict(exact or {})
        self._admitted = Admitted(options)
        self._refused_host = _OTHER_MACHINE_REFUSED if options.machine_only else _HOST_REFUSED
        self._refused_origin = _PAGE_REFUSED if options.machine_only else _ORIGIN_REFUSED
        self._prefix = secrets.token_hex(4)  # so that numbers of two runs differ
        self._numbers = itertools.count(1)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        number = f"{self._prefix}{next(self._numbers):x}"
        scope["vademecum.request"] = number
        answer = _Answer(send, number)
        refused = self._refusal(scope["headers"])
        if refused is not None:
            await refused(scope, receive, answer)
            return
        try:
            await self._exact.get(scope["path"], self._app)(scope, receive, answer)
        except Exception:
            logger.exception("request %s of %s failed", number, ascii(scope["path"]))
            if not answer.started:
                await _crashed(number)(scope, receive, answer)

    def _refusal(self, headers: Headers) -> PlainTextResponse | None:
        host = header(headers, b"host")
        if host is None or not self._admitted.host(host):
            return PlainTextResponse(self._refused_host, 421)
        origins = [value for name, value in headers if name == b"origin"]
        if origins and (len(origins) > 1 or not self._admitted.origin(origins[0].decode("latin-1"), host)):
            return PlainTextResponse(self._refused_origin, 403)
        return None


class Admitted:
    """The hosts and origins that may ask: those of the public address, the allowed ones, and this machine."""

    def __init__(self, options: HttpOptions) -> None:
        self._admits_pages = not options.machine_only
        public = urlsplit(options.public_url)
        further = tuple(entry.strip().lower() for entry in options.allowed_hosts if entry.strip())
        named = () if options.machine_only else (_name(public.netloc.lower()), *further)
        self._hosts = frozenset({*named, *LOOPBACK})
        self._origins = frozenset({f"{public.scheme}://{public.netloc}".lower()})
        self._further = frozenset(further)

    def host(self, host: str) -> bool:
        """Whether a Host header names this server. An entry without a port admits every port."""
        lowered = host.lower()
        return lowered in self._hosts or _name(lowered) in self._hosts

    def origin(self, origin: str, host: str) -> bool:
        """Whether a page of that origin may ask: ours, an allowed host's, or one of this machine."""
        lowered = origin.lower()
        scheme, separator, netloc = lowered.partition("://")
        if not self._admits_pages or not separator or scheme not in {"http", "https"}:
            return False
        return (
            lowered in self._origins
            or netloc == host.lower()
            or netloc in self._further
            or _name(netloc) in LOOPBACK
        )


def _name(netloc: str) -> str:
    """The host without its port; empty, which nothing admits, where the form is wrong."""
    if netloc.startswith("["):
        name, bracket, rest = netloc.partition("]")
        name += bracket
    else:
        name, colon, port = netloc.partition(":")
        rest = colon + port
    return name if not rest or (rest[0] == ":" and rest[1:].isdigit() and rest.isascii()) else ""


def _crashed(number: str) -> PlainTextResponse:
    return PlainTextResponse(f"something went wrong here, number {number}\n", 500)


class _Answer:
    """The sending side of a request, which adds to the first message what every answer carries.

    No cache keeps an answer that does not say that it may, since most depend on who asks.
    """

    __slots__ = ("_number", "_send", "started")

    def __init__(self, send: Send, number: str) -> None:
        self._send = send
        self._number = number.encode()
        self.started = False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.started = True
            given = message.get("headers", ())
            names = [name for name, _ in given]
            lacking = [default for default in (_POLICY, _NO_STORE) if default[0] not in names]
            message = {**message, "headers": [*given, *lacking, *_HEADERS, (b"x-request-id", self._number)]}
        await self._send(message)
