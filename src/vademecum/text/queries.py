"""What does a query ask for: which words, and which exact wordings?"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from vademecum.text.folding import fold
from vademecum.text.scripts import CJK, SPACED_LETTER, character_classes
from vademecum.text.terms import Term, content_terms, distinct, phrase_term, required_terms
from vademecum.text.tokens import ELEMENT

LITERALS_MOST = 8  # of each kind
_LENGTH_MOST = 4_000  # twice what callers may let through

_WORD_STARTS, _WORD_ENDS = f"(?<!{SPACED_LETTER})", f"(?!{SPACED_LETTER})"
_QUOTED = re.compile(
    rf'{_WORD_STARTS}"([^"\n]+)"{_WORD_ENDS}|\u201c([^\u201d\n]+)\u201d|\u201e([^\u201c\u201d\n]+)[\u201c\u201d]'
    r"|\u00ab([^\u00bb\n]+)\u00bb|\u300c([^\u300d\n]+)\u300d|\u300e([^\u300f\n]+)\u300f"
)
_ADDRESS = re.compile(
    r"(?:https?://|www\.)[^\s<>\"'`\u3000-\u3004\u3008-\u3020\u201c\u201d\u2026]+", re.IGNORECASE
)
_SCHEME = re.compile(r"https?://(?:www\.)?", re.IGNORECASE)
_ADDRESS_START = re.compile(r"(?:https?://)?(?:www\.)?", re.IGNORECASE)
_AFTER_ADDRESS = ".,;:!?)]}>/"
_MAIL = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}")
_JOINED_WORDS = re.compile(rf"{_WORD_STARTS}[A-Za-z0-9]+(?:[-_./:#]+[A-Za-z0-9]+)*{_WORD_ENDS}")
_JOINT = re.compile(r"[-_./:#]+")


@dataclass(frozen=True, slots=True)
class Literal:
    """A wording that must stand in a text as it is, apart from what `fold` makes equal.

    `terms` are what every text with this wording holds in the index: a test that lets a few more through.
    """

    text: str
    terms: tuple[Term, ...]

    @property
    def pattern(self) -> re.Pattern[str]:
        """Finds the wording, as whole words, in a folded text."""
        return _literal_pattern(self.text)

    def found_in(self, text: str) -> bool:
        """Whether the wording stands in the text, as whole words."""
        return self.pattern.search(fold(text)) is not None


@dataclass(frozen=True, slots=True)
class Query:
    """A query as searched: any of `terms`, and exact wins for each hit on a literal.

    `terms` are empty only if the text holds no letter, digit or emoji. `phrases` stood in quotation marks,
    `identifiers` look like `ABC-1234`, `foo_bar` or `v1.2.3`, `addresses` are of the web (without scheme,
    `www.` and final slash) or of mail.
    """

    text: str
    terms: tuple[Term, ...]
    phrases: tuple[Literal, ...] = ()
    identifiers: tuple[Literal, ...] = ()
    addresses: tuple[Literal, ...] = ()

    @property
    def literals(self) -> tuple[Literal, ...]:
        """Every wording that is an exact win where it stands."""
        return (*self.phrases, *self.identifiers, *self.addresses)

    @property
    def names(self) -> tuple[Term, ...]:
        """The Latin words of a question in Chinese, Japanese or Korean: mostly names of products, people and
        techniques, which a text in any language writes alike.
        """
        if not any(CJK.search(token) for term in self.terms for token in term.tokens):
            return ()
        return tuple(term for term in self.terms if _is_name(term))


def parse_query(query: str) -> Query:
    """The query taken apart, in bounded time: what stands after 4,000 characters is not read."""
    text = unicodedata.normalize("NFKC", query[:_LENGTH_MOST])[:_LENGTH_MOST]
    quoted = [next(filter(None, match.groups())) for match in _QUOTED.finditer(text)]
    pages = [
        _ADDRESS_START.sub("", found.rstrip(_AFTER_ADDRESS), count=1) for found in _ADDRESS.findall(text)
    ]
    rest = _ADDRESS.sub(" ", text)
    mails, rest = _MAIL.findall(rest), _MAIL.sub(" ", rest)
    identifiers = filter(_identifies, _JOINED_WORDS.findall(rest))
    phrases = [term for term in map(phrase_term, quoted) if term]
    return Query(
        text=query,
        terms=distinct((*phrases, *content_terms(_SCHEME.sub(" ", text)))),
        phrases=_literals(quoted),
        identifiers=_literals(identifiers),
        addresses=_literals((*pages, *mails)),
    )


def literal_words(keywords: str) -> tuple[Literal, ...]:
    """The words between white space, each a wording that a text must hold (contracts 2.4.2)."""
    return tuple(literal for word in dict.fromkeys(keywords.split()) if (literal := _literal(word)).terms)


def names_title(query: str, title: str) -> bool:
    """Whether the query is the whole title, apart from what `fold` makes equal and from punctuation."""
    return title_key(query) == title_key(title) != ""


def title_key(title: str) -> str:
    """What titles that count as equal have in common."""
    folded = fold(title)
    words = (folded[match.start() : match.end()] for match in ELEMENT.finditer(character_classes(folded)))
    return " ".join(words) or " ".join(folded.split())


def _is_name(term: Term) -> bool:
    word = term.tokens[0]
    return len(term.tokens) == 1 and len(word) > 1 and word.isascii() and not word.isdigit()


def _identifies(word: str) -> bool:
    """Whether the word looks like the name of one thing: an underscore, or digits with letters or two joints.

    A word without joints needs three digits, so that `Python3` is none.
    """
    joints = _JOINT.findall(word)
    digits = sum(map(str.isdigit, word))
    if not joints:
        return digits >= 3 and digits < len(word)
    letters = len(word) - digits - sum(map(len, joints))
    return "_" in word or (digits > 0 and (letters > 0 or len(joints) > 1))


def _literals(wordings: Iterable[str]) -> tuple[Literal, ...]:
    distinct_wordings = dict.fromkeys(wording.strip() for wording in wordings)
    found = [literal for literal in map(_literal, distinct_wordings) if literal.terms]
    return tuple(found[:LITERALS_MOST])


def _literal(wording: str) -> Literal:
    return Literal(wording, required_terms(wording))


@functools.lru_cache(maxsize=512)
def _literal_pattern(text: str) -> re.Pattern[str]:
    words = fold(text).split()
    wording = " +".join(map(re.escape, words))
    classes = character_classes("".join(words))
    before = _WORD_STARTS if classes[:1] in ("a", "0") else ""
    after = _WORD_ENDS if classes[-1:] in ("a", "0", "m") else ""
    return re.compile(before + wording + after)
