"""Under which tokens is a text indexed and found?"""

from __future__ import annotations

import functools
import hashlib
import itertools
import operator
import re
import unicodedata
from collections.abc import Iterator, Set

from vademecum.text.folding import fold, fold_with_positions
from vademecum.text.scripts import character_classes
from vademecum.text.stemming import beginning, stem

_RULES_VERSION = 1
_MAJOR, _MINOR, _ = map(int, unicodedata.unidata_version.split("."))
TOKENIZER_VERSION: int = _RULES_VERSION * 10_000 + _MAJOR * 100 + _MINOR
"""Which rules made the tokens, with which Unicode tables: folding depends on those of the interpreter. Tokens
of another version must be taken out of an index as they were put in, never made anew."""

PARTS_MOST = 5  # a compound of more parts, such as a long path, is found by its parts alone
_WORD_LONGEST = 64  # a longer word is indexed under its beginning and a digest
_BEGINNING = 40
_APART = "\u00b7"  # stands in tokens alone: no word of a text holds it
_WORDS_REMEMBERED = 65_536

# Elements of a text by its character classes: letters with a number, words that a sign joins, a word with a
# sign of its own, a run of a script without spaces, an emoji.
ELEMENT = re.compile(
    r"(?P<numbered>a[am]++0{1,5}+)(?!(?:[-'_./&@]|__)?[a0m]|\+\+|#)"
    r"|[a0][a0m]*(?:(?P<joined>(?:[-'_./&@]|__)[a0][a0m]*)+|(?P<sign>\+\+|#)(?![a0#+]))?"
    r"|k+|h[hm]*|t[tm]*|e"
)
# No element goes beyond such a stretch: those of letters and digits, with what parts them, stand in one.
_STRETCH = re.compile(r"[a0][a0m '_./&@+#-]*+|k+|h[hm]*|t[tm]*|e")
COMPOUNDS = frozenset(("numbered", "joined"))
_JOINT = re.compile(r"[-'_./&@+#](?:(?<=[+#])|[a0_])")  # what may join, or end, the parts of an element
_ASCII_ELEMENT = re.compile(r"[a-z0-9]+(?:(?:(?:[-'_./&@]|__)[a-z0-9]+)+|(?:\+\+|#)(?![a-z0-9#+]))?")
_PART = re.compile(r"a[am]++(?=0{1,5}(?![a0m]))|[a0][a0m]*")
_UNIT = re.compile(r"[kht]m*")
_CONTRACTED = frozenset(("s", "t", "d", "m", "re", "ve", "ll"))
_SIGNS = str.maketrans("+#", "\uff0b\uff03")  # a token may hold no ASCII sign

Span = tuple[str, int, int]


def tokens(text: str) -> list[str]:
    """The index tokens of the text, in order; those of `token_spans` without their places."""
    folded = fold(text)
    if folded.isascii():
        return _ascii_tokens(folded)
    return _mixed_tokens(folded, character_classes(folded))


def index_text(text: str) -> str:
    """The tokens joined by spaces: what a full-text index is fed.

    Every token consists of characters beyond ASCII and of ASCII letters and digits only, so that a tokenizer
    that knows ASCII alone keeps each as it is.
    """
    return " ".join(tokens(text))


def token_spans(text: str) -> Iterator[Span]:
    """Each index token with the range of code points of `text` that it stands for."""
    folded = fold_with_positions(text)
    for token, start, end in folded_tokens(folded.text, character_classes(folded.text)):
        yield token, *folded.span(start, end)


def folded_tokens(folded: str, classes: str) -> list[Span]:
    """The tokens of a folded text of these character classes, with their ranges in it.

    A word is one token, stemmed. Words joined by a sign (`ABC-1234`, `foo_bar`, `v1.2.3`, an address) or with
    a number at the end (`Python3`) give their parts and, up to five parts, the whole. Scripts without spaces,
    and Hangul, give overlapping pairs of characters and the last character by itself, so that a search by
    beginnings finds every single character.
    """
    found: list[Span] = []
    for match in ELEMENT.finditer(classes):
        start, end = match.span()
        kind = classes[start]
        if kind in "a0":
            if match.lastgroup is None:
                found.append((word_token(folded[start:end]), start, end))
            else:
                found += _compound_tokens(folded, classes, match)
        elif kind == "e":
            found.append((folded[start:end], start, end))
        else:
            found += _pair_tokens(folded, classes, start, end)
    return found


def wanted_spans(folded: str, classes: str, wanted: Set[str]) -> list[Span]:
    """Those of `folded_tokens` whose token is wanted, in no order and in a tenth of the time."""
    found: list[Span] = []
    for stretch in _stretches(folded, classes, wanted).items():
        for match in ELEMENT.finditer(classes, *stretch):
            start, end = match.span()
            kind = classes[start]
            if kind in "a0" and match.lastgroup is None:
                token = word_token(folded[start:end])
                if token in wanted:
                    found.append((token, start, end))
            elif kind in "kht" and "m" not in match.group():
                found += _wanted_pairs(folded, start, end, wanted)
            else:
                spans = folded_tokens(folded[start:end], match.group())
                found += [(token, start + at, start + to) for token, at, to in spans if token in wanted]
    return found


def _stretches(folded: str, classes: str, wanted: Set[str]) -> dict[int, int]:
    """The stretches between spaces, from start to end, in which one of the tokens may stand.

    A token stands as it is, but for its inflection and what was left out of a long one; only a compound may
    be written quite differently (`email` as `e-mail`), so all of those are looked at.
    """
    found: dict[int, int] = {}

    def added(at: int) -> int:
        end = classes.find(" ", at)
        found[classes.rfind(" ", 0, at) + 1] = end if end >= 0 else len(classes)
        return end if end >= 0 else len(classes)

    joint = _JOINT.search(classes)
    while joint:
        joint = _JOINT.search(classes, added(joint.start()))
    for start in {beginning(token.partition(_APART)[0]) for token in wanted}:
        at = folded.find(start)
        while at >= 0:
            at = folded.find(start, added(at))
    return found


def _wanted_pairs(folded: str, start: int, end: int, wanted: Set[str]) -> Iterator[Span]:
    for token in wanted:
        if len(token) == 1 and folded[end - 1] == token:
            yield token, end - 1, end
        at = folded.find(token, start, end) if len(token) == 2 else -1
        while at >= 0:
            yield token, at, at + 2
            at = folded.find(token, at + 1, end)


def _ascii_tokens(folded: str) -> list[str]:
    """The tokens of `folded_tokens` in a fraction of the time, for the commonest texts."""
    elements = _ASCII_ELEMENT.findall(folded)
    return [*itertools.chain.from_iterable(map(_ELEMENTS.__getitem__, elements))]


class _Elements(dict[str, tuple[str, ...]]):
    """The tokens of each ASCII element met lately: texts consist of few words that come again and again."""

    def __missing__(self, element: str) -> tuple[str, ...]:
        if element.isalpha() or element.isdigit():
            made: tuple[str, ...] = (word_token(element),)
        else:
            made = tuple(token for token, _, _ in folded_tokens(element, character_classes(element)))
        if len(element) <= _WORD_LONGEST:
            if len(self) >= _WORDS_REMEMBERED:
                self.clear()
            self[element] = made
        return made


_ELEMENTS = _Elements()


def _mixed_tokens(folded: str, classes: str) -> list[str]:
    """The same for all other texts: their runs of scripts without spaces, and the stretches between."""
    found: list[str] = []
    for match in _STRETCH.finditer(classes):
        stretch, shape = folded[match.start() : match.end()], match.group()
        if shape[0] in "a0" and stretch.isascii() and "#" not in stretch and "++" not in stretch:
            found += _ascii_tokens(stretch)
        elif shape[0] in "kht" and "m" not in shape:
            found += map(operator.add, stretch, stretch[1:])
            found.append(stretch[-1])
        else:
            found += [token for token, _, _ in folded_tokens(stretch, shape)]
    return found


@functools.lru_cache(maxsize=_WORDS_REMEMBERED)
def word_token(word: str) -> str:
    """The token of one folded word or joined compound."""
    if len(word) > _WORD_LONGEST:
        digest = hashlib.blake2s(word.encode("utf-8"), digest_size=8).hexdigest()
        return f"{word[:_BEGINNING]}{_APART}{digest}"
    return stem(word) if word.isascii() and word.isalpha() else word


def units(classes: str, start: int, end: int) -> list[tuple[int, int]]:
    """The characters, each with its marks, of a run of a script without spaces."""
    if "m" not in classes[start:end]:
        return [(at, at + 1) for at in range(start, end)]
    return [match.span() for match in _UNIT.finditer(classes, start, end)]


def compound_parts(folded: str, classes: str, start: int, end: int) -> list[tuple[int, int]]:
    """The words of a compound; the rest of an English contraction (`'s`, `n't`) is none."""
    parts = [match.span() for match in _PART.finditer(classes, start, end)]
    last_start, last_end = parts[-1]
    if len(parts) > 1 and classes[last_start - 1] == "'" and folded[last_start:last_end] in _CONTRACTED:
        parts.pop()
    return parts


def whole_token(folded: str, classes: str, parts: list[tuple[int, int]]) -> str:
    """The token of a compound as a whole: `e-mail` is `email`, but digits stay apart: 1.2.3 is not 12.3."""
    joined = folded[slice(*parts[0])]
    for (_, before), (start, end) in itertools.pairwise(parts):
        apart = classes[before - 1] == "0" and classes[start] == "0"
        joined += (_APART if apart else "") + folded[start:end]
    return word_token(joined)


def _compound_tokens(folded: str, classes: str, match: re.Match[str]) -> list[Span]:
    start, end = match.span()
    parts = compound_parts(folded, classes, start, end)
    found = [(word_token(folded[first:last]), first, last) for first, last in parts]
    if match.lastgroup == "sign":
        found.append((folded[start:end].translate(_SIGNS), start, end))
    elif 1 < len(parts) <= PARTS_MOST:
        found.append((whole_token(folded, classes, parts), start, parts[-1][1]))
    return found


def _pair_tokens(folded: str, classes: str, start: int, end: int) -> list[Span]:
    if "m" not in classes[start:end]:
        run = folded[start:end]
        pairs = zip(
            map(operator.add, run, run[1:]), range(start, end - 1), range(start + 2, end + 1), strict=True
        )
        return [*pairs, (run[-1], end - 1, end)]
    places = units(classes, start, end)
    ends = [last for _, last in places[1:]] + [places[-1][1]]
    return [(folded[first:last], first, last) for (first, _), last in zip(places, ends, strict=True)]
