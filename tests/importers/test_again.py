"""Does running an import again change nothing, and an update only what changed?"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from tests.importers.vaults import bring_in, items, numbers, whole, write
from tests.library.home import Home
from tests.storage.opening import query
from vademecum.importers import run
from vademecum.library import importing
from vademecum.library.editing import update_note, update_tags
from vademecum.library.history import revisions
from vademecum.library.trash import delete_item, purge
from vademecum.model.revisions import Action, ActorKind


@pytest.fixture
def imported(home: Home, root: Path) -> Path:
    """A folder with two notes and a file that was imported once."""
    write(root, {"a.md": "---\ntags: [x]\n---\n# A\n\nhalyard", "sub/b.md": "[[A]]", "f.csv": "a,b"})
    assert numbers(bring_in(home, root)) == {"added": 3}
    return root


def _everything(home: Home) -> list[object]:
    tables = ("item", "revision", "change", "link", "item_name", "folder", "text", "job", "import_file")
    return [sorted(map(repr, query(home.url, f"SELECT * FROM {table}"))) for table in tables]


@pytest.mark.parametrize("update", [False, True])
def test_a_second_run_writes_nothing_at_all(home: Home, imported: Path, update: bool) -> None:
    before = _everything(home)
    home.clock.pass_by(days=1)
    assert numbers(bring_in(home, imported, update=update)) == {"unchanged": 3}
    assert _everything(home) == before


def test_a_dry_run_tells_what_it_would_do_and_writes_nothing(home: Home, root: Path, tmp_path: Path) -> None:
    write(root, {"a.md": "1", "pic.png": b"x", "t.csv": "a,b"})
    before, files = _everything(home), _blobs(tmp_path)
    assert numbers(bring_in(home, root, dry=True)) == {"added": 3}
    assert (_everything(home), _blobs(tmp_path)) == (before, files)
    bring_in(home, root)
    write(root, {"a.md": "changed", "new.md": "new"})
    before, files = _everything(home), _blobs(tmp_path)
    assert numbers(bring_in(home, root, dry=True)) == {"added": 1, "changed": 1, "unchanged": 2}
    assert numbers(bring_in(home, root, dry=True, update=True)) == {"added": 1, "updated": 1, "unchanged": 2}
    assert (_everything(home), _blobs(tmp_path)) == (before, files)


def _blobs(tmp_path: Path) -> list[Path]:
    return sorted(path for path in (tmp_path / "data" / "blobs").rglob("*") if path.is_file())


def test_changed_files_are_taken_only_when_asked_for(home: Home, imported: Path) -> None:
    write(imported, {"a.md": "---\ntags: [y]\n---\n# A too\n\nspinnaker", "c.md": "new"})
    before = items(home)
    assert numbers(bring_in(home, imported)) == {"added": 1, "changed": 1, "unchanged": 2}
    assert items(home)["a.md"] == before["a.md"]
    assert numbers(bring_in(home, imported, update=True)) == {"updated": 1, "unchanged": 3}
    after = items(home)
    item = after["a.md"]
    assert (item.item_id, item.version, item.title, item.tags) == (before["a.md"].item_id, 2, "A too", ("y",))
    assert item.created_at == before["a.md"].created_at
    assert (after["sub/b.md"], after["f.csv"]) == (before["sub/b.md"], before["f.csv"])
    assert (home.found("halyard"), home.found("spinnaker")) == ([], ["A too"])
    newest = revisions(home.library, home.owner, item.item_id)[0]
    assert (newest.action, newest.change.actor_kind) == (Action.UPDATE, ActorKind.IMPORT)
    with home.library.storage.read() as tx:
        assert tx.links.unresolved(item.space_id) == []
    assert numbers(bring_in(home, imported, update=True)) == {"unchanged": 4}


def test_a_file_whose_time_alone_changed_is_unchanged(home: Home, imported: Path) -> None:
    (imported / "a.md").touch()
    assert numbers(bring_in(home, imported, update=True)) == {"unchanged": 3}


def test_a_file_of_equal_size_and_time_with_another_text_is_changed(home: Home, imported: Path) -> None:
    # A32
    place = imported / "sub" / "b.md"
    found = place.stat()
    place.write_text("[[B]]")
    os.utime(place, ns=(found.st_atime_ns, found.st_mtime_ns))
    assert numbers(bring_in(home, imported, update=True)) == {"updated": 1, "unchanged": 2}
    assert whole(home, "sub/b.md").body == "[[B]]"


def test_what_was_edited_here_is_left_as_it_is_every_time(home: Home, imported: Path) -> None:
    item = items(home)["a.md"]
    update_note(home.library, home.owner, item.item_id, "my own words", 1, None)
    write(imported, {"a.md": "changed outside too"})
    for _ in range(2):
        assert numbers(bring_in(home, imported, update=True)) == {"edited-here": 1, "unchanged": 2}
    assert whole(home, "a.md").body == "my own words"
    assert home.versions(item.item_id) == [2, 1]
    assert numbers(bring_in(home, imported)) == {"changed": 1, "unchanged": 2}


def test_a_change_of_tags_here_counts_as_edited_too(home: Home, imported: Path) -> None:
    item = items(home)["a.md"]
    update_tags(home.library, home.owner, item.item_id, ["mine"], 1)
    write(imported, {"a.md": "changed outside"})
    assert numbers(bring_in(home, imported, update=True)) == {"edited-here": 1, "unchanged": 2}
    assert items(home)["a.md"].tags == ("mine",)


def test_what_was_edited_here_alone_is_unchanged_for_the_import(home: Home, imported: Path) -> None:
    update_note(home.library, home.owner, items(home)["a.md"].item_id, "mine", 1, None)
    assert numbers(bring_in(home, imported, update=True)) == {"unchanged": 3}


def test_an_import_does_not_bring_back_what_was_deleted(home: Home, imported: Path) -> None:
    item = items(home)["a.md"]
    delete_item(home.library, home.owner, item.item_id, 1)
    assert numbers(bring_in(home, imported)) == {"unchanged": 3}
    write(imported, {"a.md": "changed"})
    assert numbers(bring_in(home, imported, update=True)) == {"edited-here": 1, "unchanged": 2}
    assert "a.md" not in items(home)
    purge(home.library, home.owner, item.item_id)
    assert numbers(bring_in(home, imported, update=True)) == {"added": 1, "unchanged": 2}
    assert whole(home, "a.md").body == "changed"


def test_a_file_that_went_away_leaves_its_item(home: Home, imported: Path) -> None:
    (imported / "a.md").unlink()
    assert numbers(bring_in(home, imported, update=True)) == {"unchanged": 2}
    assert "a.md" in items(home)


def test_a_changed_file_that_is_no_note_gets_its_new_content(home: Home, imported: Path) -> None:
    write(imported, {"f.csv": "a,b\nhalyards,2"})
    assert numbers(bring_in(home, imported, update=True)) == {"updated": 1, "unchanged": 2}
    found = whole(home, "f.csv")
    assert (found.body, found.item.version) == ("a,b\nhalyards,2", 2)
    with home.library.blobs.open(str(found.item.blob)) as stream:
        assert stream.read() == b"a,b\nhalyards,2"


def test_another_folder_with_the_same_names_is_another_source(
    home: Home, imported: Path, tmp_path: Path
) -> None:
    other = write(tmp_path / "other", {"a.md": "another"})
    assert numbers(bring_in(home, other)) == {"added": 1}
    assert {"a.md", "a 2.md"} <= set(items(home))


def test_an_import_that_was_cut_short_goes_on_where_it_was(
    home: Home, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(root, {f"{number:03}.md": f"note {number}" for number in range(10)})
    monkeypatch.setattr(run, "_BATCH_FILES", 4)
    really, calls = importing.import_batch, []

    def stopping(*given: Any) -> Any:
        calls.append(given)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return really(*given)

    monkeypatch.setattr(run, "import_batch", stopping)
    with pytest.raises(KeyboardInterrupt):
        bring_in(home, root)
    assert len(items(home)) == 4
    monkeypatch.setattr(run, "import_batch", really)
    assert numbers(bring_in(home, root)) == {"added": 6, "unchanged": 4}
