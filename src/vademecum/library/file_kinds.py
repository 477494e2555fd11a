"""What is a file by its name, and which tool of the vault reads it?"""

from __future__ import annotations

from enum import StrEnum

from vademecum.library.places import is_note, is_sheet
from vademecum.model.names import name_key, split_suffix

VIEW_IMAGE, READ_PDF, READ_FILE = "view_image", "read_pdf", "read_file"
"""The tools that read attachments (contracts 3.4.1); notes and sheets have tools of their own."""

_SHOWN = frozenset({".png", ".jpg", ".jpeg", ".gif", ".webp"})
_IMAGES = _SHOWN | {".svg", ".bmp", ".avif", ".heic", ".tiff"}
_VIDEOS = frozenset({".mp4", ".m4v", ".mov", ".webm", ".mkv", ".avi", ".ogv"})
_SOUNDS = frozenset({".mp3", ".m4a", ".wav", ".ogg", ".oga", ".opus", ".flac", ".aac"})
_TEXTS_ATTACHED = frozenset({".txt", ".md", ".csv", ".tsv", ".json", ".log"})
_TEXTS = _TEXTS_ATTACHED | {
    ".markdown", ".org", ".rst", ".tex", ".bib", ".canvas", ".html", ".htm", ".xml", ".yaml", ".yml",
    ".toml", ".ini", ".css", ".js", ".ts", ".py", ".sh", ".sql", ".srt", ".vtt", ".ics", ".vcf", ".opml",
}  # fmt: skip
_OTHERS = frozenset({".docx", ".doc", ".pptx", ".ppt", ".xls", ".xlsx", ".odt", ".ods", ".odp", ".epub"})
_ARCHIVES = frozenset({".zip", ".7z", ".tar", ".gz", ".rar"})
_PDF, _DRAWING = ".pdf", ".svg"
_TOLD = {
    VIEW_IMAGE: "an image and no note: view_image shows it",
    READ_PDF: "a PDF and no note: read_pdf reads it",
}


class AttachmentKind(StrEnum):
    """What a file is to those who attach and read it (contracts 3.4.1)."""

    IMAGE = "image"
    PDF = "pdf"
    TEXT = "text"
    VIDEO = "video"
    AUDIO = "audio"
    OTHER = "other"


def attachment_kind(file_name: str) -> AttachmentKind:
    """The kind of what bears the file name; a note is text, a sheet is `other`."""
    suffix = suffix_key(file_name)
    kinds = (
        (_IMAGES, AttachmentKind.IMAGE),
        ({_PDF}, AttachmentKind.PDF),
        (_TEXTS, AttachmentKind.TEXT),
        (_VIDEOS, AttachmentKind.VIDEO),
        (_SOUNDS, AttachmentKind.AUDIO),
    )
    return next((kind for suffixes, kind in kinds if suffix in suffixes), AttachmentKind.OTHER)


def reading_tool(file_name: str) -> str:
    """The tool that reads an attachment of that name, empty where none of the three does (decisions, Vault:
    it follows the kind, not the content).
    """
    suffix = suffix_key(file_name)
    if is_note(file_name):
        return ""
    if suffix in _SHOWN:
        return VIEW_IMAGE
    if suffix == _PDF:
        return READ_PDF
    return READ_FILE if suffix in _TEXTS or suffix == _DRAWING else ""


def what_it_is(file_name: str) -> str:
    """What bears the name, and what reads it, in words that follow `path: is`."""
    if is_note(file_name):
        return "a note: read_note reads it"
    if is_sheet(file_name):
        return "a sheet: read_sheet_range reads it"
    return _TOLD.get(reading_tool(file_name), "a file and no note: read_file reads it if it is text")


def may_be_attached(file_name: str) -> bool:
    """Whether content may be stored beside a note under the name: images, videos, audio, PDFs and texts
    (contracts 3.4.2).
    """
    suffix = suffix_key(file_name)
    return suffix in _TEXTS_ATTACHED or suffix in _IMAGES | _VIDEOS | _SOUNDS | {_PDF}


def is_media(file_name: str) -> bool:
    """Whether it is an image, a video or audio, which a text shows in its place."""
    return attachment_kind(file_name) in (AttachmentKind.IMAGE, AttachmentKind.VIDEO, AttachmentKind.AUDIO)


def is_file_name(name: str) -> bool:
    """Whether a name that leads nowhere is one of a file, and not of a note to come."""
    is_known = attachment_kind(name) is not AttachmentKind.OTHER or suffix_key(name) in _OTHERS | _ARCHIVES
    return is_known and not is_note(name)


def suffix_key(file_name: str) -> str:
    """The ending of the name with its dot, as names are compared."""
    return name_key(split_suffix(file_name)[1])
