"""How do Markdown files, and the files beside them, become items?"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime, tzinfo
from pathlib import Path, PurePosixPath

from vademecum.importers.plugin import Broken, Skipped, SourceFile, Unreadable
from vademecum.importers.tree import walk_tree
from vademecum.library.context import Library
from vademecum.library.importing import Incoming
from vademecum.model.addresses import check_address
from vademecum.model.errors import InvalidInput, TooLarge
from vademecum.model.items import IMPORT_TEXT_LIMIT, TITLE_LIMIT, Blob, Kind, Layers
from vademecum.model.tags import distinct_tags
from vademecum.model.times import stamp
from vademecum.text.decoding import decode_page
from vademecum.text.frontmatter_block import split
from vademecum.text.hashtags import find_tags
from vademecum.text.markdown import leading_heading
from vademecum.text.properties import Properties, parse

NOTE_SUFFIXES = (".md", ".markdown")
FILE_LIMIT = 1024 * 1024 * 1024  # bytes
INDEXED_FILE_LIMIT = 2 * 1024 * 1024  # bytes of a text file that is also searched
_SINCE_1970 = re.compile(r"\d{10}(?:\d{3})?")  # seconds, or milliseconds as Dendron writes
_KINDS = {
    **dict.fromkeys(
        (".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg", ".bmp", ".avif", ".heic", ".tiff"), Kind.IMAGE
    ),
    ".pdf": Kind.PDF,
    ".xlsx": Kind.SHEET,
}
_MEDIA = {
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".gif": "image/gif",
    ".webp": "image/webp",
    ".svg": "image/svg+xml",
    ".pdf": "application/pdf",
    ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ".canvas": "application/json",
    ".json": "application/json",
    ".csv": "text/csv",
    ".tsv": "text/tab-separated-values",
    ".txt": "text/plain",
    ".html": "text/html",
}
# What people write and read. Programs and their data (JSON, YAML, HTML, scripts, logs …) would answer
# questions that are not about them: they are found by their names.
_TEXT_SUFFIXES = (".txt", ".csv", ".tsv", ".canvas", ".org", ".rst", ".tex", ".bib")


class MarkdownFolder:
    """Markdown files and folders, Obsidian vaults too: notes become notes, all else files in its place."""

    name = "markdown"

    def recognises(self, root: Path) -> bool:
        """Every folder, and every file; formats with marks of their own are asked first."""
        return root.is_dir() or root.is_file()

    def walk(self, root: Path) -> Iterator[SourceFile | Skipped | Broken]:
        """Everything in the folder; settings, trash and history of other programs are listed as skipped."""
        return walk_tree(root)

    def read(self, library: Library, file: SourceFile, zone: tzinfo) -> tuple[Incoming, list[str]]:
        """The note or file; raises Unreadable for what cannot be kept."""
        path = PurePosixPath(file.path)
        try:
            if path.suffix.lower() in NOTE_SUFFIXES:
                return _note(file, path, zone)
            return _file(library, file, path)
        except OSError as error:
            raise Unreadable(f"cannot be read: {error.strerror}") from error


def _note(file: SourceFile, path: PurePosixPath, zone: tzinfo) -> tuple[Incoming, list[str]]:
    if file.size > IMPORT_TEXT_LIMIT:
        raise Unreadable(f"larger than {IMPORT_TEXT_LIMIT:,} bytes")
    content = file.location.read_bytes()
    text, warnings = decoded(content)
    parts = split(text)
    properties = parse(parts.block)
    flagged = [properties.problem] if properties.problem else properties.repeated
    warnings += [f"frontmatter, line {problem.line}: {problem.message}" for problem in flagged]
    return (
        Incoming(
            path=file.path,
            file_hash=hashlib.sha256(content).hexdigest(),
            folder=path.parts[:-1],
            file_name=path.name,
            title=title_of(properties, parts.body, path.stem),
            layers=Layers(authored=parts.body),
            frontmatter=parts.block,
            tags=tags_of(properties, parts.body),
            created_at=_created(properties, zone) or _changed(file),
            source_url=_source(properties),
        ),
        warnings,
    )


def title_of(properties: Properties, body: str, stem: str) -> str:
    """Frontmatter title, else the first H1 before any other text, else the file name (decisions, Titles)."""
    found = properties.title or leading_heading(body) or stem
    return " ".join(found.split())[:TITLE_LIMIT] or stem[:TITLE_LIMIT]


def tags_of(properties: Properties, body: str) -> tuple[str, ...]:
    """Tags of the frontmatter, then those in the text; the first spelling of each stays."""
    return distinct_tags((*properties.tags, *find_tags(body)))


def decoded(content: bytes) -> tuple[str, list[str]]:
    """The text of a file, with its byte order mark, and what the report should say of its characters."""
    try:
        text, warnings = content.decode("utf-8"), []
    except UnicodeDecodeError as error:
        text, warnings = (
            decode_page(content),
            [f"not UTF-8 from byte {error.start} on: read as what it looks like"],
        )
    if "\0" in text:
        warnings.append(f"holds the character NUL, first at {text.index(chr(0))}")
    return text, warnings


def _created(properties: Properties, zone: tzinfo) -> str | None:
    """The time that the frontmatter gives, None where it gives none that can be read."""
    written = (properties.created or "").strip()
    try:
        if _SINCE_1970.fullmatch(written):
            return stamp(datetime.fromtimestamp(int(written[:10]), UTC))
        moment = datetime.fromisoformat(written)
        return stamp(moment if moment.tzinfo else moment.replace(tzinfo=zone))
    except (ValueError, OverflowError):
        return None


def _changed(file: SourceFile) -> str | None:
    """When the file was last changed, None where its file system says what cannot be."""
    try:
        return stamp(datetime.fromtimestamp(max(file.modified, 0), UTC))
    except (ValueError, OverflowError, OSError):
        return None


def _source(properties: Properties) -> str | None:
    """The address that the frontmatter names; text that is no address of the web is the note's own."""
    for key in ("source", "url"):
        try:
            return check_address(properties.literal(key) or "")
        except InvalidInput:
            continue
    return None


def _file(library: Library, file: SourceFile, path: PurePosixPath) -> tuple[Incoming, list[str]]:
    with file.location.open("rb") as stream:
        try:
            content_hash, size = library.blobs.put_file(stream, FILE_LIMIT)
        except TooLarge as error:
            raise Unreadable(f"larger than {FILE_LIMIT:,} bytes") from error
    suffix = path.suffix.lower()
    text, warnings = _text_of(file, suffix)
    return (
        Incoming(
            path=file.path,
            file_hash=content_hash,
            folder=path.parts[:-1],
            file_name=path.name,
            title=path.name[:TITLE_LIMIT],
            kind=_KINDS.get(suffix, Kind.FILE),
            layers=Layers(extracted=text),
            created_at=_changed(file),
            blob=Blob(content_hash, size, _MEDIA.get(suffix, "application/octet-stream")),
        ),
        warnings,
    )


def _text_of(file: SourceFile, suffix: str) -> tuple[str | None, list[str]]:
    """What of a file is searched, None for nothing, and what the report should say of it."""
    if suffix not in _TEXT_SUFFIXES:
        return None, []
    if file.size > INDEXED_FILE_LIMIT:
        return None, [
            f"its text is longer than {INDEXED_FILE_LIMIT:,} bytes: kept, and found by its name alone"
        ]
    text, warnings = decoded(file.location.read_bytes())
    if suffix != ".canvas" or not text.strip():
        return text, warnings
    said = _canvas_text(text)
    return said, warnings if said is not None else ["is no canvas that can be read: found by its name alone"]


def _canvas_text(text: str) -> str | None:
    """What a canvas says: the texts, file names and labels on it, in order; None when it is none."""
    try:
        nodes = json.loads(text).get("nodes", [])
        words = [
            str(node[name]) for node in nodes for name in ("text", "file", "label", "url") if node.get(name)
        ]
    except (ValueError, AttributeError, TypeError, KeyError, RecursionError):
        return None
    # JSON can spell halves of characters, which no text can hold.
    return "\n\n".join(words).encode(errors="replace").decode()
