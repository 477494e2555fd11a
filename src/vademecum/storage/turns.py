"""Whose turn is it to write, when several threads want to?"""

from __future__ import annotations

from collections import deque
from threading import Event, Lock, get_ident


class Turns:
    """A lock that threads get in the order in which they asked for it.

    A plain lock goes to whoever happens to run when it is free, so that under load a few wait for very long.
    """

    def __init__(self) -> None:
        self._mutex = Lock()
        self._waiting: deque[Event] = deque()
        self._is_taken = False
        self._owner: int | None = None

    def take(self, seconds: float) -> bool:
        """Wait for one's turn; False when it did not come within the time.

        Raises RuntimeError when the thread has the turn already, for it would wait for itself.
        """
        if self._owner == get_ident():
            raise RuntimeError("this thread is writing already")
        with self._mutex:
            if not self._is_taken:
                self._is_taken = True
                self._owner = get_ident()
                return True
            called = Event()
            self._waiting.append(called)
        try:
            came = called.wait(seconds)
        except BaseException:
            if self._was_called(called):
                self.give()
            raise
        if not came and not self._was_called(called):
            return False
        self._owner = get_ident()
        return True

    def _was_called(self, called: Event) -> bool:
        """Whether the turn came at the last moment; otherwise its owner waits no more."""
        with self._mutex:
            if called.is_set():
                return True
            self._waiting.remove(called)
            return False

    def give(self) -> None:
        """Pass the turn to whoever has waited longest."""
        with self._mutex:
            self._owner = None
            if self._waiting:
                self._waiting.popleft().set()
            else:
                self._is_taken = False

    @property
    def waiting(self) -> int:
        """How many threads wait."""
        return len(self._waiting)
