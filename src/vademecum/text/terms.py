"""Which index tokens does a wording ask for?"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from vademecum.text.folding import fold, fold_with_positions
from vademecum.text.function_words import (
    is_function_word,
    without_function_words,
    without_japanese_function_words,
)
from vademecum.text.scripts import character_classes
from vademecum.text.tokens import (
    COMPOUNDS,
    ELEMENT,
    PARTS_MOST,
    compound_parts,
    folded_tokens,
    units,
    whole_token,
    word_token,
)

TERMS_MOST = 64
_TOKENS_MOST = 16  # of one term
_RUN_AS_WORD = {
    "k": 4,
    "h": 4,
    "t": 10,
}  # characters of a run that may be one word, by the class of its script


@dataclass(frozen=True, slots=True)
class Term:
    """One thing to look for in the keyword index: tokens that stand side by side, in this order.

    With `prefix` the last token is only the beginning of an indexed one, as a single Chinese character is.
    """

    tokens: tuple[str, ...]
    prefix: bool = False


def content_terms(text: str) -> tuple[Term, ...]:
    """The terms of the words that carry the meaning, of all words if there is no other; at most 64.

    `text` is in NFKC. A word gives one term, a compound one for the whole and one for its parts in order, a
    run of a script without spaces its pairs of characters and, while it may be one word, the run. A single
    character counts with the letters or digits that it touches, else as the beginning of a token.
    """
    spared = without_japanese_function_words(text)
    folded = fold_with_positions(spared)
    content = without_function_words(folded.text)
    acronyms = text.upper() != text

    def says_something(element: _Element) -> bool:
        original = spared[slice(*folded.span(element.start, element.end))]
        is_acronym = acronyms and len(original) > 1 and original.isupper()
        return is_acronym or not is_function_word(element.word)

    elements = _elements(content)
    kept = [element for element in elements if says_something(element)]
    return distinct(_terms(kept)) or all_terms(text)


def all_terms(text: str) -> tuple[Term, ...]:
    """The same with the words that only make a question."""
    return distinct(_terms(_elements(fold(text))))


def required_terms(wording: str) -> tuple[Term, ...]:
    """What every text that holds the wording has in the index; at most 64 terms, each once."""
    found: list[Term] = []
    for element in _elements(fold(wording)):
        if element.kind in "a0":
            parts = compound_parts(element.folded, element.classes, 0, len(element.folded))
            found += [Term((word_token(element.folded[first:last]),)) for first, last in parts]
        elif element.kind == "e":
            found.append(Term((element.token,)))
        else:
            found += _run_in_pieces(element.folded, element.places)
    return distinct(found)


def phrase_term(wording: str) -> Term | None:
    """The index tokens of the wording side by side; None when there are none or too many of them."""
    folded = fold(wording)
    spans = folded_tokens(folded, character_classes(folded))
    if len(spans) > 1 and spans[-1][1] > spans[-2][1] and spans[-1][2] == spans[-2][2]:
        spans.pop()  # The last character by itself is indexed only where a run ends.
    if not 1 < len(spans) <= _TOKENS_MOST:
        return None
    return Term(tuple(token for token, _, _ in spans))


def distinct(terms: Iterable[Term]) -> tuple[Term, ...]:
    """The first 64 different terms."""
    return tuple(dict.fromkeys(terms))[:TERMS_MOST]


@dataclass(frozen=True, slots=True)
class _Element:
    """A word, compound, run or sign of a folded text: class, place, and its text with character classes."""

    kind: str
    start: int
    end: int
    folded: str
    classes: str
    joint: str | None  # how it is put together, by the name of the group in the pattern of elements

    @property
    def lone(self) -> bool:
        """Whether it is one character of a script without spaces."""
        return self.kind in "kht" and len(self.places) == 1

    @property
    def is_word(self) -> bool:
        """Whether it is a word without joints."""
        return self.kind in "a0" and self.joint is None

    @property
    def word(self) -> str:
        """Its text, without the rest of a contraction."""
        if self.joint not in COMPOUNDS:
            return self.folded
        return self.folded[: compound_parts(self.folded, self.classes, 0, len(self.folded))[-1][1]]

    @property
    def places(self) -> list[tuple[int, int]]:
        """The characters, each with its marks."""
        return units(self.classes, 0, len(self.classes))

    @property
    def token(self) -> str:
        """The index token of the whole element, if it is no run."""
        return folded_tokens(self.folded, self.classes)[-1][0]


def _elements(folded: str) -> list[_Element]:
    classes = character_classes(folded)
    return [
        _Element(
            kind=classes[match.start()],
            start=match.start(),
            end=match.end(),
            folded=folded[match.start() : match.end()],
            classes=match.group(),
            joint=match.lastgroup,
        )
        for match in ELEMENT.finditer(classes)
    ]


def _terms(elements: Sequence[_Element]) -> Iterator[Term]:
    """The terms of the elements in order; what is written together with a lone character stays together."""
    at = 0
    while at < len(elements):
        group = _written_together(elements, at)
        at += len(group)
        if len(group) > 1:
            yield Term(tuple(element.token for element in group), prefix=group[-1].lone)
        for element in group:
            says_much = len(element.folded) > 1 and not element.folded.isdigit()
            if len(group) == 1 or (says_much and not element.lone):
                yield from _element_terms(element)


def _written_together(elements: Sequence[_Element], at: int) -> Sequence[_Element]:
    """The element there, and those that follow without a gap while every second one is a lone character."""
    last = at
    while last + 1 < len(elements) and last - at < _TOKENS_MOST - 1:
        one, other = elements[last], elements[last + 1]
        touches = one.end == other.start
        if not touches or not ((one.lone and other.is_word) or (one.is_word and other.lone)):
            break
        last += 1
    return elements[at : last + 1]


def _element_terms(element: _Element) -> Iterator[Term]:
    if element.lone:
        yield Term((element.folded,), prefix=True)
    elif element.kind in "kht":
        yield from _run_terms(element.folded, element.places, _RUN_AS_WORD[element.kind])
    elif element.joint in COMPOUNDS:
        yield from _compound_terms(element.folded, element.classes)
    else:
        yield Term((element.token,))


def _compound_terms(folded: str, classes: str) -> Iterator[Term]:
    parts = compound_parts(folded, classes, 0, len(folded))
    if 1 < len(parts) <= PARTS_MOST:
        yield Term((whole_token(folded, classes, parts),))
    yield Term(tuple(word_token(folded[first:last]) for first, last in parts[:_TOKENS_MOST]))


def _run_terms(folded: str, places: list[tuple[int, int]], longest_word: int) -> Iterator[Term]:
    pairs = _pairs(folded, places)
    if 1 < len(pairs) < longest_word:
        yield Term(tuple(pairs))
    for pair in pairs:
        yield Term((pair,))


def _run_in_pieces(folded: str, places: list[tuple[int, int]]) -> Iterator[Term]:
    if len(places) == 1:
        yield Term((folded[slice(*places[0])],), prefix=True)
    pairs = _pairs(folded, places)
    for at in range(0, len(pairs), _TOKENS_MOST):
        yield Term(tuple(pairs[at : at + _TOKENS_MOST]))


def _pairs(folded: str, places: list[tuple[int, int]]) -> list[str]:
    units_of_run = [folded[first:last] for first, last in places]
    return list(map(operator.add, units_of_run, units_of_run[1:]))
