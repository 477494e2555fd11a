"""Do links lead where they are meant to, through renames, the trash and ghosts that appear?"""

from __future__ import annotations

import pytest

from tests.library.home import Home, an_id
from vademecum.library.capturing import Captured, begin_capture, record_extraction
from vademecum.library.editing import update_note
from vademecum.library.history import revert
from vademecum.library.importing import ImportRun, Incoming, import_batch, plan
from vademecum.library.naming import target_key
from vademecum.library.saving import save_link
from vademecum.library.spaces import create_space
from vademecum.library.trash import delete_item, restore
from vademecum.model.items import Kind, Layers
from vademecum.model.names import name_key


def ghosts(home: Home, space_id: str | None = None) -> list[str]:
    """Targets of links that lead nowhere."""
    with home.library.storage.read() as tx:
        return [link.target for _, link in tx.links.unresolved(space_id or home.owner.spaces[0])]


def leads_to(home: Home, target: str) -> list[str]:
    """Titles of the items that a link to the target reaches, best first."""
    with home.library.storage.read() as tx:
        return [item.title for item, _ in tx.items.named(home.owner.spaces[0:1], target_key(target))]


def linked_from(home: Home, title: str) -> list[str]:
    with home.library.storage.read() as tx:
        return [item.title for item, _ in tx.links.into(home.owner.spaces[0], [name_key(title)])]


def links(home: Home, item_id: str) -> list[tuple[str, str, str | None, str | None]]:
    with home.library.storage.read() as tx:
        stored = tx.links.out_of(home.owner.spaces[0], item_id)
    return [(link.kind, link.target, link.heading, link.display) for link in stored]


def test_a_ghost_heals_when_its_title_appears_and_comes_back_when_it_goes(home: Home) -> None:
    home.save("See [[Tea house]].", "Linker")
    assert ghosts(home) == ["Tea house"]
    target = home.save("Text", "tea HOUSE")
    assert (ghosts(home), leads_to(home, "Tea house")) == ([], ["tea HOUSE"])
    delete_item(home.library, home.owner, target, 1)
    assert ghosts(home) == ["Tea house"]
    restore(home.library, home.owner, target)
    assert ghosts(home) == []


def test_a_past_title_keeps_its_links(home: Home) -> None:
    home.save("See [[First]], [[First#Part|there]], ![[First]] and [[second]].", "Linker")
    target = home.save("Text", "First")
    update_note(home.library, home.owner, target, "Text", 1, "Second")
    update_note(home.library, home.owner, target, "Text", 2, "Third")
    assert ghosts(home) == []
    assert leads_to(home, "First") == leads_to(home, "Second") == leads_to(home, "third") == ["Third"]
    assert linked_from(home, "first") == ["Linker"] * 3


def test_a_title_borne_now_comes_before_one_borne_in_the_past(home: Home) -> None:
    old = home.save("Text", "Plan")
    update_note(home.library, home.owner, old, "Text", 1, "Old plan")
    home.save("Text", "Plan")
    assert leads_to(home, "Plan") == ["Plan", "Old plan"]


def test_a_reverted_title_stays_a_past_title(home: Home) -> None:
    target = home.save("Text", "First")
    update_note(home.library, home.owner, target, "Text", 1, "Second")
    revert(home.library, home.owner, target, 1)
    assert leads_to(home, "Second") == leads_to(home, "First") == ["First"]


def test_a_rename_that_changes_only_the_case_keeps_one_name(home: Home) -> None:
    target = home.save("Text", "tea house")
    update_note(home.library, home.owner, target, "Text", 1, "Tea House")
    assert leads_to(home, "TEA HOUSE") == ["Tea House"]
    with home.library.storage.read() as tx:
        names = tx.items.names(home.owner.spaces[0], target)
    assert [(name.text, name.origin) for name in names] == [("Tea House", "title"), ("Tea House", "file")]


def test_an_alias_heals_a_ghost(home: Home) -> None:
    home.save("See [[Camellia]].", "Linker")
    run = ImportRun(home.owner, home.owner.spaces[0], "folder", an_id())
    block = "---\naliases: [Camellia, 茶]\n---\n"
    note = Incoming("Tea.md", "hash", (), "Tea.md", "Tea", layers=Layers("Text"), frontmatter=block)
    import_batch(home.library, run, [plan(home.library, run, note, None)])
    assert ghosts(home) == []
    assert leads_to(home, "茶") == ["Tea"]


@pytest.mark.parametrize(
    ("link", "title"),
    [
        ("[[a/b/Tea.md]]", "Tea"),
        ("[[Te\u0301a]]", "T\u00e9a"),
        ("[[\u30ab\u3099]]", "ガ"),
        ("[Tea](Tea.md)", "Tea"),
        ("[Tea](<My tea.md>)", "My tea"),
        ("[Tea](My%20tea.md#part)", "My tea"),
        ("- brews [[Tea]]", "Tea"),
        ("| [[Tea|cup]] | [[Tea\\|cup]] |\n|---|---|", "Tea"),
    ],
)
def test_every_spelling_of_a_link_finds_its_title(home: Home, link: str, title: str) -> None:
    home.save("Text", title)
    home.save(link, "Linker")
    assert ghosts(home) == []
    assert set(linked_from(home, title)) == {"Linker"}


def test_code_holds_no_links(home: Home) -> None:
    item_id = home.save(
        "`[[a]]`\n\n```\n[[b]]\n```\n\n~~~bash\nif [[ -f x ]]; then\n~~~\n\n    [[c]]\n\n[[real]]", "Code"
    )
    assert links(home, item_id) == [("wikilink", "real", None, None)]


def test_two_links_in_a_sentence_are_two_plain_links(home: Home) -> None:
    item_id = home.save("- We met [[Ada]] and later [[Bob]] in town.", "Diary")
    assert [(kind, target) for kind, target, *_ in links(home, item_id)] == [
        ("wikilink", "Ada"),
        ("wikilink", "Bob"),
    ]


def test_addresses_outside_are_links_but_no_ghosts(home: Home) -> None:
    item_id = home.save("[site](https://example.org/a) and <https://example.org/b>", "Title")
    assert [target for _, target, *_ in links(home, item_id)] == [
        "https://example.org/a",
        "https://example.org/b",
    ]
    assert ghosts(home) == []


def test_links_follow_an_edit(home: Home) -> None:
    item_id = home.save("[[a]] [[b]]", "Title")
    update_note(home.library, home.owner, item_id, "[[c]]", 1, None)
    assert [target for _, target, *_ in links(home, item_id)] == ghosts(home) == ["c"]


def test_a_capture_has_the_links_of_its_body(home: Home) -> None:
    item_id = an_id()
    save_link(home.library, home.owner, item_id, "https://example.org/")
    job = home.claim()
    assert job is not None
    begin_capture(home.library, job)
    page = Captured("Page", "[more](https://example.org/more)", Kind.ARTICLE, b"x", "text/html")
    record_extraction(home.library, job, page)
    assert [target for _, target, *_ in links(home, item_id)] == ["https://example.org/more"]
    update_note(home.library, home.owner, item_id, "[[Mine]]", 2, None)
    assert [target for _, target, *_ in links(home, item_id)] == ["Mine"]


def test_links_resolve_within_their_space_only(home: Home) -> None:
    create_space(home.library, home.owner, "work", None)
    owner = home.owner_again()
    work = home.agent("full", of=owner, spaces=("work",))
    home.save("[[Secret plan]] [[work:Secret plan]]", "Linker")
    home.save("Text", "Secret plan", work)
    assert ghosts(home) == ["Secret plan", "work:Secret plan"]


def test_a_long_chain_of_names_and_a_title_of_500_characters_resolve(home: Home) -> None:
    # A26
    title = "漢" * 500
    home.save(f"[[{title}]]", "Linker")
    item_id = home.save("Text", title)
    item = home.item(item_id)
    assert item.title == title
    assert len(item.file_name.encode()) <= 255
    assert item.file_name.endswith(".md")
    assert ghosts(home) == []
    twin = home.item(home.save("Text", title))
    assert twin.file_name != item.file_name
    assert len(twin.file_name.encode()) <= 255


@pytest.mark.parametrize("title", ["🙂🙂", "...", "???", "a/b:c?", "CON", "..", "-", "e\u0301"])
def test_any_title_is_kept_exactly_over_a_visible_safe_file_name(home: Home, title: str) -> None:
    # A27
    item = home.item(home.save("Text", title))
    assert item.title == title
    assert item.file_name.endswith(".md")
    assert not item.file_name.startswith(".")
    assert not set(item.file_name) & set('/\\:*?"<>|')
    assert home.found(title) == [title]
