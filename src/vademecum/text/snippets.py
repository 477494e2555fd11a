"""Which part of a text shows best why it was found, and where in it does the match stand?"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from vademecum.model.graphemes import boundary_before
from vademecum.text.folding import Folded, fold_with_positions
from vademecum.text.queries import Query
from vademecum.text.scripts import character_classes
from vademecum.text.terms import Term
from vademecum.text.tokens import Span, folded_tokens, wanted_spans

SNIPPET_LENGTH = 240
_SCANNED_MOST = 20_000  # code points of the text that are looked at; a section has some 1,000
_LITERAL_WEIGHT = 100  # an exact wording outweighs any number of its words
_CONTEXT = 80  # code points shown before a match, at most
_TO_WORD_END = 24  # code points by which an end moves to divide no word
_WORD_START = re.compile(r"(?<!\S)\S")

Range = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Snippet:
    """A stretch of the original text, as it stands there from code point `start`.

    `highlights` are the matched characters, as ranges of code points within `text`, in order and apart.
    """

    text: str
    start: int
    highlights: tuple[Range, ...]


class _Match(NamedTuple):
    """Where in the text one thing that the query asks for stands; `thing` tells equal ones, `weight` its
    worth. There are dozens in each answer, so they are cheap to make.
    """

    start: int
    end: int
    thing: int
    weight: int


def snippet(text: str, query: Query, length: int = SNIPPET_LENGTH) -> Snippet:
    """At most `length` code points of the text, where most of what the query asks for stands close together.

    The highlights cover exactly the matched characters of the original, whole words where words were matched.
    No grapheme is divided. The beginning of the text when nothing matches. Only the first 20,000 code points
    are looked at.
    """
    scanned = text[:_SCANNED_MOST]
    folded = fold_with_positions(scanned)
    matches = sorted(_matches(folded, query))
    first, last = _densest(matches, length)
    start, end = _framed(scanned, first, last, length)
    inside = [(max(match.start, start), min(match.end, end)) for match in matches if match.start < end]
    highlights = _joined((low - start, high - start) for low, high in inside if low < high)
    return Snippet(scanned[start:end], start, highlights)


def _matches(folded: Folded, query: Query) -> Iterator[_Match]:
    classes = character_classes(folded.text)
    if all(len(term.tokens) == 1 and not term.prefix for term in query.terms):
        things = {term.tokens[0]: thing for thing, term in enumerate(query.terms)}
        for token, start, end in wanted_spans(folded.text, classes, things.keys()):
            yield _Match(*folded.span(start, end), things[token], 1)
    else:
        spans = folded_tokens(folded.text, classes)
        for thing, term in enumerate(query.terms):
            for start, end in _term_places(term, spans):
                yield _Match(*folded.span(start, end), thing, len(term.tokens))
    for thing, literal in enumerate(query.literals, start=len(query.terms)):
        for found in literal.pattern.finditer(folded.text):
            yield _Match(*folded.span(*found.span()), thing, _LITERAL_WEIGHT)


def _term_places(term: Term, spans: Sequence[Span]) -> Iterator[Range]:
    """The ranges of the folded text on which the term stands."""
    first, *others = term.tokens
    last = term.tokens[-1]
    if term.prefix and not others:
        starts = [at for at, span in enumerate(spans) if span[0].startswith(first)]
    else:
        starts = [at for at, span in enumerate(spans) if span[0] == first]
    for at in starts:
        stretch = spans[at : at + len(term.tokens)]
        found = [token for token, _, _ in stretch]
        if term.prefix and found[:-1] == list(term.tokens[:-1]) and found[-1].startswith(last):
            yield stretch[0][1], stretch[-1][1] + len(last)
        elif found == list(term.tokens):
            yield stretch[0][1], stretch[-1][2]


def _densest(matches: Sequence[_Match], length: int) -> Range:
    """The first range of at most `length` that holds the greatest weight of different things; empty without
    any.
    """
    best, best_weight = (0, 0), 0
    inside: Counter[int] = Counter()
    weight = first = 0
    for match in matches:
        weight += match.weight if not inside[match.thing] else 0
        inside[match.thing] += 1
        while match.end - matches[first].start > length and matches[first] is not match:
            gone = matches[first]
            inside[gone.thing] -= 1
            weight -= gone.weight if not inside[gone.thing] else 0
            first += 1
        if weight > best_weight:
            best, best_weight = (matches[first].start, match.end), weight
    return best


def _framed(text: str, first: int, last: int, length: int) -> Range:
    """A range of at most `length` around the match, which begins and ends where it divides nothing."""
    spare = max(0, length - (last - first))
    start = max(0, min(first - min(_CONTEXT, spare // 3), len(text) - length))
    start = _word_start(text, start, first) if last else len(text) - len(text.lstrip())
    limit = min(len(text), start + length)
    end = limit if limit == len(text) else _word_end(text, limit, min(last, limit))
    return start, start + len(text[start : end if end > start else limit].rstrip())


def _word_start(text: str, start: int, first: int) -> int:
    """The best place to begin, at or before `first`: at a line, else at a word, else between graphemes."""
    words = [match.start() for match in _WORD_START.finditer(text, max(0, start - 1), first + 1)]
    words = [at for at in words if start <= at <= first]
    lines = [at for at in words if at > start and text[at - 1] in "\r\n"]
    if lines:
        return lines[-1]
    if words and words[0] - start <= _TO_WORD_END:
        return words[0]
    return boundary_before(text, start)


def _word_end(text: str, limit: int, last: int) -> int:
    """The best place to end: before white space, else between graphemes."""
    for at in range(limit, max(last, limit - _TO_WORD_END) - 1, -1):
        if text[at].isspace():
            return at
    return boundary_before(text, limit)


def _joined(ranges: Iterable[Range]) -> tuple[Range, ...]:
    """The ranges, sorted by start, with those that overlap or touch made one."""
    joined: list[Range] = []
    for start, end in ranges:
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return tuple(joined)
