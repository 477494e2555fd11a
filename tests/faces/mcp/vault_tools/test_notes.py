"""Do the tools for notes answer as the vault's contract says (contracts 3.4 and 3.5)?"""

from __future__ import annotations

from typing import Any

import pytest

from tests.faces.installation import Installation
from tests.faces.mcp.vault_tools.contract import VaultWire
from vademecum.library.drafts import NewDraft, keep_draft
from vademecum.library.reading import ListRequest, list_items
from vademecum.library.vault import set_switch
from vademecum.model.vault import Switch

pytestmark = pytest.mark.anyio
CHART = "```monthlet-block\nid: b1\nlabel: Sales\n```\n"
NESTED = "* a\n    * b\n        * c\n            * d\n                * e\n  1. x\n     1. y\n"


async def read(vault: VaultWire, path: str, **arguments: Any) -> dict[str, Any]:
    return await vault.ok("read_note", path=path, **arguments)


async def body(vault: VaultWire, path: str) -> str:
    markdown: str = (await read(vault, path))["markdown"]
    return markdown.removeprefix("---\ntype: Note\n---\n")


@pytest.mark.claims("read-note.answer", "read-note.type", "create-note.answer", "notes.verbatim")
async def test_a_note_is_made_and_read(vault: VaultWire) -> None:
    text = f"# Tea\n\n{NESTED}\n- [ ] x\n  - [x] y\n<b>raw</b>\t\n{CHART}"
    made = await vault.ok("create_note", title="Green", markdown=text, folder="Tea/Hot", tags=["#cup"])
    assert {name: made[name] for name in ("path", "title", "tags", "unresolvedWikilinks")} == {
        "path": "Tea/Hot/Green.md",
        "title": "Green",
        "tags": ["cup"],
        "unresolvedWikilinks": [],
    }
    found = await read(vault, made["path"])
    updated = found.pop("updatedAt")
    lines = 3 + text.count("\n")
    assert updated.startswith("2026-11-30T12:00:00")
    assert found == {
        "path": "Tea/Hot/Green.md",
        "title": "Green",
        "tags": ["cup"],
        "markdown": "---\ntype: Note\n---\n" + text,
        "version": made["version"],
        "startLine": 1,
        "endLine": lines,
        "totalLines": lines,
        "partial": False,
    }


@pytest.mark.claims(
    "create-note.number", "create-note.top", "create-note.frontmatter", "create-note.wikilinks"
)
async def test_what_a_new_note_becomes(vault: VaultWire) -> None:
    sent = "---\ntitle: Other\ntags: [a]\nstate: new # x\n---\n[[Green]] [[Nowhere]]"
    first = await vault.ok("create_note", title="Green", markdown=sent, tags=["b"])
    second = await vault.ok("create_note", title="Green", markdown="")
    assert (first["path"], second["path"], second["title"]) == ("Green.md", "Green 2.md", "Green")
    assert (first["tags"], first["unresolvedWikilinks"]) == (["a", "b"], ["Nowhere"])
    assert first["ignoredFrontmatterKeys"] == ["title"]
    found = await read(vault, "Green.md")
    assert (found["title"], found["markdown"].partition("---\n[[")[0]) == (
        "Green",
        "---\nstate: new # x\ntype: Note\n",
    )


@pytest.mark.claims("read-note.lines", "read-note.partial", "notes.whole-first", "read-note.beyond")
async def test_a_part_of_a_note_has_no_version(vault: VaultWire) -> None:
    await vault.ok("create_note", title="Long", markdown="one\ntwo\nthree")
    part = await read(vault, "Long.md", offset=5, limit=1)
    assert (part["markdown"], part["startLine"], part["endLine"], part["totalLines"]) == ("two\n", 5, 5, 6)
    assert (part["partial"], "version" in part) == (True, False)
    beyond = await read(vault, "Long.md", offset=99)
    assert (beyond["markdown"], beyond["partial"], "version" in beyond) == ("", True, False)
    assert await vault.refused("read_note", path="Long.md", offset=0) == "INVALID_INPUT"
    assert "version" in await read(vault, "Long.md", offset=1, limit=6)


@pytest.mark.claims(
    "vault-update-note.answer",
    "vault-update-note.whole",
    "vault-update-note.title",
    "notes.chained",
    "notes.blocks",
)
async def test_an_update_replaces_the_body_and_tells_what_it_kept(vault: VaultWire) -> None:
    other = CHART.replace("b1", "b2").replace("Sales", "Costs")
    made = await vault.ok("create_note", title="Green", markdown=f"Old\n\n{CHART}\n{other}")
    sent = f"# Not the title\n\n{CHART}"
    after = await vault.ok("update_note", path="Green.md", markdown=sent, version=made["version"])
    version = after.pop("version")
    assert after == {
        "path": "Green.md",
        "title": "Green",
        "keptBlocks": [{"id": "b1", "label": "Sales"}],
        "droppedBlocks": [{"id": "b2", "label": "Costs"}],
        "unresolvedWikilinks": [],
    }
    assert await body(vault, "Green.md") == sent
    await vault.ok("update_note", path="Green.md", markdown="Newer", version=version)
    assert (
        await vault.refused("update_note", path="Green.md", markdown="x", version=version)
        == "VERSION_CONFLICT"
    )
    assert await body(vault, "Green.md") == "Newer"


@pytest.mark.claims(
    "vault-update-note.frontmatter",
    "vault-update-note.managed",
    "vault-update-note.type",
    "notes.frontmatter",
)
async def test_frontmatter_goes_there_and_back(vault: VaultWire) -> None:
    block = "---\nstate: 'new' # mine\nz:\n  - 1\n---\n"
    await vault.ok("create_note", title="Green", markdown=block + "Text", tags=["a"])
    found = await read(vault, "Green.md")
    assert found["markdown"] == block.replace("  - 1\n", "  - 1\ntype: Note\n") + "Text"
    same = await vault.ok(
        "update_note", path="Green.md", markdown=found["markdown"], version=found["version"]
    )
    assert "ignoredFrontmatterKeys" not in same
    sent = "---\nstate: done\ntags: [b]\nTitle: Other\n---\nText"
    after = await vault.ok("update_note", path="Green.md", markdown=sent, version=same["version"])
    assert after["ignoredFrontmatterKeys"] == ["tags", "Title"]
    found = await read(vault, "Green.md")
    assert (found["markdown"], found["tags"]) == ("---\nstate: done\ntype: Note\n---\nText", ["a"])
    await vault.ok("update_note", path="Green.md", markdown="Kept", version=found["version"])
    found = await read(vault, "Green.md")
    assert found["markdown"].startswith("---\nstate: done\n")
    await vault.ok("update_note", path="Green.md", markdown="---\n---\nCleared", version=found["version"])
    assert await body(vault, "Green.md") == "Cleared"


@pytest.mark.claims(
    "edit-note.answer", "edit-note.exact", "edit-note.nothing-written", "edit-note.rest-stays"
)
async def test_an_edit_changes_only_what_matches(vault: VaultWire) -> None:
    text = f"{NESTED}<i>x</i> one\r\none\n{CHART}"
    made = await vault.ok("create_note", title="Green", markdown=text)
    call = {"path": "Green.md", "version": made["version"]}
    for old in ("", "absent", "One", "one  "):
        assert await vault.refused("edit_note", **call, old_string=old, new_string="x") == "INVALID_INPUT"
    assert await vault.refused("edit_note", **call, old_string="one", new_string="x") == "AMBIGUOUS"
    assert await body(vault, "Green.md") == text
    after = await vault.ok("edit_note", **call, old_string="one\r\none", new_string="[[Nowhere]] two\r\ntwo")
    assert (after["replacements"], after["unresolvedWikilinks"]) == (1, ["Nowhere"])
    assert (after["keptBlocks"], after["droppedBlocks"]) == ([{"id": "b1", "label": "Sales"}], [])
    call["version"] = after["version"]
    gone = await vault.ok("edit_note", **call, old_string="two", new_string="", replace_all=True)
    assert gone["replacements"] == 2
    assert await body(vault, "Green.md") == text.replace("one\r\none", "[[Nowhere]] \r\n")


@pytest.mark.claims("notes.refusals", "notes.version-missing", "notes.being-edited")
async def test_each_refusal_of_a_write_names_its_cause_and_the_cure(
    vault: VaultWire, installation_on_each: Installation
) -> None:
    made = await vault.ok("create_note", title="Green", markdown="Text")
    update = {"path": "Green.md", "markdown": "x"}
    edit = {"path": "Green.md", "old_string": "Text", "new_string": "x"}
    for tool, call in (("update_note", update), ("edit_note", edit)):
        for version in ({}, {"version": None}, {"version": ""}, {"version": "nonsense"}):
            assert await vault.refused(tool, **call, **version) == "VERSION_NEEDED"
            assert "read_note" in await vault.told(tool, **call, **version)
    await vault.ok("update_tags", path="Green.md", add=["a"])
    assert "read_note" in await vault.told("update_note", **update, version=made["version"])
    version = (await read(vault, "Green.md"))["version"]
    library, owner = installation_on_each.library, installation_on_each.owner
    (item,) = list_items(library, owner, ListRequest())
    keep_draft(library, owner, NewDraft("Te", item_id=item.item_id, base_version=2))
    for tool, call in (("update_note", update), ("edit_note", edit)):
        assert await vault.refused(tool, **call, version=version) == "BEING_EDITED"
    assert "2026-11-30T12:10:01Z" in await vault.told("update_tags", path="Green.md", add=["b"])
    assert await body(vault, "Green.md") == "Text"
    installation_on_each.clock.pass_by(minutes=11)
    await vault.ok("update_note", **update, version=version)


@pytest.mark.claims("vault-update-tags.folding", "vault-update-tags.version", "vault-update-tags.body")
async def test_tags_are_added_and_taken_away(vault: VaultWire) -> None:
    made = await vault.ok("create_note", title="Green", markdown="Text", tags=["Hot"])
    after = await vault.ok("update_tags", path="Green.md", add=["#ＨＯＴ", "tea"], version=made["version"])
    assert (after["path"], after["tags"]) == ("Green.md", ["Hot", "tea"])
    stale = await vault.ok("update_tags", path="Green.md", remove=["hot"], version=made["version"])
    assert stale == {"path": "Green.md", "tags": ["tea"]}
    assert await vault.refused("update_tags", path="Green.md") == "INVALID_INPUT"
    again = await vault.ok(
        "update_tags", path="Green.md", add=["x"], version=(await read(vault, "Green.md"))["version"]
    )
    await vault.ok("update_note", path="Green.md", markdown="New", version=again["version"])
    assert await body(vault, "Green.md") == "New"


@pytest.mark.claims("create-folder.levels")
async def test_a_folder_is_made_with_those_above_it(vault: VaultWire) -> None:
    assert await vault.ok("create_folder", path="a/b/c") == {"path": "a/b/c"}
    assert await vault.ok("create_folder", path="A/b") == {"path": "a/b"}


@pytest.mark.claims("move-note.answer", "move-folder.answer", "rename-note.answer", "rename-folder.answer")
async def test_notes_and_folders_are_moved_and_renamed(vault: VaultWire) -> None:
    await vault.ok("create_folder", path="Drinks")
    for folder in ("", "Tea"):
        await vault.ok("create_note", title="Green", markdown="Text", folder=folder)
    assert await vault.ok("move_note", path="Green.md", to_folder="Tea") == {"path": "Tea/Green 2.md"}
    renamed = await vault.ok("rename_note", path="Tea/Green 2.md", new_title="What? Black")
    assert renamed == {"path": "Tea/What- Black.md", "title": "What? Black"}
    assert await vault.ok("move_note", path="Tea/What- Black.md", to_folder=".") == {"path": "What- Black.md"}
    assert await vault.ok("move_folder", path="Tea", to_folder="Drinks") == {"path": "Drinks/Tea"}
    assert await vault.ok("rename_folder", path="Drinks/Tea", new_name="tea") == {"path": "Drinks/tea"}
    assert (await read(vault, "Drinks/tea/Green.md"))["title"] == "Green"
    assert await vault.refused("move_folder", path="Drinks", to_folder="Drinks/tea") == "INVALID_INPUT"
    assert await vault.refused("move_folder", path="Drinks", to_folder="Drinks") == "INVALID_INPUT"


@pytest.mark.claims("moves.links")
async def test_links_in_other_notes_follow(vault: VaultWire) -> None:
    await vault.ok("create_note", title="Green", markdown="Text", folder="Tea")
    text = "[[Green|it]] [[Tea/Green#a]] [x](Tea/Green.md) `[[Green]]`"
    await vault.ok("create_note", title="Linker", markdown=text)
    await vault.ok("rename_note", path="Tea/Green.md", new_title="Sencha")
    await vault.ok("rename_folder", path="Tea", new_name="Cha")
    assert await body(vault, "Linker.md") == "[[Sencha|it]] [[Cha/Sencha#a]] [x](Cha/Sencha.md) `[[Green]]`"


@pytest.mark.claims("moves.being-edited")
async def test_what_is_being_edited_stays_where_it_is(
    vault: VaultWire, installation_on_each: Installation
) -> None:
    await vault.ok("create_note", title="Green", markdown="Text", folder="Tea")
    library, owner = installation_on_each.library, installation_on_each.owner
    (item,) = list_items(library, owner, ListRequest())
    keep_draft(library, owner, NewDraft("Te", item_id=item.item_id, base_version=1))
    for tool, call in (
        ("move_note", {"path": "Tea/Green.md", "to_folder": ""}),
        ("rename_note", {"path": "Tea/Green.md", "new_title": "x"}),
        ("rename_folder", {"path": "Tea", "new_name": "x"}),
    ):
        assert await vault.refused(tool, **call) == "BEING_EDITED"
    assert (await read(vault, "Tea/Green.md"))["title"] == "Green"


@pytest.mark.claims("notes.switches")
async def test_a_switch_that_is_off_refuses_and_says_which(
    vault: VaultWire, installation_on_each: Installation
) -> None:
    made = await vault.ok("create_note", title="Green", markdown="Text")
    set_switch(installation_on_each.library, Switch.MOVE, on=False)
    assert await vault.refused("rename_note", path="Green.md", new_title="x") == "SWITCHED_OFF"
    await vault.ok("update_note", path="Green.md", markdown="New", version=made["version"])
    set_switch(installation_on_each.library, Switch.WRITE, on=False)
    assert await vault.refused("create_note", title="x", markdown="") == "SWITCHED_OFF"
    assert await body(vault, "Green.md") == "New"
