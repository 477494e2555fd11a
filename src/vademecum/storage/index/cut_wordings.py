"""How does a run of characters look in the index when a section ends within it?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from vademecum.text.terms import Term


@dataclass(frozen=True, slots=True)
class Cut:
    """One section's text ends with the tokens of `end`, the next one's begins with `rest`."""

    end: tuple[str, ...]
    rest: Term

    def ends(self, tokens: str) -> bool:
        """Whether the tokens, joined by spaces, end with those of the first part."""
        return f" {tokens}".endswith(f" {' '.join(self.end)}")


def cuts(term: Term) -> Iterator[Cut]:
    """Every place where an end of section can cut a run that is indexed by overlapping pairs of characters.

    The pair across the cut is not indexed, and the last character before it is indexed by itself. Words of
    other scripts are never cut.
    """
    pairs = term.tokens
    if (term.prefix and len(pairs) == 1) or not all(_is_pair(token) for token in pairs):
        return
    for place, pair in enumerate(pairs):
        rest = pairs[place + 1 :]
        yield Cut((*pairs[:place], pair[0]), Term(rest) if rest else Term((pair[1],), prefix=True))


def _is_pair(token: str) -> bool:
    return len(token) == 2 and not token.isascii()
