"""What does a file say: how do the bytes of a note, or of any other file, read as an item?"""

from __future__ import annotations

import hashlib
import json
import re
from datetime import UTC, datetime, tzinfo
from pathlib import PurePosixPath
from typing import BinaryIO

from vademecum.library.context import Library
from vademecum.library.file_kinds import AttachmentKind, attachment_kind, suffix_key
from vademecum.library.importing import Incoming
from vademecum.library.places import is_sheet
from vademecum.model.addresses import check_address
from vademecum.model.errors import DocumentRefused, InvalidInput
from vademecum.model.items import TITLE_LIMIT, Blob, Kind, Layers
from vademecum.model.tags import distinct_tags
from vademecum.model.times import stamp
from vademecum.ports.documents import LARGEST_DOCUMENT, SHEET_SUFFIXES, Documents
from vademecum.text.decoding import decode_page
from vademecum.text.frontmatter_block import split
from vademecum.text.hashtags import find_tags
from vademecum.text.markdown import leading_heading
from vademecum.text.properties import Properties, parse
from vademecum.text.sheet_text import sheet_text

FILE_LIMIT = 1024 * 1024 * 1024  # bytes
INDEXED_FILE_LIMIT = 2 * 1024 * 1024  # bytes of a text file that is also searched
_SINCE_1970 = re.compile(r"\d{10}(?:\d{3})?")  # seconds, or milliseconds as Dendron writes
_KINDS = {AttachmentKind.IMAGE: Kind.IMAGE, AttachmentKind.PDF: Kind.PDF}
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
    ".log": "text/plain",
    ".mp4": "video/mp4",
    ".mov": "video/quicktime",
    ".webm": "video/webm",
    ".mp3": "audio/mpeg",
    ".m4a": "audio/mp4",
    ".wav": "audio/wav",
    ".ogg": "audio/ogg",
}
# What people write and read. Programs and their data (JSON, YAML, HTML, scripts, logs …) would answer
# questions that are not about them: they are found by their names.
_TEXT_SUFFIXES = (".txt", ".csv", ".tsv", ".canvas", ".org", ".rst", ".tex", ".bib")


def read_note(path: str, content: bytes, modified: float, zone: tzinfo) -> tuple[Incoming, list[str]]:
    """The note that a Markdown file at the path holds, and what a report should mention of it.

    `modified` is in seconds since 1970; it dates a note whose header does not. Dates without a zone are in
    `zone`.
    """
    place = PurePosixPath(path)
    text, warnings = decoded(content)
    parts = split(text)
    properties = parse(parts.block)
    flagged = [properties.problem] if properties.problem else properties.repeated
    warnings += [f"frontmatter, line {problem.line}: {problem.message}" for problem in flagged]
    return (
        Incoming(
            path=path,
            file_hash=hashlib.sha256(content).hexdigest(),
            folder=place.parts[:-1],
            file_name=place.name,
            title=title_of(properties, parts.body, place.stem),
            layers=Layers(authored=parts.body),
            frontmatter=parts.block,
            tags=tags_of(properties, parts.body),
            created_at=_created(properties, zone) or _changed(modified),
            source_url=source_of(properties),
            pinned=_is_true(properties, "pinned"),
            archived=_is_true(properties, "archived"),
        ),
        warnings,
    )


def read_file(library: Library, path: str, stream: BinaryIO, modified: float) -> tuple[Incoming, list[str]]:
    """What any other file at the path becomes, its content kept in the store, and what to report of it.

    To be called within `storing`. Raises TooLarge beyond FILE_LIMIT bytes.
    """
    place = PurePosixPath(path)
    content_hash, size = library.blobs.put_file(stream, FILE_LIMIT)
    suffix = suffix_key(place.name)
    text, warnings = _text_of(library, stream, size, suffix)
    return (
        Incoming(
            path=path,
            file_hash=content_hash,
            folder=place.parts[:-1],
            file_name=place.name,
            title=place.name[:TITLE_LIMIT],
            kind=_kind_of(place.name),
            layers=Layers(extracted=text),
            created_at=_changed(modified),
            blob=Blob(content_hash, size, media_type_of(suffix)),
        ),
        warnings,
    )


def _kind_of(file_name: str) -> Kind:
    if is_sheet(file_name):
        return Kind.SHEET
    return _KINDS.get(attachment_kind(file_name), Kind.FILE)


def media_type_of(suffix: str) -> str:
    """The media type of files with that ending, as `suffix_key` gives it."""
    return _MEDIA.get(suffix, "application/octet-stream")


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


def _is_true(properties: Properties, key: str) -> bool:
    return (properties.literal(key) or "").strip().casefold() == "true"


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


def _changed(modified: float) -> str | None:
    """When the file was last changed, None where its file system says what cannot be."""
    try:
        return stamp(datetime.fromtimestamp(max(modified, 0), UTC))
    except (ValueError, OverflowError, OSError):
        return None


def source_of(properties: Properties) -> str | None:
    """The address that the frontmatter names; text that is no address of the web is the note's own."""
    for key in ("source", "url"):
        try:
            return check_address(properties.literal(key) or "")
        except InvalidInput:
            continue
    return None


def _text_of(library: Library, stream: BinaryIO, size: int, suffix: str) -> tuple[str | None, list[str]]:
    """What of a file is searched, None for nothing, and what the report should say of it."""
    if suffix in SHEET_SUFFIXES and library.documents is not None:
        stream.seek(0)
        cells, warnings = _sheet_text(library.documents, stream.read(LARGEST_DOCUMENT + 1), suffix)
        if cells is not None or suffix not in _TEXT_SUFFIXES:
            return cells, warnings
    if suffix not in _TEXT_SUFFIXES:
        return None, []
    if size > INDEXED_FILE_LIMIT:
        return None, [
            f"its text is longer than {INDEXED_FILE_LIMIT:,} bytes: kept, and found by its name alone"
        ]
    stream.seek(0)
    text, warnings = decoded(stream.read(INDEXED_FILE_LIMIT))
    if suffix != ".canvas" or not text.strip():
        return text, warnings
    said = _canvas_text(text)
    return said, warnings if said is not None else ["is no canvas that can be read: found by its name alone"]


def _sheet_text(documents: Documents, content: bytes, suffix: str) -> tuple[str | None, list[str]]:
    """The cells of a sheet (decisions, Layers in search), None where they cannot be read."""
    try:
        workbook = documents.read_sheet(content, suffix)
    except DocumentRefused as refusal:
        return None, [f"its cells cannot be read ({refusal.reason}): kept, and found by its name alone"]
    found = sheet_text(workbook)
    warnings = ["not all of its cells are searched: it holds too many"] if found.truncated else []
    if not workbook.calculated:
        warnings.append("not all of its formulas could be computed: their cells are not searched")
    return found.text, warnings


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
