"""How does a web page become the Markdown of its article?"""

from __future__ import annotations

from typing import Any

from vademecum.capture.plugin import Extracted, Outcome
from vademecum.model.errors import ExtractionFailed
from vademecum.model.items import Kind
from vademecum.ports.fetch import FetchedPage
from vademecum.sandbox.process import Sandbox

HTML_LIMIT = 5 * 1024 * 1024  # bytes
_TYPES = frozenset({"text/html", "application/xhtml+xml"})


class ArticleExtractor:
    """Takes title, text and what a page tells about itself out of HTML, in a process apart."""

    name = "article"

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox

    def matches(self, page: FetchedPage) -> bool:
        return page.media_type in _TYPES

    def extract(self, page: FetchedPage) -> Extracted:
        """The article. Raises ExtractionFailed for more than 5 MB and for what cannot be read in bounds."""
        if len(page.body) > HTML_LIMIT:
            raise ExtractionFailed("too large")
        answer = self._sandbox.ask({"address": page.address, "charset": page.charset}, page.body)
        return _extracted(answer)


def _extracted(answer: dict[str, Any]) -> Extracted:
    """The value that the other process sent as JSON. Raises ExtractionFailed when it is not one."""
    try:
        kind, outcome, images = Kind(answer.pop("kind")), Outcome(answer.pop("outcome")), answer.pop("images")
        return Extracted(kind=kind, outcome=outcome, images=tuple(map(str, images)), **answer)
    except (KeyError, TypeError, ValueError) as error:
        raise ExtractionFailed("damaged beyond reading") from error
