"""How does a plain text or a Markdown file on the web become the text of an item?"""

from __future__ import annotations

import html
import re
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

from vademecum.capture.plugin import Extracted, Outcome
from vademecum.model.errors import ExtractionFailed
from vademecum.model.items import Kind
from vademecum.ports.fetch import FetchedPage
from vademecum.text.decoding import decode_page

PLAIN_LIMIT = 2 * 1024 * 1024  # bytes
_PLAIN = "text/plain"
_MARKDOWN = frozenset({"text/markdown", "text/x-markdown"})
_MARKDOWN_NAMES = frozenset({".md", ".markdown", ".mkd"})
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_HEADING = re.compile(r"#{1,6}[ \t]+(.+?)[ \t]*#*\Z")
_FENCE = re.compile(r"`{3,}")
_CODE_NAMES = frozenset(
    [
        ".py",
        ".js",
        ".ts",
        ".c",
        ".h",
        ".cpp",
        ".rs",
        ".go",
        ".java",
        ".rb",
        ".sh",
        ".sql",
        ".json",
        ".yaml",
        ".yml",
        ".toml",
        ".css",
        ".csv",
        ".xml",
        ".diff",
    ]
)
_TITLE_LIMIT = 200  # characters
_TAG = re.compile(r"<(?=[A-Za-z/!?])")
_TARGET = re.compile(r"(\]\(\s{0,9}<?|\]:\s{0,9}<?|<)([^\s()<>\"]{1,4096})")
_SCRIPT = re.compile(r"(javascript|vbscript|data|file|livescript):", re.IGNORECASE)


class PlainTextExtractor:
    """Keeps Markdown as it is but for links that would run a script, and plain text so that it reads in
    Markdown as it did before: code in a fence, prose with its tags escaped.
    """

    name = "plain"

    def matches(self, page: FetchedPage) -> bool:
        return page.media_type == _PLAIN or page.media_type in _MARKDOWN

    def extract(self, page: FetchedPage) -> Extracted:
        """The text, with its first heading or else the file's name as title. Raises ExtractionFailed when it
        is larger than 2 MB.
        """
        if len(page.body) > PLAIN_LIMIT:
            raise ExtractionFailed("too large")
        text = (
            _CONTROLS.sub("", decode_page(page.body, page.charset)).replace("\r\n", "\n").replace("\r", "\n")
        )
        path = PurePosixPath(unquote(urlsplit(page.address).path))
        if not text.strip():
            return Extracted(Kind.ARTICLE, Outcome.EMPTY, title=path.name, reason="no readable text")
        is_markdown = page.media_type in _MARKDOWN or path.suffix.lower() in _MARKDOWN_NAMES
        markdown = _without_scripts(text) if is_markdown else _as_markdown(text, path.suffix.lower())
        title = (_first_heading(text) if is_markdown else "") or path.name or urlsplit(page.address).netloc
        return Extracted(Kind.ARTICLE, Outcome.READABLE, title=title[:_TITLE_LIMIT], markdown=markdown)


def _first_heading(text: str) -> str:
    first = next((line for line in text.splitlines() if line.strip()), "")
    found = _HEADING.fullmatch(first[: 4 * _TITLE_LIMIT])
    return found.group(1) if found else ""


def _as_markdown(text: str, suffix: str) -> str:
    """Plain text as Markdown; code keeps its line breaks, spaces and signs inside a fence."""
    if suffix not in _CODE_NAMES:
        return _without_scripts(_TAG.sub(r"\\<", text))
    longest = max((len(run) for run in _FENCE.findall(text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{suffix[1:]}\n{text.rstrip()}\n{fence}\n"


def _without_scripts(text: str) -> str:
    """The text with every link that would run a script or open a local file leading nowhere."""

    def checked(found: re.Match[str]) -> str:
        target = _CONTROLS.sub("", html.unescape(found.group(2)).replace("\\", ""))
        return f"{found.group(1)}#" if _SCRIPT.match(target) else found.group()

    return _TARGET.sub(checked, text)
