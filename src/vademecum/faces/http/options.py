"""What must the HTTP face know of its installation?"""

from __future__ import annotations

from dataclasses import dataclass

BODY_LIMIT = 16 * 1024 * 1024  # bytes of one request to a tool set (decisions, All three)
LOOPBACK_HOST = "127.0.0.1"  # the only address of what is for this machine alone
BODY_SECONDS = 60.0  # within which a request's body has to arrive


@dataclass(frozen=True, slots=True)
class HttpOptions:
    """The address under which the server is reached, and what it admits.

    `public_url` fixes host, origin and links (design 6) and has no trailing slash. `allowed_hosts` are
    further names, each with or without a port; `localhost`, `127.0.0.1` and `[::1]` always pass. What is
    `machine_only` answers under these three alone, and no web page, whatever its origin (contracts 3.1).
    """

    public_url: str
    version: str
    allowed_hosts: tuple[str, ...] = ()
    body_limit: int = BODY_LIMIT
    body_seconds: float = BODY_SECONDS
    machine_only: bool = False
