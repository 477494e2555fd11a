"""How is a key of any length compared through an index?"""

from __future__ import annotations

import hashlib

KEY_LENGTH = 200  # characters; an entry of a PostgreSQL index holds at most 2,704 bytes
_DIGEST_LENGTH = 64


def bounded(key: str) -> str:
    """The key itself, or for a longer one its beginning and a digest, so that only equal keys are alike."""
    if len(key) <= KEY_LENGTH:
        return key
    digest = hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()
    return key[: KEY_LENGTH - _DIGEST_LENGTH] + digest


def whole(key: str) -> str | None:
    """What has to be kept beside the bounded form so that the key can be given back; None for nothing."""
    return key if len(key) > KEY_LENGTH else None
