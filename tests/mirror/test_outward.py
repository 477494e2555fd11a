"""Does the folder on disk follow the library?"""

from __future__ import annotations

from pathlib import Path

from tests.importers.vaults import bring_in, write
from tests.mirror.folder import Mirrored
from vademecum.library.editing import update_note, update_tags
from vademecum.library.spaces import create_space
from vademecum.library.trash import delete_item, purge, restore


def test_a_note_stands_on_disk_as_it_was_saved(mirrored: Mirrored) -> None:
    mirrored.home.save("steeped\r\n#tea", "Green tea")
    mirrored.step(1)
    assert mirrored.disk() == {"Notes/Green tea.md": b"steeped\r\n#tea"}


def test_an_edit_a_tag_and_a_title_reach_the_file(mirrored: Mirrored) -> None:
    home = mirrored.home
    item_id = home.save("one", "Plan")
    mirrored.step(1)
    update_note(home.library, home.owner, item_id, "two", 1, None)
    mirrored.step(1)
    assert mirrored.texts() == {"Notes/Plan.md": "two"}
    update_tags(home.library, home.owner, item_id, ["tea"], 2)
    mirrored.step(1)
    assert mirrored.texts() == {"Notes/Plan.md": "---\ntags:\n  - tea\n---\ntwo"}
    update_note(home.library, home.owner, item_id, "two", 3, "Another: plan")
    mirrored.step(1)
    assert mirrored.texts() == {
        "Notes/Another- plan.md": '---\ntitle: "Another: plan"\ntags:\n  - tea\n---\ntwo'
    } or list(mirrored.texts()) == ["Notes/Another- plan.md"]
    assert [entry.change.tool for entry in mirrored.history(item_id)].count("outside editor") == 0


def test_what_goes_into_the_trash_leaves_the_disk_and_comes_back(mirrored: Mirrored) -> None:
    home = mirrored.home
    item_id = home.save("one", "Plan")
    mirrored.step(1)
    delete_item(home.library, home.owner, item_id, 1)
    mirrored.step()
    assert mirrored.disk() == {}
    restore(home.library, home.owner, item_id)
    mirrored.step()
    assert mirrored.texts() == {"Notes/Plan.md": "one"}


def test_the_file_of_a_note_that_was_purged_at_once_does_not_come_back(mirrored: Mirrored) -> None:
    home = mirrored.home
    item_id = home.save("secret", "Plan")
    mirrored.step(1)
    delete_item(home.library, home.owner, item_id, 1)
    purge(home.library, home.owner, item_id)
    mirrored.step()
    assert (mirrored.disk(), mirrored.items()) == ({}, {})


def test_what_was_imported_stands_on_disk_byte_for_byte(mirrored: Mirrored, tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "a.md": "\ufeff---\ntitle: x # c\n---\r\n# A\r\n",
        "sub/b.markdown": "[[a]]",
        "sub/pic.png": b"\x89PNG",
        "t.csv": "a,b",
        "ガ.md": "kana",
    }
    write(tmp_path / "vault", files)
    bring_in(mirrored.home, tmp_path / "vault")
    mirrored.step()
    wanted = {
        path: content.encode() if isinstance(content, str) else content for path, content in files.items()
    }
    assert mirrored.disk() == wanted


def test_another_space_lies_in_a_folder_of_its_own(mirrored: Mirrored) -> None:
    home = mirrored.home
    space = create_space(home.library, home.owner, "work", None)
    caller = home.owner_again()
    assert space.space_id in caller.spaces
    mirrored.step()
    home.save("mine", "Mine")
    agent = home.agent(spaces=("work",))
    home.save("ours", "Ours", agent)
    mirrored.step()
    assert mirrored.texts() == {"Notes/Mine.md": "mine", "@work/Notes/Ours.md": "ours"}
    mirrored.put("@work/New.md", "from outside")
    mirrored.step()
    assert home.found("outside", agent) == ["New"]
    assert home.found("outside", home.agent()) == []


def test_a_second_start_touches_nothing(mirrored: Mirrored) -> None:
    mirrored.home.save("one", "Plan")
    mirrored.step()
    before = {path: path.stat() for path in mirrored.root.rglob("*")}
    mirrored.restart()
    mirrored.step()
    assert {path: path.stat() for path in mirrored.root.rglob("*")} == before
    assert len(mirrored.history(mirrored.items()["Notes/Plan.md"].item_id)) == 1
