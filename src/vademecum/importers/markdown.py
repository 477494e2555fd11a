"""How do Markdown files, and the files beside them, become items?"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import tzinfo
from pathlib import Path

from vademecum.importers.plugin import Broken, Skipped, SourceFile, Unreadable
from vademecum.importers.tree import walk_tree
from vademecum.library.context import Library
from vademecum.library.importing import Incoming
from vademecum.library.note_blocks import left_in_text
from vademecum.library.places import is_note
from vademecum.library.reading_files import FILE_LIMIT, read_file, read_note
from vademecum.model.errors import TooLarge
from vademecum.model.items import IMPORT_TEXT_LIMIT


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
        try:
            if is_note(file.path):
                return _note(file, zone)
            with file.location.open("rb") as stream:
                return read_file(library, file.path, stream, file.modified)
        except TooLarge as error:
            raise Unreadable(f"larger than {FILE_LIMIT:,} bytes") from error
        except OSError as error:
            raise Unreadable(f"cannot be read: {error.strerror}") from error


def _note(file: SourceFile, zone: tzinfo) -> tuple[Incoming, list[str]]:
    if file.size > IMPORT_TEXT_LIMIT:
        raise Unreadable(f"larger than {IMPORT_TEXT_LIMIT:,} bytes")
    incoming, warnings = read_note(file.path, file.location.read_bytes(), file.modified, zone)
    return incoming, warnings + left_in_text(incoming.layers.authored or "")
