"""How does the server read documents that came from anywhere?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from vademecum.model.errors import InvalidInput
from vademecum.model.ranges import Area, parse_reference
from vademecum.model.sheets import CellInput, NamedArea, Sheet, Workbook
from vademecum.ports.documents import LARGEST_DOCUMENT, SHEET_SUFFIXES, PdfText, Picture
from vademecum.providers.documents.cells import unpack
from vademecum.providers.documents.pictures import read_picture
from vademecum.providers.documents.refusals import DAMAGED, NOT_A_SHEET, REASONS, TOO_LARGE, refused
from vademecum.providers.documents.workbook_file import write_workbook
from vademecum.sandbox.process import Sandbox, SandboxLimits

_LIMITS = SandboxLimits(seconds=20.0)
_SPREADSHEET = ".xlsx"


class SandboxedDocuments:
    """Parses sheets and PDFs in a process apart; pictures, of which the head is enough, are read here, and
    new sheets are made here.
    """

    def __init__(self, limits: SandboxLimits = _LIMITS) -> None:
        self._sandbox = Sandbox("vademecum.providers.documents.worker", refused, limits)

    def read_sheet(self, content: bytes, suffix: str) -> Workbook:
        kind = suffix.lower()
        if kind not in SHEET_SUFFIXES:
            raise refused(NOT_A_SHEET)
        is_cut = kind != _SPREADSHEET and len(content) > LARGEST_DOCUMENT
        answer = self._ask(kind, content[:LARGEST_DOCUMENT] if is_cut else content, is_cut=is_cut)
        try:
            names = tuple(NamedArea(str(name), parse_reference(text)) for name, text in answer["names"])
            return Workbook(tuple(map(_sheet, answer["sheets"])), bool(answer["calculated"]), names)
        except (KeyError, TypeError, ValueError, InvalidInput) as error:
            raise refused(DAMAGED) from error

    def make_workbook(self, title: str, rows: Sequence[Sequence[CellInput]]) -> bytes:
        return write_workbook(title, rows)

    def pdf_text(self, content: bytes) -> PdfText:
        answer = self._ask(".pdf", content)
        try:
            return PdfText(str(answer["text"]), int(answer["pages"]), bool(answer["truncated"]))
        except (KeyError, TypeError, ValueError) as error:
            raise refused(DAMAGED) from error

    def picture(self, content: bytes) -> Picture:
        return read_picture(content)

    def close(self) -> None:
        """End the process apart, if one runs."""
        self._sandbox.close()

    def _ask(self, kind: str, content: bytes, *, is_cut: bool = False) -> dict[str, Any]:
        if len(content) > LARGEST_DOCUMENT:
            raise refused(TOO_LARGE)
        answer = self._sandbox.ask({"kind": kind, "is_cut": is_cut}, content)
        if "refused" in answer:
            raise refused(_believed(answer["refused"]))
        return answer


def _believed(reason: object) -> str:
    """The reason if it is one of ours: a document may have taken over the process that read it."""
    return reason if isinstance(reason, str) and reason in REASONS else DAMAGED


def _sheet(told: dict[str, Any]) -> Sheet:
    """A sheet that the other process sent. Raises KeyError, TypeError or ValueError when it is not one."""
    rows = tuple(tuple(map(unpack, row)) for row in told["rows"])
    merged = tuple(Area(*map(int, corners)) for corners in told["merged"])
    return Sheet(str(told["name"]), rows, merged, bool(told["truncated"]))
