"""Why can a document not be read, and what may be done about it?"""

from __future__ import annotations

from vademecum.model.errors import DocumentRefused
from vademecum.sandbox.process import CRASHED, TOO_MUCH_MEMORY, TOO_SLOW
from vademecum.text.text_files import NOT_TEXT

DAMAGED = CRASHED
LOCKED = "locked or of an old format"
NO_TEXT_LAYER = "no text layer"
NOT_A_PICTURE = "not a picture that can be shown"
NOT_A_SHEET = "not a sheet"
TOO_LARGE = "too large"

_SPLIT = "Split it, or keep the part that is needed."
_TOLD = {
    DAMAGED: (
        "The file is damaged, or not of the kind that its name says.",
        "Open it in the program that made it and save it anew.",
    ),
    LOCKED: (
        "The file is locked by a password, or of a format before .xlsx.",
        "Save it without a password, sheets as .xlsx.",
    ),
    NO_TEXT_LAYER: (
        "The PDF has no text layer: it is a scan, its pages are pictures.",
        "Have its text recognised elsewhere and add the result, or ask the person what it says.",
    ),
    NOT_A_PICTURE: ("The file is not a PNG, JPEG, GIF or WebP picture.", "Convert it to one of these."),
    NOT_A_SHEET: ("The file is not a .xlsx, .csv or .tsv file.", "Save the sheet as .xlsx or .csv."),
    NOT_TEXT: ("The file is not text.", "Use the tool for files of its kind."),
    TOO_LARGE: ("The file holds more than is read at once.", _SPLIT),
    TOO_SLOW: ("Reading the file took too long.", _SPLIT),
    TOO_MUCH_MEMORY: (
        "Reading the file needs too much memory.",
        "Split it, or keep the part that is needed.",
    ),
}
REASONS = tuple(_TOLD)


def refused(reason: str) -> DocumentRefused:
    """The refusal for a reason, in words for whoever asked."""
    detail, advice = _TOLD[reason]
    return DocumentRefused(reason, detail, advice=advice)
