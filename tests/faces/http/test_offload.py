"""Do the threads of the server keep their promises?"""

from __future__ import annotations

import asyncio
import threading

import pytest

from vademecum.faces.http.offload import CORE_THREADS, Offload
from vademecum.model.errors import Busy, NotFound

pytestmark = pytest.mark.anyio


async def test_a_call_gives_what_the_function_returns_or_raises_from_another_thread() -> None:
    def refuse() -> None:
        raise NotFound

    with Offload() as offload:
        assert await offload.run(lambda first, second: first + second, 1, 2) == 3
        assert await offload.look_up(threading.current_thread) != threading.current_thread()
        with pytest.raises(NotFound):
            await offload.run(refuse)
        assert await offload.run(str, 5) == "5"


async def test_a_call_that_would_end_the_process_ends_neither_thread_nor_server() -> None:
    def leave() -> None:
        raise SystemExit(3)

    with Offload() as offload:
        for _ in range(2 * CORE_THREADS):
            with pytest.raises(RuntimeError):
                await offload.run(leave)
        assert await offload.run(str, 5) == "5"


async def test_beyond_what_may_wait_calls_are_refused_and_look_ups_go_on() -> None:
    all_begun, gate = threading.Barrier(CORE_THREADS + 1), threading.Event()

    def hold() -> bool:
        all_begun.wait()
        return gate.wait()

    with Offload(core_waiting=2) as offload:
        held: list[asyncio.Future[bool]] = [offload.run(hold) for _ in range(CORE_THREADS)]
        await asyncio.to_thread(all_begun.wait)
        held += [offload.run(gate.wait) for _ in range(2)]
        await asyncio.sleep(0)
        with pytest.raises(Busy):
            await offload.run(str, 1)
        assert await offload.look_up(str, 2) == "2"
        gate.set()
        assert await asyncio.gather(*held) == [True] * 5
        assert await offload.run(str, 3) == "3"


async def test_a_call_given_up_while_it_waits_is_never_started() -> None:
    gate, started = threading.Event(), threading.Event()
    with Offload() as offload:
        held = [offload.run(gate.wait) for _ in range(CORE_THREADS)]
        await asyncio.sleep(0)
        waiting = offload.run(started.set)
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        gate.set()
        await asyncio.gather(*held)
        await offload.run(str, 1)
    assert not started.is_set()


async def test_a_call_given_up_while_it_runs_is_run_to_its_end() -> None:
    gate, begun, ended = threading.Event(), threading.Event(), threading.Event()

    def write() -> None:
        begun.set()
        gate.wait()
        ended.set()

    with Offload() as offload:
        task = offload.run(write)
        await asyncio.to_thread(begun.wait)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        gate.set()
    assert ended.is_set()


async def test_it_is_busy_while_a_call_waits_or_runs_and_not_for_look_ups() -> None:
    gate = threading.Event()
    with Offload() as offload:
        looking = offload.look_up(gate.wait)
        assert not offload.is_busy
        held = [offload.run(gate.wait) for _ in range(CORE_THREADS + 1)]
        assert await asyncio.to_thread(lambda: offload.is_busy)
        gate.set()
        await asyncio.gather(looking, *held)
        assert not offload.is_busy
