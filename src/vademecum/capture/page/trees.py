"""What do the other modules of this package ask of a parsed page?"""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from lxml import etree, html

Element = Any
"""An element of lxml, which carries no types."""

SILENT = frozenset(
    {"script", "style", "noscript", "template", "head", "title", "meta", "link", "svg", "iframe"}
)
"""Elements whose text a reader does not see."""
CODE = frozenset({"pre", "code", "kbd", "samp", "tt", "textarea"})
HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
BLOCKS = HEADINGS | frozenset(
    {
        "address", "article", "aside", "blockquote", "body", "dd", "details", "dialog", "div", "dl", "dt",
        "fieldset", "figcaption", "figure", "footer", "form", "header", "hr", "li", "main", "nav", "ol", "p",
        "pre", "section", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul",
    }
)  # fmt: skip

_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
_REFERENCE = re.compile(r"&#(?:[xX]([0-9A-Fa-f]{1,8})|([0-9]{1,8}));?")
_DEPTH_LIMIT = 400


def parsed(text: str) -> Element | None:
    """The page as a tree, None when there is nothing in it; characters that no document may hold are left
    out, and so is what is nested deeper than in any real page.
    """
    clean = _REFERENCE.sub(_permitted, _FORBIDDEN.sub("", text))
    if not clean.strip():
        return None
    parser = html.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True, huge_tree=False)
    try:
        tree = html.document_fromstring(clean.encode("utf-8"), parser=parser)
    except etree.XMLSyntaxError as error:
        if error.code == etree.ErrorTypes.ERR_NO_MEMORY:
            raise MemoryError from error
        return None
    except (etree.ParserError, ValueError):
        return None
    _cut_depth(tree)
    return tree


def _permitted(reference: re.Match[str]) -> str:
    """A numeric reference as it stands, or nothing when it names a character that no document may hold."""
    hexadecimal, decimal = reference.groups()
    number = int(hexadecimal, 16) if hexadecimal else int(decimal)
    forbidden = number > 0x10FFFF or _FORBIDDEN.match(chr(number)) is not None
    return "" if forbidden else reference.group()


def _cut_depth(tree: Element) -> None:
    """Take out what is nested too deep for the recursive parts of the libraries that follow."""
    level = [tree]
    for _ in range(_DEPTH_LIMIT):
        level = [child for element in level for child in element if isinstance(child.tag, str)]
        if not level:
            return
    for element in level:
        drop(element)


def copied(tree: Element) -> Element:
    """A tree of its own, for a library that changes what it is given."""
    return deepcopy(tree)


def drop(element: Element) -> None:
    """Take an element out with all that it holds; the text after it stays."""
    parent = element.getparent()
    if parent is None:
        return
    if element.tail:
        before = element.getprevious()
        if before is None:
            parent.text = (parent.text or "") + element.tail
        else:
            before.tail = (before.tail or "") + element.tail
    parent.remove(element)


def replace_by_text(element: Element, text: str) -> None:
    """Put a text in the place of an element."""
    element.tail = text + (element.tail or "")
    drop(element)


def words(element: Element) -> str:
    """All text of an element on one line."""
    return " ".join(" ".join(element.itertext()).split())


def texts(tree: Element) -> Iterator[tuple[Element, str, bool]]:
    """Each visible text with the element it stands in and whether it is code, in the order of the page.

    Each element is met before what it holds; a text after an element belongs to that element's parent.
    """
    stack: list[tuple[Element, bool, bool]] = [(tree, False, False)]
    while stack:
        element, code, after = stack.pop()
        if after:
            yield element.getparent(), element.tail, code
            continue
        if element.tail and element is not tree:
            stack.append((element, code, True))
        if not isinstance(element.tag, str) or element.tag in SILENT:
            continue
        inside = code or element.tag in CODE
        if element.text:
            yield element, element.text, inside
        stack.extend((child, inside, False) for child in reversed(element))
