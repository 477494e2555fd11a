"""What must the HTTP face know of its installation?"""

from __future__ import annotations

from dataclasses import dataclass

BODY_LIMIT = 16 * 1024 * 1024  # bytes of one request to a tool set (decisions, All three)
BODY_SECONDS = 60.0  # within which a request's body has to arrive


@dataclass(frozen=True, slots=True)
class HttpOptions:
    """The address under which the server is reached, and what it admits.

    `public_url` fixes host, origin and links (design 6) and has no trailing slash. `allowed_hosts` are
    further names, each with or without a port; `localhost`, `127.0.0.1` and `[::1]` always pass.
    """

    public_url: str
    version: str
    allowed_hosts: tuple[str, ...] = ()
    body_limit: int = BODY_LIMIT
    body_seconds: float = BODY_SECONDS
