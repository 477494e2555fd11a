"""Are files attached where they were meant to be, and is nothing else touched?"""

from __future__ import annotations

from base64 import b64encode
from dataclasses import replace
from typing import Any

import pytest

from tests.library.home import Home
from tests.library.vault import put, put_file
from vademecum.library.attaching import LARGEST_ATTACHMENT, Attached, AttachRequest, add_attachment
from vademecum.library.attachments import Placement, list_attachments
from vademecum.library.drafts import NewDraft, discard_draft, keep_draft
from vademecum.library.history import revert, revisions
from vademecum.library.listing import Include, list_files
from vademecum.library.note_writing import update_note
from vademecum.library.notes import NoteReading, read_note
from vademecum.library.trash import delete_item, purge, restore
from vademecum.library.undoing import undo_change
from vademecum.model.access import Tier
from vademecum.model.errors import (
    BeingEdited,
    InvalidInput,
    NotFound,
    StorageFull,
    TierDenied,
    TooLarge,
    VersionConflict,
)
from vademecum.model.items import Item, Kind
from vademecum.model.quota import Limits
from vademecum.model.revisions import Action

BODY, PANEL = Placement.BODY, Placement.PANEL


def encoded(content: bytes) -> str:
    return b64encode(content).decode()


def attach(desk: Home, path: str, name: str, content: bytes = b"content", **more: Any) -> Attached:
    return add_attachment(desk.library, desk.owner, AttachRequest(path, encoded(content), name, **more))


def refer(desk: Home, path: str, file: str, **more: Any) -> Attached:
    return add_attachment(desk.library, desk.owner, AttachRequest(path, file=file, **more))


def note(desk: Home, path: str = "Tea/Green.md") -> NoteReading:
    return read_note(desk.library, desk.owner, path)


def body(desk: Home, path: str = "Tea/Green.md") -> str:
    return desk.read(note(desk, path).item.item_id).body


def files(desk: Home) -> list[str]:
    found = list_files(desk.library, desk.owner, "", recursive=True, include=Include.ALL)[0]
    return [one.path for one in found]


def attached(desk: Home, path: str = "Tea/Green.md") -> list[tuple[str, str, bool]]:
    found = list_attachments(desk.library, desk.owner, path)[0]
    return [(one.path, one.where.value, one.exists) for one in found]


@pytest.fixture
def desk(desk: Home) -> Home:
    put(desk, "Tea/Green.md", "# Green\n")
    return desk


@pytest.mark.parametrize(
    ("name", "placement"),
    [
        ("a.png", BODY), ("a.JPG", BODY), ("a.svg", BODY), ("a.mp4", BODY), ("a.mp3", BODY), ("a.pdf", PANEL),
        ("a.txt", PANEL), ("a.md", PANEL), ("a.csv", PANEL), ("a.tsv", PANEL), ("a.json", PANEL),
        ("a.log", PANEL),
    ],
)  # fmt: skip
def test_the_kind_says_where_a_file_goes(desk: Home, name: str, placement: Placement) -> None:
    told = attach(desk, "Tea/Green.md", name)
    reference = f"![[{name}]]" if placement is BODY else ""
    assert told == Attached(f"Tea/{name}", reference, placement, True, None)
    assert attached(desk) == [(f"Tea/{name}", placement.value, True)]
    assert body(desk) == (f"# Green\n\n![[{name}]]\n" if placement is BODY else "# Green\n")


def test_the_placement_can_be_chosen(desk: Home) -> None:
    assert attach(desk, "Tea/Green.md", "a.png", placement=PANEL).reference == ""
    assert attach(desk, "Tea/Green.md", "a.pdf", placement=BODY).reference == "![[a.pdf]]"
    assert attached(desk) == [("Tea/a.pdf", "body", True), ("Tea/a.png", "panel", True)]


def test_a_name_that_is_taken_gets_a_number_and_nothing_is_overwritten(desk: Home) -> None:
    for number in (1, 2):
        attach(desk, "Tea/Green.md", "a.txt", f"halyard{number}".encode())
    assert [path for path in files(desk) if "a" in path] == ["Tea/Green.md", "Tea/a 2.txt", "Tea/a.txt"]
    assert (desk.found("halyard1"), desk.found("halyard2")) == (["a.txt"], ["a 2.txt"])


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("../../up.txt", "Tea/up.txt"),
        ("/etc/pass: word?.txt", "Tea/pass- word-.txt"),
        ("C:\\pics\\a#b[1]^2.png", "Tea/a-b-1-2.png"),
        (".png", None),
        ("CON.txt", "Tea/CON_.txt"),
        ("茶\u202e.png", "Tea/茶.png"),
        ("x" * 300 + ".md", "Tea/" + "x" * 252 + ".md"),
        ("a.exe", None),
        ("a.xlsx", None),
        ("png", None),
        ("", None),
    ],
)
def test_names_are_made_safe_or_refused(desk: Home, name: str, path: str | None) -> None:
    if path is None:
        with pytest.raises(InvalidInput) as refused:
            attach(desk, "Tea/Green.md", name)
        assert refused.value.field == "filename"
        assert files(desk) == ["Tea/Green.md"]
    else:
        assert attach(desk, "Tea/Green.md", name).path == path
        assert [one[0] for one in attached(desk)] == [path]


def test_a_file_of_the_vault_is_referred_to_and_not_copied(desk: Home) -> None:
    put_file(desk, "Pics/a.png", b"png")
    told = refer(desk, "Tea/Green.md", "Pics/a.png")
    assert told == Attached("Pics/a.png", "![[a.png]]", BODY, False, None)
    assert files(desk) == ["Pics/a.png", "Tea/Green.md"]
    assert attached(desk) == [("Pics/a.png", "body", True)]


def test_the_reference_leads_to_the_file_whatever_else_bears_its_name(desk: Home) -> None:
    put_file(desk, "Old/a.png", b"1")
    put_file(desk, "Pics/a.png", b"2")
    put_file(desk, "a.png", b"3")
    put_file(desk, "Pics/b#1.png", b"4")
    put_file(desk, "Tea/c`[x].png", b"5")
    for path, reference in {
        "Old/a.png": "![[a.png]]",
        "Pics/a.png": "![[Pics/a.png]]",
        "a.png": "![[/a.png]]",
        "Pics/b#1.png": "![b#1.png](/Pics/b%231.png)",
        "Tea/c`[x].png": "![c x .png](c%60%5Bx%5D.png)",
    }.items():
        assert refer(desk, "Tea/Green.md", path).reference == reference
        assert attached(desk)[-1] == (path, "body", True)
    assert attach(desk, "Tea/Green.md", "a.png").reference == "![[Tea/a.png]]"
    assert attached(desk)[-1] == ("Tea/a.png", "body", True)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "![[a.png]]\n"),
        ("text", "text\n\n![[a.png]]\n"),
        ("text\r\nmore\r\n", "text\r\nmore\r\n\r\n![[a.png]]\r\n"),
        ("text\n\n", "text\n\n![[a.png]]\n"),
        ("- list\n  - deeper", "- list\n  - deeper\n\n![[a.png]]\n"),
        ("```\ncode\n```", "```\ncode\n```\n\n![[a.png]]\n"),
    ],
)
def test_the_reference_is_a_paragraph_at_the_end_and_no_other_byte_changes(
    desk: Home, before: str, after: str
) -> None:
    put(desk, "Other.md", before)
    attach(desk, "Other.md", "a.png")
    assert body(desk, "Other.md") == after


@pytest.mark.parametrize("open_end", ["```\ncode", "text\n\n~~~~\n"])
def test_a_text_that_ends_in_open_code_takes_no_reference(desk: Home, open_end: str) -> None:
    put(desk, "Open.md", open_end)
    with pytest.raises(InvalidInput) as refused:
        attach(desk, "Open.md", "a.png")
    assert refused.value.field == "placement"
    assert body(desk, "Open.md") == open_end
    assert attach(desk, "Open.md", "a.png", placement=PANEL).placement is PANEL


def test_the_panel_gives_the_version_to_who_knew_the_one_before(desk: Home) -> None:
    read = note(desk).version
    told = attach(desk, "Tea/Green.md", "a.pdf", version=read)
    assert told.version == note(desk).version != read
    assert attach(desk, "Tea/Green.md", "b.pdf", version=read).version is None
    assert attach(desk, "Tea/Green.md", "c.pdf", version="nonsense").version is None
    assert attach(desk, "Tea/Green.md", "d.pdf").version is None
    update_note(desk.library, desk.owner, "Tea/Green.md", "new", note(desk).version)
    assert len(attached(desk)) == 4


def test_after_a_reference_in_the_text_who_read_it_before_has_to_read_again(desk: Home) -> None:
    read = note(desk).version
    assert attach(desk, "Tea/Green.md", "a.png", version=read).version is None
    with pytest.raises(VersionConflict):
        update_note(desk.library, desk.owner, "Tea/Green.md", "new", read)
    assert body(desk) == "# Green\n\n![[a.png]]\n"


def test_a_file_that_is_in_the_panel_is_not_put_there_twice(desk: Home) -> None:
    first = attach(desk, "Tea/Green.md", "a.pdf", version=note(desk).version)
    again = refer(desk, "Tea/Green.md", "Tea/a.pdf", version=first.version)
    assert again == Attached("Tea/a.pdf", "", PANEL, False, first.version)
    assert note(desk).item.version == 2


def test_markdown_that_is_attached_becomes_a_note(desk: Home) -> None:
    attach(desk, "Tea/Green.md", "plan.md", b"---\ntags: [x]\n---\n# A plan\n\nhalyard\n")
    made = note(desk, "Tea/plan.md").item
    assert (made.title, made.kind, made.tags) == ("A plan", Kind.NOTE, ("x",))
    assert desk.found("halyard") == ["A plan"]
    assert refer(desk, "Tea/Green.md", "Tea/plan.md", placement=BODY).reference == "![[plan.md]]"


def test_nothing_is_attached_while_the_note_is_edited(desk: Home) -> None:
    put_file(desk, "b.pdf", b"x")
    item = note(desk).item
    draft = keep_draft(desk.library, desk.owner, NewDraft("...", item_id=item.item_id, base_version=1))
    for request in (
        AttachRequest("Tea/Green.md", "QUJD", "a.png"),
        AttachRequest("Tea/Green.md", "QUJD", "a.pdf"),
        AttachRequest("Tea/Green.md", file="b.pdf"),
    ):
        with pytest.raises(BeingEdited):
            add_attachment(desk.library, desk.owner, request)
    assert files(desk) == ["Tea/Green.md", "b.pdf"]
    discard_draft(desk.library, desk.owner, draft.draft_id)
    attach(desk, "Tea/Green.md", "a.png")


@pytest.mark.parametrize(
    ("request_", "field"),
    [
        ({}, "data"),
        ({"data": "QUJD", "filename": "a.txt", "file": "b.pdf"}, "data"),
        ({"data": "QUJD"}, "filename"),
        ({"data": "", "filename": "a.txt"}, "data"),
        ({"data": "QUJD\n", "filename": "a.txt"}, "data"),
        ({"data": "QUJ", "filename": "a.txt"}, "data"),
        ({"data": "QUJD=", "filename": "a.txt"}, "data"),
        ({"data": "data:text/plain;base64,QUJD", "filename": "a.txt"}, "data"),
        ({"data": "茶", "filename": "a.txt"}, "data"),
        ({"file": "/etc/passwd"}, "file"),
        ({"file": "../b.pdf"}, "file"),
        ({"file": "C:\\b.pdf"}, "file"),
        ({"file": "Tea/Green.md"}, "file"),
    ],
)
def test_what_is_not_said_clearly_is_refused(desk: Home, request_: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        add_attachment(desk.library, desk.owner, AttachRequest("Tea/Green.md", **request_))
    assert refused.value.field == field
    assert (files(desk), note(desk).item.version) == (["Tea/Green.md"], 1)


def test_what_is_not_there_not_allowed_or_has_no_room_is_refused(desk: Home) -> None:
    put_file(desk, "b.pdf", b"x")
    with pytest.raises(NotFound):
        refer(desk, "Tea/Green.md", "gone.pdf")
    with pytest.raises(NotFound):
        attach(desk, "Gone.md", "a.png")
    with pytest.raises(InvalidInput, match="path"):
        attach(desk, "b.pdf", "a.png")
    reader, request = replace(desk.owner, tier=Tier.READ_ONLY), AttachRequest("Tea/Green.md", "QUJD", "a.txt")
    with pytest.raises(TierDenied):
        add_attachment(desk.library, reader, request)
    with pytest.raises(StorageFull):
        attach(desk.with_ports(limits=Limits(0, None)), "Tea/Green.md", "a.txt")
    assert files(desk) == ["Tea/Green.md", "b.pdf"]


@pytest.mark.claims("add-attachment.limit")
def test_twenty_megabytes_are_taken_and_a_byte_more_is_not(desk: Home) -> None:
    assert attach(desk, "Tea/Green.md", "a.mp4", b"\0" * LARGEST_ATTACHMENT).copied
    for more in (1, 3):
        with pytest.raises(TooLarge) as refused:
            attach(desk, "Tea/Green.md", "b.mp4", b"\0" * (LARGEST_ATTACHMENT + more))
        assert (refused.value.limit, refused.value.unit) == (20 * 1024 * 1024, "bytes")
    assert files(desk) == ["Tea/Green.md", "Tea/a.mp4"]


def test_it_is_one_change_that_can_be_taken_back(desk: Home) -> None:
    item: Item = note(desk).item
    attach(desk, "Tea/Green.md", "a.png")
    attach(desk, "Tea/Green.md", "b.pdf")
    history = revisions(desk.library, desk.owner, item.item_id)
    assert [one.action for one in history] == [Action.ATTACH, Action.UPDATE, Action.CREATE]
    undo_change(desk.library, desk.owner, history[0].change.change_id)
    assert files(desk) == ["Tea/Green.md", "Tea/a.png"]
    assert attached(desk) == [("Tea/a.png", "body", True)]
    revert(desk.library, desk.owner, item.item_id, 3)
    assert attached(desk)[1] == ("Tea/b.pdf", "panel", False)


def test_the_panel_goes_with_its_note_and_comes_back(desk: Home) -> None:
    attach(desk, "Tea/Green.md", "b.pdf")
    item_id = note(desk).item.item_id
    delete_item(desk.library, desk.owner, item_id, note(desk).item.version)
    assert files(desk) == ["Tea/b.pdf"]
    restore(desk.library, desk.owner, item_id)
    assert attached(desk) == [("Tea/b.pdf", "panel", True)]


def test_a_file_in_the_trash_is_missing_and_one_that_was_purged_is_no_attachment(desk: Home) -> None:
    attach(desk, "Tea/Green.md", "b.pdf")
    (file_id,) = note(desk).item.panel
    delete_item(desk.library, desk.owner, file_id, 1)
    assert attached(desk) == [("Tea/b.pdf", "panel", False)]
    purge(desk.library, desk.owner, file_id)
    assert attached(desk) == []
