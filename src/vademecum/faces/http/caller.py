"""Who is asking, over HTTP?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from time import monotonic

from starlette.types import Scope

from vademecum.faces.http.guards import header
from vademecum.faces.http.offload import Offload
from vademecum.library.connecting import identify
from vademecum.library.context import Library
from vademecum.model.access import Caller, ToolSet
from vademecum.model.errors import CredentialRefused
from vademecum.model.ids import key_hash

CLIENT_NAME_LENGTH = 200
_KEY_LENGTH = 512
_KNOWN_SECONDS = 1.0
_MOST_KNOWN = 1024
Mark = Callable[[], object]
Identify = Callable[[Library, str, str | None], Caller]  # by the secret and the client's name


def bearer(scope: Scope) -> str | None:
    """The secret of `Authorization: Bearer`, the only place where one is looked for."""
    scheme, _, secret = (header(scope["headers"], b"authorization") or "").partition(" ")
    secret = secret.strip()
    return secret if scheme.lower() == "bearer" and secret and len(secret) <= _KEY_LENGTH else None


def client_name(text: str | None) -> str | None:
    """What a client calls itself, as text that may be kept: untrusted, one line, at most 200 characters."""
    return _one_line(text[: 4 * CLIENT_NAME_LENGTH]) if text else None


@lru_cache(maxsize=256)  # the same few clients call again and again
def _one_line(text: str) -> str | None:
    line = "".join(character if character.isprintable() else " " for character in text)
    return " ".join(line.split())[:CLIENT_NAME_LENGTH].rstrip() or None


@dataclass(frozen=True, slots=True)
class _Known:
    caller: Caller
    mark: object
    ends: float


def by_agent_key(tool_set: ToolSet) -> Identify:
    """What tells the caller by an agent key of the set."""

    def told(library: Library, secret: str, client: str | None) -> Caller:
        return identify(library, secret, tool_set, client)

    return told


class Doorkeeper:
    """Tells whose key a request carries, so that a revoked one fails at its next request.

    `mark` gives a value that it gives again only while nothing has been committed to the database since, by
    whatever process, and None where it cannot tell. It must not block. While it stays the same, what was
    found is not looked up again for up to a second, by which alone a key may outlive its end; without it
    every request is looked up.
    """

    def __init__(
        self, library: Library, offload: Offload, known_by: Identify, mark: Mark | None = None
    ) -> None:
        self._library = library
        self._offload = offload
        self._known_by = known_by
        self._mark = mark
        self._known: dict[tuple[str, str | None], _Known] = {}

    async def caller_of(self, scope: Scope) -> Caller:
        """The caller.

        Raises CredentialRefused for no key, an unknown, expired or revoked one and one of another tool set,
        alike (decisions, All three), and Busy.
        """
        secret = bearer(scope)
        if secret is None:
            raise CredentialRefused
        agent = client_name(header(scope["headers"], b"user-agent"))
        mark = self._mark() if self._mark else None
        if mark is None:
            return await self._looked_up(secret, agent)
        name = key_hash(secret), agent
        known = self._known.get(name)
        if known is None or known.mark != mark or known.ends < monotonic():
            # The mark is older than the look-up, so that a change in between is noticed at the next request.
            self._known.pop(name, None)
            known = _Known(await self._looked_up(secret, agent), mark, monotonic() + _KNOWN_SECONDS)
            self._remember(name, known)
        return known.caller

    async def _looked_up(self, secret: str, agent: str | None) -> Caller:
        return await self._offload.look_up(self._known_by, self._library, secret, agent)

    def _remember(self, name: tuple[str, str | None], known: _Known) -> None:
        if len(self._known) >= _MOST_KNOWN:
            self._known.clear()
        self._known[name] = known
