"""Where does a blocking call run, so that no call can hold up the server?"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from queue import SimpleQueue
from threading import Thread
from time import monotonic
from types import TracebackType
from typing import Any, Self, TypeVar

from vademecum.model.errors import Busy

CORE_THREADS = 3  # more only wait for each other: the core computes (measured with 50 concurrent calls)
CORE_WAITING = 256
DOOR_THREADS = 2
DOOR_WAITING = 1024
CLOSE_SECONDS = 15.0  # for what still runs when the server ends; then it ends without it

Result = TypeVar("Result")


class Offload:
    """The threads of the server, in two lanes, started and ended by `with`.

    `run` is for use cases. `look_up` is for the short questions that come before one, such as who is asking:
    they never wait behind a use case.
    """

    def __init__(self, *, core_waiting: int = CORE_WAITING, door_waiting: int = DOOR_WAITING) -> None:
        self._core = _Lane("core", CORE_THREADS, core_waiting)
        self._door = _Lane("door", DOOR_THREADS, door_waiting)

    def __enter__(self) -> Self:
        self._core.open()
        self._door.open()
        return self

    def __exit__(self, *_: object) -> None:
        self._door.close()
        self._core.close()

    @property
    def is_busy(self) -> bool:
        """Whether a use case runs or waits; may be asked from any thread."""
        return self._core.is_busy

    def run(self, function: Callable[..., Result], *arguments: Any) -> asyncio.Future[Result]:
        """What the function returns or raises; Busy, and nothing started, when too many calls wait already.

        A call that is given up while it still waits is never started; one that runs is run to its end.
        """
        return self._core.run(function, arguments)

    def look_up(self, function: Callable[..., Result], *arguments: Any) -> asyncio.Future[Result]:
        """As `run`, for a function that reads a row or two."""
        return self._door.run(function, arguments)


@dataclass(frozen=True, slots=True)
class _Call:
    """One call, and the coroutine that waits for what becomes of it."""

    future: asyncio.Future[Any]
    loop: asyncio.AbstractEventLoop
    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    ended: Callable[[], None]

    def carry_out(self) -> None:
        with _Delivery(self):
            result = None if self.future.cancelled() else self.function(*self.arguments)
            self.deliver(result, None)

    def deliver(self, result: object, error: Exception | None) -> None:
        self.loop.call_soon_threadsafe(self._settle, result, error)

    def _settle(self, result: object, error: Exception | None) -> None:
        self.ended()
        if self.future.done():
            return  # no one waits for it any more
        if error is None:
            self.future.set_result(result)
        else:
            self.future.set_exception(error)


@dataclass(frozen=True, slots=True)
class _Delivery:
    """The context of a running call, whose errors belong to the coroutine that waits, not to the thread."""

    call: _Call

    def __enter__(self) -> None:
        return None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> bool:
        if isinstance(error, Exception):
            self.call.deliver(None, error)
        elif error is not None:  # it would end the event loop
            self.call.deliver(None, RuntimeError(f"a call raised {type(error).__name__}"))
        return True


class _Lane:
    """Threads that carry out one call after another, first come first served.

    An executor of the standard library costs twice as much for a call and has no bound on what waits.
    """

    def __init__(self, name: str, threads: int, waiting: int) -> None:
        self._calls: SimpleQueue[_Call | None] = SimpleQueue()
        self._unfinished = 0  # counted in the event loop alone
        self._most = threads + waiting
        names = [f"vademecum-{name}-{number}" for number in range(threads)]
        self._threads = [Thread(target=self._work, name=name, daemon=True) for name in names]

    @property
    def is_busy(self) -> bool:
        return self._unfinished > 0

    def open(self) -> None:
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        for _ in self._threads:
            self._calls.put(None)
        ends = monotonic() + CLOSE_SECONDS
        for thread in self._threads:
            thread.join(max(0.0, ends - monotonic()))

    def run(self, function: Callable[..., Result], arguments: tuple[Any, ...]) -> asyncio.Future[Result]:
        if self._unfinished >= self._most:
            raise Busy
        self._unfinished += 1
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Result] = loop.create_future()
        self._calls.put(_Call(future, loop, function, arguments, self._end_one))
        return future

    def _end_one(self) -> None:
        self._unfinished -= 1

    def _work(self) -> None:
        while (call := self._calls.get()) is not None:
            call.carry_out()
