"""Is the text layer of a PDF read, and a scan told apart?"""

from __future__ import annotations

import pytest

from tests.providers.documents.samples import pdf
from vademecum.model.errors import DocumentRefused
from vademecum.ports.documents import LARGEST_DOCUMENT, Documents, PdfText
from vademecum.providers.documents.reading import SandboxedDocuments
from vademecum.providers.documents.refusals import DAMAGED, NO_TEXT_LAYER, REASONS, TOO_LARGE, refused
from vademecum.sandbox.process import TOO_SLOW, SandboxLimits


def test_pages_come_one_after_another_and_empty_ones_leave_no_gap(documents: Documents) -> None:
    found = documents.pdf_text(pdf("Lanterns float.", "", "They are made of paper."))
    assert found == PdfText("Lanterns float.\n\nThey are made of paper.", 3)


def test_a_pdf_without_text_is_refused_as_a_scan(documents: Documents) -> None:
    with pytest.raises(DocumentRefused) as scan:
        documents.pdf_text(pdf("", ""))
    assert scan.value.reason == NO_TEXT_LAYER
    assert "scan" in scan.value.detail


@pytest.mark.parametrize("content", [b"", b"%PDF-1.7\n garbage", pdf("text")[:200], b"\0" * 1000])
def test_a_damaged_file_is_refused_and_the_next_one_is_read(documents: Documents, content: bytes) -> None:
    with pytest.raises(DocumentRefused) as damaged:
        documents.pdf_text(content)
    assert damaged.value.reason == DAMAGED
    assert documents.pdf_text(pdf("fine")).text == "fine"


def test_a_file_over_the_limit_is_refused_unread(documents: Documents) -> None:
    with pytest.raises(DocumentRefused) as large:
        documents.pdf_text(b"%PDF" + b"\0" * LARGEST_DOCUMENT)
    assert large.value.reason == TOO_LARGE


def test_a_file_that_takes_too_long_is_given_up() -> None:
    documents = SandboxedDocuments(SandboxLimits(seconds=0.05))
    try:
        documents.pdf_text(pdf("warm"))
        with pytest.raises(DocumentRefused) as slow:
            documents.pdf_text(pdf(*["page"] * 20_000))
        assert slow.value.reason == TOO_SLOW
    finally:
        documents.close()


@pytest.mark.parametrize("reason", REASONS)
def test_every_reason_says_what_to_do(reason: str) -> None:
    refusal = refused(reason)
    assert refusal.reason == reason
    assert refusal.detail.endswith(".")
    assert refusal.advice.endswith(".")
