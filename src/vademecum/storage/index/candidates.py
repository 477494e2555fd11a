"""Which sections are scored for a query, when not all that hold its words can be?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from vademecum.text.terms import Term

BUDGET = 20_000  # sections that a query may have scored (search 2.2)


@dataclass(frozen=True, slots=True)
class Plan:
    """Sections that hold every one of `required` and, where `any_of` is not empty, one of those at least.

    `additions` bring no section in but count in the order. Where `newest` is given, only so many of the
    matches are ordered, the newest ones.
    """

    required: tuple[Term, ...] = ()
    any_of: tuple[Term, ...] = ()
    additions: tuple[Term, ...] = ()
    newest: int | None = None

    @property
    def scored(self) -> tuple[Term, ...]:
        """Every term that counts in the order, each once."""
        return tuple(dict.fromkeys((*self.required, *self.any_of, *self.additions)))


def plan_any(frequencies: Mapping[Term, int], budget: int) -> Plan | None:
    """How to find the best sections that hold any of the terms; None when no section holds one.

    Terms that are rare enough bring sections in, as many as the budget allows, rarest first; commoner ones
    only add to the score. Where all are common, the newest sections are scored: a word that stands everywhere
    says little about which section is best, so newest first is the honest answer (search 2.2).
    """
    known = sorted(
        (term for term, frequency in frequencies.items() if frequency), key=frequencies.__getitem__
    )
    if not known:
        return None
    rare: list[Term] = []
    left = budget
    for term in known:
        left -= frequencies[term]
        if left < 0:
            break
        rare.append(term)
    if rare:
        return Plan(any_of=tuple(rare), additions=tuple(known[len(rare) :]))
    return Plan(any_of=tuple(known), newest=budget)


def plan_all(
    required: Sequence[Term], together: int, frequencies: Mapping[Term, int], budget: int
) -> Plan | None:
    """How to find the best of the `together` sections that hold every one of `required`; None if none does.

    Every term of `frequencies` counts in the order.
    """
    if not together:
        return None
    additions = tuple(term for term, frequency in frequencies.items() if frequency and term not in required)
    return Plan(required=tuple(required), additions=additions, newest=budget if together > budget else None)
