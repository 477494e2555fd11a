"""What stands in a file of the vault that is neither note nor sheet?"""

from __future__ import annotations

from dataclasses import dataclass

from vademecum.library.context import Library
from vademecum.library.file_kinds import READ_FILE, READ_PDF, reading_tool, what_it_is
from vademecum.library.places import is_note, is_sheet, item_at, tree_of
from vademecum.model.access import Caller
from vademecum.model.errors import DocumentRefused, InvalidInput, ProviderUnavailable
from vademecum.ports.documents import LARGEST_DOCUMENT, Documents, Picture
from vademecum.ports.storage import Transaction
from vademecum.text.text_files import decode_text_file

LONGEST_TEXT = 100_000  # characters of one answer
LARGEST_TEXT_FILE = 10 * 1024 * 1024  # bytes that are decoded, which takes a second or two at worst
LARGEST_PICTURE = 3_932_160  # bytes; as base64 they are 5 MB, the most that a model's interface takes of one
LONGEST_EDGE = 8_000  # pixels, the bound of the same interfaces
TOO_LARGE_TO_SHOW = "too large to show"


@dataclass(frozen=True, slots=True)
class PlacedFile:
    """A stored file where it lies: `content_hash` names its content, `size` is in bytes."""

    item_id: str
    path: str
    name: str
    content_hash: str
    size: int


@dataclass(frozen=True, slots=True)
class FileText:
    """A piece of a file's text. `truncated` tells that there is more of it: at `next_start`, or, where that
    is None, beyond what is read of such a file.
    """

    path: str
    text: str
    truncated: bool
    next_start: int | None = None
    pages: int = 0


def documents_of(library: Library) -> Documents:
    """What reads sheets and PDFs. Raises ProviderUnavailable where there is nothing that does."""
    if library.documents is None:
        raise ProviderUnavailable("Nothing reads sheets and PDFs here.")
    return library.documents


def file_at(tx: Transaction, caller: Caller, path: str) -> PlacedFile:
    """The file at the path in the open space. Raises NotFound, and InvalidInput (`path`) for a note, naming
    the tool that reads it.
    """
    space_id = caller.spaces[0]
    tree = tree_of(tx, space_id)
    placed = item_at(tx, space_id, tree, path)
    if is_note(placed.file_name) or placed.blob is None:
        raise InvalidInput("path", f"is {what_it_is(placed.file_name)}")
    where = tree.path_of(placed.folder_id, placed.file_name)
    return PlacedFile(placed.item_id, where, placed.file_name, placed.blob, placed.size)


def content_of(library: Library, file: PlacedFile, most: int = LARGEST_DOCUMENT) -> bytes:
    """The content, of a larger file one byte more than `most`. Raises StoredDataDamaged."""
    with library.blobs.open(file.content_hash) as stream:
        return stream.read(most + 1)


def view_image(library: Library, caller: Caller, path: str) -> tuple[bytes, Picture]:
    """The PNG, JPEG, GIF or WebP at the path with what it says of itself; told by its bytes, whatever its
    name.

    Raises NotFound, InvalidInput for a note, and DocumentRefused for what is no picture, is damaged, or is
    larger than clients and models take (mcp 5.3); then it says how large.
    """
    with library.storage.read() as tx:
        file = file_at(tx, caller, path)
    content = content_of(library, file, LARGEST_PICTURE)
    picture = documents_of(library).picture(content)
    if file.size > LARGEST_PICTURE:
        raise _not_shown(f"The picture has {file.size:,} bytes; at most {LARGEST_PICTURE:,} can be shown.")
    if max(picture.width, picture.height) > LONGEST_EDGE:
        raise _not_shown(
            f"The picture has {picture.width:,} by {picture.height:,} pixels; an edge of at most"
            f" {LONGEST_EDGE:,} can be shown."
        )
    return content, picture


def read_pdf(library: Library, caller: Caller, path: str, start: int = 0) -> FileText:
    """The text layer of the PDF at the path, from the character `start` on; figures and layout are not in it.

    Raises NotFound, InvalidInput for what is no PDF, and DocumentRefused for a scan, which has no such layer,
    and for what cannot be read.
    """
    file = _to_read(library, caller, path, READ_PDF)
    found = documents_of(library).pdf_text(content_of(library, file))
    return _window(file, found.text, start, is_cut=found.truncated, pages=found.pages)


def read_file(library: Library, caller: Caller, path: str, start: int = 0) -> FileText:
    """The text of the file at the path, decoded, from the character `start` on.

    Raises NotFound, InvalidInput for what other tools read, naming them, and DocumentRefused for what is no
    text. Of a file over 10 MB the beginning is read.
    """
    file = _to_read(library, caller, path, READ_FILE)
    content = content_of(library, file, LARGEST_TEXT_FILE)
    text = decode_text_file(content[:LARGEST_TEXT_FILE])
    return _window(file, text, start, is_cut=len(content) > LARGEST_TEXT_FILE)


def _to_read(library: Library, caller: Caller, path: str, tool: str) -> PlacedFile:
    """The file, unless its name says that another tool reads it."""
    with library.storage.read() as tx:
        file = file_at(tx, caller, path)
    if is_sheet(file.name) or reading_tool(file.name) not in ("", tool):
        raise InvalidInput("path", f"is {what_it_is(file.name)}")
    return file


def _window(file: PlacedFile, text: str, start: int, *, is_cut: bool, pages: int = 0) -> FileText:
    piece = text[start : start + LONGEST_TEXT]
    has_more = start + LONGEST_TEXT < len(text)
    following = start + LONGEST_TEXT if has_more else None
    return FileText(file.path, piece, has_more or is_cut, following, pages)


def _not_shown(detail: str) -> DocumentRefused:
    return DocumentRefused(
        TOO_LARGE_TO_SHOW, detail, advice="Ask the person for a smaller copy of it, or what it shows."
    )
