"""How are sheets, PDFs and pictures read and made?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from vademecum.model.sheets import CellInput, Workbook

SHEET_SUFFIXES = frozenset({".xlsx", ".csv", ".tsv"})
LARGEST_DOCUMENT = (
    50 * 1024 * 1024
)  # bytes of an .xlsx or PDF; of delimited text as much is read and the cut told
MOST_PIXELS = 100_000_000  # of a picture, as it declares them


@dataclass(frozen=True, slots=True)
class PdfText:
    """The text layer of a PDF, pages parted by an empty line; `truncated` when there is more of it."""

    text: str
    pages: int
    truncated: bool = False


@dataclass(frozen=True, slots=True)
class Picture:
    """What the bytes of a picture say of themselves: media type, width and height in pixels."""

    media_type: str
    width: int
    height: int


class Documents(Protocol):
    """Reads what came from anywhere, within limits of time, memory and size, and never in the serving process
    where a library of others parses it.

    Every reading raises DocumentRefused with a reason of docs/troubleshooting.
    """

    def read_sheet(self, content: bytes, suffix: str) -> Workbook:
        """The computed values of an .xlsx, .csv or .tsv file; `suffix` with its dot, in any case."""
        ...

    def make_workbook(self, title: str, rows: Sequence[Sequence[CellInput]]) -> bytes:
        """An .xlsx file of one sheet; every string is written as text, also one that begins with `=`.

        The same rows make the same bytes. Raises InvalidInput and TooLarge for `rows` (contracts 3.4.2).
        """
        ...

    def pdf_text(self, content: bytes) -> PdfText:
        """The text layer; a PDF without one is refused as a scan (contracts 3.4.1)."""
        ...

    def picture(self, content: bytes) -> Picture:
        """A PNG, JPEG, GIF or WebP, told by its own bytes; nothing is decoded."""
        ...

    def close(self) -> None:
        """End what runs for it; a later question starts it again."""
        ...
