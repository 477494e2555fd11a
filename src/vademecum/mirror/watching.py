"""When does the mirror look at the disk and at the library?"""

from __future__ import annotations

import logging
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from watchfiles import watch

from vademecum.mirror.mirror import Mirror, MirrorUnavailable
from vademecum.model.errors import Refusal

_log = logging.getLogger("vademecum.mirror")
logging.getLogger("watchfiles").setLevel(logging.WARNING)  # it tells of every change
_BEAT = 0.1  # seconds between two looks at whether the library was written
_QUIET_DATABASE = 0.5  # the same, where only a question to the database tells
_FULL_LOOK = 300.0  # seconds between two looks at everything, for what no event told
# A look is followed by a pause of so many times its length, in seconds at most.
_SHARE, _LONGEST_REST = 4, 1.0
_SHARE_APART = 1  # the same after a look at what was touched alone: one edit follows another soon
_UNWATCHED_SHARE, _LONGEST_UNWATCHED = 100, 60.0  # the same where the system tells of no changes
_FIRST_LOOKS = 1.0  # seconds after which a folder that has just begun to be watched is looked at again
_LONGEST_PAUSE = 10.0
_SETTLING = 0.05  # seconds
_GIVE_IN = 3.0  # seconds to wait for another process to let go


class Watcher:
    """Notes that something below a folder was touched, until it is closed."""

    def __init__(self, root: Path) -> None:
        self._touched: set[str] = set()
        self._mutex = threading.Lock()
        self.is_blind = False  # the system cannot tell: its limits are reached, or it is no disk of its own
        self.is_broken = False  # what came since is lost: another has to take its place
        self._stop = threading.Event()
        self._root = root
        threading.Thread(target=self._watch, name="watching", daemon=True).start()

    def _watch(self) -> None:
        try:
            for changes in watch(
                self._root,
                watch_filter=None,
                debounce=100,
                step=20,
                stop_event=self._stop,
                rust_timeout=5_000,
                ignore_permission_denied=True,
            ):
                with self._mutex:
                    self._touched.update(path for _, path in changes)
        except OSError as error:
            _log.warning("%s is looked at from time to time: it cannot be watched (%s)", self._root, error)
        except RuntimeError as error:  # of a name that is no UTF-8 it can tell nothing, and ends
            _log.info("%s is watched anew: %s", self._root, error)
            self.is_broken = True
        finally:
            self.is_blind = True

    @property
    def is_touched(self) -> bool:
        """Whether anything was, since `taken`, or may have been."""
        return bool(self._touched) or self.is_broken

    def taken(self) -> set[str]:
        """What was touched since this was asked before, by its path below the folder."""
        with self._mutex:
            taken, self._touched = self._touched, set()
        head = f"{self._root}/"
        return {path.removeprefix(head) for path in taken if path.startswith(head)}

    def close(self) -> None:
        """Watch no longer."""
        self._stop.set()


@dataclass(slots=True)
class Following:
    """Runs a mirror until it is stopped. `state` says in one word how it is: starting, ready, elsewhere (in
    another process) or unavailable, for a `reason`.
    """

    mirror: Mirror
    state: str = "starting"
    reason: str | None = None
    _stop: threading.Event = field(default_factory=threading.Event)
    _watcher: Watcher | None = None
    _watched: str | None = None
    _mark: object = None
    _looked: float = 0.0
    _next_look: float = 0.0
    _next_full: float = 0.0
    _pause: float = 0.0
    _asked: float = 0.0
    _told: dict[str, str] = field(default_factory=dict)

    def stop(self) -> None:
        """End `run` soon: what is under way stops between two batches."""
        self._stop.set()
        self.mirror.stopped.set()

    def run(self) -> None:
        """Follow both sides until `stop`; while another process has the mirror, wait for it."""
        while not self.mirror.hold():
            self.state = "elsewhere"
            if self._stop.wait(_GIVE_IN):
                return
        self.state = "starting"
        try:
            while not self._stop.is_set():
                self._turn()
                self._stop.wait(_BEAT)
        finally:
            # Where it was not asked to, an error ended it that the thread's end tells.
            self.state, self.reason = "unavailable", "it has ended"
            if self._watcher is not None:
                self._watcher.close()
            self.mirror.let_go()

    def _turn(self) -> None:
        try:
            if self._is_to_be_looked_at():
                self._look()
            elif self._was_written():
                self._after(self.mirror.write())
            self.state, self.reason = "ready", None
            self._tell_troubles()
        except MirrorUnavailable as problem:
            self._wait_for_better(str(problem))
        except Refusal as refusal:
            self._wait_for_better(f"{refusal.code}: {refusal.detail}")

    def _tell_troubles(self) -> None:
        """Log what could not be brought over, each reason once while it lasts."""
        troubles = self.mirror.troubles()
        for what, reason in troubles.items():
            if self._told.get(what) != reason:
                _log.warning("%s: %s", what or self.mirror.root, reason)
        self._told = troubles

    def _wait_for_better(self, reason: str) -> None:
        if self.reason != reason:
            _log.warning("the folder on disk is not followed: %s", reason)
        self.state, self.reason = "unavailable", reason
        self._mark = None
        self._pause = min(_LONGEST_PAUSE, 2 * self._pause + 0.5)
        self._next_look = time.monotonic() + self._pause

    def _is_to_be_looked_at(self) -> bool:
        now = time.monotonic()
        if self._watcher is None:
            return now >= self._next_look
        if self._watcher.is_touched:
            self._pause = 0.0
            return now >= self._looked
        return now >= self._next_look

    def _look(self) -> None:
        """`_looked` is when the disk may be looked at again, whatever happens there."""
        is_new = self._watch()
        # Taken before the look, which sees what came until then.
        touched = self._watcher.taken() if self._watcher is not None else set()
        is_blind = self._watcher is None or self._watcher.is_blind
        is_full = is_new or is_blind or self.state != "ready" or time.monotonic() >= self._next_full
        self._mark = self.mirror.library.storage.change_mark()
        begun = time.monotonic()
        is_unsettled = self.mirror.step(None if is_full else touched)
        took = time.monotonic() - begun
        now = time.monotonic()
        self._looked = now + min(_LONGEST_REST, (_SHARE if is_full else _SHARE_APART) * took)
        if is_full:
            self._next_full = now + _FULL_LOOK
        if is_new or self._watcher is None:
            self._next_full = now + _FIRST_LOOKS
        elif is_blind:
            self._next_full = now + min(_LONGEST_UNWATCHED, max(_FIRST_LOOKS, _UNWATCHED_SHARE * took))
        self._next_look = self._next_full
        self._after(is_unsettled)

    def _after(self, is_unsettled: bool) -> None:
        if not is_unsettled:
            self._pause = 0.0
            return
        soon = max(self._looked, time.monotonic() + _SETTLING + self._pause)
        self._next_look = min(self._next_look, soon)
        self._pause = min(_LONGEST_PAUSE, 2 * self._pause + _SETTLING)

    def _watch(self) -> bool:
        """Watch the folder, anew where it came in the place of another or the watcher broke; whether that was
        begun just now.
        """
        try:
            number = self.mirror.number
        except OSError as error:
            raise MirrorUnavailable(f"{self.mirror.root}: {error.strerror}") from error
        is_broken = self._watcher is not None and self._watcher.is_broken
        if number is None or (number == self._watched and not is_broken):
            return False
        if self._watcher is not None:
            self._watcher.close()
        self._watcher = Watcher(self.mirror.root.resolve())
        self._watched = number
        return True

    def _was_written(self) -> bool:
        mark = self.mirror.library.storage.change_mark()
        if mark is None:
            now = time.monotonic()
            if now < self._asked:
                return False
            self._asked = now + _QUIET_DATABASE
            return True
        if mark == self._mark:
            return False
        self._mark = mark
        return True
