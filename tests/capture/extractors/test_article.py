"""Does the article extractor answer as every extractor does?"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.capture.pages import CHINESE, PARAGRAPH, page
from vademecum.capture.builtin import UNSUPPORTED, builtin_extractors, choose, page_sandbox
from vademecum.capture.extractors.article import HTML_LIMIT, ArticleExtractor
from vademecum.capture.page.reading import NO_TEXT, read_page
from vademecum.capture.page.walls import CHALLENGE
from vademecum.capture.plugin import Extracted, Extractor, Outcome
from vademecum.model.errors import ExtractionFailed
from vademecum.model.items import Kind
from vademecum.ports.fetch import FetchedPage
from vademecum.sandbox.process import Sandbox

ADDRESS = "https://gazette.example/2026/ledgers.html"


@pytest.fixture(scope="module")
def extractor() -> Iterator[Extractor]:
    sandbox = page_sandbox()
    yield ArticleExtractor(sandbox)
    sandbox.close()


def fetched(body: bytes, media_type: str = "text/html", charset: str | None = None) -> FetchedPage:
    return FetchedPage(ADDRESS, 200, media_type, charset, body)


def test_the_process_apart_gives_what_reading_here_gives(extractor: Extractor) -> None:
    text = page(
        '<p><img src="/boat.jpg" alt="A boat"> sails.</p>', head='<meta name="author" content="Ada Quay">'
    )
    assert extractor.extract(fetched(text.encode())) == read_page(text, ADDRESS)


def test_a_page_in_an_old_encoding_is_read_in_the_right_one(extractor: Extractor) -> None:
    text = page("", title="两本账簿", lang="zh", text=CHINESE).replace('<meta charset="utf-8">', "")
    found = extractor.extract(fetched(text.encode("gbk"), charset="gb2312"))
    assert (found.title, found.markdown) == ("两本账簿", f"{CHINESE}\n\n{CHINESE} {CHINESE}\n")


def test_a_blocked_and_an_empty_page_come_with_their_reasons(extractor: Extractor) -> None:
    wall = b"<title>Just a moment...</title><body>Verify you are human"
    assert extractor.extract(fetched(wall)) == Extracted(
        Kind.ARTICLE,
        Outcome.BLOCKED,
        title="Just a moment...",
        reason=CHALLENGE,
        site="gazette.example",
    )
    assert extractor.extract(fetched(b"")) == Extracted(Kind.ARTICLE, Outcome.EMPTY, reason=NO_TEXT)


def test_more_than_the_limit_is_refused_unread(extractor: Extractor) -> None:
    with pytest.raises(ExtractionFailed) as refused:
        extractor.extract(fetched(b" " * (HTML_LIMIT + 1)))
    assert refused.value.reason == "too large"


class Liar(Sandbox):
    """A process apart that was taken over by the document it read."""

    def ask(self, *_: object) -> dict[str, object]:
        return {"kind": "article", "outcome": "readable", "images": [], "markdown": "x", "surprise": 1}


def test_an_answer_of_another_form_is_not_believed() -> None:
    with pytest.raises(ExtractionFailed):
        ArticleExtractor(Liar("none", ExtractionFailed)).extract(fetched(b"<p>x</p>"))


@pytest.mark.parametrize(
    ("media_type", "name"),
    [
        ("text/html", "article"),
        ("application/xhtml+xml", "article"),
        ("text/plain", "plain"),
        ("text/markdown", "plain"),
    ],
)
def test_every_text_type_has_its_extractor(media_type: str, name: str) -> None:
    assert choose(builtin_extractors(page_sandbox()), fetched(b"", media_type)).name == name


@pytest.mark.parametrize("media_type", ["application/pdf", "image/png", "application/zip", ""])
def test_another_media_type_is_refused_as_unsupported(media_type: str) -> None:
    with pytest.raises(ExtractionFailed) as refused:
        choose(builtin_extractors(page_sandbox()), fetched(PARAGRAPH.encode(), media_type))
    assert refused.value.reason == UNSUPPORTED
