"""Which extractors come with the installation, and in which order are they asked?"""

from __future__ import annotations

from collections.abc import Sequence

from vademecum.capture.extractors.article import ArticleExtractor
from vademecum.capture.extractors.plain import PlainTextExtractor
from vademecum.capture.plugin import Extractor
from vademecum.model.errors import ExtractionFailed
from vademecum.ports.fetch import FetchedPage
from vademecum.sandbox.process import Sandbox, SandboxLimits

UNSUPPORTED = "unsupported media type"


def page_sandbox(limits: SandboxLimits | None = None) -> Sandbox:
    """The process apart in which pages are read; it raises ExtractionFailed for those out of its limits."""
    return Sandbox("vademecum.capture.worker", ExtractionFailed, limits)


def builtin_extractors(sandbox: Sandbox) -> tuple[Extractor, ...]:
    """Ours; those of other packages may be put before or after them."""
    return (ArticleExtractor(sandbox), PlainTextExtractor())


def choose(extractors: Sequence[Extractor], page: FetchedPage) -> Extractor:
    """The first that matches. Raises ExtractionFailed, reason `unsupported media type`, if none does."""
    for extractor in extractors:
        if extractor.matches(page):
            return extractor
    raise ExtractionFailed(UNSUPPORTED, f"{UNSUPPORTED} {page.media_type[:80]!r}")
