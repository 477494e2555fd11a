"""Does doctor see every difference between folder and library, and call only the unexplained ones damage?"""

from __future__ import annotations

import shutil

from tests.mirror.folder import Mirrored
from tests.storage.opening import change_rows
from vademecum.library.editing import update_note
from vademecum.mirror.examining import examine_mirror


def _told(mirrored: Mirrored) -> list[tuple[str, bool]]:
    found = examine_mirror(mirrored.home.library, mirrored.root, mirrored.data / ".vade")
    return [(problem.detail, problem.is_damage) for problem in found]


def test_all_is_well_where_both_are_alike(mirrored: Mirrored) -> None:
    assert _told(mirrored) == []  # nothing was followed yet
    mirrored.home.save("one", "Plan")
    mirrored.put("c.md", "日本語".encode("shift_jis") * 20)
    mirrored.put("t.csv", "a,b")
    mirrored.step()
    assert _told(mirrored) == []


def test_work_under_way_is_told_and_no_damage(mirrored: Mirrored) -> None:
    item_id = mirrored.home.save("one", "Plan")
    mirrored.home.save("two", "Other")
    mirrored.step()
    update_note(mirrored.home.library, mirrored.home.owner, item_id, "new", 1, None)
    mirrored.put("Notes/Other.md", "edited")
    mirrored.put("more.md", "new")
    (mirrored.root / "link.md").symlink_to("more.md")
    assert _told(mirrored) == [
        ("1 items not on disk as they are yet", False),
        ("2 files changed outside and not read in yet", False),
        ("1 files that cannot be items (links, pipes, names that no tool takes)", False),
    ]


def test_a_file_that_nothing_explains_is_damage(on_sqlite: Mirrored) -> None:
    item_id = on_sqlite.home.save("one", "Plan")
    on_sqlite.step()
    update_note(on_sqlite.home.library, on_sqlite.home.owner, item_id, "two", 1, None)
    change_rows(on_sqlite.home.url, "UPDATE mirror_file SET item_version = 2")
    assert _told(on_sqlite) == [("the file holds another text than its item", True)]


def test_a_folder_that_is_not_there_is_told(on_sqlite: Mirrored) -> None:
    on_sqlite.home.save("one", "Plan")
    on_sqlite.step()
    shutil.rmtree(on_sqlite.root)
    assert [is_damage for _, is_damage in _told(on_sqlite)] == [True]


def test_notes_with_both_sides_of_a_conflict_are_told(on_sqlite: Mirrored) -> None:
    item_id = on_sqlite.home.save("one", "Plan")
    on_sqlite.step()
    update_note(on_sqlite.home.library, on_sqlite.home.owner, item_id, "two", 1, None)
    on_sqlite.put("Notes/Plan.md", "three")
    on_sqlite.step()
    assert _told(on_sqlite) == [("1 notes hold what was changed on both sides at once", False)]
