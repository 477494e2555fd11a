"""How is a password kept, and how is one tried?"""

from __future__ import annotations

import hashlib
import hmac
import secrets

from vademecum.model.errors import InvalidInput

SHORTEST, LONGEST = 8, 1024
_COST, _BLOCK, _LANES, _MEMORY = 2**15, 8, 1, 64 * 1024 * 1024


def hash_password(password: str) -> str:
    """The stored form of a password: scrypt with its own salt and costs. Raises InvalidInput by length."""
    if not SHORTEST <= len(password) <= LONGEST:
        raise InvalidInput("password", f"{SHORTEST} to {LONGEST:,} characters are needed")
    salt = secrets.token_bytes(16)
    derived = _derive(password, salt, (_COST, _BLOCK, _LANES))
    return f"scrypt${_COST}${_BLOCK}${_LANES}${salt.hex()}${derived.hex()}"


def is_password(password: str, stored: str) -> bool:
    """Whether it is the password of which `stored` is the stored form; takes equally long either way."""
    _, cost, block, lanes, salt, wanted = stored.split("$")
    made = _derive(password[:LONGEST], bytes.fromhex(salt), (int(cost), int(block), int(lanes)))
    return hmac.compare_digest(made, bytes.fromhex(wanted))


def _derive(password: str, salt: bytes, costs: tuple[int, int, int]) -> bytes:
    cost, block, lanes = costs
    return hashlib.scrypt(
        password.encode("utf-8", "surrogatepass"),
        salt=salt,
        n=cost,
        r=block,
        p=lanes,
        maxmem=_MEMORY,
        dklen=32,
    )
