"""How does a saved link become text, step by step?"""

from __future__ import annotations

from collections.abc import Callable

from vademecum.capture.builtin import builtin_extractors, choose, page_sandbox
from vademecum.capture.plugin import Extracted, Outcome
from vademecum.library.capturing import (
    Captured,
    begin_capture,
    record_extraction,
    record_failure,
    waiting_alike,
)
from vademecum.library.context import Library
from vademecum.model.errors import ExtractionFailed, FetchRefused
from vademecum.model.items import CaptureState
from vademecum.model.jobs import Job, JobRejected
from vademecum.ports.fetch import FetchedPage, Fetcher, FetchReason

Progress = Callable[[int, int], bool]
_STEPS = 3


class Capture:
    """The job `capture`: fetch, extract, keep. Every step can be run again; a step done is seen as done."""

    def __init__(self, library: Library, fetcher: Fetcher) -> None:
        self._library = library
        self._fetcher = fetcher
        self._sandbox = page_sandbox()
        self._extractors = builtin_extractors(self._sandbox)

    def run(self, job: Job, progress: Progress) -> None:
        """Capture the job's item; a passing obstacle raises and is tried again, any other ends it."""
        address = begin_capture(self._library, job)
        if address is None:
            return
        page = self._fetched(job, address)
        progress(1, _STEPS)
        found = self._extracted(job, page)
        progress(2, _STEPS)
        captured = Captured(
            found.title, found.markdown, found.kind, page.body, page.media_type, found.reason or None
        )
        for one in (job, *waiting_alike(self._library, job)):
            record_extraction(self._library, one, captured)

    def _fetched(self, job: Job, address: str) -> FetchedPage:
        try:
            return self._fetcher.fetch(address)
        except FetchRefused as refusal:
            if refusal.passing:
                raise
            raise self._ended(job, _state_for(refusal.reason), refusal.reason) from refusal

    def _extracted(self, job: Job, page: FetchedPage) -> Extracted:
        try:
            found = choose(self._extractors, page).extract(page)
        except ExtractionFailed as refusal:
            raise self._ended(job, CaptureState.FAILED, refusal.reason) from refusal
        if found.outcome is Outcome.BLOCKED:
            raise self._ended(job, CaptureState.BLOCKED, found.reason)
        return found

    def _ended(self, job: Job, state: CaptureState, reason: str) -> JobRejected:
        for one in (job, *waiting_alike(self._library, job)):
            record_failure(self._library, one, state, str(reason))
        return JobRejected(str(reason))

    def gave_up(self, job: Job, reason: str) -> None:
        """Tell on the item that no further try is made: a wall stood there, or something failed."""
        record_failure(self._library, job, _state_for(reason), reason)

    def close(self) -> None:
        """End the process that reads documents."""
        self._sandbox.close()


def _state_for(reason: str) -> CaptureState:
    """Blocked where the site turned us away, whether at once or at every try (cases P09)."""
    return CaptureState.BLOCKED if reason == FetchReason.BLOCKED.value else CaptureState.FAILED
