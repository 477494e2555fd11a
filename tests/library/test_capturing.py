"""Does what was fetched become the item's text once, and never at the cost of someone's own?"""

from __future__ import annotations

import pytest

from tests.library.home import Home, an_id
from vademecum.library.capturing import Captured, begin_capture, record_extraction, record_failure
from vademecum.library.editing import update_note, update_tags
from vademecum.library.history import revisions
from vademecum.library.saving import save_link
from vademecum.library.trash import delete_item, purge
from vademecum.model.items import CaptureState, IndexState, Kind, Layer
from vademecum.model.jobs import Job
from vademecum.model.revisions import Action, ActorKind

PAGE = Captured("A page\n about tea", "# Tea\n\nhalyard", Kind.ARTICLE, b"<html>tea</html>", "text/html")


@pytest.fixture
def link(home: Home) -> Job:
    """The claimed capture of a saved link."""
    save_link(home.library, home.owner, an_id(), "https://example.org/tea")
    job = home.claim()
    assert job is not None
    return job


def test_a_capture_begins_with_the_address_and_is_told_as_under_way(home: Home, link: Job) -> None:
    assert begin_capture(home.library, link) == "https://example.org/tea"
    assert home.item(link.subject).capture_state is CaptureState.PROCESSING
    assert begin_capture(home.library, link) == "https://example.org/tea"
    assert home.item(link.subject).version == 1


def test_an_extraction_becomes_a_revision_by_the_capture(home: Home, link: Job) -> None:
    begin_capture(home.library, link)
    home.clock.pass_by(minutes=1)
    record_extraction(home.library, link, PAGE)
    found = home.read(link.subject)
    item = found.item
    assert (found.body, item.title, item.layers) == (
        "# Tea\n\nhalyard",
        "A page about tea",
        (Layer.EXTRACTED,),
    )
    assert (item.version, item.capture_state, item.capture_reason) == (2, CaptureState.READY, None)
    assert item.index_state is IndexState.INDEXED
    assert item.file_name == "A page about tea.md"
    with home.library.blobs.open(str(item.blob)) as stream:
        assert stream.read() == b"<html>tea</html>"
    newest = revisions(home.library, home.owner, link.subject)[0]
    told = (newest.action, newest.change.actor_kind, newest.change.tool, newest.change.account_id)
    assert told == (Action.CAPTURE, ActorKind.CAPTURE, "capture", home.owner.account_id)
    assert home.found("halyard") == ["A page about tea"]


def test_saying_it_twice_makes_no_second_revision(home: Home, link: Job) -> None:
    begin_capture(home.library, link)
    for _ in range(3):
        record_extraction(home.library, link, PAGE)
    assert home.versions(link.subject) == [2, 1]
    assert begin_capture(home.library, link) is None


def test_a_remark_on_the_text_is_kept_with_the_item(home: Home, link: Job) -> None:
    begin_capture(home.library, link)
    teaser = Captured("Page", "", Kind.ARTICLE, b"", "text/html", "teaser")
    record_extraction(home.library, link, teaser)
    item = home.item(link.subject)
    assert (item.capture_state, item.capture_reason) == (CaptureState.READY, "teaser")
    assert home.read(link.subject).body == ""


def test_what_was_written_meanwhile_stays_and_the_extraction_joins_it(home: Home, link: Job) -> None:
    begin_capture(home.library, link)
    update_note(home.library, home.owner, link.subject, "My words", 1, "My title")
    update_tags(home.library, home.owner, link.subject, ["mine"], 2)
    record_extraction(home.library, link, PAGE)
    found = home.read(link.subject)
    assert (found.body, found.item.title, found.item.tags) == ("My words", "My title", ("mine",))
    assert (found.layers.extracted, found.item.version) == ("# Tea\n\nhalyard", 4)
    assert home.found("halyard") == []


def test_a_page_without_a_title_leaves_the_address_as_title(home: Home, link: Job) -> None:
    begin_capture(home.library, link)
    record_extraction(home.library, link, Captured(" \n ", "text", Kind.ARTICLE, b"", "text/html"))
    assert home.item(link.subject).title == "https://example.org/tea"


@pytest.mark.parametrize("state", [CaptureState.FAILED, CaptureState.BLOCKED])
def test_a_failure_is_told_with_its_reason_and_the_item_stays(
    home: Home, link: Job, state: CaptureState
) -> None:
    begin_capture(home.library, link)
    record_failure(home.library, link, state, "not found")
    item = home.item(link.subject)
    assert (item.capture_state, item.capture_reason, item.version) == (state, "not found", 1)
    again = save_link(home.library, home.owner, link.subject, "https://example.org/tea")
    assert (again.status, again.replayed, again.failure_reason) == (state.value, True, "not found")
    record_failure(home.library, link, CaptureState.FAILED, "later")
    assert home.item(link.subject).capture_reason == "not found"
    assert home.listed() == ["https://example.org/tea"]


def test_a_capture_of_what_is_gone_or_trashed_does_nothing(home: Home, link: Job) -> None:
    begin_capture(home.library, link)
    delete_item(home.library, home.owner, link.subject, 1)
    record_extraction(home.library, link, PAGE)
    assert begin_capture(home.library, link) is None
    assert home.item(link.subject).version == 2
    purge(home.library, home.owner, link.subject)
    record_extraction(home.library, link, PAGE)
    record_failure(home.library, link, CaptureState.FAILED, "x")
    assert begin_capture(home.library, link) is None
    assert home.listed() == []


def test_captures_of_one_page_keep_one_file(home: Home) -> None:
    hashes = set()
    for _ in range(2):
        item_id = an_id()
        save_link(home.library, home.owner, item_id, "https://example.org/tea")
        job = home.claim()
        assert job is not None
        begin_capture(home.library, job)
        record_extraction(home.library, job, PAGE)
        hashes.add(home.item(item_id).blob)
    assert len(hashes) == 1
    with home.library.storage.read() as tx:
        assert tx.blobs.used_bytes(home.owner.spaces) == len(PAGE.original)
