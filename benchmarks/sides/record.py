"""Which texts must be found in the history, since they were acknowledged or left alone for long enough?"""

from __future__ import annotations

import hashlib
import threading
import time
from collections import Counter
from dataclasses import dataclass, field

from vademecum.library.places import is_note
from vademecum.text.frontmatter_block import split

LEFT_ALONE = 2.0  # seconds after which a file must have been seen by a server that is ready
_MARK = "\ufeff"


@dataclass
class Written:
    """A content that another program put on disk whole; `touched` is when it last did something to it."""

    content: bytes
    name: str
    touched: float
    owed: bool = True


def words_of(text: str) -> str:
    """The body of a Markdown text, without what an encoding puts before it."""
    return split(text).body.lstrip(_MARK)


def key_of(name: str, content: bytes) -> str:
    """What a content must be found as: the words of a note, the hash of another file."""
    if not is_note(name):
        return hashlib.sha256(content).hexdigest()
    try:
        return words_of(content.decode())
    except UnicodeDecodeError:
        return words_of(content.decode("gb18030", "replace"))


@dataclass
class Record:
    """What was done, by whom, and what has to be found in the end; several threads tell it."""

    done: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    answered: dict[str, str] = field(default_factory=dict)  # bodies that a tool or command acknowledged
    written: dict[str, Written] = field(default_factory=dict)  # by the hash of the content
    removed: set[str] = field(default_factory=set)  # keys of what another program took away or wrote over
    trashed: set[str] = field(default_factory=set)  # ids of items that were deleted by a tool
    excused: int = 0
    ready_since: float | None = None
    _mutex: threading.Lock = field(default_factory=threading.Lock)

    def did(self, operation: str) -> None:
        """An operation was carried out."""
        with self._mutex:
            self.done[operation] += 1

    def was_refused(self, operation: str) -> None:
        """One was refused or cut off, so that nothing was promised."""
        with self._mutex:
            self.refused[operation] += 1

    def acknowledged(self, operation: str, text: str) -> None:
        """A tool or a command said that it keeps this text."""
        with self._mutex:
            self.answered[words_of(text)] = operation

    def wrote(self, name: str, content: bytes) -> None:
        """Another program put it on disk, or moved it there, just now."""
        with self._mutex:
            digest = hashlib.sha256(content).hexdigest()
            known = self.written.get(digest)
            owed = known is None or known.owed
            self.written[digest] = Written(content, name, time.monotonic(), owed)

    def destroyed(self, name: str, content: bytes) -> None:
        """Another program took it away or wrote over it; what nobody can have seen yet is owed no more."""
        with self._mutex:
            self.removed.add(key_of(name, content))
            known = self.written.get(hashlib.sha256(content).hexdigest())
            if known is None or not known.owed:
                return
            begun = self.ready_since
            if begun is None or time.monotonic() - max(known.touched, begun) <= LEFT_ALONE:
                known.owed = False
                self.excused += 1

    def owed(self) -> dict[str, str]:
        """What has to stand in the history, with where it came from."""
        found = {
            key_of(one.name, one.content): f"disk {one.name}" for one in self.written.values() if one.owed
        }
        return {**found, **self.answered}
