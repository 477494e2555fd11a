"""Do threads get their turn in the order of asking?"""

from __future__ import annotations

import threading
from functools import partial
from time import monotonic, sleep

import pytest

from vademecum.storage.turns import Turns

PATIENCE = 60  # seconds after which a test that waits in vain fails


def await_waiting(turns: Turns, number: int) -> None:
    """Returns once so many threads wait."""
    deadline = monotonic() + PATIENCE
    while turns.waiting < number:
        assert monotonic() < deadline
        sleep(0.001)


def test_turns_come_in_the_order_of_asking() -> None:
    turns, order = Turns(), list[int]()

    def take(number: int) -> None:
        assert turns.take(PATIENCE)
        order.append(number)
        turns.give()

    assert turns.take(PATIENCE)
    threads = [threading.Thread(target=partial(take, number)) for number in range(20)]
    for number, thread in enumerate(threads, 1):
        thread.start()
        await_waiting(turns, number)
    turns.give()
    for thread in threads:
        thread.join()
    assert order == list(range(20))


def test_whoever_comes_later_does_not_get_in_between() -> None:
    turns, order = Turns(), list[str]()

    def wait() -> None:
        assert turns.take(PATIENCE)
        order.append("waited")
        turns.give()

    assert turns.take(PATIENCE)
    thread = threading.Thread(target=wait)
    thread.start()
    await_waiting(turns, 1)
    turns.give()
    assert turns.take(PATIENCE)
    order.append("came later")
    turns.give()
    thread.join()
    assert order == ["waited", "came later"]


def test_one_turn_at_a_time() -> None:
    turns, inside, most = Turns(), list[int](), list[int]()

    def work(number: int) -> None:
        for _ in range(100):
            assert turns.take(PATIENCE)
            inside.append(number)
            most.append(len(inside))
            inside.remove(number)
            turns.give()

    threads = [threading.Thread(target=partial(work, number)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(most), max(most)) == (800, 1)


def test_a_turn_that_does_not_come_in_time_is_given_up() -> None:
    turns, came = Turns(), list[bool]()
    assert turns.take(PATIENCE)
    thread = threading.Thread(target=lambda: came.append(turns.take(0.01)))
    thread.start()
    thread.join()
    assert came == [False]
    assert turns.waiting == 0
    turns.give()
    assert turns.take(PATIENCE)


def test_a_thread_that_has_its_turn_is_told_instead_of_waiting_for_itself() -> None:
    turns = Turns()
    assert turns.take(PATIENCE)
    with pytest.raises(RuntimeError):
        turns.take(PATIENCE)
    turns.give()
    assert turns.take(PATIENCE)
