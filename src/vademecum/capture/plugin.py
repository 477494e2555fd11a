"""What is an extractor, and what does it find?"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from vademecum.model.items import Kind
from vademecum.ports.fetch import FetchedPage


class Outcome(StrEnum):
    """How much of a page's text an extractor could take.

    `partial` text is a teaser of an article that the reader must pay or sign in for; `empty` is a page
    without readable text; `blocked` is a page that stands in front of the one that was wanted.
    """

    READABLE = "readable"
    PARTIAL = "partial"
    EMPTY = "empty"
    BLOCKED = "blocked"


@dataclass(frozen=True, slots=True)
class Extracted:
    """What was found in one document.

    `markdown` is the text, empty unless the outcome is readable or partial, and then `reason` says in one
    stable phrase why. Its links are absolute and lead to http, https and mailto only; it holds no raw HTML.
    `title` is one line. `canonical_address` is the page's own word for its address, when it names one on the
    same site. `published` is an ISO date. What a page does not tell is empty.
    """

    kind: Kind
    outcome: Outcome
    title: str = ""
    markdown: str = ""
    reason: str = ""
    canonical_address: str = ""
    author: str = ""
    published: str = ""
    language: str = ""
    site: str = ""
    description: str = ""
    images: tuple[str, ...] = ()


class Extractor(Protocol):
    """Turns one kind of document into Markdown. Ours and those of other packages are used alike."""

    @property
    def name(self) -> str:
        """Lower case, as logs and tests call it."""

    def matches(self, page: FetchedPage) -> bool:
        """Whether this document is of the kind; quick, and without an error whatever the bytes are."""

    def extract(self, page: FetchedPage) -> Extracted:
        """The text of the document, within limits of time and memory.

        Raises ExtractionFailed when the document cannot be read at all: damaged, too slow, too large.
        """
