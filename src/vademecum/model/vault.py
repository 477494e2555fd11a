"""What may the agent beside the person do in the vault?"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from vademecum.model.access import Tier


class Switch(StrEnum):
    """What a person turns on and off, each apart from the others and all off at first (contracts 3.3)."""

    PUBLISH = "publish"
    WRITE = "write"
    MOVE = "move"


@dataclass(frozen=True, slots=True)
class Switches:
    """How the three switches stand."""

    publish: bool = False
    write: bool = False
    move: bool = False

    @property
    def tier(self) -> Tier:
        """What they allow: reading, writing too, or moving as well, which needs writing (contracts 3.3)."""
        if not self.write:
            return Tier.READ_ONLY
        return Tier.FULL if self.move else Tier.EDIT
