"""Whose library do tests of the contract speak to, and what can its owner do beside the tools?"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import httpx2

from tests.faces.installation import Installation, serving
from tests.faces.mcp.library_tools.contract import ContractWire
from tests.library.home import an_id
from vademecum.faces.mcp.library_tools.toolset import LIBRARY_TOOLS
from vademecum.library.capturing import Captured, begin_capture, record_extraction, record_failure
from vademecum.library.changing import begin_change
from vademecum.library.indexing import prepare
from vademecum.library.writing import Write, add_document
from vademecum.model.items import Birth, CaptureState, ItemClass, Kind, State, new_document
from vademecum.model.jobs import LEASE, Job, JobKind
from vademecum.model.revisions import Action
from vademecum.model.times import stamp


@dataclass
class Account:
    """An account in a running installation, and the captures that a worker would make for it."""

    installation: Installation
    client: httpx2.AsyncClient
    claimed: dict[str, Job] = field(default_factory=dict)

    def wire(self, tier: str = "full", **more: Any) -> ContractWire:
        """A client with a new key of the tier."""
        return ContractWire(self.client, self.installation.key(tier, **more))

    def slug(self) -> str:
        """The name of the account's personal space."""
        with self.installation.library.storage.read() as tx:
            space = tx.access.personal_space(self.installation.owner.account_id)
        assert space is not None
        return space.slug

    @asynccontextmanager
    async def with_ports(self, **ports: Any) -> AsyncIterator[ContractWire]:
        """A client of the same account, served with other models or limits."""
        mine = self.installation
        other = replace(mine, library=replace(mine.library, **ports))
        async with serving(other, LIBRARY_TOOLS) as served:
            yield ContractWire(served.wire.client, served.wire.key)

    def put(self, state: State, item_class: ItemClass = ItemClass.USER_DOCUMENT) -> str:
        """The id of a new item in the state, as another way in than the tools makes one."""
        library, owner = self.installation.library, self.installation.owner
        item_id, prepared = an_id(), prepare(library, state)
        with library.storage.write() as tx:
            change = begin_change(library, tx, owner, owner.spaces[0], "put")
            birth = Birth(owner.spaces[0], item_id, change.made_at, "hash", item_class=item_class)
            write = Write(owner, change, Action.CREATE, prepared)
            assert add_document(tx, write, new_document(birth, state))
        return item_id

    def begin_capture(self, item_id: str) -> Job:
        """Claim the capture of a link as a worker does, and keep those that came before it for later."""
        library, now = self.installation.library, self.installation.clock.now()
        while item_id not in self.claimed:
            with library.storage.write() as tx:
                job = tx.jobs.claim((JobKind.CAPTURE,), stamp(now), an_id(), stamp(now + LEASE))
            assert job is not None
            self.claimed[job.subject] = job
        begin_capture(library, self.claimed[item_id])
        return self.claimed.pop(item_id)

    def capture(self, item_id: str, markdown: str, title: str = "Page", note: str | None = None) -> None:
        """Let the capture of a link find a text."""
        job = self.begin_capture(item_id)
        page = Captured(title, markdown, Kind.ARTICLE, markdown.encode(), "text/html", note)
        record_extraction(self.installation.library, job, page)

    def fail_capture(self, item_id: str, state: CaptureState, reason: str) -> None:
        """Let the capture of a link end without a text."""
        record_failure(self.installation.library, self.begin_capture(item_id), state, reason)
