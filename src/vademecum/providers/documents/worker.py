"""What runs in the process apart in which sheets and PDFs of the outside world are parsed?"""

from __future__ import annotations

import sys
from typing import Any

from vademecum.model.errors import DocumentRefused
from vademecum.providers.documents.delimited import read_delimited
from vademecum.providers.documents.pdf import read_pdf
from vademecum.providers.documents.spreadsheet import read_spreadsheet
from vademecum.sandbox.worker import serve


def answer(told: dict[str, Any], body: bytes) -> dict[str, Any]:
    """What the document of the told kind holds; `refused` with the reason in place of what cannot be read."""
    try:
        match told["kind"]:
            case ".xlsx":
                return read_spreadsheet(body)
            case ".pdf":
                return read_pdf(body)
            case suffix:
                return read_delimited(body, suffix, is_cut=told["is_cut"])
    except DocumentRefused as refusal:
        return {"refused": refusal.reason}


if __name__ == "__main__":
    serve(answer, sys.argv[1:])
