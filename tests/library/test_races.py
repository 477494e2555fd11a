"""Does exactly one of two writers with one version win, every time?"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest

from tests.library.home import Home
from vademecum.library.checking import examine
from vademecum.library.editing import update_note, update_tags
from vademecum.library.history import revert
from vademecum.library.reindexing import reindex_item
from vademecum.library.trash import delete_item, restore
from vademecum.model.errors import NotFound, VersionConflict

ROUNDS = 1000


def test_of_two_writers_with_one_version_exactly_one_wins_a_thousand_times(home: Home) -> None:
    plain = home.with_ports(embedder=None)
    item_id = plain.save("Text", "Title")
    together = threading.Barrier(2)

    def write(name: str) -> list[int | None]:
        wins: list[int | None] = []
        for version in range(1, ROUNDS + 1):
            together.wait()
            try:
                wins.append(
                    update_note(plain.library, plain.owner, item_id, f"{name} {version}", version, None)
                )
            except VersionConflict:
                wins.append(None)
        return wins

    with ThreadPoolExecutor(2) as pool:
        one, two = pool.map(write, "ab")
    assert [sorted(pair, key=str) for pair in zip(one, two, strict=True)] == [
        [version, None] for version in range(2, ROUNDS + 2)
    ]
    found = plain.read(item_id)
    assert found.item.version == ROUNDS + 1
    winner = "a" if one[-1] else "b"
    assert found.body == f"{winner} {ROUNDS}"
    assert list(examine(plain.library)) == []


def _update(home: Home, item_id: str) -> None:
    update_note(home.library, home.owner, item_id, "x", 1, "New")


def _tag(home: Home, item_id: str) -> None:
    update_tags(home.library, home.owner, item_id, ["x"], 1)


def _delete(home: Home, item_id: str) -> None:
    delete_item(home.library, home.owner, item_id, 1)


def _revert(home: Home, item_id: str) -> None:
    revert(home.library, home.owner, item_id, 1)


Door = Callable[[Home, str], None]


def at_once(*acts: Callable[[], object]) -> list[bool]:
    """Carry all out at the same time and tell which succeeded."""
    together = threading.Barrier(len(acts))

    def run(act: Callable[[], object]) -> bool:
        together.wait()
        try:
            act()
        except (VersionConflict, NotFound):
            return False
        return True

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(run, acts))


@pytest.mark.parametrize(
    ("first", "second"),
    [(_update, _update), (_update, _tag), (_update, _delete), (_tag, _tag), (_tag, _delete)],
)
def test_whatever_two_writers_of_one_version_do_one_of_them_is_refused(
    home: Home, first: Door, second: Door
) -> None:
    plain = home.with_ports(embedder=None)
    for _ in range(10):
        item_id = plain.save("Text", "Title")
        assert sorted(at_once(partial(first, plain, item_id), partial(second, plain, item_id))) == [
            False,
            True,
        ]
        assert plain.item(item_id).version == 2
        assert plain.versions(item_id) == [2, 1]


def test_a_person_who_reverts_or_restores_while_another_does_leaves_no_gap(home: Home) -> None:
    plain = home.with_ports(embedder=None)
    for _ in range(10):
        item_id = plain.save("One", "Title")
        back = partial(_revert, plain, item_id)
        done = sum(at_once(back, back, partial(_update, plain, item_id)))
        assert done >= 1
        assert plain.versions(item_id) == list(range(1 + done, 0, -1))
        delete_item(plain.library, plain.owner, item_id, 1 + done)
        out = partial(restore, plain.library, plain.owner, item_id)
        assert sorted(at_once(out, out)) == [False, True]
        assert plain.versions(item_id) == list(range(3 + done, 0, -1))
    assert list(examine(plain.library)) == []


def test_items_that_come_back_at_once_get_file_names_of_their_own(home: Home) -> None:
    plain = home.with_ports(embedder=None)
    ids = [plain.save("Text", "Plan") for _ in range(6)]
    for item_id in ids:
        delete_item(plain.library, plain.owner, item_id, 1)
    assert all(at_once(*(partial(restore, plain.library, plain.owner, item_id) for item_id in ids)))
    names = sorted(plain.item(item_id).file_name for item_id in ids)
    assert len(set(names)) == len(names)
    assert "Plan.md" in names


def test_many_writers_of_many_notes_lose_nothing(home: Home) -> None:
    plain = home.with_ports(embedder=None)
    numbers = range(6)

    def work(number: int) -> str:
        item_id = plain.save(f"0 by {number}", "One title for all")
        for version in range(1, 12):
            update_note(plain.library, plain.owner, item_id, f"{version} by {number}", version, None)
        return item_id

    with ThreadPoolExecutor(len(numbers)) as pool:
        ids = list(pool.map(work, numbers))
    assert [plain.read(item_id).body for item_id in ids] == [f"11 by {number}" for number in numbers]
    names = [plain.item(item_id).file_name for item_id in ids]
    assert len(set(names)) == len(names)
    with home.library.storage.read() as tx:
        sequences = [
            revision.change.sequence
            for item_id in ids
            for revision in tx.revisions.list(home.owner.spaces[0], item_id)
        ]
    assert sorted(sequences) == list(range(1, 1 + 12 * len(ids)))


def in_rounds(rounds: int, *acts: Callable[[int], object]) -> None:
    """Carry all out many times, in each round at the same time; raises what goes wrong."""
    together = threading.Barrier(len(acts))

    def run(act: Callable[[int], object]) -> None:
        try:
            for number in range(rounds):
                together.wait()
                act(number)
        except BaseException:
            together.abort()
            raise

    with ThreadPoolExecutor(len(acts)) as pool:
        running = [pool.submit(run, act) for act in acts]
    wrong = [error for one in running if (error := one.exception()) is not None]
    for error in sorted(wrong, key=lambda error: isinstance(error, threading.BrokenBarrierError)):
        raise error


def test_an_item_is_written_and_reindexed_at_once_and_neither_refuses_the_other(home: Home) -> None:
    texts = ["# One\n\nhalyard", "# Two\n\nspinnaker [[Title]]"]
    item_id = home.save(texts[0], "Title")
    space_id, rounds = home.owner.spaces[0], 60

    def write(number: int) -> None:
        update_note(home.library, home.owner, item_id, texts[number % 2], number + 1, f"Title {number}")

    def reindex(_: int) -> None:
        assert reindex_item(home.library, space_id, item_id)

    def embed(_: int) -> None:
        home.work_off()

    in_rounds(rounds, write, reindex, reindex, embed)
    assert home.versions(item_id) == list(range(rounds + 1, 0, -1))
    reindex_item(home.library, space_id, item_id)
    assert list(examine(home.library)) == []
