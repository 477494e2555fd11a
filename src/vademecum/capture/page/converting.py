"""How does a page's own markup become Markdown that is valid, safe and says the same?"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from html_to_markdown import ConversionOptions, convert
from lxml import html

from vademecum.capture.page.cleaning import MATH_BREAK, MATH_CLOSE, MATH_OPEN
from vademecum.capture.page.trees import HEADINGS, Element, drop, texts, words

_OPTIONS = ConversionOptions(
    extract_metadata=False,
    bullets="-",
    br_in_tables=True,
    hidden_content="drop",
)
_DROPPED = frozenset(
    {
        "script", "style", "noscript", "template", "svg", "canvas", "object", "embed", "iframe", "form",
        "button", "input", "select", "textarea", "nav", "dialog", "video", "audio", "map", "link", "meta",
    }
)  # fmt: skip
_LITERAL = frozenset({"pre", "code", "kbd", "samp", "tt"})
_SHOWN = frozenset({"img", "hr", "math"})
_BLOCKS_IN_CELL = (
    ".//table | .//pre | .//ul | .//ol | .//blockquote | .//h1 | .//h2 | .//h3 | .//h4 | .//p[2]"
)

# Signs that Markdown would take for markup where the page means them as text. The converter would escape the
# backslash itself, so each is first replaced by a character that no text may hold.
_ESCAPED = "<[]`*_&\\~"
_STAND_INS = {sign: chr(0xFDD0 + number) for number, sign in enumerate(_ESCAPED)}
_MARKUP = re.compile(
    r"<(?=[A-Za-z/!?])"
    r"|[\[\]](?=[(\[:])|\[(?=[^\[\]]{0,200}\][(\[:])|\[(?=[\[\^!])"
    r"|`|\*(?=\S)|(?<=\S)\*|(?<!\w)_(?=\S)|(?<=\S)_(?!\w)|__|~~"
    r"|&(?=#?\w{1,32};)"
    r"|\\(?=[!-/:-@\[-`{-~])"
)
_FORMULA = re.compile(f"{MATH_OPEN}([ib]){MATH_BREAK}([^{MATH_CLOSE}]*){MATH_CLOSE}")
_FORMULA_APART = re.compile(f"({MATH_OPEN}[^{MATH_CLOSE}]*{MATH_CLOSE})")
_PLACED = re.compile(r"\ufde3(\d+)\ufde4")
_RAISED = str.maketrans("0123456789+-=()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿ")
_LOWERED = str.maketrans("0123456789+-=()", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎")
_FENCE = re.compile(r"\s*(?:[-*+] |\d+\. |> ?)*\s*(`{3,})")


def to_markdown(root: Element, title: str) -> str:
    """The Markdown of an element, with one final newline, empty when there is nothing to read.

    A first heading that repeats the title is left out. Changes the tree.
    """
    _drop_machinery(root)
    _unfold_layout_tables(root)
    _write_small_digits(root)
    _move_punctuation_out(root)
    _drop_repeated_title(root, title)
    _drop_trailing_headings(root)
    formulas = _guard_texts(root)
    markup = html.tostring(root, encoding="unicode", with_tail=False)
    markdown = convert(markup, _OPTIONS).content or ""
    for sign, stand_in in _STAND_INS.items():
        markdown = markdown.replace(stand_in, "\\" + sign)
    markdown = _PLACED.sub(lambda found: formulas[int(found.group(1))], markdown)
    tidy = "\n".join(_tidied(markdown.split("\n"))).strip("\n")
    return tidy + "\n" if tidy.strip() else ""


def _tidied(lines: list[str]) -> Iterator[str]:
    """One blank line where there were several, and one before each quotation; code is left alone."""
    fence, before = "", ""
    for line in lines:
        found = _FENCE.match(line)
        if fence:
            if found and found.group(1).startswith(fence) and not line.strip().strip("`"):
                fence = ""
        elif found:
            fence = found.group(1)
        elif not line.strip() and not before.strip():
            continue
        elif line.startswith(">") and before.strip() and not before.startswith(">"):
            yield ""
        yield line
        before = line


def _drop_machinery(root: Element) -> None:
    """Take out what a page does rather than says."""
    for element in list(root.iter(*_DROPPED)):
        if element is not root:
            drop(element)


def _unfold_layout_tables(root: Element) -> None:
    """Make plain blocks of tables that only place things: their cells would not fit into a line of one."""
    for table in reversed(list(root.iter("table"))):
        rows = list(table.iter("tr"))
        widest = max((len(row) for row in rows), default=0)
        layout = table.get("role") == "presentation" or widest < 2 or not rows
        if not (layout or any(cell.xpath(_BLOCKS_IN_CELL) for cell in table.iter("td", "th"))):
            continue
        for part in list(table.iter("table", "thead", "tbody", "tfoot", "tr", "td", "th", "caption")):
            plain = part.tag in ("td", "th", "caption") and not part.xpath(
                _BLOCKS_IN_CELL + " | .//p | .//div"
            )
            part.tag = "p" if plain else "div"
            part.attrib.clear()
        for part in list(table.iter("colgroup", "col")):
            drop(part)


def _write_small_digits(root: Element) -> None:
    """Write raised and lowered digits as characters of their own, since Markdown has no such markup."""
    for tag, table in (("sup", _RAISED), ("sub", _LOWERED)):
        for element in list(root.iter(tag)):
            text = element.text or ""
            if len(element) == 0 and text and all(ord(sign) in table for sign in text):
                element.text = text.translate(table)
            element.tag = "span"


def _move_punctuation_out(root: Element) -> None:
    """Move punctuation at the ends of bold and slanted text outside where a letter follows without a space:
    Markdown would not see the end of the emphasis, and Chinese and Japanese have no spaces.
    """
    for element in list(root.iter("b", "strong", "i", "em")):
        text = element.text or ""
        if len(element) or element is root or not text.strip():
            continue
        before, after = _text_before(element), element.tail or ""
        start, end = 0, len(text)
        if after[:1].isalnum():
            while end > start and _is_punctuation(text[end - 1]):
                end -= 1
        if before[-1:].isalnum() or (start < end < len(text)):
            while start < end and _is_punctuation(text[start]):
                start += 1
        if (start, end) == (0, len(text)):
            continue
        element.tail = text[end:] + after
        _add_before(element, text[:start])
        element.text = text[start:end]
        if start == end:
            drop(element)


def _is_punctuation(sign: str) -> bool:
    return unicodedata.category(sign)[0] in "PS"


def _text_before(element: Element) -> str:
    previous = element.getprevious()
    return (element.getparent().text if previous is None else previous.tail) or ""


def _add_before(element: Element, text: str) -> None:
    previous = element.getprevious()
    if previous is None:
        element.getparent().text = (element.getparent().text or "") + text
    else:
        previous.tail = (previous.tail or "") + text


def _drop_repeated_title(root: Element, title: str) -> None:
    first = next((element for element in root.iter(*HEADINGS)), None)
    if first is None or first is root or not title or words(first) != " ".join(title.split()):
        return
    for element, text, _ in texts(root):
        if text.strip():
            if first is element or first in element.iterancestors():
                drop(first)
            return


def _drop_trailing_headings(root: Element) -> None:
    """A heading at the very end lost what it headed, such as a list of other articles."""
    while True:
        shown = [element for element in root.iter() if element.tag in _SHOWN or (element.text or "").strip()]
        tails = [element for element in root.iter() if element is not root and (element.tail or "").strip()]
        holders = [] if not shown else [shown[-1], *shown[-1].iterancestors()]
        last = next((element for element in holders if element.tag in HEADINGS and element is not root), None)
        if last is None or len(shown) == 1 or (tails and _is_after(tails[-1], last)):
            return
        drop(last)


def _is_after(element: Element, heading: Element) -> bool:
    """Whether the text after an element comes later than a heading."""
    if element is heading:
        return True
    inside = heading in element.iterancestors()
    order = list(heading.getroottree().iter())
    return not inside and order.index(element) > order.index(heading)


def _guard_texts(root: Element) -> list[str]:
    """Replace, outside code, what Markdown would take for markup; gives the formulas that were taken out."""
    formulas: list[str] = []

    def placed(found: re.Match[str]) -> str:
        sign = "$$" if found.group(1) == "b" else "$"
        formulas.append(f"{sign}{found.group(2)}{sign}")
        return f"\ufde3{len(formulas) - 1}\ufde4"

    for element in root.iter():
        around = {holder.tag for holder in element.iterancestors()}
        if element.text and not _LITERAL & {element.tag, *around}:
            element.text = _FORMULA.sub(placed, _guarded(element.text))
        if element.tail and element is not root and not _LITERAL & around:
            element.tail = _FORMULA.sub(placed, _guarded(element.tail))
    return formulas


def _guarded(text: str) -> str:
    """The text with stand-ins for signs of Markdown, formulas left alone."""
    parts = _FORMULA_APART.split(text)
    return "".join(
        part if part.startswith(MATH_OPEN) else _MARKUP.sub(_stood_in, part) for part in parts if part
    )


def _stood_in(found: re.Match[str]) -> str:
    return "".join(_STAND_INS[sign] for sign in found.group())
