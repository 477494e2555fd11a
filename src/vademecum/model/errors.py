"""Which refusals exist, and what may the person or agent who meets one do next?"""

from __future__ import annotations

from typing import ClassVar


class Refusal(Exception):
    """A request that is not carried out, and why.

    `code` is stable and is what a program compares; `sentence` says what happened; `advice` says what to do
    next, which whoever raises one may know better than the class. What varies travels as attributes
    (`data`), never inside a code. Nothing was written when one is raised (design 8).
    """

    code: ClassVar[str] = "REFUSED"
    sentence: ClassVar[str] = "The request was refused."
    advice: str = "Read the message and correct the request."

    def __init__(self, detail: str = "", *, advice: str | None = None, **data: object) -> None:
        super().__init__(detail or self.sentence)
        self.detail = detail or self.sentence
        self.advice = advice or self.advice
        self.data = data


class InvalidInput(Refusal):
    """An argument is missing, of the wrong form or out of its bounds; `field` names it."""

    code = "INVALID_INPUT"
    sentence = "An argument is not valid."
    advice = "Correct the argument named in the message and call again."

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason}", field=field, reason=reason)
        self.field = field
        self.reason = reason


class TooLarge(Refusal):
    """A text, list or file is over its limit; `field` names it, `limit` is in the unit of `unit`."""

    code = "TOO_LARGE"
    sentence = "The content is larger than the limit."
    advice = "Send less, or split it into several items."

    def __init__(self, field: str, limit: int, unit: str = "characters") -> None:
        super().__init__(f"{field}: at most {limit:,} {unit}", field=field, limit=limit, unit=unit)
        self.field = field
        self.limit = limit
        self.unit = unit


class NotFound(Refusal):
    """No such thing, or none that this caller may know of: both look alike (decisions, Gateway)."""

    code = "NOT_FOUND"
    sentence = "There is no such item here."
    advice = "Check the id, or search for the item again."


class VersionConflict(Refusal):
    """The item has changed since the version that the writer read (contracts 2.7)."""

    code = "VERSION_CONFLICT"
    sentence = "The item has changed since that version was read; nothing was written."
    advice = "Read the item again and retry once with the version that it has now."


class VersionNeeded(Refusal):
    """A write of the vault names no version of the note, or none that is of it (contracts 3.5)."""

    code = "VERSION_NEEDED"
    sentence = "A write needs the version that read_note gave for the note; nothing was written."
    advice = (
        "Read the whole note with read_note, without offset and limit, and pass the version that it gives."
    )


class BeingEdited(Refusal):
    """A person has unsaved changes in the note, or in one within the folder (contracts 3.5)."""

    code = "BEING_EDITED"
    sentence = "The note is being edited and has unsaved changes; nothing was written."
    advice = "Ask the person to save or discard them, or try again later."


class IdempotencyMismatch(Refusal):
    """The id of a save already belongs to other content (contracts 2.4.6)."""

    code = "ITEM_IDEMPOTENCY_MISMATCH"
    sentence = "This id was already used to save other content; nothing was written."
    advice = "To change the existing item call update_note; to save a new one use a new UUID."


class TierDenied(Refusal):
    """The credential's tier does not include this action (contracts 2.3)."""

    code = "API_KEY_TIER_DENIED"
    sentence = "The permission tier of this key or connection does not allow this tool."
    advice = "Ask the owner of the library for a key or connection of a higher tier."


class SwitchedOff(Refusal):
    """A switch of the vault is off that the tool needs (contracts 3.3); the advice names what turns it on."""

    code = "SWITCHED_OFF"
    sentence = "The vault's switches do not allow this tool; nothing was done."
    advice = "Ask the person: `vade vault status` shows the switches."


class CredentialRefused(Refusal):
    """The credential is missing, malformed, unknown, expired or revoked: all look alike."""

    code = "UNAUTHORIZED"
    sentence = "A valid key is needed."
    advice = "Send a key that is still in force as a bearer token."


class Busy(Refusal):
    """Too many calls wait already; nothing was started."""

    code = "BUSY"
    sentence = "The library is busy; nothing was written."
    advice = "Wait a few seconds and call again."


class AlreadyExists(Refusal):
    """The name is taken; `existing` tells by what."""

    code = "ALREADY_EXISTS"
    sentence = "That name is already taken."
    advice = "Choose another name."


class Ambiguous(Refusal):
    """Several things answer to the reference; `candidates` lists them."""

    code = "AMBIGUOUS"
    sentence = "Several items answer to that name."
    advice = "Name one of the candidates by its id or whole path."


class NotPermitted(Refusal):
    """The account's role in the space, or the state of the thing, does not allow the action."""

    code = "NOT_PERMITTED"
    sentence = "That is not permitted here."
    advice = "Ask an owner of the space."


class FetchRefused(Refusal):
    """An address was not fetched; `reason` is one stable word (see docs/troubleshooting)."""

    code = "FETCH_REFUSED"
    sentence = "The address could not be fetched."
    advice = "Check the address; the reason names what stood in the way."

    def __init__(self, reason: str, detail: str = "", *, passing: bool = False) -> None:
        super().__init__(detail or f"{self.sentence} ({reason})", reason=reason)
        self.reason = reason
        self.passing = passing  # a later try may succeed


class ExtractionFailed(Refusal):
    """A fetched document held no text that can be kept; `reason` is one stable word."""

    code = "EXTRACTION_FAILED"
    sentence = "No readable text was found in the document."
    advice = "Save the text as a note, or capture the page from a browser."

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(detail or f"{self.sentence} ({reason})", reason=reason)
        self.reason = reason


class DocumentRefused(Refusal):
    """A sheet, PDF, picture or text file cannot be read; `reason` is one stable phrase (see
    docs/troubleshooting).
    """

    code = "DOCUMENT_REFUSED"
    sentence = "The file cannot be read."
    advice = "Open the file in the program that made it, and save it anew in a format that can be read."

    def __init__(self, reason: str, detail: str = "", *, advice: str | None = None) -> None:
        super().__init__(detail or f"{self.sentence} ({reason})", advice=advice, reason=reason)
        self.reason = reason


class ProviderUnavailable(Refusal):
    """A model or service did not answer; what it would have added is missing and told as such."""

    code = "PROVIDER_UNAVAILABLE"
    sentence = "A model or service that this needs is not available."
    advice = "Try again later, or look at `vade doctor`."


class StorageFull(Refusal):
    """The disk or the space's limit has no room; nothing was written."""

    code = "STORAGE_FULL"
    sentence = "There is no room to store this; nothing was written."
    advice = "Free some disk space or raise the storage limit, then try again."


class StoredDataDamaged(Refusal):
    """Stored data contradicts itself."""

    code = "STORED_DATA_DAMAGED"
    sentence = "Stored data is damaged."
    advice = "Run `vade doctor`, and restore a backup if it says so."


class IncompatibleLibrary(Refusal):
    """The data folder or database is of another version, or not the one that the settings mean."""

    code = "INCOMPATIBLE_LIBRARY"
    sentence = "This library was written by another version."
    advice = "Start the version that wrote it, or name another data folder."
