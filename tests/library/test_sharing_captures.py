"""Does one fetch serve all who saved the address?"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import pytest

from tests.library.home import Home, an_id, going_on
from vademecum.capture.pipeline import Capture
from vademecum.library.history import revisions
from vademecum.library.quota import quota
from vademecum.library.saving import save_link
from vademecum.library.spaces import create_space
from vademecum.library.trash import delete_item, restore
from vademecum.model.access import Caller
from vademecum.model.errors import FetchRefused
from vademecum.model.items import CaptureState
from vademecum.model.jobs import JobRejected
from vademecum.model.quota import Limits
from vademecum.ports.fetch import FetchedPage, FetchReason

ADDRESS = "https://example.org/tea"
TEXT = "A halyard hoists a sail, and a sheet trims it."


@dataclass
class Site:
    """A fetcher of one page, which notes what it was asked for; `meanwhile` happens during a fetch."""

    fetched: list[str] = field(default_factory=list)
    refusal: FetchRefused | None = None
    meanwhile: Callable[[], object] = bool

    def fetch(self, url: str) -> FetchedPage:
        self.fetched.append(url)
        self.meanwhile()
        if self.refusal is not None:
            raise self.refusal
        return FetchedPage(url, 200, "text/plain", "utf-8", TEXT.encode())


@pytest.fixture
def site() -> Site:
    return Site()


@pytest.fixture
def work(home: Home, site: Site) -> Iterator[Callable[[], int]]:
    """Works off the captures that are due and tells how many there were."""
    capture = Capture(home.library, site)

    def run() -> int:
        done = 0
        while job := home.claim():
            if job.kind.value != "capture":
                continue
            done += 1
            try:
                capture.run(job, going_on)
            except JobRejected as rejected:
                with home.library.storage.write() as tx:
                    tx.jobs.fail(job, rejected.reason)
                continue
            with home.library.storage.write() as tx:
                tx.jobs.finish(job)
        return done

    yield run
    capture.close()


def saved(home: Home, url: str = ADDRESS, caller: Caller | None = None) -> str:
    item_id = an_id()
    home.clock.pass_by(seconds=1)
    save_link(home.library, caller or home.owner, item_id, url)
    return item_id


def test_one_fetch_gives_every_item_of_the_address_its_text(
    home: Home, site: Site, work: Callable[[], int]
) -> None:
    ids = [saved(home), saved(home, f"{ADDRESS}#part"), saved(home), saved(home, "https://example.org/other")]
    assert work() == len(ids)
    assert len(site.fetched) == 2
    for item_id in ids:
        found = home.read(item_id)
        assert (found.layers.extracted, found.item.version) == (TEXT, 2)
        assert found.item.capture_state is CaptureState.READY
        newest = revisions(home.library, home.owner, item_id)[0].change
        assert (newest.tool, newest.account_id) == ("capture", home.owner.account_id)
    assert len({home.item(item_id).blob for item_id in ids}) == 1
    assert len(home.found("halyard")) == len(ids)


def test_whoever_saves_it_while_it_is_fetched_is_served_too(
    home: Home, site: Site, work: Callable[[], int]
) -> None:
    ids = [saved(home)]
    site.meanwhile = lambda: ids.append(saved(home)) if len(ids) == 1 else None
    work()
    assert len(site.fetched) == 1
    assert [home.read(item_id).layers.extracted for item_id in ids] == [TEXT, TEXT]


def test_whoever_saves_it_later_gets_the_page_as_it_is_then(
    home: Home, site: Site, work: Callable[[], int]
) -> None:
    saved(home)
    work()
    saved(home)
    work()
    assert len(site.fetched) == 2


def test_a_failure_is_told_to_all_and_gives_each_credit_back(
    home: Home, site: Site, work: Callable[[], int]
) -> None:
    granted = home.with_ports(limits=Limits(credits_monthly=5))
    ids = [saved(granted) for _ in range(3)]
    site.refusal = FetchRefused(FetchReason.NOT_FOUND.value, passing=False)
    work()
    assert len(site.fetched) == 1
    told = {(home.item(item_id).capture_state, home.item(item_id).capture_reason) for item_id in ids}
    assert told == {(CaptureState.FAILED, FetchReason.NOT_FOUND.value)}
    assert quota(granted.library, granted.owner).credits_used == 0


def test_spaces_share_nothing(home: Home, site: Site, work: Callable[[], int]) -> None:
    create_space(home.library, home.owner, "work", None)
    there = home.agent(of=home.owner_again(), spaces=("work",))
    saved(home)
    saved(home, caller=there)
    work()
    assert len(site.fetched) == 2


def test_a_trashed_twin_is_left_alone_and_captured_once_it_is_restored(
    home: Home, site: Site, work: Callable[[], int]
) -> None:
    first, second = saved(home), saved(home)
    delete_item(home.library, home.owner, second, 1)
    work()
    assert (home.item(first).version, home.item(second).version) == (2, 2)
    restore(home.library, home.owner, second)
    work()
    assert home.read(second).layers.extracted == TEXT
    assert len(site.fetched) == 2
