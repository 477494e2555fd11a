"""Who is asking, and what may they do?"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from vademecum.model.errors import InvalidInput, NotPermitted, TierDenied
from vademecum.model.revisions import ActorKind


class ToolSet(StrEnum):
    """The three published contracts; a credential belongs to one (decisions, All three)."""

    LIBRARY = "library"
    VAULT = "vault"
    GATEWAY = "gateway"


class Tier(StrEnum):
    """The tiers of the library set; each includes those before it (contracts 2.3)."""

    READ_ONLY = "read_only"
    EDIT = "edit"
    FULL = "full"

    def includes(self, other: Tier) -> bool:
        order = list(Tier)
        return order.index(self) >= order.index(other)


@dataclass(frozen=True, slots=True)
class Caller:
    """Who is asking: the account, by which hand, with which tier, and which spaces in which order.

    The first space is the one that saves go into. `tier` is FULL for a person at the command line. In the
    spaces of `read_only` the account is a mere reader, whatever its tier.
    """

    account_id: str
    actor_kind: ActorKind
    tier: Tier
    spaces: tuple[str, ...]
    credential_id: str | None = None
    client_name: str | None = None
    session_id: str | None = None
    zone: str = "UTC"
    read_only: frozenset[str] = frozenset()


def require_writable(caller: Caller, space_id: str) -> None:
    """Raise NotPermitted where the caller's account may only read."""
    if space_id in caller.read_only:
        raise NotPermitted("This account may only read that space.", space=space_id)


def require(caller: Caller, tier: Tier) -> None:
    """Raise TierDenied unless the caller's tier includes `tier`."""
    if not caller.tier.includes(tier):
        raise TierDenied(needed=tier.value, tier=caller.tier.value)


@dataclass(frozen=True, slots=True)
class AgentKey:
    """A minted secret, of which only the hash is kept; `shown` is the head of it that lists may show.

    `spaces` is empty where the key reaches its account's personal space (library) and what it may join.
    """

    key_id: str
    account_id: str
    tool_set: ToolSet
    tier: str
    name: str
    key_hash: str
    shown: str
    spaces: tuple[str, ...]
    created_at: str
    expires_at: str | None = None
    revoked_at: str | None = None
    last_used_at: str | None = None


def is_in_force(key: AgentKey, now: str) -> bool:
    """Whether the key opens anything at `now`, a stamp."""
    return key.revoked_at is None and (key.expires_at is None or key.expires_at > now)


def tier_of(tool_set: ToolSet, name: str) -> str:
    """The tier's name when the tool set has it; raises InvalidInput (`tier`) with the ones it has."""
    tiers = [tier.value for tier in Tier] if tool_set is ToolSet.LIBRARY else ["read", "write"]
    if name not in tiers:
        raise InvalidInput("tier", f"the {tool_set.value} set has the tiers {', '.join(tiers)}")
    return name
