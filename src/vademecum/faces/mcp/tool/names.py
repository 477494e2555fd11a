"""Is an unknown argument a misspelling of a known one?"""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import SequenceMatcher

_LONGEST = 64  # characters; what is longer is no misspelling of a name of ours
_LIKENESS = 0.8  # of two names; `querry` and `query` have 0.91, `sort` and `start` 0.67
_SHORTEST = 3  # names shorter than this are only compared as a whole
_WORD = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")


def meant_instead(unknown: str, known: Iterable[str]) -> str | None:
    """The known name of which `unknown` is a near miss, or None when it has nothing to do with any.

    Near are: another spelling of the same words (`expected_version`), a misspelling (`querry`), some of the
    name's words (`title` for `hubTitle`), and the name with something behind it (`startDate` for `start`).
    """
    if len(unknown) > _LONGEST:
        return None
    words = _words(unknown)
    likely = [(likeness, name) for name in known if (likeness := _likeness(words, _words(name))) >= _LIKENESS]
    return max(likely)[1] if likely else None


def _words(name: str) -> tuple[str, ...]:
    return tuple(word.lower() for word in _WORD.findall(name))


def _likeness(unknown: tuple[str, ...], known: tuple[str, ...]) -> float:
    left, right = "".join(unknown), "".join(known)
    if left == right:
        return 1.0
    if min(len(left), len(right)) < _SHORTEST:
        return 0.0
    if set(unknown) <= set(known) or unknown[: len(known)] == known:
        return 0.9
    return SequenceMatcher(None, left, right, autojunk=False).ratio()
