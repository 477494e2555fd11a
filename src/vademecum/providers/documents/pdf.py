"""What does the text layer of a PDF say?"""

from __future__ import annotations

from typing import Any

import pypdfium2

from vademecum.providers.documents.refusals import DAMAGED, LOCKED, NO_TEXT_LAYER, refused
from vademecum.text.pdf_lines import mended

_MOST_PAGES = 10_000
_MOST_TEXT = 5_000_000  # characters
_PASSWORD = pypdfium2.raw.FPDF_ERR_PASSWORD


def read_pdf(content: bytes) -> dict[str, Any]:
    """The text of the pages, as JSON has it. Raises DocumentRefused, also for one that holds no text."""
    try:
        document = pypdfium2.PdfDocument(content)
    except pypdfium2.PdfiumError as error:
        locked = getattr(error, "err_code", None) == _PASSWORD
        raise refused(LOCKED if locked else DAMAGED) from error
    with document:
        pages = len(document)
        texts, truncated = _texts(document, min(pages, _MOST_PAGES))
    if not any(texts):
        raise refused(NO_TEXT_LAYER)
    text = "\n\n".join(text for text in texts if text)
    return {"text": text, "pages": pages, "truncated": truncated or pages > _MOST_PAGES}


def _texts(document: pypdfium2.PdfDocument, pages: int) -> tuple[list[str], bool]:
    """The text of each page, and whether there was more of it than is kept; a broken page has none."""
    texts: list[str] = []
    room = _MOST_TEXT
    for number in range(pages):
        try:
            page = document[number]
            text = mended(page.get_textpage().get_text_bounded())
            page.close()
        except pypdfium2.PdfiumError:
            text = ""
        texts.append(text[:room])
        room -= len(text)
        if room < 0:
            return texts, True
    return texts, False
