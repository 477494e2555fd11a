"""Do the files of a purged item go with it, and nobody else's?"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from tests.library.fakes import Breaking, Killed
from tests.library.home import Home, an_id
from tests.storage.opening import change_rows
from vademecum.library.checking import examine, stray_files
from vademecum.library.importing import ImportRun, Incoming, import_batch, known_files, plan
from vademecum.library.quota import quota
from vademecum.library.spaces import archive_space, create_space, purge_space, writable_space
from vademecum.library.trash import delete_item, purge, purge_expired
from vademecum.model.access import Caller
from vademecum.model.items import Blob, Kind
from vademecum.storage import migrate
from vademecum.storage.files import BlobFolder

ALL = migrate.all_migrations()
CONTENT = b"\x89PNG of a halyard"


def store(home: Home, path: str = "a.png", content: bytes = CONTENT, caller: Caller | None = None) -> str:
    """The hash of a file that comes in as an item at the path, or as the newer version of the one there."""
    with home.library.blobs.storing():
        content_hash = home.library.blobs.put(content)
        name(home, path, Blob(content_hash, len(content), "image/png"), caller or home.owner)
    return content_hash


def name(home: Home, path: str, blob: Blob, caller: Caller) -> None:
    """Commits the item of a file that was put."""
    run = ImportRun(caller, caller.spaces[0], "folder", an_id(), update=True)
    incoming = Incoming(path, blob.content_hash, (), path, path, Kind.FILE, blob=blob)
    import_batch(
        home.library, run, [plan(home.library, run, incoming, known_files(home.library, run).get(path))]
    )


def trash(home: Home, title: str = "a.png", space_id: str | None = None) -> str:
    """Moves the item of that title to the trash; its id."""
    with home.library.storage.read() as tx:
        space = space_id or home.owner.spaces[0]
        found = [tx.items.find(space, item_id) for item_id in tx.items.every_id(space)]
    item = next(item for item in found if item and item.title == title)
    delete_item(home.library, home.owner_again(), item.item_id, item.version)
    return item.item_id


def end(home: Home, title: str = "a.png") -> None:
    purge(home.library, home.owner, trash(home, title))


def used(home: Home) -> int:
    return quota(home.library, home.owner).storage_used_bytes


def is_sound(home: Home) -> bool:
    """Neither a file that is missing nor one that belongs to nothing."""
    return [*examine(home.library), *stray_files(home.library)] == []


class Cut(BlobFolder):
    """A store whose program ends before the first file is removed."""

    def remove(self, content_hash: str) -> None:
        raise Killed(content_hash)


def test_the_file_and_its_room_go_with_the_item(home: Home) -> None:
    blob = store(home)
    assert used(home) == len(CONTENT)
    item_id = trash(home)
    assert home.library.blobs.has(blob)
    purge(home.library, home.owner, item_id)
    assert not home.library.blobs.has(blob)
    assert used(home) == 0
    assert is_sound(home)


def test_a_file_stays_until_the_last_item_that_has_it_is_purged(home: Home) -> None:
    blob = store(home, "a.png")
    store(home, "b.png")
    end(home, "a.png")
    assert (home.library.blobs.has(blob), used(home)) == (True, len(CONTENT))
    end(home, "b.png")
    assert (home.library.blobs.has(blob), used(home)) == (False, 0)


def test_files_of_former_versions_stay_with_the_item_and_go_with_it(home: Home) -> None:
    first, second = store(home), store(home, content=b"newer")
    other = store(home, "b.png", b"another")
    end(home, "b.png")
    assert [home.library.blobs.has(one) for one in (first, second, other)] == [True, True, False]
    end(home)
    assert [home.library.blobs.has(one) for one in (first, second)] == [False, False]
    assert is_sound(home)


def test_spaces_share_a_file_and_each_counts_its_own(home: Home) -> None:
    create_space(home.library, home.owner, "work", None)
    owner = home.owner_again()
    work = writable_space(home.library, owner, "work")
    blob = store(home)
    store(home, caller=replace(owner, spaces=(work,)))
    end(home)
    assert home.library.blobs.has(blob)
    with home.library.storage.read() as tx:
        assert (tx.blobs.list(home.owner.spaces[0]), len(tx.blobs.list(work))) == ([], 1)
    archive_space(home.library, owner, "work")
    purge_space(home.library, owner, "work")
    assert not home.library.blobs.has(blob)
    assert is_sound(home)


def test_the_trash_that_empties_itself_takes_files_along(home: Home) -> None:
    blob, live = store(home), store(home, "b.png", b"live")
    trash(home)
    home.clock.pass_by(days=31)
    assert purge_expired(home.library, 30) == 1
    assert [home.library.blobs.has(one) for one in (blob, live)] == [False, True]
    assert is_sound(home)


def test_what_a_kill_after_the_purge_left_goes_with_the_next_look_at_the_trash(
    home: Home, tmp_path: Path
) -> None:
    blob = store(home)
    item_id = trash(home)
    with pytest.raises(Killed):
        purge(home.with_ports(blobs=Cut(tmp_path / "blobs")).library, home.owner, item_id)
    assert (home.library.blobs.has(blob), used(home)) == (True, 0)
    assert list(examine(home.library)) == []
    (stray,) = stray_files(home.library)
    assert (stray.detail[:2], stray.is_damage) == ("1 ", False)
    assert purge_expired(home.library, 0) == 0
    assert not home.library.blobs.has(blob)
    assert is_sound(home)


def test_a_file_that_came_back_after_a_kill_is_not_removed_again(home: Home) -> None:
    store(home)
    item_id = trash(home)
    with pytest.raises(Killed):
        purge(home.with_ports(storage=Breaking(home.library.storage, left=1)).library, home.owner, item_id)
    blob = store(home)
    purge_expired(home.library, 0)
    assert home.library.blobs.has(blob)
    assert is_sound(home)
    end(home)
    assert not home.library.blobs.has(blob)


def test_a_file_that_somebody_is_just_storing_anew_survives_the_purge(home: Home) -> None:
    blob = store(home)
    item_id = trash(home)
    with home.library.blobs.storing():
        home.library.blobs.put(CONTENT)
        purge(home.library, home.owner, item_id)
        assert home.library.blobs.has(blob)
        assert list(stray_files(home.library)) == []
        name(home, "b.png", Blob(blob, len(CONTENT), "image/png"), home.owner)
    purge_expired(home.library, 0)
    assert home.library.blobs.has(blob)
    assert is_sound(home)


def test_what_could_not_go_while_somebody_stored_goes_afterwards(home: Home) -> None:
    blob = store(home)
    item_id = trash(home)
    with home.library.blobs.storing():
        purge(home.library, home.owner, item_id)
    assert home.library.blobs.has(blob)
    store(home, "b.png", b"another")
    end(home, "b.png")
    assert not home.library.blobs.has(blob)


def test_a_file_that_no_purge_released_is_told_and_left_alone(home: Home) -> None:
    blob = home.library.blobs.put(b"from an import that broke off")
    store(home)
    end(home)
    purge_expired(home.library, 0)
    assert home.library.blobs.has(blob)
    assert [(one.code, one.is_damage) for one in stray_files(home.library)] == [("files", False)]


def test_what_earlier_versions_left_behind_goes_too(home: Home) -> None:
    """By the statements of the step that came with this, over what a purge of former versions had left."""
    kept, blob = store(home), home.library.blobs.put(b"left behind")
    with home.library.storage.write() as tx:
        tx.blobs.add(home.owner.spaces[0], Blob(blob, 11, "image/png"))
    step = next(one for one in ALL if one.name == "released_files")
    for statement in re.findall(r"^(?:INSERT|DELETE)[^;]+", step.text, re.MULTILINE):
        change_rows(home.url, statement)
    assert used(home) == len(CONTENT)
    purge_expired(home.library, 0)
    assert [home.library.blobs.has(one) for one in (blob, kept)] == [False, True]
    assert is_sound(home)
