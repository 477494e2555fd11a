"""Are notes made and changed only by who has read them, and is nothing else touched?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from tests.library.home import Home, an_id
from tests.library.vault import put, put_file
from vademecum.library.capturing import Captured, begin_capture, record_extraction
from vademecum.library.drafts import NewDraft, keep_draft
from vademecum.library.editing import update_note as library_update_note
from vademecum.library.editing import update_tags as library_update_tags
from vademecum.library.history import revert, revisions
from vademecum.library.note_writing import (
    NoteWritten,
    Replacement,
    create_folder,
    create_note,
    edit_note,
    update_note,
    update_tags,
)
from vademecum.library.notes import read_note
from vademecum.library.saving import save_link
from vademecum.model.access import Tier
from vademecum.model.errors import (
    Ambiguous,
    BeingEdited,
    InvalidInput,
    NotFound,
    NotPermitted,
    Refusal,
    StorageFull,
    TierDenied,
    TooLarge,
    VersionConflict,
    VersionNeeded,
)
from vademecum.model.items import Document, Kind
from vademecum.model.quota import Limits
from vademecum.model.revisions import Action

HEADER = "---\ntitle: Green\ntags: [tea, hot] # mine\nbrew: 80\n---\n"
CHART = "```monthlet-block\nid: {id}\nlabel: {label}\n```\n"
DATA = '{"id":"b1","labels":["a"],"series":[{"name":"s","values":[1]}],"title":"Sales","type":"bar"}'


def create(
    home: Home, title: str, markdown: str = "", folder: str = "", tags: Sequence[str] = ()
) -> NoteWritten:
    home.clock.pass_by(seconds=1)
    return create_note(home.library, home.owner, title, markdown, folder, tags)


def version(home: Home, path: str) -> str | None:
    return read_note(home.library, home.owner, path).version


def update(home: Home, path: str, markdown: str) -> NoteWritten:
    return update_note(home.library, home.owner, path, markdown, version(home, path))


def edit(home: Home, path: str, old: str, new: str, *, every: bool = False) -> NoteWritten:
    return edit_note(home.library, home.owner, path, Replacement(old, new, every), version(home, path))


def tag(home: Home, path: str, add: Sequence[str] = (), remove: Sequence[str] = ()) -> tuple[str, ...]:
    return update_tags(home.library, home.owner, path, (add, remove), None).tags


def kept(home: Home, path: str) -> Document:
    item = read_note(home.library, home.owner, path).item
    return home.read(item.item_id)


def test_a_note_is_made_at_the_top_or_in_a_folder_that_is_made(home: Home) -> None:
    assert create(home, "Tea?", "Body\r\n").path == "Tea-.md"
    made = create(home, "Tea?", "Body", "Drinks/Hot: 80", ["#Tea", "ｔｅａ", "cup"])
    assert (made.path, made.item.title, made.item.tags) == ("Drinks/Hot- 80/Tea-.md", "Tea?", ("Tea", "cup"))
    assert read_note(home.library, home.owner, made.path).version == made.version
    assert home.found("Tea") == ["Tea?", "Tea?"]
    assert home.versions(made.item.item_id) == [1]


def test_a_title_that_is_there_already_gets_a_number(home: Home) -> None:
    paths = [create(home, title, folder="Tea").path for title in ("Green", "green", "GREEN")]
    assert paths == ["Tea/Green.md", "Tea/green 2.md", "Tea/GREEN 3.md"]
    assert create(home, "Green", folder="tea/").path == "Tea/Green 4.md"


def test_frontmatter_of_a_new_note_gives_tags_and_its_own_keys(home: Home) -> None:
    sent = "---\ntitle: Other\ntags: [tea]\nbrew: 80 # hot\npinned: true\n---\nBody"
    made = create(home, "Green", sent, tags=["cup", "TEA"])
    found = kept(home, made.path)
    assert found.frontmatter == "---\ntags: [tea, cup]\nbrew: 80 # hot\n---\n"
    assert (found.body, found.item.title, found.item.tags) == ("Body", "Green", ("tea", "cup"))
    assert (found.item.pinned, made.ignored) == (False, ("title", "pinned"))


@pytest.mark.parametrize(
    ("title", "markdown", "folder", "tag", "field"),
    [
        ("  ", "", "", "x", "title"),
        ("x" * 501, "", "", "x", "title"),
        ("Tea", "", "../up", "x", "path"),
        ("Tea", "", "", "", "tags"),
        ("Tea", "x" * (2 * 1024 * 1024 + 1), "", "x", "markdown"),
    ],
)
def test_what_no_note_can_be_made_of_is_refused(
    home: Home, title: str, markdown: str, folder: str, tag: str, field: str
) -> None:
    with pytest.raises((InvalidInput, TooLarge)) as refused:
        create(home, title, markdown, folder, [tag])
    assert refused.value.data["field"] == field
    assert home.listed() == []


def test_names_that_match_nothing_are_told(home: Home) -> None:
    put(home, "Tea/Green.md", title="Green tea")
    put_file(home, "cup.png", b"picture", Kind.IMAGE)
    body = (
        "[[Green tea]] [[green]] [[Oolong|o]] ![[cup.png]] ![[pot.png]] `[[Code]]` [[oolong#Part]] [[#Here]]"
    )
    assert create(home, "New", body).unresolved == ("Oolong", "pot.png")
    assert update(home, "New.md", "[[New]] [[Nothing]]").unresolved == ("Nothing",)
    assert edit(home, "New.md", "[[New]]", "[[Else]] and [[Green]]").unresolved == ("Else",)


def test_an_update_replaces_the_body_and_keeps_title_and_header(home: Home) -> None:
    put(home, "Green.md", "Old", frontmatter=HEADER, tags=("tea", "hot"))
    after = update(home, "Green.md", "\r\nNew [[x\n")
    found = kept(home, "Green.md")
    assert (found.body, found.frontmatter, found.item.title) == ("\r\nNew [[x\n", HEADER, "Green")
    assert (after.path, after.item.version, after.ignored) == ("Green.md", 2, ())
    assert home.found("old") == []


def test_an_update_with_a_header_replaces_the_notes_own_keys(home: Home) -> None:
    put(home, "Green.md", "Old", frontmatter=HEADER, tags=("tea", "hot"))
    sent = "---\nbrew: '90'\nTags: [no]\ntype: Note\n---\nNew"
    assert update(home, "Green.md", sent).ignored == ("Tags",)
    found = kept(home, "Green.md")
    assert found.frontmatter == "---\ntitle: Green\ntags: [tea, hot] # mine\nbrew: '90'\n---\n"
    assert found.item.tags == ("tea", "hot")
    update(home, "Green.md", "---\n---\nNew")
    assert kept(home, "Green.md").frontmatter == "---\ntitle: Green\ntags: [tea, hot] # mine\n---\n"


def test_what_was_read_is_written_back_without_a_change(home: Home) -> None:
    put(home, "Green.md", "---\nx: 1\n---\nOld", frontmatter=HEADER, tags=("tea", "hot"))
    before = kept(home, "Green.md")
    update(home, "Green.md", read_note(home.library, home.owner, "Green.md").markdown)
    after = kept(home, "Green.md")
    assert (after.body, after.frontmatter, after.item.tags) == (
        before.body,
        before.frontmatter,
        before.item.tags,
    )


def test_writes_follow_each_other_by_the_version_that_each_gives(home: Home) -> None:
    first = create(home, "Tea", "one")
    second = update_note(home.library, home.owner, "Tea.md", "two", first.version)
    third = edit_note(home.library, home.owner, "Tea.md", Replacement("two", "three"), second.version)
    tags = update_tags(home.library, home.owner, "Tea.md", (["x"], []), third.version)
    fourth = update_note(home.library, home.owner, "Tea.md", "four", tags.version)
    told = revisions(home.library, home.owner, fourth.item.item_id)
    assert [(one.version, one.action, one.change.tool) for one in told] == [
        (5, Action.UPDATE, "update_note"),
        (4, Action.TAGS, "update_tags"),
        (3, Action.UPDATE, "edit_note"),
        (2, Action.UPDATE, "update_note"),
        (1, Action.CREATE, "create_note"),
    ]


def test_a_version_that_is_missing_stale_or_another_notes_writes_nothing(home: Home) -> None:
    first, other = create(home, "Tea", "one"), create(home, "Cup", "cup")
    update_note(home.library, home.owner, "Tea.md", "two", first.version)
    told: pytest.ExceptionInfo[Refusal]
    for wrong, refusal in (
        (None, VersionNeeded),
        ("nonsense", VersionNeeded),
        (other.version, VersionNeeded),
        (first.version, VersionConflict),
    ):
        with pytest.raises(refusal) as told:
            update_note(home.library, home.owner, "Tea.md", "three", wrong)
        assert "read_note" in told.value.advice
        with pytest.raises(refusal):
            edit_note(home.library, home.owner, "Tea.md", Replacement("two", "three"), wrong)
    assert (kept(home, "Tea.md").body, kept(home, "Tea.md").item.version) == ("two", 2)


def test_an_edit_changes_the_one_passage_and_no_other_byte(home: Home) -> None:
    body = (
        "\ufeff* a\r\n      * b \u2028\r\r\n<b>x</b>\t\n\n\n" + CHART.format(id="b1", label="Sales") + "end"
    )
    create(home, "Tea", "---\nstate: x\n---\n" + body)
    after = edit(home, "Tea.md", "<b>x</b>\t\n", "[[Tea]]")
    assert kept(home, "Tea.md").body == body.replace("<b>x</b>\t\n", "[[Tea]]")
    assert (after.replacements, [block.id for block in after.kept_blocks]) == (1, ["b1"])
    assert edit(home, "Tea.md", "e", "E", every=True).replacements == body.replace(
        "<b>x</b>", "[[Tea]]"
    ).count("e")


@pytest.mark.parametrize(
    ("old", "refusal"),
    [("", InvalidInput), ("absent", InvalidInput), ("one", Ambiguous), ("one\n", InvalidInput)],
)
def test_an_edit_of_no_one_place_writes_nothing(home: Home, old: str, refusal: type[Exception]) -> None:
    create(home, "Tea", "one\r\none")
    with pytest.raises(refusal):
        edit(home, "Tea.md", old, "two")
    assert kept(home, "Tea.md").item.version == 1


def test_an_edit_reaches_the_header_only_where_the_body_has_no_such_text(home: Home) -> None:
    create(home, "Tea", "---\nstate: new\n---\nA new Note")
    edit(home, "Tea.md", "new", "old", every=True)
    edit(home, "Tea.md", "Note", "Plan", every=True)
    assert (kept(home, "Tea.md").frontmatter, kept(home, "Tea.md").body) == (
        "---\nstate: new\n---\n",
        "A old Plan",
    )
    edit(home, "Tea.md", "state: new\ntype: Note", "state: done\ntype: Plan")
    assert kept(home, "Tea.md").frontmatter == "---\nstate: done\ntype: Plan\n---\n"
    with pytest.raises(InvalidInput, match="not closed"):
        edit(home, "Tea.md", "type: Plan\n---\n", "")


def test_blocks_that_a_write_keeps_and_drops_are_told(home: Home) -> None:
    both = CHART.format(id="b1", label="Sales") + "\n" + CHART.format(id="b2", label="Costs")
    create(home, "Tea", both)
    after = update(home, "Tea.md", "New\n\n" + CHART.format(id="b2", label="Costs"))
    assert [(block.id, block.label) for block in after.kept_blocks] == [("b2", "Costs")]
    assert [(block.id, block.label) for block in after.dropped_blocks] == [("b1", "Sales")]
    assert edit(home, "Tea.md", CHART.format(id="b2", label="Costs"), "").dropped_blocks[0].id == "b2"


def test_data_in_a_fence_are_kept_apart_and_follow_it_into_another_note(home: Home) -> None:
    fence = CHART.format(id="b1", label="Sales (bar chart)")
    create(
        home,
        "Tea",
        fence.replace("```\n", f"data: {DATA}\n```\n").replace(f"data: {DATA}\n```monthlet", "```monthlet"),
    )
    assert kept(home, "Tea.md").body == fence
    create(home, "Copy", fence)
    create(home, "Unknown", CHART.format(id="b9", label="Nothing"))
    found = {}
    for path in ("Tea.md", "Copy.md", "Unknown.md"):
        item = kept(home, path).item
        with home.library.storage.read() as tx:
            blocks = tx.blocks.of_item(item.space_id, item.item_id, item.version)
        found[path] = [(block.label, block.data) for block in blocks.values()]
    assert found == {
        "Tea.md": [("Sales (bar chart)", DATA)],
        "Copy.md": [("Sales (bar chart)", DATA)],
        "Unknown.md": [],
    }
    with pytest.raises(InvalidInput):
        create(home, "Bad", fence.replace("label: Sales", 'data: {"id":"b1"}\nlabel: Sales'))


def test_tags_are_folded_added_and_taken_away(home: Home) -> None:
    create(home, "Tea", tags=["Hot", "日本"])
    assert tag(home, "Tea.md", ["#hot", "Ｃｕｐ", "cup"]) == ("Hot", "日本", "Ｃｕｐ")
    assert tag(home, "Tea.md", [], ["#ＨＯＴ", "nothing"]) == ("日本", "Ｃｕｐ")
    assert tag(home, "Tea.md", ["cup"], ["CUP"]) == ("日本", "cup")
    with pytest.raises(InvalidInput):
        tag(home, "Tea.md")


def test_tags_give_a_version_only_to_who_knew_the_one_before(home: Home) -> None:
    first = create(home, "Tea", "Body")
    assert update_tags(home.library, home.owner, "Tea.md", (["a"], []), None).version is None
    assert update_tags(home.library, home.owner, "Tea.md", (["b"], []), first.version).version is None
    current = version(home, "Tea.md")
    assert update_tags(home.library, home.owner, "Tea.md", (["c"], []), current).version == version(
        home, "Tea.md"
    )


def test_tags_of_a_sheet_are_changed_and_those_of_a_file_are_not(home: Home) -> None:
    put_file(home, "Budget.xlsx", b"sheet", Kind.SHEET)
    put_file(home, "list.csv", b"a,b")
    assert tag(home, "Budget.xlsx", ["money"]) == ("money",)
    with pytest.raises(InvalidInput):
        tag(home, "list.csv", ["money"])


def test_the_key_for_tags_follows_in_its_place_where_the_header_has_one(home: Home) -> None:
    put(home, "Green.md", "A #wild one", frontmatter=HEADER, tags=("tea", "hot", "wild"))
    put(home, "Plain.md", "Body", frontmatter="---\nbrew: 80\n---\n", tags=())
    tag(home, "Green.md", ["new"], ["hot", "wild"])
    tag(home, "Plain.md", ["new"])
    assert kept(home, "Green.md").frontmatter == HEADER.replace("[tea, hot]", "[tea, new]")
    assert kept(home, "Plain.md").frontmatter == "---\nbrew: 80\n---\n"
    item = kept(home, "Green.md").item
    library_update_tags(home.library, home.owner, item.item_id, ["cup"], item.version)
    library_update_note(home.library, home.owner, item.item_id, "Text", item.version + 1, "Sencha: 2")
    assert (
        kept(home, "Sencha- 2.md").frontmatter
        == '---\ntitle: "Sencha: 2"\ntags: [cup] # mine\nbrew: 80\n---\n'
    )


def test_tags_of_a_note_whose_header_cannot_be_read_are_not_changed(home: Home) -> None:
    put(home, "Green.md", "Body", frontmatter="---\ntitle: a: b\n---\n")
    with pytest.raises(InvalidInput, match="line 2"):
        tag(home, "Green.md", ["new"])
    assert kept(home, "Green.md").item.tags == ()


def test_a_capture_is_read_and_written_as_a_note_whose_original_stays(home: Home) -> None:
    item_id = an_id()
    save_link(home.library, home.owner, item_id, "https://example.org/a")
    job = home.claim()
    assert job is not None
    begin_capture(home.library, job)
    record_extraction(home.library, job, Captured("Page", "Extracted", Kind.ARTICLE, b"<html>", "text/html"))
    path = f"Clips/{home.library.now()[:4]}/Page.md"
    update(home, path, "---\nstate: read\n---\nExtracted")
    assert (home.read(item_id).layers.authored, home.read(item_id).frontmatter) == (
        None,
        "---\nstate: read\n---\n",
    )
    update(home, path, "Mine")
    assert (home.read(item_id).layers.authored, home.read(item_id).layers.extracted) == ("Mine", "Extracted")


def test_a_folder_is_made_with_those_above_it_once(home: Home) -> None:
    assert create_folder(home.library, home.owner, "Tea/Green: 1/x") == "Tea/Green- 1/x"
    assert create_folder(home.library, home.owner, "tea/Green: 1\\X/") == "Tea/Green- 1/x"
    with home.library.storage.read() as tx:
        assert len(tx.folders.list(home.owner.spaces[0])) == 3
        assert tx.revisions.last_sequence(home.owner.spaces[0]) == 1
    for wrong in ("", ".", "..", "a//b"):
        with pytest.raises(InvalidInput):
            create_folder(home.library, home.owner, wrong)


def test_a_note_that_is_being_edited_is_not_written_for_ten_minutes(home: Home) -> None:
    made = create(home, "Tea", "Body")
    keep_draft(home.library, home.owner, NewDraft("Body and", item_id=made.item.item_id, base_version=1))
    home.clock.pass_by(minutes=10)
    with pytest.raises(BeingEdited) as told:
        update(home, "Tea.md", "Other")
    assert "2026-11-30T12:10:02Z" in told.value.advice
    with pytest.raises(BeingEdited):
        edit(home, "Tea.md", "Body", "Other")
    with pytest.raises(BeingEdited):
        tag(home, "Tea.md", ["x"])
    library_update_tags(home.library, home.owner, made.item.item_id, ["x"], 1)
    home.clock.pass_by(seconds=1)
    assert update(home, "Tea.md", "Other").item.version == 3


def test_a_reader_writes_nothing(home: Home) -> None:
    made = create(home, "Tea", "Body")
    weak = replace(home.owner, tier=Tier.READ_ONLY)
    guest = replace(home.owner, read_only=frozenset(home.owner.spaces))
    passage = Replacement("Body", "x")
    for caller, refusal in ((weak, TierDenied), (guest, NotPermitted)):
        with pytest.raises(refusal):
            create_note(home.library, caller, "New", "", "", ())
        with pytest.raises(refusal):
            update_note(home.library, caller, "Tea.md", "x", made.version)
        with pytest.raises(refusal):
            edit_note(home.library, caller, "Tea.md", passage, made.version)
        with pytest.raises(refusal):
            update_tags(home.library, caller, "Tea.md", (["x"], []), None)
        with pytest.raises(refusal):
            create_folder(home.library, caller, "New")
    assert home.listed() == ["Tea"]
    assert kept(home, "Tea.md").item.version == 1


def test_a_full_library_takes_no_more(home: Home) -> None:
    made = create(home, "Tea", "Body")
    full = home.with_ports(limits=Limits(storage_bytes=1))
    with pytest.raises(StorageFull):
        create(full, "More", "Body")
    with pytest.raises(StorageFull):
        update_note(full.library, home.owner, "Tea.md", "x", made.version)
    with pytest.raises(NotFound):
        update(home, "More.md", "x")


def test_a_version_that_is_brought_back_has_the_header_that_it_had(home: Home) -> None:
    put(home, "Green.md", "A #wild one", frontmatter=HEADER, tags=("tea", "hot", "wild"))
    item = kept(home, "Green.md").item
    tag(home, "Green.md", ["new"], ["hot", "wild"])
    revert(home.library, home.owner, item.item_id, 1)
    assert (kept(home, "Green.md").frontmatter, kept(home, "Green.md").item.tags) == (
        HEADER,
        ("tea", "hot", "wild"),
    )
