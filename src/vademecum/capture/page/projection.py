"""Which part of a page's own markup holds the text that an extractor took for the article?"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from lxml import etree

from vademecum.capture.page.trees import BLOCKS, HEADINGS, SILENT, Element, drop

_ALONE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7af]")
_TOKEN = re.compile(rf"{_ALONE.pattern}|(?:(?!{_ALONE.pattern})[^\W_])+")
_COVERED = 0.96  # of the matched text must stay when going down to a smaller element
_FOREIGN = 0.15  # share of matched text under which a block is none of the article
_FOUND = 0.5  # of the guiding text must be in the page, or it was rewritten beyond use
_OWN_WORDS = 3  # that stand directly in an element make it a paragraph
_MEDIA_WORDS = 20  # at most beside a picture, such as its caption
_BEFORE, _AFTER = 30, 5  # words from the article within which a picture without text belongs to it
_SMALL_WORDS = 40  # of a block that an extractor may have passed over
_SMALL = frozenset({"p", "ul", "ol", "dl", "li", "blockquote", "table"})
_NOISE = re.compile(
    r"share|social|related|recommend|promo|newsletter|subscri|comment|advert|sponsor|(^|[-_ ])ad([-_ ]|$)"
    r"|author|byline|meta|tags?([-_ ]|$)|nav|menu|breadcrumb|more|read-?next|popular|footer|sidebar|widget"
    r"|caption",
    re.IGNORECASE,
)
_WHOLE = frozenset({"p", "pre", "table", "math", "dl", "blockquote", "details", "figure"}) | HEADINGS
_INLINE_KEPT = frozenset({"pre", "math", "hr", "br"})
_MEDIA = frozenset({"img", "picture", "figure", "math", "pre"})

Gram = tuple[str, str, str]


@dataclass(slots=True)
class _Words:
    """Where the words of each element stand among those of the page, and which belong to the article."""

    spans: dict[Element, tuple[int, int]] = field(default_factory=dict)
    own: dict[Element, int] = field(default_factory=dict)
    matched: list[int] = field(default_factory=list)
    first: int = 0
    last: int = 0

    def of(self, element: Element) -> tuple[int, int]:
        """How many words the element has, and how many of them stand in the article."""
        start, end = self.spans.get(element, (0, 0))
        return end - start, self.matched[end] - self.matched[start]

    def stands_among_matched(self, element: Element) -> bool:
        """Whether the next words before and after it, in the same holder, are of the article."""
        for siblings in (element.itersiblings(preceding=True), element.itersiblings()):
            nearest = next((sibling for sibling in siblings if self.of(sibling)[0]), None)
            if nearest is None or not self.of(nearest)[1]:
                return False
        return True

    def is_near(self, element: Element) -> bool:
        """Whether the element stands within the article or next to it."""
        start, end = self.spans.get(element, (-_BEFORE, -_BEFORE))
        return end >= self.first - _BEFORE and start <= self.last + _AFTER


def project(tree: Element, guide: str) -> Element | None:
    """The smallest element of the page with the guiding text, foreign blocks taken out of it.

    None when under half of the guiding text is found in the page. Changes the tree.
    """
    wanted = _tokens(guide)
    body = tree.find("body") if tree.tag == "html" else tree
    if not wanted or body is None:
        return None
    words = _measured(body, _grams(wanted))
    total = words.of(body)[1]
    if total < _FOUND * len(wanted):
        return None
    root = _lowest(body, words, total)
    _prune(root, words)
    return root


def _tokens(text: str) -> list[str]:
    """Words in lower case; of scripts without spaces each character."""
    return [token.lower() for token in _TOKEN.findall(text)]


def _grams(tokens: list[str]) -> set[Gram]:
    """Three words in a row; of a text with fewer the text itself, filled up."""
    filled = tokens + [""] * (3 - len(tokens))
    return set(zip(filled, filled[1:], filled[2:], strict=False))


def _measured(body: Element, wanted: set[Gram]) -> _Words:
    """Count the words of every element in one pass; a word matches when a wanted row of three covers it.

    A word that is spread over several elements, such as H<sub>2</sub>O, is one word.
    """
    words = _Words()
    tokens = _Tokens()
    starts: dict[Element, int] = {}
    walk = etree.iterwalk(body, events=("start", "end"))
    for event, element in walk:
        if element.tag in BLOCKS or element.tag == "br":
            tokens.part()
        if event == "start":
            starts[element] = len(tokens.found)
            if element.tag in SILENT:
                walk.skip_subtree()
            else:
                words.own[element] = tokens.add(element.text)
            continue
        words.spans[element] = (starts[element], len(tokens.found))
        if element is not body and element.tail:
            words.own[element.getparent()] += tokens.add(element.tail)
    _mark(words, tokens.found, wanted)
    return words


class _Tokens:
    """The words of a page as its texts come in."""

    def __init__(self) -> None:
        self.found: list[str] = []
        self._open = False

    def part(self) -> None:
        """No word goes on from here."""
        self._open = False

    def add(self, text: str | None) -> int:
        """How many words the text holds that began in it."""
        if not text:
            return 0
        new = _tokens(text)
        joined = self._open and bool(new) and _is_letter(text[0])
        if joined:
            self.found[-1] += new.pop(0)
        self.found += new
        self._open = _is_letter(text[-1])
        return len(new)


def _is_letter(sign: str) -> bool:
    """Whether a word may go on beside the sign; in Chinese and Japanese each character is a word."""
    return sign.isalnum() and not _ALONE.match(sign)


def _mark(words: _Words, tokens: list[str], wanted: set[Gram]) -> None:
    filled = [*tokens, "", ""]
    covered = bytearray(len(filled))
    for position in range(len(tokens)):
        if (filled[position], filled[position + 1], filled[position + 2]) in wanted:
            covered[position : position + 3] = b"\x01\x01\x01"
    words.matched = [0]
    for flag in covered[: len(tokens)]:
        words.matched.append(words.matched[-1] + flag)
    words.first, words.last = covered.find(1), covered.rfind(1)


def _lowest(body: Element, words: _Words, total: int) -> Element:
    """The smallest element that still holds nearly all of the article."""
    root = body
    while True:
        smaller = next((child for child in root if words.of(child)[1] >= _COVERED * total), None)
        if smaller is None or smaller.tag in _WHOLE or words.own[smaller] >= _OWN_WORDS:
            return root
        root = smaller


def _prune(root: Element, words: _Words) -> None:
    """Take out what is none of the article; nothing inside a paragraph or table is judged."""
    pending = [root]
    while pending:
        container = pending.pop()
        for child in list(container):
            if not isinstance(child.tag, str) or child.tag in _INLINE_KEPT or child.tag in HEADINGS:
                continue
            length, matched = words.of(child)
            if not matched or matched < _FOREIGN * length:
                if not _was_passed_over(child, words, length):
                    drop(child)
            elif child.tag not in _WHOLE and words.own.get(child, 0) < _OWN_WORDS:
                pending.append(child)
        for heading in [child for child in container if child.tag in HEADINGS]:
            if not words.of(heading)[1] and not _heads_something(heading):
                drop(heading)


def _was_passed_over(element: Element, words: _Words, length: int) -> bool:
    """Whether a block without words of the article belongs to it all the same: a short one amid it, such as
    a list of links, or a picture with next to no text.
    """
    if 0 < length <= _SMALL_WORDS and element.tag in _SMALL and words.stands_among_matched(element):
        return not _is_noise(element)
    shows = element.tag in _MEDIA or next(element.iter(*_MEDIA), None) is not None
    return shows and length <= _MEDIA_WORDS and words.is_near(element)


def _is_noise(element: Element) -> bool:
    """Whether the page itself calls the element, or what it stands in, something beside the article."""
    around = (element, element.getparent())
    names = " ".join(f"{part.get('class', '')} {part.get('id', '')}" for part in around if part is not None)
    return _NOISE.search(names[:400]) is not None


def _heads_something(heading: Element) -> bool:
    """Whether something other than a heading of the same rank or a higher one follows."""
    after = heading.getnext()
    if (heading.tail or "").strip():
        return True
    return after is not None and (after.tag not in HEADINGS or after.tag > heading.tag)
