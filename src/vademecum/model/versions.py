"""How does the vault show the version of a note, so that it cannot be made up or mistaken for another's?"""

from __future__ import annotations

import uuid
from base64 import urlsafe_b64decode, urlsafe_b64encode
from hashlib import sha256

from vademecum.model.errors import VersionNeeded

_ID_BYTES, _VERSION_BYTES, _CHECK_BYTES = 16, 8, 6  # 30 in all, which is 40 characters
_LENGTH = 40


def version_token(item_id: str, version: int) -> str:
    """The opaque form of a version: forty characters that name the item and its version (design 5)."""
    content = uuid.UUID(item_id).bytes + version.to_bytes(_VERSION_BYTES, "big")
    return urlsafe_b64encode(content + _check(content)).decode("ascii")


def version_from(token: str | None, item_id: str) -> int:
    """The version that a token means of the item.

    Raises VersionNeeded where there is none, where it is no token of ours, and where it is another item's.
    """
    if not token or not token.strip():
        raise VersionNeeded
    content = _content_of(token.strip())
    if content is None:
        raise VersionNeeded("That version is not one that read_note gave; nothing was written.")
    if content[:_ID_BYTES] != uuid.UUID(item_id).bytes:
        raise VersionNeeded("That version is of another note; nothing was written.")
    return int.from_bytes(content[_ID_BYTES:], "big")


def _content_of(token: str) -> bytes | None:
    try:
        decoded = urlsafe_b64decode(token.encode("ascii")) if len(token) == _LENGTH else b""
    except ValueError:
        return None
    content, check = decoded[:-_CHECK_BYTES], decoded[-_CHECK_BYTES:]
    return (
        content
        if len(decoded) == _ID_BYTES + _VERSION_BYTES + _CHECK_BYTES and check == _check(content)
        else None
    )


def _check(content: bytes) -> bytes:
    return sha256(b"vault version" + content).digest()[:_CHECK_BYTES]
