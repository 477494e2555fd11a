"""Do the tools that find and list answer as the vault's contract says (contracts 3.4.1)?"""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.faces.installation import Installation
from tests.faces.mcp.vault_tools.filled import Filled, filled

pytestmark = pytest.mark.anyio
LISTED = {"path", "title", "kind", "updatedAt", "tags"}


@pytest.fixture
async def vault(installation_on_each: Installation) -> AsyncIterator[Filled]:
    """Two notes of which one is archived, a sheet and a picture, in two folders."""
    async with filled(installation_on_each, None) as made:
        made.put("Tea/Sencha.md", "Leaves are steamed.\nleaf two\n", tags=("Japan",))
        made.put("Tea/Old.md", "old leaf, see [[Sencha]]", archived=True)
        made.put_file("Tea/prices.xlsx", b"no sheet at all")
        made.put_file("Tea/Deep/leaf.png", b"picture")
        yield made


@pytest.mark.claims("search-notes.answer", "search-notes.archived", "search-notes.words")
async def test_notes_are_found_by_their_words(vault: Filled) -> None:
    answer = await vault.ok("search_notes", query="leaf")
    (one,) = answer["results"]
    assert set(one) == {*LISTED, "snippet"}
    assert (one["path"], one["kind"], one["tags"]) == ("Tea/Sencha.md", "note", ["Japan"])
    assert (answer["truncated"], answer["limit"]) == (False, 20)
    with_old = await vault.ok("search_notes", query="leaf", includeArchived=True)
    assert {found["path"] for found in with_old["results"]} == {"Tea/Sencha.md", "Tea/Old.md"}
    assert (await vault.ok("search_notes", query="japan"))["results"][0]["path"] == "Tea/Sencha.md"
    assert (await vault.ok("search_notes", query="leaf", tags=["x"]))["results"] == []


@pytest.mark.claims("search-notes.limit")
async def test_a_limit_that_cuts_is_told_and_one_too_high_is_lowered(vault: Filled) -> None:
    cut = await vault.ok("search_notes", query="leaf", includeArchived=True, limit=1)
    assert (len(cut["results"]), cut["truncated"], cut["limit"]) == (1, True, 1)
    assert (await vault.ok("search_notes", query="leaf", limit=1000))["limit"] == 199
    assert (await vault.told("search_notes", query="leaf", limit=0)).startswith("INVALID_INPUT")


@pytest.mark.claims("grep-notes.lines", "grep-notes.shown", "grep-notes.counts", "grep-notes.context")
async def test_lines_are_found_as_they_are_shown(vault: Filled) -> None:
    answer = await vault.ok("grep_notes", pattern="leaf", context=9)
    assert answer["matches"] == [
        {
            "path": "Tea/Sencha.md",
            "line": 5,
            "text": "leaf two",
            "before": ["---", "type: Note", "---", "Leaves are steamed."],
            "after": [],
        }
    ]
    counted = {name: answer[name] for name in ("totalMatches", "totalFiles", "truncated", "skipped")}
    assert counted == {"totalMatches": 1, "totalFiles": 1, "truncated": False, "skipped": 0}
    shown = (await vault.ok("read_note", path="Tea/Sencha.md"))["markdown"].splitlines()
    assert shown[4] == "leaf two"


@pytest.mark.claims("grep-notes.files", "grep-notes.limit")
async def test_counts_for_each_note_can_be_had_and_the_limit_cuts_no_count(vault: Filled) -> None:
    answer = await vault.ok(
        "grep_notes", pattern="LEA[FV]", regex=True, ignoreCase=True, includeArchived=True, outputMode="files"
    )
    assert answer["files"] == [{"path": "Tea/Old.md", "count": 1}, {"path": "Tea/Sencha.md", "count": 2}]
    assert "matches" not in answer
    cut = await vault.ok("grep_notes", pattern="lea", ignoreCase=True, limit=1)
    assert (len(cut["matches"]), cut["totalMatches"], cut["truncated"]) == (1, 2, True)
    assert (await vault.ok("grep_notes", pattern="x", limit=9999))["limit"] == 500


@pytest.mark.claims("grep-notes.path")
async def test_grep_looks_in_a_folder_a_note_or_what_a_glob_names(vault: Filled) -> None:
    for path, found in (("Tea", 1), ("**/S*.md", 1), ("*.md", 0), ("Tea/Sencha.md", 1)):
        assert (await vault.ok("grep_notes", pattern="leaf", path=path))["totalMatches"] == found
    for path in ("../**", "/etc/*", "nothing"):
        assert await vault.told("grep_notes", pattern="leaf", path=path)


@pytest.mark.claims("grep-notes.linear", "grep-notes.invalid")
async def test_a_pattern_is_refused_if_it_is_malformed_or_could_take_for_ever(vault: Filled) -> None:
    for pattern in ("(", r"(a)\1", "(?=a)", ""):
        assert "pattern" in await vault.told("grep_notes", pattern=pattern, regex=True)
    vault.put("long.md", "a" * 50_000)
    assert (await vault.ok("grep_notes", pattern="(a*)*$b|(a|aa)+$c", regex=True))["totalMatches"] == 0


@pytest.mark.claims("list-notes.answer", "list-notes.excerpt", "list-notes.archived")
async def test_notes_and_sheets_are_listed_the_last_updated_first(vault: Filled) -> None:
    notes = (await vault.ok("list_notes"))["notes"]
    assert [(one["path"], one["kind"], one["folder"]) for one in notes] == [
        ("Tea/prices.xlsx", "sheet", "Tea"),
        ("Tea/Sencha.md", "note", "Tea"),
    ]
    assert set(notes[1]) == {*LISTED, "folder", "pinned", "archived"}
    every = await vault.ok("list_notes", includeArchived=True, includeExcerpt=True, folder="Tea")
    assert {one["title"]: (one["archived"], one["excerpt"][:8]) for one in every["notes"]}["Old"] == (
        True,
        "old leaf",
    )
    vault.put("long.md", "x" * 500)
    (long,) = (await vault.ok("list_notes", includeExcerpt=True, limit=1))["notes"]
    assert long["excerpt"] == "x" * 160


@pytest.mark.claims("list-folders.tree", "list-folders.truncated")
async def test_folders_are_a_tree_with_counts_and_say_where_it_is_cut(vault: Filled) -> None:
    await vault.ok("create_folder", path="Empty")
    tree = await vault.ok("list_folders")
    deep = {"path": "Tea/Deep", "name": "Deep", "documents": 0, "totalDocuments": 0, "children": []}
    empty = {"path": "Empty", "name": "Empty", "documents": 0, "totalDocuments": 0, "children": []}
    tea = {"path": "Tea", "name": "Tea", "documents": 3, "totalDocuments": 3, "children": [deep]}
    assert tree["folders"] == [empty, tea]
    cut = await vault.ok("list_folders", depth=1)
    assert cut["folders"] == [empty, tea | {"children": [], "truncated": True}]
    inner = await vault.ok("list_folders", path="tea")
    assert (inner["path"], inner["folders"], inner["documents"]) == ("Tea", [deep], 3)


@pytest.mark.claims("list-files.answer", "list-files.include", "list-files.recursive")
async def test_files_are_listed_with_kind_and_size(vault: Filled) -> None:
    assert (await vault.ok("list_files"))["files"] == [
        {"path": "Tea/Deep/leaf.png", "kind": "image", "size": 7},
        {"path": "Tea/prices.xlsx", "kind": "other", "size": 15},
    ]
    flat = (await vault.ok("list_files", path="Tea", recursive=False, include="all"))["files"]
    assert [one["path"] for one in flat] == ["Tea/Old.md", "Tea/Sencha.md", "Tea/prices.xlsx"]
    notes = (await vault.ok("list_files", include="notes"))["files"]
    assert {one["kind"] for one in notes} == {"note"}


@pytest.mark.claims("get-backlinks.answer")
async def test_what_links_to_a_note_is_told(vault: Filled) -> None:
    assert await vault.ok("get_backlinks", path="Tea/Sencha.md") == {
        "backlinks": [{"path": "Tea/Old.md", "title": "Old"}]
    }
    assert "NOT_FOUND" in await vault.told("get_backlinks", path="Tea/Nothing.md")
