"""Is a text or tag list replaced only by who has read it, and is every write a version?"""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.library.fakes import WordEmbedder
from tests.library.home import Home, an_id
from vademecum.library.capturing import Captured, begin_capture, record_extraction
from vademecum.library.connecting import person
from vademecum.library.editing import update_note, update_tags
from vademecum.library.history import revision, revisions
from vademecum.library.saving import save_link
from vademecum.library.spaces import create_space, set_member
from vademecum.library.trash import delete_item
from vademecum.model.errors import (
    InvalidInput,
    NotFound,
    NotPermitted,
    StorageFull,
    TierDenied,
    TooLarge,
    VersionConflict,
)
from vademecum.model.items import IndexState, Kind, Layer, Role
from vademecum.model.quota import Limits
from vademecum.model.revisions import Action
from vademecum.ports.models import Vector


def test_an_update_replaces_the_whole_text_and_counts_one_version(home: Home) -> None:
    item_id = home.save("Old text", "Title")
    home.clock.pass_by(minutes=1)
    assert update_note(home.library, home.owner, item_id, "\r\nNew text\n", 1, None) == 2
    found = home.read(item_id)
    assert (found.body, found.item.title, found.item.version) == ("\r\nNew text\n", "Title", 2)
    assert found.item.created_at < found.item.updated_at == found.item.content_edited_at
    assert home.found("old") == []
    assert home.found("new") == ["Title"]


def test_every_write_counts_even_when_nothing_differs(home: Home) -> None:
    item_id = home.save("Text", "Title")
    assert update_note(home.library, home.owner, item_id, "Text", 1, "Title") == 2
    assert update_tags(home.library, home.owner, item_id, [], 2) == 3
    assert home.versions(item_id) == [3, 2, 1]


def test_every_write_is_a_revision_that_names_its_tool_and_session(home: Home) -> None:
    agent = home.agent("full")
    item_id = home.save("One", "Title", agent)
    update_note(home.library, agent, item_id, "Two", 1, "Name")
    update_tags(home.library, agent, item_id, ["a"], 2)
    delete_item(home.library, agent, item_id, 3)
    found = revisions(home.library, home.owner, item_id)
    told = [(one.version, one.action, one.change.tool, one.change.credential_id) for one in found]
    assert told == [
        (4, Action.TRASH, "delete_item", agent.credential_id),
        (3, Action.TAGS, "update_tags", agent.credential_id),
        (2, Action.UPDATE, "update_note", agent.credential_id),
        (1, Action.CREATE, "save_note", agent.credential_id),
    ]
    states = [revision(home.library, home.owner, item_id, one.version).state for one in found]
    assert [(one.title, one.layers.authored, one.tags, one.trashed) for one in states] == [
        ("Name", "Two", ("a",), True),
        ("Name", "Two", ("a",), False),
        ("Name", "Two", (), False),
        ("Title", "One", (), False),
    ]
    assert len({one.change.change_id for one in found}) == 4
    assert len({one.change.session_id for one in found}) == 1
    assert [one.change.sequence for one in found] == [4, 3, 2, 1]


@pytest.mark.parametrize("version", [0, 2, -1, 99])
def test_a_version_that_is_not_current_is_a_conflict_and_changes_nothing(home: Home, version: int) -> None:
    item_id = home.save("Text", "Title")
    with pytest.raises(VersionConflict) as refused:
        update_note(home.library, home.owner, item_id, "Other", version, "Other")
    assert refused.value.data["currentVersion"] == 1
    with pytest.raises(VersionConflict):
        update_tags(home.library, home.owner, item_id, ["a"], version)
    found = home.read(item_id)
    assert (found.body, found.item.title, found.item.tags, found.item.version) == ("Text", "Title", (), 1)
    assert home.versions(item_id) == [1]
    assert home.found("other") == []


def test_after_a_conflict_the_retry_with_the_fresh_version_succeeds(home: Home) -> None:
    item_id = home.save("Text")
    update_note(home.library, home.owner, item_id, "Second", 1, None)
    with pytest.raises(VersionConflict):
        update_note(home.library, home.owner, item_id, "Third", 1, None)
    fresh = home.read(item_id).item.version
    assert update_note(home.library, home.owner, item_id, "Third", fresh, None) == 3


class _Meddler(WordEmbedder):
    """While it embeds, somebody else writes."""

    def __init__(self, home: Home, item_id: str) -> None:
        super().__init__()
        self._home, self._item_id, self._done = home, item_id, False

    def embed(self, heads: Sequence[str], windows: Sequence[str]) -> tuple[list[Vector], list[Vector]]:
        if not self._done:
            self._done = True
            update_tags(self._home.library, self._home.owner, self._item_id, ["meanwhile"], 1)
        return super().embed(heads, windows)


def test_who_writes_between_reading_and_writing_wins(home: Home) -> None:
    item_id = home.save("Text")
    late = home.with_ports(embedder=_Meddler(home, item_id))
    with pytest.raises(VersionConflict):
        update_note(late.library, home.owner, item_id, "Lost", 1, None)
    found = home.read(item_id)
    assert (found.body, found.item.tags, found.item.version) == ("Text", ("meanwhile",), 2)
    assert home.versions(item_id) == [2, 1]


def test_a_new_title_renames_the_file_and_keeps_the_id(home: Home) -> None:
    item_id = home.save("Text", "Old")
    home.save("Another", "Taken")
    update_note(home.library, home.owner, item_id, "Text", 1, " Taken ")
    item = home.item(item_id)
    assert (item.title, item.file_name) == ("Taken", "Taken 2.md")


def test_a_title_that_changes_only_its_case_keeps_one_file_without_a_number(home: Home) -> None:
    item_id = home.save("Text", "tea house")
    update_note(home.library, home.owner, item_id, "Text", 1, "Tea House")
    assert (home.item(item_id).title, home.item(item_id).file_name) == ("Tea House", "Tea House.md")


@pytest.mark.parametrize("title", [None, "", "   "])
def test_without_a_title_the_title_stays(home: Home, title: str | None) -> None:
    item_id = home.save("# Heading", "Given")
    update_note(home.library, home.owner, item_id, "# Other heading", 1, title)
    assert home.item(item_id).title == "Given"


def test_an_authored_text_takes_the_place_of_the_extracted_one_which_stays_kept(home: Home) -> None:
    item_id = an_id()
    save_link(home.library, home.owner, item_id, "https://example.org/a")
    job = home.claim()
    assert job is not None
    assert begin_capture(home.library, job) == "https://example.org/a"
    page = Captured("Page", "Extracted halyard", Kind.ARTICLE, b"<html>", "text/html")
    record_extraction(home.library, job, page)
    assert update_note(home.library, home.owner, item_id, "My own words", 2, None) == 3
    found = home.read(item_id)
    assert found.body == "My own words"
    assert (found.layers.authored, found.layers.extracted) == ("My own words", "Extracted halyard")
    assert found.item.layers == (Layer.AUTHORED, Layer.EXTRACTED)
    assert home.library.blobs.has(str(found.item.blob))
    assert home.found("halyard") == []
    assert home.found("own words") == ["Page"]


def test_an_update_keeps_the_frontmatter_block_apart(home: Home) -> None:
    item_id = home.save("---\ntitle: mine\n---\ntext", "Title")
    update_note(home.library, home.owner, item_id, "---\nnot: split\n---\nother", 1, None)
    found = home.read(item_id)
    assert (found.frontmatter, found.body) == ("", "---\nnot: split\n---\nother")


def test_tags_are_replaced_as_a_whole_first_spelling_first(home: Home) -> None:
    item_id = home.save("Text", "Title")
    update_tags(home.library, home.owner, item_id, ["#Tea", "ＴＥＡ", " garden / moss ", "日本"], 1)
    assert home.item(item_id).tags == ("Tea", "garden/moss", "日本")
    update_tags(home.library, home.owner, item_id, ["other"], 2)
    assert home.item(item_id).tags == ("other",)
    update_tags(home.library, home.owner, item_id, [], 3)
    assert home.item(item_id).tags == ()
    assert home.read(item_id).body == "Text"


def test_a_change_of_tags_is_no_edit_of_the_content(home: Home) -> None:
    item_id = home.save("Text", "Title")
    edited = home.item(item_id).content_edited_at
    home.clock.pass_by(hours=1)
    update_tags(home.library, home.owner, item_id, ["a"], 1)
    item = home.item(item_id)
    assert (item.content_edited_at, item.updated_at) == (edited, home.library.now())


def test_twenty_tags_are_taken_and_twenty_one_refused(home: Home) -> None:
    item_id = home.save("Text")
    tags = [f"tag{number}" for number in range(21)]
    with pytest.raises(InvalidInput) as refused:
        update_tags(home.library, home.owner, item_id, tags, 1)
    assert refused.value.field == "tags"
    assert update_tags(home.library, home.owner, item_id, [*tags[:20], "TAG0"], 1) == 2
    assert len(home.item(item_id).tags) == 20


@pytest.mark.parametrize("tag", ["", "#", "  ", "/", "a\nb\0", "a\x07"])
def test_tags_that_are_none_are_refused(sqlite_home: Home, tag: str) -> None:
    item_id = sqlite_home.save("Text")
    with pytest.raises(InvalidInput):
        update_tags(sqlite_home.library, sqlite_home.owner, item_id, [tag], 1)
    assert sqlite_home.versions(item_id) == [1]


def test_a_tag_of_more_than_a_hundred_characters_is_too_large(sqlite_home: Home) -> None:
    item_id = sqlite_home.save("Text")
    with pytest.raises(TooLarge):
        update_tags(sqlite_home.library, sqlite_home.owner, item_id, ["x" * 101], 1)


def test_texts_and_titles_beyond_the_limits_change_nothing(sqlite_home: Home) -> None:
    item_id = sqlite_home.save("Text")
    for text, title in (("x" * (2 * 1024 * 1024 + 1), None), ("x", "t" * 501)):
        with pytest.raises(TooLarge):
            update_note(sqlite_home.library, sqlite_home.owner, item_id, text, 1, title)
    with pytest.raises(InvalidInput):
        update_note(sqlite_home.library, sqlite_home.owner, item_id, "\udfff", 1, None)
    assert sqlite_home.versions(item_id) == [1]


def test_what_is_in_the_trash_or_nowhere_is_not_found(home: Home) -> None:
    item_id = home.save("Text")
    delete_item(home.library, home.owner, item_id, 1)
    for unknown in (item_id, an_id(), "nonsense"):
        with pytest.raises(NotFound):
            update_note(home.library, home.owner, unknown, "x", 2, None)
        with pytest.raises(NotFound):
            update_tags(home.library, home.owner, unknown, [], 2)


def test_a_read_only_caller_and_a_mere_reader_change_nothing(home: Home) -> None:
    create_space(home.library, home.owner, "shared", None)
    home.somebody("guest")
    owner = home.owner_again()
    set_member(home.library, owner, "shared", "guest", Role.READER)
    item_id = home.save("Text", "Title", home.agent("full", of=owner, spaces=("shared",)))
    guest = home.agent("full", of=person(home.library, "guest"), spaces=("shared",))
    assert home.read(item_id, guest).body == "Text"
    for caller, refusal in ((guest, NotPermitted), (home.agent("read_only", of=owner), TierDenied)):
        with pytest.raises(refusal):
            update_note(home.library, caller, item_id, "x", 1, None)
        with pytest.raises(refusal):
            update_tags(home.library, caller, item_id, ["x"], 1)
    assert home.item(item_id).version == 1


def test_an_edit_that_finds_no_room_is_refused(home: Home) -> None:
    item_id = home.save("0123456789")
    small = home.with_ports(limits=Limits(storage_bytes=10))
    with pytest.raises(StorageFull):
        update_note(small.library, small.owner, item_id, "more", 1, None)
    assert home.versions(item_id) == [1]


def test_a_failing_embedder_costs_the_vectors_and_not_the_edit(home: Home) -> None:
    item_id = home.save("Text", "Title")
    failing = home.with_ports(embedder=WordEmbedder(fails=True))
    assert update_note(failing.library, home.owner, item_id, "halyard", 1, None) == 2
    assert home.item(item_id).index_state is IndexState.KEYWORD
    assert home.found("halyard") == ["Title"]
