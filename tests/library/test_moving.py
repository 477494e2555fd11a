"""Do links follow what is moved or renamed, all in one change, with all else left as it is?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from tests.library.fakes import WordEmbedder
from tests.library.home import Home
from tests.library.vault import put, put_file
from vademecum.library.drafts import NewDraft, keep_draft
from vademecum.library.editing import update_note
from vademecum.library.history import revisions
from vademecum.library.linking import link_resolver_of
from vademecum.library.moving import Moved, move_folder, move_note, rename_folder, rename_note
from vademecum.library.note_writing import create_folder, create_note
from vademecum.library.notes import read_note
from vademecum.library.trash import delete_item
from vademecum.model.access import Tier
from vademecum.model.errors import (
    AlreadyExists,
    BeingEdited,
    InvalidInput,
    NotFound,
    NotPermitted,
    TierDenied,
    TooLarge,
)
from vademecum.model.items import Document, Kind
from vademecum.model.revisions import Action
from vademecum.ports.models import Vector
from vademecum.text.link_scan import Notation

Refused = tuple[tuple[Callable[[], object], type[Exception]], ...]


def move(home: Home, path: str, to_folder: str) -> str:
    return move_note(home.library, home.owner, path, to_folder).path


def rename(home: Home, path: str, title: str) -> str:
    return rename_note(home.library, home.owner, path, title).path


def kept(home: Home, path: str) -> Document:
    return home.read(read_note(home.library, home.owner, path).item.item_id)


def body(home: Home, path: str) -> str:
    return kept(home, path).body


def leads(home: Home, target: str, notation: Notation = Notation.WIKI, source: str = "") -> str | None:
    """The path that a link leads to from a folder."""
    with home.library.storage.read() as tx:
        resolver = link_resolver_of(tx, home.owner.spaces[0])
        _, folder_id = resolver.tree.find(source.split("/") if source else ())
        found = resolver.leads_on_to(target, notation, folder_id)
        return None if found is None else resolver.path_of(found)


def test_a_note_moves_with_its_file_name(home: Home) -> None:
    put(home, "Green.md", "Body")
    create_folder(home.library, home.owner, "Tea/Hot")
    assert move(home, "green.md", "tea/hot/") == "Tea/Hot/Green.md"
    found = kept(home, "Tea/Hot/Green.md")
    told = [
        (one.version, one.action, one.change.tool)
        for one in revisions(home.library, home.owner, found.item.item_id)
    ]
    assert told[0] == (2, Action.MOVE, "move_note")
    assert move(home, "Tea/Hot/Green.md", ".") == "Green.md"
    assert move(home, "Green.md", "") == "Green.md"
    assert kept(home, "Green.md").item.version == 3


def test_a_name_that_is_taken_gets_a_number(home: Home) -> None:
    for path in ("Green.md", "Tea/green.md", "Tea/Black.md"):
        put(home, path, path)
    assert move(home, "Green.md", "Tea") == "Tea/Green 2.md"
    assert rename(home, "Tea/Black.md", "GREEN") == "Tea/GREEN 3.md"
    assert rename(home, "Tea/green.md", "Green") == "Tea/Green.md"


def test_a_rename_to_the_same_title_keeps_the_number_and_writes_nothing(home: Home) -> None:
    put(home, "Plan.md", "one")
    put(home, "Plan 2.md", "two", title="Plan")
    assert rename(home, "Plan 2.md", "Plan") == "Plan 2.md"
    assert rename(home, "Plan 2.md", "PLAN") == "PLAN 2.md"
    assert (kept(home, "Plan 2.md").item.version, body(home, "Plan.md")) == (2, "one")


def test_what_cannot_be_moved_is_refused_and_stays(home: Home) -> None:
    put(home, "Tea/Green.md", "Body")
    put_file(home, "cup.png", b"picture", Kind.IMAGE)
    put_file(home, "Budget.xlsx", b"sheet", Kind.SHEET)
    refused: Refused = (
        (lambda: move(home, "Tea/Green.md", "Nowhere"), NotFound),
        (lambda: move(home, "Nothing.md", "Tea"), NotFound),
        (lambda: move(home, "cup.png", "Tea"), InvalidInput),
        (lambda: move(home, "Tea/Green.md", "../x"), InvalidInput),
        (lambda: rename(home, "Tea/Green.md", " "), InvalidInput),
        (lambda: rename(home, "Tea/Green.md", "x" * 501), TooLarge),
    )
    for call, refusal in refused:
        with pytest.raises(refusal):
            call()
    assert kept(home, "Tea/Green.md").item.version == 1
    assert move(home, "Budget.xlsx", "Tea") == "Tea/Budget.xlsx"
    assert rename(home, "Tea/Budget.xlsx", "Money") == "Tea/Money.xlsx"


def test_a_rename_changes_title_and_file_and_keeps_the_title_before(home: Home) -> None:
    put(home, "Green.md", "# Green\n", frontmatter="---\ntitle: 'Green' # t\n---\n")
    moved = rename_note(home.library, home.owner, "Green.md", "Sencha: first?")
    assert moved == Moved("Sencha- first-.md", "Sencha: first?", 0)
    found = kept(home, moved.path)
    assert (found.item.title, found.body) == ("Sencha: first?", "# Green\n")
    assert found.frontmatter == "---\ntitle: 'Sencha: first?' # t\n---\n"
    assert leads(home, "Green") == moved.path


LINKS = [
    # A link, what it is when Tea/Green.md was renamed to Sencha, and when it was moved to Old.
    ("[[Green]]", "[[Sencha]]", "[[Green]]"),
    ("[[green#Part|the tea]]", "[[Sencha#Part|the tea]]", "[[green#Part|the tea]]"),
    ("![[Green#^b1]]", "![[Sencha#^b1]]", "![[Green#^b1]]"),
    ("[[Green.md]]", "[[Sencha.md]]", "[[Green.md]]"),
    ("[[Tea/Green]]", "[[Tea/Sencha]]", "[[Old/Green]]"),
    ("[[tea/green.md|x]]", "[[Tea/Sencha.md|x]]", "[[Old/Green.md|x]]"),
    ("[[/Tea/Green]]", "[[/Tea/Sencha]]", "[[/Old/Green]]"),
    (
        "| a |\n|---|\n| [[Tea/Green\\|x]] |",
        "| a |\n|---|\n| [[Tea/Sencha\\|x]] |",
        "| a |\n|---|\n| [[Old/Green\\|x]] |",
    ),
    ("- brews [[Green]]", "- brews [[Sencha]]", "- brews [[Green]]"),
    ("[x](Tea/Green.md)", "[x](Tea/Sencha.md)", "[x](Old/Green.md)"),
    ("[x](./Tea/Green.md#a%20b)", "[x](./Tea/Sencha.md#a%20b)", "[x](./Old/Green.md#a%20b)"),
    ("[x](/Tea/Green.md 'T')", "[x](/Tea/Sencha.md 'T')", "[x](/Old/Green.md 'T')"),
    ("[x](Tea/Green)", "[x](Tea/Sencha)", "[x](Old/Green)"),
    ("[x](<Tea/Green.md>)", "[x](<Tea/Sencha.md>)", "[x](<Old/Green.md>)"),
    ("![x](Tea/Gr%65en.md)", "![x](Tea/Sencha.md)", "![x](Old/Green.md)"),
    ("[d]\n\n[d]: Tea/Green.md", "[d]\n\n[d]: Tea/Sencha.md", "[d]\n\n[d]: Old/Green.md"),
    (
        "[[Matcha]] `[[Green]]` [[Other/Green]]",
        "[[Matcha]] `[[Green]]` [[Other/Green]]",
        "[[Matcha]] `[[Green]]` [[Other/Green]]",
    ),
    ("```\n[[Green]]\n```", "```\n[[Green]]\n```", "```\n[[Green]]\n```"),
    (
        "[x](https://example.org/Green.md)",
        "[x](https://example.org/Green.md)",
        "[x](https://example.org/Green.md)",
    ),
    ("Green, [[Greenery]]", "Green, [[Greenery]]", "Green, [[Greenery]]"),
]


def test_every_spelling_of_a_link_follows_a_rename(home: Home) -> None:
    put(home, "Tea/Green.md", "Text [[Green]]", frontmatter="---\naliases: [Matcha]\n---\n")
    for number, (link, _, _) in enumerate(LINKS):
        put(home, f"{number}.md", f"\r\n{link}\r\n\u2028\t")
    assert rename(home, "Tea/Green.md", "Sencha") == "Tea/Sencha.md"
    assert [body(home, f"{number}.md") for number in range(len(LINKS))] == [
        f"\r\n{new}\r\n\u2028\t" for _, new, _ in LINKS
    ]
    assert body(home, "Tea/Sencha.md") == "Text [[Sencha]]"


def test_every_spelling_of_a_link_follows_a_move(home: Home) -> None:
    put(home, "Tea/Green.md", "Text [[Green]] [x](Black.md)", frontmatter="---\naliases: [Matcha]\n---\n")
    put(home, "Tea/Black.md", "Text")
    put(home, "Old/Other.md", "[x](../Tea/Green.md) [y](./Thing.md)")
    put(home, "Old/Thing.md", "Text")
    for number, (link, _, _) in enumerate(LINKS):
        put(home, f"{number}.md", f"\r\n{link}\r\n\u2028\t")
    assert move(home, "Tea/Green.md", "Old") == "Old/Green.md"
    assert [body(home, f"{number}.md") for number in range(len(LINKS))] == [
        f"\r\n{new}\r\n\u2028\t" for _, _, new in LINKS
    ]
    assert body(home, "Old/Other.md") == "[x](Green.md) [y](./Thing.md)"
    assert body(home, "Old/Green.md") == "Text [[Green]] [x](../Tea/Black.md)"


def test_links_in_frontmatter_follow_and_all_else_in_it_stays(home: Home) -> None:
    put(home, "Green.md", "Text")
    lines = [
        "---",
        "up: '[[Green|x]]' # up",
        "related:",
        '  - "[[Green#a]]"',
        '  - "[[Other]]"',
        "title: '[[Green]]'",
    ]
    block = "\r\n".join([*lines, "---", ""])
    put(home, "Linker.md", "Body", frontmatter=block, title="[[Green]]")
    rename(home, "Green.md", "Sencha")
    expected = block.replace("[[Green|x]]", "[[Sencha|x]]").replace("[[Green#a]]", "[[Sencha#a]]")
    assert kept(home, "Linker.md").frontmatter == expected


def test_all_is_one_change_and_each_rewritten_note_a_version(home: Home) -> None:
    put(home, "Green.md", "Text")
    put(home, "One.md", "[[Green]]")
    put(home, "Two.md", "[[Green]] and [[Green]]")
    put(home, "Three.md", "nothing")
    assert rename_note(home.library, home.owner, "Green.md", "Sencha").relinked == 2
    found = {path: kept(home, path).item for path in ("Sencha.md", "One.md", "Two.md", "Three.md")}
    assert [item.version for item in found.values()] == [2, 2, 2, 1]
    newest = [revisions(home.library, home.owner, item.item_id)[0] for item in list(found.values())[:3]]
    assert len({one.change.change_id for one in newest}) == 1
    assert [(one.action, one.change.tool) for one in newest] == [
        (Action.MOVE, "rename_note"),
        (Action.UPDATE, "rename_note"),
        (Action.UPDATE, "rename_note"),
    ]
    assert home.found("Sencha")[0] == "Sencha"
    home.work_off()
    assert home.waiting().get("embed", 0) == 0


def test_a_name_that_another_bears_is_written_as_a_path(home: Home) -> None:
    put(home, "Old/Plan.md", "the first")
    put(home, "Green.md", "Text")
    put(home, "Linker.md", "[[Green]] [[Plan]]")
    create_folder(home.library, home.owner, "New")
    move(home, "Green.md", "New")
    rename(home, "New/Green.md", "Plan")
    assert body(home, "Linker.md") == "[[New/Plan]] [[Plan]]"
    assert (leads(home, "New/Plan"), leads(home, "Plan")) == ("New/Plan.md", "Old/Plan.md")
    move(home, "New/Plan.md", "")
    assert body(home, "Linker.md") == "[[/Plan]] [[Plan]]"
    assert leads(home, "/Plan") == "Plan.md"


def test_a_name_that_no_link_can_hold_leaves_the_link_which_leads_on(home: Home) -> None:
    put(home, "Green.md", "Text")
    put(home, "Linker.md", "[[Green]] [x](Green.md)")
    rename(home, "Green.md", "C# [1]")
    assert body(home, "Linker.md") == "[[Green]] [x](C%23%20%5B1%5D.md)"
    assert leads(home, "Green") == "C# [1].md"


def test_a_link_that_led_elsewhere_stays(home: Home) -> None:
    put(home, "A/Plan.md", "the first")
    put(home, "B/Plan.md", "the second")
    put(home, "Linker.md", "[[Plan]] [[B/Plan]] [[Ghost]]")
    rename(home, "B/Plan.md", "Ghost story")
    assert body(home, "Linker.md") == "[[Plan]] [[B/Ghost story]] [[Ghost]]"


def test_a_folder_moves_by_its_row_alone_and_paths_to_it_follow(home: Home) -> None:
    put(
        home,
        "Tea/Green/Sencha.md",
        "[[Tea/Green/Gyokuro]] [a](Gyokuro.md) [b](../../Linker.md) ![c](cup.png)",
    )
    put(home, "Tea/Green/Gyokuro.md", "Text")
    put_file(home, "Tea/Green/cup.png", b"picture", Kind.IMAGE)
    put(
        home,
        "Linker.md",
        "[[Tea/Green/Sencha]] [[Sencha]] [x](Tea/Green/Sencha.md) ![[Tea/Green/cup.png]] ![[cup.png]]",
    )
    create_folder(home.library, home.owner, "Drinks")
    before = kept(home, "Tea/Green/Gyokuro.md").item
    assert move_folder(home.library, home.owner, "tea/green", "Drinks") == Moved("Drinks/Green", "Green", 2)
    assert kept(home, "Drinks/Green/Gyokuro.md").item == before
    assert (
        body(home, "Drinks/Green/Sencha.md")
        == "[[Drinks/Green/Gyokuro]] [a](Gyokuro.md) [b](../../Linker.md) ![c](cup.png)"
    )
    assert body(home, "Linker.md") == (
        "[[Drinks/Green/Sencha]] [[Sencha]] [x](Drinks/Green/Sencha.md)"
        " ![[Drinks/Green/cup.png]] ![[cup.png]]"
    )
    assert rename_folder(home.library, home.owner, "Drinks/Green", "green").path == "Drinks/green"
    assert rename_folder(home.library, home.owner, "Drinks/green", " Leaf: 1 ").path == "Drinks/Leaf- 1"
    assert body(home, "Linker.md").startswith(
        "[[Drinks/Leaf- 1/Sencha]] [[Sencha]] [x](Drinks/Leaf-%201/Sencha.md)"
    )
    assert move_folder(home.library, home.owner, "Drinks/Leaf- 1", "").path == "Leaf- 1"
    with home.library.storage.read() as tx:
        history = tx.folders.history(before.space_id, str(before.folder_id))
    assert [one.name for one in history] == ["Green", "Green", "green", "Leaf- 1", "Leaf- 1"]


def test_a_folder_that_cannot_move_stays(home: Home) -> None:
    for path in ("Tea/Green/Sencha.md", "Drinks/green/Water.md"):
        put(home, path, "Text")
    refused: Refused = (
        (lambda: move_folder(home.library, home.owner, "Tea", "Tea"), InvalidInput),
        (lambda: move_folder(home.library, home.owner, "Tea", "Tea/Green"), InvalidInput),
        (lambda: move_folder(home.library, home.owner, "", "Tea"), InvalidInput),
        (lambda: move_folder(home.library, home.owner, "Tea", "Nowhere"), NotFound),
        (lambda: move_folder(home.library, home.owner, "Coffee", ""), NotFound),
        (lambda: move_folder(home.library, home.owner, "Tea/Green", "Drinks"), AlreadyExists),
        (lambda: rename_folder(home.library, home.owner, "Tea", "DRINKS"), AlreadyExists),
        (lambda: rename_folder(home.library, home.owner, "Tea", "a/b"), InvalidInput),
        (lambda: rename_folder(home.library, home.owner, "Tea", ".."), InvalidInput),
        (lambda: rename_folder(home.library, home.owner, ".", "Tea"), InvalidInput),
    )
    for call, refusal in refused:
        with pytest.raises(refusal):
            call()
    assert move_folder(home.library, home.owner, "Tea/Green", "Tea").path == "Tea/Green"
    assert rename_folder(home.library, home.owner, "Tea", "Tea").path == "Tea"
    with home.library.storage.read() as tx:
        assert {
            len(tx.folders.history(one.space_id, one.folder_id))
            for one in tx.folders.list(home.owner.spaces[0])
        } == {1}


def test_what_is_being_edited_is_not_moved_and_its_links_stay(home: Home) -> None:
    made = create_note(home.library, home.owner, "Green", "[[Black]]", "Tea", ())
    put(home, "Tea/Black.md", "Text")
    keep_draft(home.library, home.owner, NewDraft("x", item_id=made.item.item_id, base_version=1))
    calls: tuple[Callable[[], object], ...] = (
        lambda: move(home, "Tea/Green.md", ""),
        lambda: rename(home, "Tea/Green.md", "Sencha"),
    )
    for call in calls:
        with pytest.raises(BeingEdited):
            call()
    with pytest.raises(BeingEdited) as told:
        rename_folder(home.library, home.owner, "Tea", "Drinks")
    assert "notes in that folder" in told.value.advice
    assert rename_note(home.library, home.owner, "Tea/Black.md", "Assam").relinked == 0
    assert body(home, "Tea/Green.md") == "[[Black]]"
    assert leads(home, "Black") == "Tea/Assam.md"
    home.clock.pass_by(minutes=11)
    assert rename_folder(home.library, home.owner, "Tea", "Drinks").path == "Drinks"


def test_moving_needs_the_tier_and_the_role_for_it(home: Home) -> None:
    put(home, "Tea/Green.md", "Text")
    editor = replace(home.owner, tier=Tier.EDIT)
    guest = replace(home.owner, read_only=frozenset(home.owner.spaces))
    for caller, refusal in ((editor, TierDenied), (guest, NotPermitted)):
        with pytest.raises(refusal):
            move_note(home.library, caller, "Tea/Green.md", "")
        with pytest.raises(refusal):
            rename_note(home.library, caller, "Tea/Green.md", "Sencha")
        with pytest.raises(refusal):
            rename_folder(home.library, caller, "Tea", "x")
    assert kept(home, "Tea/Green.md").item.version == 1


class _Meddler(WordEmbedder):
    """While it embeds for the first time, somebody else does something."""

    def __init__(self, what: Callable[[], object]) -> None:
        super().__init__()
        self._what: Callable[[], object] | None = what

    def embed(self, heads: Sequence[str], windows: Sequence[str]) -> tuple[list[Vector], list[Vector]]:
        what, self._what = self._what, None
        if what is not None:
            what()
        return super().embed(heads, windows)


def test_what_others_write_meanwhile_is_kept_and_follows_too(home: Home) -> None:
    put(home, "Green.md", "Text")
    put(home, "Linker.md", "[[Green]]")
    item = kept(home, "Linker.md").item

    def write() -> None:
        update_note(home.library, home.owner, item.item_id, "Now [[Green]] twice: [[Green]]", 1, None)
        put(home, "Sencha.md", "another")

    busy = home.with_ports(embedder=_Meddler(write))
    assert rename(busy, "Green.md", "Sencha") == "Sencha 2.md"
    assert body(home, "Linker.md") == "Now [[Sencha]] twice: [[Sencha]]"
    assert kept(home, "Linker.md").item.version == 3
    assert leads(home, "Sencha") == "Sencha 2.md"


def test_what_goes_meanwhile_is_not_moved(home: Home) -> None:
    put(home, "Green.md", "Text")
    item = kept(home, "Green.md").item
    busy = home.with_ports(embedder=_Meddler(lambda: delete_item(home.library, home.owner, item.item_id, 1)))
    with pytest.raises(NotFound):
        rename(busy, "Green.md", "Sencha")
    assert (home.item(item.item_id).title, home.item(item.item_id).version) == ("Green", 2)


def test_a_folder_and_a_note_of_one_name_do_not_lie_side_by_side(home: Home) -> None:
    put(home, "Twin.md")
    put(home, "Tea/Green.md")
    create_folder(home.library, home.owner, "Plan.md")
    create_folder(home.library, home.owner, "Drinks/Green.MD")
    refused: Refused = (
        (lambda: create_folder(home.library, home.owner, "twin.md"), AlreadyExists),
        (lambda: create_note(home.library, home.owner, "New", "", "Twin.md/Below", ()), AlreadyExists),
        (lambda: rename_folder(home.library, home.owner, "Plan.md", "Twin.md"), AlreadyExists),
        (lambda: move_folder(home.library, home.owner, "Drinks/Green.MD", "Tea"), AlreadyExists),
    )
    for attempt, refusal in refused:
        with pytest.raises(refusal):
            attempt()
    assert create_note(home.library, home.owner, "Plan", "", "", ()).path == "Plan 2.md"
    assert rename(home, "Twin.md", "plan") == "plan 3.md"
    assert move(home, "Tea/Green.md", "Drinks") == "Drinks/Green 2.md"


def test_folders_lie_in_one_another_no_deeper_than_the_disk_shows(home: Home) -> None:
    deep = "/".join("d" * 64)
    assert create_folder(home.library, home.owner, deep) == deep
    create_folder(home.library, home.owner, "Above/Below")
    refused: Refused = (
        (lambda: create_folder(home.library, home.owner, f"{deep}/more"), TooLarge),
        (lambda: create_note(home.library, home.owner, "New", "", f"{deep}/more", ()), TooLarge),
        (lambda: move_folder(home.library, home.owner, "Above", deep.removesuffix("/d")), TooLarge),
    )
    for attempt, refusal in refused:
        with pytest.raises(refusal):
            attempt()
    assert move_folder(home.library, home.owner, "Above", deep.removesuffix("/d/d")).title == "Above"
