"""Which peculiarities of web pages are put straight before a page is read?"""

from __future__ import annotations

import re
from urllib.parse import quote, urljoin, urlsplit

from lxml import etree

from vademecum.capture.page.trees import HEADINGS, Element, drop, replace_by_text, words

_LAZY_SOURCES = (
    "data-src",
    "data-original",
    "data-lazy-src",
    "data-actualsrc",
    "data-url",
    "data-hi-res-src",
)
_CONSENT = re.compile(
    r"cookie-?(banner|consent|notice|law|bar|popup|wall)|consent-?(banner|manager|layer|overlay|modal)"
    r"|onetrust|didomi|usercentrics|cookiebot|cmpbox|qc-cmp2|sp_message|gdpr|truste|cookiefirst|klaro",
    re.IGNORECASE,
)
_CONSENT_SHARE = 0.3  # of the page's text; a larger element is the page itself
_LANGUAGE_CLASS = re.compile(
    r"(?:^|[\s-])(?:language|lang|highlight-source|brush:?|sourceCode)[-:\s]\s*([\w+#.-]{1,20})"
)
_NUMBERED_CODE = (
    "self::*[contains(@class, 'highlight') or contains(@class, 'code') or contains(@class, 'lntable')]"
    " | .//*[contains(@class, 'lineno') or contains(@class, 'gutter') or contains(@class, 'blob-num')]"
)
_BESIDE_CODE = (
    ".//button | .//*[contains(@class, 'lineno') or contains(@class, 'line-number')"
    " or contains(@class, 'linenumber') or contains(@class, 'gutter')]"
)
_LINES = frozenset({"div", "li", "p", "tr"})
_LINE_NUMBERS = re.compile(r"[\d\s]*")
_HIGHLIGHTERS = frozenset({"hljs", "prettyprint", "prism", "codehilite", "highlight", "shiki", "code"})
_NO_LANGUAGE = frozenset({"none", "plain", "plaintext", "text", "txt", "nohighlight", "line-numbers"})
_PERMALINKS = frozenset({"", "#", "\u00b6", "\u00a7", "\U0001f517", "link", "permalink"})
_TEX = "application/x-tex"
_UNSAFE = re.compile(r"[\s<>\"\\^`{|}\ufdd0-\ufdef]")
_SCHEMES = frozenset({"http", "https", "mailto"})

MATH_OPEN, MATH_BREAK, MATH_CLOSE = "\ufde0", "\ufde1", "\ufde2"
"""Signs around a formula, which is kept from the converter: open, number, `i` or `b`, break, TeX, close."""


def clean(tree: Element, address: str) -> None:
    """Put a page straight, in place: pictures, code, formulas, consent banners, links (capture 1.5)."""
    base = _base_address(tree, address)
    _reveal_lazy_pictures(tree)
    _drop_consent_banners(tree)
    _name_code_languages(tree)
    _keep_formulas(tree)
    _drop_permalinks(tree)
    _resolve_addresses(tree, base)


def _base_address(tree: Element, address: str) -> str:
    base = tree.find(".//base[@href]")
    return address if base is None else _joined(address, base.get("href"))


def _joined(base: str, address: str) -> str:
    """The address seen from the base, empty when it is none."""
    try:
        return urljoin(base, address.strip())
    except ValueError:
        return ""


def _reveal_lazy_pictures(tree: Element) -> None:
    """Give each picture the address that a script would have given it."""
    for shadow in list(tree.iter("noscript")):
        pictures = list(shadow.iter("img"))
        before = shadow.getprevious()
        if len(pictures) == 1 and not words(shadow):
            if before is not None and before.tag == "img":
                drop(before)
            shadow.tag = "span"
    for picture in tree.iter("img"):
        source = picture.get("src", "")
        if source and not source.startswith("data:"):
            continue
        lazy = next((picture.get(name) for name in _LAZY_SOURCES if picture.get(name)), None)
        lazy = lazy or _first_of_set(
            picture.get("data-srcset") or picture.get("srcset") or _source_set(picture)
        )
        picture.set("src", lazy or "")
    for frame in list(tree.iter("picture")):
        inner = next(frame.iter("img"), None)
        if inner is not None and frame.getparent() is not None:
            inner.tail = frame.tail
            frame.getparent().replace(frame, inner)


def _source_set(picture: Element) -> str:
    """The candidates of the frame around a picture; the parser may put one source inside another."""
    frame = next(picture.iterancestors("picture"), None)
    sources = [] if frame is None else frame.iter("source")
    return next((source.get("srcset") or source.get("data-srcset") or "" for source in sources), "")


def _first_of_set(candidates: str) -> str:
    return candidates.split(",", maxsplit=1)[0].split(maxsplit=1)[0] if candidates.strip(" ,") else ""


def _drop_consent_banners(tree: Element) -> None:
    """Take out what asks for consent to cookies, unless it is most of the page."""
    body = tree.find("body")
    if body is None:
        return
    limit = _CONSENT_SHARE * max(1, len(words(body)))
    for element in list(body.iter("div", "section", "aside", "dialog", "form")):
        if element.getparent() is None:
            continue
        name = f"{element.get('id', '')} {element.get('class', '')}"
        if _CONSENT.search(name[:400]) and len(words(element)) <= limit:
            drop(element)


def _name_code_languages(tree: Element) -> None:
    """Say the language of each code block in the one way that the converter reads, and drop line numbers."""
    for table in list(tree.iter("table")):
        blocks = [pre for pre in table.iter("pre") if not _LINE_NUMBERS.fullmatch(words(pre))]
        if len(blocks) == 1 and table.xpath(_NUMBERED_CODE) and table.getparent() is not None:
            blocks[0].tail = table.tail
            table.getparent().replace(table, blocks[0])
    for block in tree.iter("pre"):
        language = _language_of(block)
        text = _code_text(block)
        for child in list(block):
            block.remove(child)
        code = block.makeelement("code", {"class": f"language-{language}"} if language else {})
        code.text = text
        block.text = None
        block.append(code)


def _code_text(block: Element) -> str:
    """The code as it shows: some pages break lines by elements, number them, or put a button beside them."""
    for extra in list(block.xpath(_BESIDE_CODE)):
        drop(extra)
    parts: list[str] = []
    for event, element in etree.iterwalk(block, events=("start", "end")):
        if event == "start":
            parts.append("\n" if element.tag == "br" else "")
            parts.append(element.text or "")
            continue
        if element.tag in _LINES and not "".join(parts[-2:]).endswith("\n"):
            parts.append("\n")
        if element is not block:
            parts.append(element.tail or "")
    return "".join(parts)


def _language_of(block: Element) -> str:
    """The language of a code block, by its own names, its code element's or its wrapper's."""
    wrapper = block.getparent()
    for element in (*block.iter("code"), block, *([] if wrapper is None else [wrapper, wrapper.getparent()])):
        if element is None:
            continue
        classes = element.get("class", "")
        named = element.get("lang") or element.get("data-lang") or element.get("data-language")
        found = _LANGUAGE_CLASS.search(classes)
        if named is None and found:
            named = found.group(1)
        others = set(classes.split()) - _HIGHLIGHTERS
        if named is None and "hljs" in classes.split() and len(others) == 1:
            named = others.pop()
        if named and element.tag in ("pre", "code", "div", "figure"):
            language = re.sub(r"[^\w+#.-]", "", named)[:20].lower()
            return "" if language in _NO_LANGUAGE else language
    return ""


def _keep_formulas(tree: Element) -> None:
    """Replace a formula by its TeX between signs; pages show each formula twice, for eyes and for readers."""
    for note in tree.xpath(f".//*[local-name()='annotation'][@encoding='{_TEX}']"):
        formula = note
        while formula is not None and formula.tag != "math":
            formula = formula.getparent()
        if formula is None or formula.getparent() is None:
            continue
        block = formula.get("display") == "block"
        for holder in formula.iterancestors("span", "mjx-container"):
            classes = holder.get("class", "")
            block = block or "katex-display" in classes or holder.get("display") == "true"
            if "katex" in classes or "MathJax" in classes or holder.tag == "mjx-container":
                formula = holder
        _replace_formula(formula, "".join(note.itertext()), block)
    for script in list(tree.xpath(".//script[starts-with(@type, 'math/tex')]")):
        shown = script.getprevious()
        while shown is not None and "MathJax" in shown.get("class", ""):
            earlier = shown.getprevious()
            drop(shown)
            shown = earlier
        _replace_formula(script, script.text or "", "mode=display" in script.get("type"))


def _replace_formula(formula: Element, tex: str, block: bool) -> None:
    kept = " ".join(tex.replace("$", r"\$").split())
    sign = "b" if block else "i"
    replace_by_text(formula, f"{MATH_OPEN}{sign}{MATH_BREAK}{kept}{MATH_CLOSE}" if kept else "")


def _drop_permalinks(tree: Element) -> None:
    """Take the link signs out of headings, and links that nobody can see."""
    for link in list(tree.iter("a")):
        label = words(link).lower()
        in_heading = any(holder.tag in HEADINGS for holder in link.iterancestors())
        shows_nothing = not label and next(link.iter("img", "picture", "svg", "math"), None) is None
        if link.getparent() is not None and (shows_nothing or (in_heading and label in _PERMALINKS)):
            drop(link)


def _resolve_addresses(tree: Element, base: str) -> None:
    """Make links and pictures absolute; a target of another scheme than http, https and mailto is no link."""
    for link in tree.iter("a"):
        target = _joined(base, link.get("href", "")) if link.get("href") else ""
        if target and urlsplit(target).scheme in _SCHEMES:
            link.set("href", _escaped(target))
        else:
            link.tag = "span"
            link.attrib.clear()
    for picture in list(tree.iter("img")):
        source = _joined(base, picture.get("src", "")) if picture.get("src") else ""
        if urlsplit(source).scheme in ("http", "https"):
            picture.set("src", _escaped(source))
            picture.set("alt", _one_line(picture.get("alt", "")))
        else:
            replace_by_text(picture, "")


def _escaped(address: str) -> str:
    """The address with the signs escaped that would end it in Markdown."""
    return _UNSAFE.sub(lambda found: quote(found.group()), _one_line(address))


def _one_line(text: str) -> str:
    return " ".join(text.split())
