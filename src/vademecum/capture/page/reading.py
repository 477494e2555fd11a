"""What does a whole web page say, once everything around its text is left out?"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import trafilatura
from trafilatura.external import try_readability

from vademecum.capture.page.cleaning import clean
from vademecum.capture.page.converting import to_markdown
from vademecum.capture.page.metadata import canonical_address, language_of, linked_data, one_line, title_of
from vademecum.capture.page.projection import project
from vademecum.capture.page.trees import Element, copied, drop, parsed, texts, words
from vademecum.capture.page.walls import is_teaser, wall_of
from vademecum.capture.plugin import Extracted, Outcome
from vademecum.model.items import Kind

NO_TEXT = "no readable text"
NEEDS_BROWSER = "needs capture in a browser"

_MUCH_LONGER = 0.6  # of the second opinion's length that the first must reach to be believed
_THIN = 200  # characters
_SCRIPTED = 50_000  # characters of script that make a page with next to no text a program
_PICTURES = 100


@dataclass(frozen=True, slots=True)
class _Guide:
    """Which text the extractor took for the article, and its own rebuilt markup."""

    text: str
    found: Any = None


def read_page(text: str, address: str) -> Extracted:
    """Title, text and what else a page of HTML tells (capture 1.6). Never fails for bad markup."""
    tree = parsed(text)
    if tree is None:
        return Extracted(Kind.ARTICLE, Outcome.EMPTY, reason=NO_TEXT)
    clean(tree, address)
    told = linked_data(tree)
    guide = _guide(tree, address)
    page = _described(tree, address, guide.found, told.headline)
    wall = wall_of(tree, guide.text)
    if wall:
        return replace(page, outcome=Outcome.BLOCKED, reason=wall)
    partial = is_teaser(tree, guide.text, told.is_free)
    markdown, pictures = _rendered(tree, guide, page.title)
    if len(markdown) < _THIN and len(told.body) > 2 * len(markdown):
        markdown = _paragraphs(told.body)
    if not markdown or (len(markdown) < _THIN and _is_program(tree)):
        return replace(page, outcome=Outcome.EMPTY, reason=NEEDS_BROWSER if _is_program(tree) else NO_TEXT)
    outcome = Outcome.PARTIAL if partial else Outcome.READABLE
    return replace(page, outcome=outcome, markdown=markdown, images=pictures)


def _guide(tree: Element, address: str) -> _Guide:
    """The first extractor's text, unless the second found much more."""
    found = trafilatura.bare_extraction(
        copied(tree), url=address, include_comments=False, include_tables=True, with_metadata=True
    )
    first = "" if found is None or isinstance(found, dict) else found.text or ""
    second = words(try_readability(copied(tree)))
    return _Guide(second if len(first) < _MUCH_LONGER * len(second) else first, found)


def _rendered(tree: Element, guide: _Guide, title: str) -> tuple[str, tuple[str, ...]]:
    """The article in Markdown with the addresses of its pictures, from the page's own markup if it can be."""
    root = project(copied(tree), guide.text) if guide.text else _everything(copied(tree))
    if root is None:
        return _paragraphs(guide.text), ()
    markdown = to_markdown(root, title)
    sources = dict.fromkeys(picture.get("src") for picture in root.iter("img"))
    return markdown, tuple(source for source in sources if source)[:_PICTURES]


def _everything(tree: Element) -> Element | None:
    """The whole page without what is around every page of a site, for pages in which no article was found."""
    body = tree.find("body")
    if body is not None:
        for element in list(body.iter("header", "nav", "aside", "footer", "form")):
            drop(element)
    return body if body is not None and any(text.strip() for _, text, _ in texts(body)) else None


def _paragraphs(text: str) -> str:
    """Plain text as Markdown, one paragraph for each line."""
    tree = parsed("<html><body></body></html>")
    body = tree.find("body") if tree is not None else None
    if body is None:
        return ""
    for line in text.splitlines():
        if line.strip():
            paragraph = body.makeelement("p")
            paragraph.text = " ".join(line.split())
            body.append(paragraph)
    return to_markdown(body, "")


def _described(tree: Element, address: str, found: Any, headline: str) -> Extracted:
    """What the page tells about itself."""

    def told(name: str) -> str:
        return one_line(getattr(found, name, None))

    return Extracted(
        kind=Kind.ARTICLE,
        outcome=Outcome.READABLE,
        title=told("title") or headline or title_of(tree),
        canonical_address=canonical_address(tree, address),
        author=told("author"),
        published=told("date"),
        language=language_of(tree),
        site=told("sitename"),
        description=told("description"),
    )


def _is_program(tree: Element) -> bool:
    """Whether a page that says next to nothing would say more where its scripts run."""
    scripts = list(tree.iter("script"))
    written = sum(len(script.text or "") for script in scripts)
    mounts = tree.xpath("boolean(//body/*[@id='root' or @id='app' or @id='__next' or @id='__nuxt'][not(*)])")
    return written > _SCRIPTED or bool(mounts and any(script.get("src") for script in scripts))
