"""Is nothing taken for a deletion that is none, and is nothing lost or doubled after a kill?"""

from __future__ import annotations

import errno
import os
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.mirror.folder import Mirrored
from vademecum.library.editing import update_note
from vademecum.library.spaces import create_space
from vademecum.library.trash import delete_item
from vademecum.mirror.disk import Disk, EditedOutside
from vademecum.mirror.mirror import Mirror, MirrorUnavailable
from vademecum.mirror.standing import Pace
from vademecum.mirror.watching import Following


def _vault(mirrored: Mirrored, number: int = 20) -> None:
    mirrored.step(1)
    for one in range(number):
        mirrored.put(f"{one:02}.md", f"note {one}")
    mirrored.step()
    assert len(mirrored.items()) == number


def test_a_folder_that_vanished_is_no_deletion(mirrored: Mirrored, tmp_path: Path) -> None:
    _vault(mirrored)
    mirrored.root.rename(tmp_path / "elsewhere")
    for _ in range(3):
        with pytest.raises(MirrorUnavailable):
            mirrored.step(1)
    mirrored.root.mkdir()  # as an empty mount point
    mirrored.restart()
    with pytest.raises(MirrorUnavailable, match="replaced or is not mounted"):
        mirrored.step(1)
    assert len(mirrored.items()) == 20
    mirrored.root.rmdir()
    (tmp_path / "elsewhere").rename(mirrored.root)
    mirrored.put("new.md", "new")
    mirrored.step()
    assert len(mirrored.items()) == 21


def test_a_folder_that_was_copied_back_is_known_by_its_files(mirrored: Mirrored, tmp_path: Path) -> None:
    _vault(mirrored)
    before = {path: item.item_id for path, item in mirrored.items().items()}
    mirrored.root.rename(tmp_path / "old")
    for path in (tmp_path / "old").iterdir():
        mirrored.put(path.name, path.read_bytes())
    mirrored.restart()
    mirrored.step()
    assert {path: item.item_id for path, item in mirrored.items().items()} == before


def test_most_files_gone_at_once_are_doubted_until_they_stay_so(on_sqlite: Mirrored) -> None:
    _vault(on_sqlite)
    for one in range(15):
        (on_sqlite.root / f"{one:02}.md").unlink()
    on_sqlite.step(1)
    assert len(on_sqlite.items()) == 20
    assert on_sqlite.mirror.troubles() == {"": "15 of 20 files are gone at once"}
    on_sqlite.step(1)
    assert len(on_sqlite.items()) == 5
    assert on_sqlite.mirror.troubles() == {}


def test_files_that_come_back_in_time_were_never_gone(on_sqlite: Mirrored) -> None:
    _vault(on_sqlite)
    before = {path: (item.item_id, item.version) for path, item in on_sqlite.items().items()}
    contents = on_sqlite.disk()
    for path in contents:
        (on_sqlite.root / path).unlink()
    on_sqlite.step(1)
    for path, content in contents.items():
        on_sqlite.put(path, content)
    on_sqlite.step()
    assert {path: (item.item_id, item.version) for path, item in on_sqlite.items().items()} == before


def test_a_folder_that_cannot_be_read_is_no_deletion(
    on_sqlite: Mirrored, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A33
    on_sqlite.step(1)
    on_sqlite.put("Tea/Green.md", "green")
    on_sqlite.put("a.md", "a")
    on_sqlite.step()
    really = os.open

    def refusing(path: Any, *given: Any, **more: Any) -> int:
        if path == "Tea":
            raise PermissionError(errno.EACCES, "Permission denied")
        return really(path, *given, **more)

    with monkeypatch.context() as patched:
        patched.setattr(os, "open", refusing)
        on_sqlite.step(3)
        assert on_sqlite.mirror.troubles() == {"Tea": "Permission denied"}
        assert sorted(on_sqlite.items()) == ["Tea/Green.md", "a.md"]
    on_sqlite.step()
    assert on_sqlite.mirror.troubles() == {}


def test_the_vanished_folder_of_a_space_is_no_deletion(mirrored: Mirrored, tmp_path: Path) -> None:
    home = mirrored.home
    create_space(home.library, home.owner, "work", None)
    agent = home.agent(spaces=("work",))
    home.save("ours", "Ours", agent)
    mirrored.step()
    (mirrored.root / "@work").rename(tmp_path / "work")
    mirrored.step(3)
    assert home.found("ours", agent) == ["Ours"]
    assert mirrored.mirror.troubles() == {"@work": "the folder of this space is gone"}
    (tmp_path / "work").rename(mirrored.root / "@work")
    mirrored.step()
    assert mirrored.mirror.troubles() == {}


def test_an_edit_that_comes_before_the_write_is_never_written_over(tmp_path: Path) -> None:
    disk = Disk(tmp_path)
    facts, _ = disk.write("a.md", [b"one"], None)
    (tmp_path / "a.md").write_bytes(b"edit")
    with pytest.raises(EditedOutside):
        disk.write("a.md", [b"two"], facts.content_hash)
    with pytest.raises(EditedOutside):
        disk.write("a.md", [b"two"], None)
    with pytest.raises(EditedOutside):
        disk.remove("a.md", facts.content_hash)
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("a.md", b"edit")]


def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = Disk(tmp_path)
    facts, _ = disk.write("a.md", [b"one"], None)

    def content() -> Any:
        yield b"tw"
        raise OSError(errno.ENOSPC, "no room")

    with pytest.raises(OSError, match="no room"):
        disk.write("a.md", content(), facts.content_hash)
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("a.md", b"one")]


def test_the_rights_of_a_file_outlive_a_change(tmp_path: Path) -> None:
    disk = Disk(tmp_path)
    facts, _ = disk.write("a.md", [b"one"], None)
    (tmp_path / "a.md").chmod(0o600)
    disk.write("a.md", [b"two"], facts.content_hash)
    assert (tmp_path / "a.md").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("versions", [1, 2])
def test_a_file_written_before_a_kill_cut_short_its_row_is_known(mirrored: Mirrored, versions: int) -> None:
    home = mirrored.home
    mirrored.step(1)
    item_id = home.save("one", "Plan")
    mirrored.put("Notes/Plan.md", "one")  # written, and nothing noted
    if versions == 2:
        update_note(home.library, home.owner, item_id, "two", 1, None)
    mirrored.restart()
    mirrored.step()
    assert len(mirrored.items()) == 1
    assert len(mirrored.history(item_id)) == versions
    assert mirrored.texts() == {"Notes/Plan.md": "one" if versions == 1 else "two"}


def test_a_change_written_before_a_kill_cut_short_its_row_is_no_edit(mirrored: Mirrored) -> None:
    home = mirrored.home
    item_id = home.save("one", "Plan")
    mirrored.step()
    update_note(home.library, home.owner, item_id, "two", 1, None)
    mirrored.put("Notes/Plan.md", "two")
    update_note(home.library, home.owner, item_id, "three", 2, None)
    mirrored.restart()
    mirrored.step()
    assert [entry.version for entry in mirrored.history(item_id)] == [3, 2, 1]
    assert mirrored.texts() == {"Notes/Plan.md": "three"}


def test_what_changed_on_both_sides_while_nothing_ran_is_brought_together(mirrored: Mirrored) -> None:
    home = mirrored.home
    ids = {name: home.save(name, name) for name in ("kept", "edited", "gone", "trashed", "renamed")}
    mirrored.step()
    notes = mirrored.root / "Notes"
    (notes / "edited.md").write_text("edited outside")
    (notes / "gone.md").unlink()
    (notes / "renamed.md").rename(notes / "new name.md")
    delete_item(home.library, home.owner, ids["trashed"], 1)
    home.save("new here", "new here")
    mirrored.put("new outside.md", "new outside")
    mirrored.restart()
    mirrored.step()
    assert mirrored.texts() == {
        "Notes/kept.md": "kept",
        "Notes/edited.md": "edited outside",
        "Notes/new name.md": "renamed",
        "Notes/new here.md": "new here",
        "new outside.md": "new outside",
    }
    assert {path: mirrored.at(path).body for path in mirrored.items()} == mirrored.texts()
    assert mirrored.items()["Notes/new name.md"].item_id == ids["renamed"]


def test_half_written_files_of_a_kill_are_taken_away(on_sqlite: Mirrored) -> None:
    on_sqlite.step(1)
    on_sqlite.put(f"Tea/.vade-{'0' * 32}.tmp", "half")
    on_sqlite.put("Tea/.vade-mine.tmp", "not ours")
    on_sqlite.step()
    assert on_sqlite.texts() == {"Tea/.vade-mine.tmp": "not ours"}


def test_another_folder_in_the_settings_is_filled_and_what_lies_there_comes_in(
    mirrored: Mirrored, tmp_path: Path
) -> None:
    mirrored.home.save("one", "Plan")
    mirrored.step()
    other = tmp_path / "vault"
    (other / "sub").mkdir(parents=True)
    (other / "sub/x.md").write_text("already here")
    mirror = Mirror(mirrored.home.library, other, mirrored.data / ".vade", Pace(0.0, 0.0))
    mirror.step()
    mirror.step()
    assert sorted(str(path.relative_to(other)) for path in other.rglob("*.md")) == [
        "Notes/Plan.md",
        "sub/x.md",
    ]
    assert sorted(mirrored.items()) == ["Notes/Plan.md", "sub/x.md"]
    assert mirrored.texts() == {"Notes/Plan.md": "one"}


def test_one_process_at_a_time_has_the_mirror(on_sqlite: Mirrored) -> None:
    assert on_sqlite.mirror.hold()
    other = Mirror(on_sqlite.home.library, on_sqlite.root, on_sqlite.data / ".vade")
    assert not other.hold()
    on_sqlite.mirror.let_go()
    assert other.hold()
    other.let_go()


def test_a_file_is_read_only_after_it_was_left_alone(on_sqlite: Mirrored) -> None:
    patient = Mirror(on_sqlite.home.library, on_sqlite.root, on_sqlite.data / ".vade", Pace(3600.0, 0.0))
    patient.step()
    on_sqlite.put("a.md", "half")
    assert patient.step()
    assert on_sqlite.items() == {}


def test_a_vault_that_is_opened_is_not_touched(mirrored: Mirrored) -> None:
    files: dict[str, str | bytes] = {
        "Daily/2026-11-30.md": "---\ndate: 2026-11-30\ncreated: never\n---\n- [ ] tea #daily\n",
        "a.md": "\ufeffwith a mark\r\n",
        "b.md": "---\ntitle: null\ntags: [x, 'y']\npinned: yes\n---\n",
        "c.md": "日本語のノート".encode("shift_jis") * 9,
        "d.md": "---\nbroken: : [\n---\n# Title\n",
        "e.md": "",
        "img/図.png": b"\x89PNG",
        "board.canvas": '{"nodes": []}',
        ".obsidian/app.json": "{}",
        ".git/HEAD": "ref",
        "x.md~": "copy",
    }
    for path, content in files.items():
        mirrored.put(path, content)
    before = _untouched(mirrored)
    for _ in range(2):
        mirrored.step(3)
        mirrored.restart()
    assert _untouched(mirrored) == before
    assert len(mirrored.items()) == 8


def _untouched(mirrored: Mirrored) -> dict[str, tuple[bytes, int, int, int]]:
    """Every file's content, number and times of change; a read alone alters none of them."""
    found = {path: (mirrored.root / path).stat() for path in mirrored.disk()}
    return {
        path: (content, found[path].st_ino, found[path].st_mtime_ns, found[path].st_ctime_ns)
        for path, content in mirrored.disk().items()
    }


def test_what_no_tool_could_name_is_left_alone(mirrored: Mirrored) -> None:
    names = ("a\tb.md", "a\nb.md", "a\\b.md", "C: plan.md", "...", "in/...", "in/ ", "tab\t/inner.md")
    for name in names:
        mirrored.put(name, "outside")
    mirrored.put("in/C: plan.md", "taken")
    mirrored.step()
    assert list(mirrored.items()) == ["in/C: plan.md"]
    assert set(mirrored.texts()) == {*names, "in/C: plan.md"}


def test_a_name_that_is_no_utf8_does_not_end_the_watching(on_sqlite: Mirrored) -> None:
    following = Following(on_sqlite.mirror)
    thread = threading.Thread(target=following.run)
    thread.start()
    try:
        _wait_until(lambda: following.state == "ready")
        for number in range(3):
            (on_sqlite.root / os.fsdecode(b"bad\xff%d.md" % number)).write_text("foreign")
            on_sqlite.put(f"{number}.md", "readable")
            _wait_until(partial(_has, on_sqlite, f"{number}.md"))
    finally:
        following.stop()
        thread.join()


def _has(mirrored: Mirrored, path: str) -> bool:
    return path in mirrored.items()


def _wait_until(holds: Callable[[], bool]) -> None:
    ends = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < ends
        time.sleep(0.02)
