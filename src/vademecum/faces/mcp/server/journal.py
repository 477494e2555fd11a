"""How is it kept what was read and what was refused, without making anyone wait for it?"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from vademecum.faces.http.offload import Offload
from vademecum.library.auditing import record
from vademecum.library.context import Library
from vademecum.model.access import Caller
from vademecum.model.errors import Refusal
from vademecum.ports.storage import AuditEntry

MOST_KEPT = 8192
_PAUSE = 0.5  # seconds in which entries gather, so that many calls cost one write
logger = logging.getLogger("vademecum.mcp")


class Journal:
    """Audit rows of answered calls on their way into storage (decisions, All three).

    At most 8,192 wait; what cannot be kept beyond that, because storage takes nothing for long, is counted in
    the log. Writes that succeed do not come here: their row is in their own transaction.
    """

    def __init__(self, library: Library, offload: Offload, most: int = MOST_KEPT) -> None:
        self._library = library
        self._offload = offload
        self._most = most
        self._waiting: deque[tuple[Caller, AuditEntry]] = deque()
        self._lost = 0
        self._news = asyncio.Event()

    def note(self, caller: Caller, entry: AuditEntry) -> None:
        """Take an entry over; to be called in the event loop."""
        if len(self._waiting) >= self._most:
            self._waiting.popleft()
            self._lost += 1
        self._waiting.append((caller, entry))
        self._news.set()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Keep entries as they come; what is left at the end is kept before it ends."""
        ending = asyncio.Event()
        task = asyncio.create_task(self._keep_on(ending))
        try:
            yield
        finally:
            # Not cancelled: a row that is being stored would be stored twice.
            ending.set()
            self._news.set()
            await task

    async def flush(self) -> None:
        """Store everything that waits now. Never raises: what storage refuses waits for the next time."""
        batch = list(self._waiting)
        self._waiting.clear()
        if not batch:
            return
        try:
            await self._offload.run(record, self._library, batch)
        except Refusal as refusal:
            logger.warning("%d audit rows wait: %s", len(batch), refusal.code)
            self._take_back(batch)
        except Exception:
            logger.exception("%d audit rows were lost", len(batch))

    def _take_back(self, batch: list[tuple[Caller, AuditEntry]]) -> None:
        self._waiting.extendleft(reversed(batch))
        while len(self._waiting) > self._most:
            self._waiting.popleft()
            self._lost += 1

    async def _keep_on(self, ending: asyncio.Event) -> None:
        while not ending.is_set():
            await self._news.wait()
            with suppress(TimeoutError):
                await asyncio.wait_for(ending.wait(), _PAUSE)
            self._news.clear()
            await self.flush()
            if self._lost:
                logger.error("%d audit rows were lost: storage took none for too long", self._lost)
                self._lost = 0
            if self._waiting:
                self._news.set()
