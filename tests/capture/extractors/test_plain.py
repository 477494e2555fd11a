"""What becomes of plain text and Markdown files on the web?"""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from vademecum.capture.extractors.plain import PLAIN_LIMIT, PlainTextExtractor
from vademecum.capture.plugin import Extracted, Outcome
from vademecum.model.errors import ExtractionFailed
from vademecum.model.items import Kind
from vademecum.ports.fetch import FetchedPage


def extract(text: str | bytes, name: str = "notes.md", media_type: str = "text/markdown") -> Extracted:
    body = text if isinstance(text, bytes) else text.encode()
    return PlainTextExtractor().extract(
        FetchedPage(f"https://gazette.example/files/{name}", 200, media_type, None, body)
    )


def test_markdown_is_kept_as_it_is_with_its_first_heading_as_title() -> None:
    text = "\n# Tides of *today* #\n\n- a\n\n| x | y |\n"
    assert extract(text) == Extracted(Kind.ARTICLE, Outcome.READABLE, title="Tides of *today*", markdown=text)


@pytest.mark.parametrize(
    ("name", "media_type", "title"),
    [
        ("notes.md", "text/plain", "Heading"),
        ("notes.txt", "text/plain", "notes.txt"),
        ("%E6%BD%AE.txt", "text/plain", "潮.txt"),
        ("", "text/plain", "files"),
    ],
)
def test_the_title_is_the_heading_of_markdown_and_else_the_name(
    name: str, media_type: str, title: str
) -> None:
    assert extract("# Heading\n", name, media_type).title == title


def test_prose_keeps_its_lines_and_its_tags_show() -> None:
    assert (
        extract("One <b> tag\r\nand < that\n", "a.txt", "text/plain").markdown
        == "One \\<b> tag\nand < that\n"
    )


def test_code_stands_in_a_fence_longer_than_its_own() -> None:
    found = extract("x = '''\n````\n'''\n\n", "a.py", "text/plain").markdown
    assert found == "`````py\nx = '''\n````\n'''\n`````\n"


def test_old_encodings_are_read() -> None:
    text = "港务局保留两本账簿：一本记录潮汐，另一本记录船只的进出。\n"
    assert extract(text.encode("gbk"), "a.txt", "text/plain").markdown == text


@pytest.mark.parametrize(
    "link",
    [
        "[x](javascript:alert(1))",
        "[x]( <JavaScript:alert(1)>)",
        "[x](java&#115;cript:alert(1))",
        "[x](java\\script:alert(1))",
        "![x](data:text/html;base64,xx)",
        "[x]\n\n[x]: vbscript:run",
        "<javascript:alert(1)>",
        "[x](file:///etc/passwd)",
    ],
)
def test_no_link_runs_a_script(link: str) -> None:
    tokens = MarkdownIt().parse(extract(f"Go {link} now").markdown)
    targets = [
        str(child.attrs.get("href", child.attrs.get("src", "#")))
        for token in tokens
        for child in token.children or []
        if child.type in ("link_open", "image")
    ]
    assert all(target.startswith("#") for target in targets)
    assert "javascript:" not in extract(link).markdown.lower().replace("\\", "").replace("&#115;", "s")


def test_other_links_stay_as_they_are() -> None:
    text = "[a](https://x.example/javascript:1) <mailto:a@b.example> [d]: data\n"
    assert extract(text).markdown == text


@pytest.mark.parametrize("body", [b"", b" \n\t", b"\x00\x01"])
def test_a_file_without_text_is_empty_for_a_reason(body: bytes) -> None:
    found = extract(body, "a.txt", "text/plain")
    assert (found.outcome, found.markdown, found.reason) == (Outcome.EMPTY, "", "no readable text")


def test_more_than_the_limit_is_refused() -> None:
    with pytest.raises(ExtractionFailed) as refused:
        extract(b"a" * (PLAIN_LIMIT + 1))
    assert refused.value.reason == "too large"


@settings(deadline=None)
@given(st.text(max_size=200))
def test_any_text_is_kept_or_told_as_empty(text: str) -> None:
    found = extract(text, "a.txt", "text/plain")
    assert bool(found.markdown.strip()) == (found.outcome is Outcome.READABLE)
