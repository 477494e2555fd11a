"""Who is asking, over HTTP?"""

from __future__ import annotations

from functools import lru_cache

from starlette.types import Scope

from vademecum.faces.http.guards import header
from vademecum.faces.http.offload import Offload
from vademecum.library.connecting import identify
from vademecum.library.context import Library
from vademecum.model.access import Caller, ToolSet
from vademecum.model.errors import CredentialRefused

CLIENT_NAME_LENGTH = 200
_KEY_LENGTH = 512


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


async def caller_of(library: Library, offload: Offload, tool_set: ToolSet, scope: Scope) -> Caller:
    """The caller whose key the request carries, looked up anew each time so that a revoked key fails at once.

    Raises CredentialRefused for none, an unknown, expired or revoked one and one of another tool set, alike
    (decisions, All three), and Busy.
    """
    secret = bearer(scope)
    if secret is None:
        raise CredentialRefused
    agent = client_name(header(scope["headers"], b"user-agent"))
    return await offload.look_up(identify, library, secret, tool_set, agent)
