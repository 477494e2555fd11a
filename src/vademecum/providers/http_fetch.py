"""How is one page of the public web read without harm to the machine or the network it stands in?"""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from dataclasses import dataclass

import httpcore2
import httpx2

from vademecum.model.addresses import ADDRESS_LIMIT
from vademecum.model.errors import FetchRefused
from vademecum.ports.fetch import FetchedPage, FetchReason
from vademecum.providers.http_body import actual_type, check_declared_type, decoded, parse_content_type
from vademecum.providers.network_guard import Deadline, GuardedBackend, HostGuard, Resolver, system_resolver

_PORTS = {"http": 80, "https": 443}
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_BLOCKED = frozenset({401, 402, 403, 407, 429, 451, 503})
_PASSING = frozenset({408, 425, 429})
_CONNECT_SECONDS = 10.0
_HEADERS = (
    ("User-Agent", "Vademecum (personal library; reads single pages that its owner saves)"),
    ("Accept", "text/html,application/xhtml+xml,text/markdown,text/plain;q=0.9,*/*;q=0.1"),
    ("Accept-Encoding", "gzip, deflate"),
    ("Connection", "close"),
)


@dataclass(frozen=True, slots=True)
class FetchLimits:
    """Bounds of one fetch: bytes of the decompressed body, seconds and redirects in all."""

    body_bytes: int = 5 * 1024 * 1024
    seconds: float = 30.0
    redirects: int = 5


@dataclass(frozen=True, slots=True)
class _Answer:
    """One response: the page, or where it sends on to."""

    page: FetchedPage | None = None
    onward: str | None = None


class HttpFetcher:
    """Answers `ports.fetch.Fetcher`: http and https, no cookies, no credentials, no proxy of the environment.

    `private` lists as `host[:port]` what may be fetched although it is not public (setting FETCH_PRIVATE).
    `resolve` and `network` are the machine's own unless given.
    """

    def __init__(
        self,
        private: frozenset[str] = frozenset(),
        limits: FetchLimits | None = None,
        *,
        resolve: Resolver = system_resolver,
        network: httpcore2.NetworkBackend | None = None,
    ) -> None:
        self._guard = HostGuard(private, resolve)
        self._limits = limits or FetchLimits()
        self._network = network or httpcore2.SyncBackend()
        self._trust = httpx2.create_ssl_context(trust_env=False)

    def fetch(self, url: str) -> FetchedPage:
        """Read one page as `Fetcher.fetch` promises."""
        deadline = Deadline(self._limits.seconds)
        address = _parsed(url)
        for _ in range(self._limits.redirects + 1):
            answer = self._ask(address, deadline)
            if answer.page is not None:
                return answer.page
            address = _parsed(answer.onward or "", address)
        raise FetchRefused(FetchReason.REDIRECTS)

    def _ask(self, address: httpx2.URL, deadline: Deadline) -> _Answer:
        """One request to one address, checked anew; the connection ends with it."""
        port = address.port or _PORTS[address.scheme]
        self._guard.check_port(address.raw_host.decode("ascii"), port)
        backend = GuardedBackend(self._guard, deadline, self._network)
        try:
            with (
                httpcore2.ConnectionPool(ssl_context=self._trust, network_backend=backend) as pool,
                pool.stream(
                    "GET",
                    httpcore2.URL(
                        scheme=address.raw_scheme, host=address.raw_host, port=port, target=address.raw_path
                    ),
                    headers=[("Host", address.netloc.decode("ascii")), *_HEADERS],
                    extensions={
                        "timeout": {"connect": _CONNECT_SECONDS, "read": self._limits.seconds},
                        "sni_hostname": address.raw_host.decode("ascii").rstrip("."),
                    },
                ) as response,
            ):
                return self._answered(address, response)
        except httpcore2.TimeoutException as error:
            raise FetchRefused(FetchReason.TOO_SLOW, passing=True) from error
        except httpcore2.NetworkError as error:
            trusted = not isinstance(error.__cause__, ssl.SSLCertVerificationError)
            raise FetchRefused(FetchReason.CONNECTION, passing=trusted) from error
        except (httpcore2.ProtocolError, httpcore2.UnsupportedProtocol) as error:
            raise FetchRefused(FetchReason.RESPONSE, passing=True) from error

    def _answered(self, address: httpx2.URL, response: httpcore2.Response) -> _Answer:
        headers = httpx2.Headers(response.headers)
        if response.status in _REDIRECTS:
            if "location" not in headers:
                raise FetchRefused(FetchReason.RESPONSE, "a redirect that names no address")
            return _Answer(onward=headers["location"])
        _check_status(response.status)
        declared, charset = parse_content_type(headers.get("content-type", ""))
        body = b""
        if response.status not in (204, 205):
            check_declared_type(declared)
            body = decoded(
                self._bounded(response), headers.get("content-encoding", ""), self._limits.body_bytes
            )
        media_type = actual_type(declared, body)
        return _Answer(page=FetchedPage(str(address), response.status, media_type, charset, body))

    def _bounded(self, response: httpcore2.Response) -> Iterator[bytes]:
        """The bytes as they come over the wire; raises FetchRefused when there are more than the limit."""
        received = 0
        for chunk in response.iter_stream():
            received += len(chunk)
            if received > self._limits.body_bytes:
                raise FetchRefused(FetchReason.TOO_LARGE)
            yield chunk


def _parsed(url: str, base: httpx2.URL | None = None) -> httpx2.URL:
    """An address that may be asked. Raises FetchRefused for other schemes, user names and malformed text."""
    if len(url) > ADDRESS_LIMIT:
        raise FetchRefused(FetchReason.ADDRESS, "the address is too long")
    try:
        address = httpx2.URL(url) if base is None else base.join(url)
        address = address.copy_with(fragment=None)
    except (httpx2.InvalidURL, ValueError) as error:
        raise FetchRefused(FetchReason.ADDRESS) from error
    if address.scheme not in _PORTS:
        raise FetchRefused(FetchReason.SCHEME)
    if not address.host or address.userinfo:
        raise FetchRefused(FetchReason.ADDRESS)
    return address


def _check_status(status: int) -> None:
    """Raises FetchRefused unless the answer is the page that was asked for."""
    if 200 <= status < 300:
        return
    if status in _BLOCKED:
        raise FetchRefused(FetchReason.BLOCKED, f"status {status}", passing=status in (429, 503))
    if status in (404, 410):
        raise FetchRefused(FetchReason.NOT_FOUND, f"status {status}")
    if status >= 500:
        raise FetchRefused(FetchReason.SERVER, f"status {status}", passing=True)
    raise FetchRefused(FetchReason.REFUSED_BY_SITE, f"status {status}", passing=status in _PASSING)
