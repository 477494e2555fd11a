"""On what library do tests of the use cases work, and what do they put into it?"""

from __future__ import annotations

import itertools
import uuid
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tests.faces.installation import HeldClock, Installation, install
from tests.library.fakes import WordEmbedder
from tests.storage.opening import open_at
from vademecum.library.connecting import create_account, identify, person
from vademecum.library.context import Library
from vademecum.library.history import revisions
from vademecum.library.reading import ListRequest, document, list_items
from vademecum.library.reindexing import embed_item, embed_item_for_second_stage
from vademecum.library.saving import save_note
from vademecum.library.searching import SearchRequest, search
from vademecum.model.access import Caller, ToolSet
from vademecum.model.items import Document, Item
from vademecum.model.jobs import LEASE, Job, JobKind
from vademecum.model.times import stamp

_numbers = itertools.count(1)


def an_id() -> str:
    """A new UUID as a client would make it."""
    return str(uuid.uuid4())


def going_on(*_: int) -> bool:
    """A progress report that no one wants to stop."""
    return True


@dataclass
class Home:
    """A library with its owner, and short ways to what most tests do with it."""

    installation: Installation
    url: str

    @property
    def library(self) -> Library:
        return self.installation.library

    @property
    def owner(self) -> Caller:
        return self.installation.owner

    @property
    def clock(self) -> HeldClock:
        return self.installation.clock

    def with_ports(self, **ports: Any) -> Home:
        """The same installation with other models or limits."""
        library = replace(self.library, **ports)
        return Home(Installation(library, self.clock, self.owner), self.url)

    def agent(self, tier: str = "full", *, of: Caller | None = None, **more: Any) -> Caller:
        """An agent with a key of its own."""
        owner = of or self.owner
        _, secret = Installation(self.library, self.clock, owner).minted(tier, ToolSet.LIBRARY, **more)
        return identify(self.library, secret, ToolSet.LIBRARY, "an agent")

    def somebody(self, name: str | None = None) -> Caller:
        """Another person of the installation, who shares nothing with the owner."""
        account = create_account(self.library, name or f"ada{next(_numbers)}", password=None, is_owner=False)
        return person(self.library, account.name)

    def owner_again(self) -> Caller:
        """The owner with the spaces of this moment."""
        return person(self.library, None)

    def save(self, text: str, title: str | None = None, caller: Caller | None = None) -> str:
        """The id of a new note, saved a second after what was saved before."""
        self.clock.pass_by(seconds=1)
        item_id = an_id()
        save_note(self.library, caller or self.owner, item_id, text, title)
        return item_id

    def read(self, item_id: str, caller: Caller | None = None) -> Document:
        return document(self.library, caller or self.owner, item_id)

    def item(self, item_id: str) -> Item:
        """The item as it stands, in the trash or out of it, in any space."""
        with self.library.storage.read() as tx:
            found = [tx.items.find(space.space_id, item_id) for space in tx.access.spaces()]
        return next(item for item in found if item is not None)

    def found(self, query: str, caller: Caller | None = None, **more: Any) -> list[str]:
        """Titles of what a search finds, best first."""
        answer = search(self.library, caller or self.owner, SearchRequest(query, **more))
        return [one.item.title for one in answer.results]

    def listed(self, caller: Caller | None = None, **more: Any) -> list[str]:
        """Titles of what a list shows, in its order."""
        return [item.title for item in list_items(self.library, caller or self.owner, ListRequest(**more))]

    def versions(self, item_id: str) -> list[int]:
        """The versions in the item's history, newest first."""
        return [one.version for one in revisions(self.library, self.owner, item_id)]

    def claim(self, *kinds: JobKind) -> Job | None:
        """The next due job of the kinds, claimed as a worker does it."""
        now = self.clock.now()
        with self.library.storage.write() as tx:
            return tx.jobs.claim(kinds or tuple(JobKind), stamp(now), an_id(), stamp(now + LEASE))

    def work_off(self) -> None:
        """Make the vectors that wait for a job."""
        handlers = {JobKind.EMBED: embed_item, JobKind.SECOND_STAGE: embed_item_for_second_stage}
        while job := self.claim(*handlers):
            handlers[job.kind](self.library, job, going_on)
            with self.library.storage.write() as tx:
                assert tx.jobs.finish(job)

    def reopened(self) -> Home:
        """The same database opened anew; its storage was closed by the caller."""
        library = replace(self.library, storage=open_at(self.url))
        return Home(Installation(library, self.clock, self.owner), self.url)

    def waiting(self) -> dict[str, int]:
        """How many jobs wait, by kind, those that are none left out."""
        with self.library.storage.read() as tx:
            spaces = [space.space_id for space in tx.access.spaces()]
            return {kind: number for kind, number in tx.jobs.pending(spaces).items() if number}


def a_home(url: str, folder: Path, **ports: Any) -> Home:
    """A library at the address, which is empty or migrated, with the embedder of the tests."""
    return Home(install(url, folder, **{"embedder": WordEmbedder(), **ports}), url)
