"""How are items, changes and keys identified?"""

from __future__ import annotations

import hashlib
import re
import secrets
import uuid

from vademecum.model.errors import InvalidInput, NotFound

_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_KEY = re.compile(r"vade_[a-z]+_[A-Za-z0-9_-]{43}")
KEY_PREFIX_LENGTH = 16


def new_id() -> str:
    """A new random UUID (version 4) in its canonical lower-case form."""
    return str(uuid.uuid4())


def save_id(text: str) -> str:
    """The canonical form of a UUID v4 that a client made for a save (contracts 2.4.5).

    Raises InvalidInput (`id`) for anything that is not a version 4 UUID.
    """
    found = _canonical(text)
    if found is None or uuid.UUID(found).version != 4:
        raise InvalidInput("id", "a UUID of version 4 is needed; make one before the first attempt")
    return found


def item_id(text: str) -> str:
    """The canonical form of an item's id; what has no UUID's form names no item (NotFound)."""
    found = _canonical(text)
    if found is None:
        raise NotFound(id=text[:64])
    return found


def _canonical(text: str) -> str | None:
    lowered = text.strip().lower()
    return lowered if _UUID.fullmatch(lowered) else None


def new_key(tool_set: str) -> str:
    """A new agent key: 256 random bits behind a readable head that names its tool set."""
    return f"vade_{tool_set}_{secrets.token_urlsafe(32)}"


def is_key_shaped(text: str) -> bool:
    """Whether the text could be one of our keys, so that anything else is not even looked up."""
    return _KEY.fullmatch(text) is not None


def key_hash(key: str) -> str:
    """What is stored of a key: its SHA-256 as hexadecimal (256 random bits need no salt)."""
    return hashlib.sha256(key.encode()).hexdigest()


def content_hash(text: str) -> str:
    """The name under which a text is kept: SHA-256 of its UTF-8 bytes.

    A lone surrogate, which UTF-8 cannot hold, is refused as InvalidInput (`text`).
    """
    try:
        return hashlib.sha256(text.encode()).hexdigest()
    except UnicodeEncodeError as error:
        place = error.start
        raise InvalidInput("text", f"character {place} is a lone surrogate") from error
