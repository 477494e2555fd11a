"""Is a save kept exactly, once, under the id that its client made?"""

from __future__ import annotations

import threading

import pytest

from tests.library.fakes import WordEmbedder
from tests.library.home import Home, an_id
from vademecum.library.editing import update_note
from vademecum.library.history import revision, revisions
from vademecum.library.saving import Saved, SavedLink, save_link, save_note
from vademecum.library.spaces import create_space, set_member
from vademecum.library.trash import delete_item, purge
from vademecum.model.errors import (
    IdempotencyMismatch,
    InvalidInput,
    NotPermitted,
    Refusal,
    StorageFull,
    TierDenied,
    TooLarge,
)
from vademecum.model.items import CaptureState, IndexState, Kind, Layer, Role
from vademecum.model.quota import Limits
from vademecum.model.revisions import Action, ActorKind

VERBATIM = [
    "plain",
    "",
    "\n\n  leading and trailing  \n\n",
    "\r\nWindows\r\nlines\rand old Mac ones\n",
    "\ufeffwith a byte order mark",
    "---\ntitle: not taken\n---\n# body\n",
    "tabs\tand\u00a0odd\u2003spaces\u200b",
    "e\u0301 is not \u00e9, \u30ab\u3099 is not \u30ac, \uff21 is not A",
    "emoji 👩‍👩‍👧‍👦 and 𠮷",
    "[[link]] #tag ```code```",
]


@pytest.mark.parametrize("text", VERBATIM)
def test_a_note_comes_back_byte_for_byte(home: Home, text: str) -> None:
    item_id = home.save(text, "A title")
    found = home.read(item_id)
    assert (found.body, found.layers.authored, found.frontmatter) == (text, text, "")


def test_a_new_note_is_the_first_version_of_a_ready_note_in_the_notes_folder(home: Home) -> None:
    item_id = an_id()
    saved = save_note(home.library, home.owner, item_id, "# Tea\n\nGreen.", "  Tea\nfor two ")
    assert saved == Saved(item_id, "ready", replayed=False)
    item = home.item(item_id)
    told = (item.version, item.kind, item.title, item.file_name, item.tags, item.source_url, item.layers)
    assert told == (1, Kind.NOTE, "Tea for two", "Tea for two.md", (), None, (Layer.AUTHORED,))
    assert (item.capture_state, item.index_state) == (CaptureState.READY, IndexState.INDEXED)
    assert item.created_at == item.updated_at == item.content_edited_at == home.library.now()
    with home.library.storage.read() as tx:
        folder = tx.folders.find(item.space_id, str(item.folder_id))
    assert folder is not None
    assert (folder.name, folder.parent_id) == ("Notes", None)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("# First heading\n\nText", "First heading"),
        ("A first line\n\n## Later heading", "Later heading"),
        ("\n\nonly a line\nand another", "only a line"),
        ("   \n\n", "Untitled"),
        ("", "Untitled"),
    ],
)
def test_an_untitled_note_is_called_by_its_first_heading_else_its_first_line(
    sqlite_home: Home, text: str, title: str
) -> None:
    assert sqlite_home.item(sqlite_home.save(text)).title == title


def test_the_same_save_again_returns_the_first_item_and_writes_nothing(home: Home) -> None:
    item_id = home.save("Text", "One title")
    again = save_note(home.library, home.owner, item_id, "Text", "Another title")
    assert again == Saved(item_id, "ready", replayed=True)
    assert home.read(item_id).item.title == "One title"
    assert home.versions(item_id) == [1]


def test_an_id_is_the_same_in_capitals_and_with_spaces_around(home: Home) -> None:
    item_id = home.save("Text")
    assert save_note(home.library, home.owner, f" {item_id.upper()} ", "Text", None).replayed


@pytest.mark.parametrize("other", ["text", "Text ", "Text\n", "\ufeffText", ""])
def test_the_same_id_with_other_content_is_refused_and_nothing_is_written(home: Home, other: str) -> None:
    item_id = home.save("Text", "Title")
    with pytest.raises(IdempotencyMismatch):
        save_note(home.library, home.owner, item_id, other, "Title")
    assert home.read(item_id).body == "Text"
    assert home.versions(item_id) == [1]


def test_a_replay_is_compared_with_the_first_version_even_after_an_edit(home: Home) -> None:
    item_id = home.save("First")
    update_note(home.library, home.owner, item_id, "Second", 1, None)
    assert save_note(home.library, home.owner, item_id, "First", None) == Saved(item_id, "ready", True)
    with pytest.raises(IdempotencyMismatch):
        save_note(home.library, home.owner, item_id, "Second", None)
    assert home.read(item_id).body == "Second"


def test_the_replay_of_a_trashed_item_says_so_and_leaves_it_in_the_trash(home: Home) -> None:
    item_id = home.save("Text")
    delete_item(home.library, home.owner, item_id, 1)
    assert save_note(home.library, home.owner, item_id, "Text", None) == Saved(item_id, "trashed", True)
    assert home.item(item_id).trashed
    with pytest.raises(IdempotencyMismatch):
        save_note(home.library, home.owner, item_id, "Other", None)


def test_an_id_is_free_again_once_its_item_was_purged(home: Home) -> None:
    item_id = home.save("Text")
    delete_item(home.library, home.owner, item_id, 1)
    purge(home.library, home.owner, item_id)
    assert save_note(home.library, home.owner, item_id, "Other", None) == Saved(item_id, "ready", False)


def test_a_new_id_makes_a_new_item_even_of_the_same_content(home: Home) -> None:
    first, second = home.save("Text", "Twin"), home.save("Text", "Twin")
    assert first != second
    assert [home.item(item_id).file_name for item_id in (first, second)] == ["Twin.md", "Twin 2.md"]
    assert home.listed() == ["Twin", "Twin"]


@pytest.mark.parametrize(
    "item_id",
    ["", "x", "00000000-0000-0000-0000-000000000000", "6ba7b810-9dad-11d1-80b4-00c04fd430c8", "{}", "é" * 36],
)
def test_only_a_uuid_of_version_4_names_a_save(sqlite_home: Home, item_id: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        save_note(sqlite_home.library, sqlite_home.owner, item_id, "Text", None)
    assert refused.value.field == "id"
    with pytest.raises(InvalidInput):
        save_link(sqlite_home.library, sqlite_home.owner, item_id, "https://example.org/")
    assert sqlite_home.listed() == []


def test_texts_and_titles_beyond_the_limits_are_refused(sqlite_home: Home) -> None:
    library, owner = sqlite_home.library, sqlite_home.owner
    with pytest.raises(TooLarge) as long_text:
        save_note(library, owner, an_id(), "x" * (2 * 1024 * 1024 + 1), None)
    with pytest.raises(TooLarge) as long_title:
        save_note(library, owner, an_id(), "x", "t" * 501)
    assert (long_text.value.field, long_title.value.field) == ("authoredContent", "hubTitle")
    assert sqlite_home.listed() == []
    save_note(library, owner, an_id(), "x", "t" * 500)


def test_a_lone_surrogate_is_refused_with_its_place(sqlite_home: Home) -> None:
    with pytest.raises(InvalidInput):
        save_note(sqlite_home.library, sqlite_home.owner, an_id(), "a\ud800", None)
    assert sqlite_home.listed() == []


def test_a_read_only_caller_saves_nothing(home: Home) -> None:
    reader = home.agent("read_only")
    with pytest.raises(TierDenied):
        save_note(home.library, reader, an_id(), "Text", None)
    with pytest.raises(TierDenied):
        save_link(home.library, reader, an_id(), "https://example.org/")
    assert home.listed() == []


def test_a_mere_reader_of_a_space_writes_nothing_there(home: Home) -> None:
    create_space(home.library, home.owner, "shared", None)
    guest = home.somebody("guest")
    set_member(home.library, home.owner_again(), "shared", "guest", Role.READER)
    agent = home.agent("full", of=guest, spaces=("shared",))
    with pytest.raises(NotPermitted):
        save_note(home.library, agent, an_id(), "Text", None)
    with pytest.raises(NotPermitted):
        save_link(home.library, agent, an_id(), "https://example.org/")
    assert home.listed(home.owner_again()) == []


def test_a_save_is_a_revision_that_names_who_made_it_with_what(home: Home) -> None:
    agent = home.agent("edit")
    item_id = home.save("Text", "Title", agent)
    made = revision(home.library, home.owner, item_id, 1)
    change = made.change
    assert home.versions(item_id) == [1]
    assert (made.version, made.action, made.state) == (1, Action.CREATE, home.read(item_id).state)
    told = (change.account_id, change.actor_kind, change.credential_id, change.client_name, change.tool)
    assert told == (home.owner.account_id, ActorKind.KEY, agent.credential_id, "an agent", "save_note")
    assert change.session_id is not None
    assert change.made_at == home.library.now()


def test_calls_of_one_key_belong_to_one_session_until_half_an_hour_passes(home: Home) -> None:
    agent, other = home.agent(), home.agent()
    saved = [home.save("1", caller=agent), home.save("2", caller=other)]
    home.clock.pass_by(minutes=29)
    saved.append(home.save("3", caller=agent))
    home.clock.pass_by(minutes=31)
    saved.append(home.save("4", caller=agent))
    sessions = [revisions(home.library, home.owner, one)[0].change.session_id for one in saved]
    assert None not in sessions
    assert sessions[0] == sessions[2]
    assert len(set(sessions)) == 3


def test_a_save_that_is_refused_for_room_leaves_no_trace(home: Home) -> None:
    small = home.with_ports(limits=Limits(storage_bytes=10))
    small.save("0123456789")
    with pytest.raises(StorageFull):
        save_note(small.library, small.owner, an_id(), "more", None)
    with pytest.raises(StorageFull):
        save_link(small.library, small.owner, an_id(), "https://example.org/")
    assert home.listed() == ["0123456789"]
    assert home.waiting() == {}


def test_twins_with_one_id_make_one_item(home: Home) -> None:
    item_id, answers, start = an_id(), [], threading.Barrier(8)

    def save(number: int) -> None:
        start.wait()
        answers.append(save_note(home.library, home.owner, item_id, "Text", f"Title {number}"))

    threads = [threading.Thread(target=save, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(one.replayed for one in answers) == [False, *[True] * 7]
    assert len(home.listed()) == 1
    assert home.versions(item_id) == [1]


def test_a_saved_link_is_an_article_in_clips_whose_capture_is_queued(home: Home) -> None:
    item_id, address = an_id(), "https://example.org/a?b=1#part"
    saved = save_link(home.library, home.owner, item_id, f" {address} ")
    assert saved == SavedLink(item_id, "queued", replayed=False)
    item = home.item(item_id)
    assert (item.kind, item.source_url, item.title, item.version) == (Kind.ARTICLE, address, address, 1)
    assert item.capture_state is CaptureState.QUEUED
    with home.library.storage.read() as tx:
        year = tx.folders.find(item.space_id, str(item.folder_id))
        assert year is not None
        clips = tx.folders.find(item.space_id, str(year.parent_id))
    assert clips is not None
    assert (clips.name, year.name) == ("Clips", "2026")
    job = home.claim()
    assert job is not None
    assert (job.kind.value, job.subject) == ("capture", item_id)


def test_a_saved_link_is_found_by_its_address_at_once(home: Home) -> None:
    save_link(home.library, home.owner, an_id(), "https://example.org/tea")
    assert home.found("https://www.example.org/tea/") == ["https://example.org/tea"]


def test_the_same_link_again_replays_with_its_present_status(home: Home) -> None:
    item_id, address = an_id(), "https://example.org/a"
    save_link(home.library, home.owner, item_id, address)
    assert save_link(home.library, home.owner, item_id, address) == SavedLink(item_id, "queued", True)
    assert home.waiting() == {"capture": 1}
    delete_item(home.library, home.owner, item_id, 1)
    assert save_link(home.library, home.owner, item_id, address) == SavedLink(item_id, "trashed", True)


def test_an_id_belongs_to_one_kind_of_save_and_one_address(home: Home) -> None:
    item_id = an_id()
    save_link(home.library, home.owner, item_id, "https://example.org/a")
    for refused in (
        lambda: save_link(home.library, home.owner, item_id, "https://example.org/b"),
        lambda: save_note(home.library, home.owner, item_id, "https://example.org/a", None),
    ):
        with pytest.raises(IdempotencyMismatch):
            refused()
    note = home.save("https://example.org/a")
    with pytest.raises(IdempotencyMismatch):
        save_link(home.library, home.owner, note, "https://example.org/a")


def test_another_item_with_the_same_page_is_told_and_still_made(home: Home) -> None:
    first, second = an_id(), an_id()
    assert not save_link(
        home.library, home.owner, first, "https://www.example.org/a/?utm_source=x"
    ).already_exists
    assert save_link(home.library, home.owner, second, "http://example.org/a#part") == SavedLink(
        second, "queued", replayed=False, already_exists=True
    )
    assert save_link(
        home.library, home.owner, first, "https://www.example.org/a/?utm_source=x"
    ).already_exists
    assert len(home.listed()) == 2


def test_an_item_in_the_trash_is_not_told_as_there_already(home: Home) -> None:
    first = an_id()
    save_link(home.library, home.owner, first, "https://example.org/a")
    delete_item(home.library, home.owner, first, 1)
    assert not save_link(home.library, home.owner, an_id(), "https://example.org/a").already_exists


@pytest.mark.parametrize(
    "address",
    [
        "",
        "example.org",
        "ftp://example.org/",
        "javascript:alert(1)",
        "file:///etc/passwd",
        "https://",
        "https://u:p@h/",
    ],
)
def test_only_addresses_of_the_web_are_saved(sqlite_home: Home, address: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        save_link(sqlite_home.library, sqlite_home.owner, an_id(), address)
    assert refused.value.field == "url"
    assert sqlite_home.listed() == []


def test_without_credits_a_link_is_kept_and_the_lack_is_told_at_every_replay(home: Home) -> None:
    poor = home.with_ports(limits=Limits(credits_monthly=1))
    first, second = an_id(), an_id()
    assert not save_link(poor.library, poor.owner, first, "https://example.org/a").insufficient_credits
    told = save_link(poor.library, poor.owner, second, "https://example.org/b")
    assert told == SavedLink(second, "queued", replayed=False, insufficient_credits=True)
    assert home.waiting() == {"capture": 2}
    rich = home  # more credits later change nothing of what was saved without
    again = save_link(rich.library, rich.owner, second, "https://example.org/b")
    assert again == SavedLink(second, "queued", replayed=True, insufficient_credits=True)
    assert not save_link(poor.library, poor.owner, first, "https://example.org/a").insufficient_credits
    with poor.library.storage.read() as tx:
        assert tx.credits.used(poor.owner.account_id, "2026-11") == 1


def test_a_failing_embedder_costs_the_vectors_and_not_the_save(home: Home) -> None:
    failing = home.with_ports(embedder=WordEmbedder(fails=True))
    item_id = failing.save("A lonely word: halyard", "Sail")
    item = home.item(item_id)
    assert (item.index_state, item.index_reason) == (IndexState.KEYWORD, "vectors follow")
    assert home.waiting() == {"embed": 1}
    assert failing.found("halyard") == home.found("halyard") == ["Sail"]


def test_without_an_embedder_a_note_is_kept_and_found_by_words(home: Home) -> None:
    plain = home.with_ports(embedder=None)
    item_id = plain.save("A lonely word: halyard", "Sail")
    item = plain.item(item_id)
    assert (item.index_state, item.index_reason) == (IndexState.KEYWORD, "no embedding model")
    assert plain.waiting() == {}
    assert plain.found("halyard") == ["Sail"]


def test_five_plain_facts_are_five_items(home: Home) -> None:
    facts = [f"The number of the {name} is {number}." for number, name in enumerate("abcde")]
    ids = [home.save(fact) for fact in facts]
    assert [home.read(item_id).body for item_id in ids] == facts
    assert home.listed() == facts[::-1]


@pytest.mark.parametrize("refusal", [IdempotencyMismatch, TooLarge, InvalidInput])
def test_every_refusal_of_a_save_says_what_to_do(refusal: type[Refusal]) -> None:
    assert refusal.advice
