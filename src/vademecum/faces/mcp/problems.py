"""How does a tool say that a call was refused?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from vademecum.model import errors
from vademecum.model.errors import Refusal

CRASHED = "INTERNAL_ERROR"


@dataclass(frozen=True, slots=True)
class Row:
    """How one class of refusal is told: its code, and whether its detail adds to its constant sentence.

    A detail is told only where it is made of our own words, names of arguments and limits, never of stored
    text.
    """

    code: str
    detailed: bool = False


ROWS: dict[type[Refusal], Row] = {
    errors.InvalidInput: Row("INVALID_INPUT", detailed=True),
    errors.TooLarge: Row("TOO_LARGE", detailed=True),
    errors.NotFound: Row("NOT_FOUND"),
    errors.VersionConflict: Row("VERSION_CONFLICT"),
    errors.VersionNeeded: Row("VERSION_NEEDED", detailed=True),
    errors.BeingEdited: Row("BEING_EDITED"),
    errors.IdempotencyMismatch: Row("ITEM_IDEMPOTENCY_MISMATCH"),
    errors.TierDenied: Row("API_KEY_TIER_DENIED"),
    errors.SwitchedOff: Row("SWITCHED_OFF"),
    errors.CredentialRefused: Row("UNAUTHORIZED"),
    errors.Busy: Row("BUSY"),
    errors.AlreadyExists: Row("ALREADY_EXISTS"),
    errors.Ambiguous: Row("AMBIGUOUS"),
    errors.NotPermitted: Row("NOT_PERMITTED"),
    errors.FetchRefused: Row("FETCH_REFUSED"),
    errors.ExtractionFailed: Row("EXTRACTION_FAILED"),
    errors.DocumentRefused: Row("DOCUMENT_REFUSED", detailed=True),
    errors.ProviderUnavailable: Row("PROVIDER_UNAVAILABLE"),
    errors.StorageFull: Row("STORAGE_FULL"),
    errors.StoredDataDamaged: Row("STORED_DATA_DAMAGED"),
    errors.IncompatibleLibrary: Row("INCOMPATIBLE_LIBRARY"),
}


@dataclass(frozen=True, slots=True)
class Problem:
    """A refusal in a tool's tongue: a stable code, and a sentence with what to do next."""

    code: str
    message: str

    def as_result(self) -> dict[str, Any]:
        """The tool result: the code stands first in the text and in `structuredContent.error` (decisions,
        Library).
        """
        return {
            "content": [{"type": "text", "text": f"{self.code}: {self.message}"}],
            "structuredContent": {"error": {"code": self.code, "message": self.message}},
            "isError": True,
            "resultType": "complete",
        }


def problem_of(refusal: Refusal) -> Problem:
    """How the refusal is told. Every class of refusal has a row; a test insists on it."""
    row = ROWS[type(refusal)]
    said = refusal.detail if row.detailed else refusal.sentence
    stop = "" if said.endswith((".", "!", "?")) else "."
    return Problem(row.code, f"{said}{stop} {refusal.advice}")


def crash(number: str) -> Problem:
    """What is said when something failed that no one foresaw: only the number of its log line (style 5.9)."""
    return Problem(CRASHED, f"something went wrong here, number {number}.")
