"""What does the library ask of the network when somebody saves a link?"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol


class FetchReason(StrEnum):
    """Why an address was not fetched; the `reason` of the FetchRefused that `Fetcher.fetch` raises."""

    ADDRESS = "invalid address"
    SCHEME = "scheme not allowed"
    PORT = "port not allowed"
    PRIVATE = "private address"
    NAME = "name not found"
    REDIRECTS = "too many redirects"
    TOO_LARGE = "too large"
    TOO_SLOW = "too slow"
    MEDIA_TYPE = "unsupported media type"
    NOT_FOUND = "not found"
    BLOCKED = "blocked"
    REFUSED_BY_SITE = "refused by the site"
    SERVER = "server error"
    CONNECTION = "connection failed"
    RESPONSE = "invalid response"


@dataclass(frozen=True, slots=True)
class FetchedPage:
    """What an address gave.

    `address` is where the last redirect led. `media_type` is in lower case without parameters and follows
    the bytes where these contradict the header. `charset` is the header's own, None where it names none.
    `body` is decompressed and within the size limit.
    """

    address: str
    status: int
    media_type: str
    charset: str | None
    body: bytes


class Fetcher(Protocol):
    """Reads one page that a person or an agent named, and nothing else."""

    def fetch(self, url: str) -> FetchedPage:
        """The page behind the address. Raises FetchRefused, whose reason is a FetchReason and whose `passing`
        tells whether a later try may succeed. Bounded in time, size and redirects; private addresses are
        refused when connecting, at every redirect anew.
        """
        ...
