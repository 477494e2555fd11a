"""Is it told truly what an account has left?"""

from __future__ import annotations

from tests.library.home import Home, an_id
from vademecum.library.capturing import record_failure
from vademecum.library.editing import update_note
from vademecum.library.quota import quota
from vademecum.library.saving import save_link
from vademecum.library.trash import delete_item, purge
from vademecum.model.items import CaptureState
from vademecum.model.quota import Limits, Quota


def test_a_self_hosted_plan_is_unlimited(home: Home) -> None:
    home.save("12345", "Title")
    assert quota(home.library, home.agent("read_only")) == Quota(
        tier="read_only",
        storage_bytes=None,
        storage_used_bytes=5,
        item_count=1,
        link_bytes=5 * 1024 * 1024,
        credits_remaining=None,
        credits_monthly=None,
        credits_used=0,
        resets_at=None,
        plan="self-hosted",
        status="active",
    )


def test_storage_counts_every_version_in_bytes_until_it_is_purged(home: Home) -> None:
    item_id = home.save("茶", "Title")
    update_note(home.library, home.owner, item_id, "茶茶", 1, None)
    assert quota(home.library, home.owner).storage_used_bytes == 9
    delete_item(home.library, home.owner, item_id, 2)
    told = quota(home.library, home.owner)
    assert (told.storage_used_bytes, told.item_count) == (9, 0)
    purge(home.library, home.owner, item_id)
    assert quota(home.library, home.owner).storage_used_bytes == 0


def test_credits_are_counted_by_the_month_and_granted_anew(home: Home) -> None:
    granted = home.with_ports(limits=Limits(storage_bytes=1000, credits_monthly=2))
    for page in "ab":
        save_link(granted.library, home.owner, an_id(), f"https://example.org/{page}")
    told = quota(granted.library, home.owner)
    assert (told.credits_remaining, told.credits_monthly, told.credits_used) == (0, 2, 2)
    assert (told.storage_bytes, told.resets_at) == (1000, "2026-12-01T00:00:00.000000Z")
    home.clock.pass_by(days=1)
    told = quota(granted.library, home.owner)
    assert (told.credits_remaining, told.credits_used) == (2, 0)
    assert told.resets_at == "2027-01-01T00:00:00.000000Z"


def test_notes_edits_and_reading_cost_nothing(home: Home) -> None:
    granted = home.with_ports(limits=Limits(credits_monthly=5))
    item_id = granted.save("Text", "Title")
    update_note(granted.library, home.owner, item_id, "halyard", 1, None)
    assert granted.found("halyard") == granted.listed() == ["Title"]
    assert quota(granted.library, home.owner).credits_used == 0


def test_a_replayed_or_refused_save_of_a_link_costs_nothing_more(home: Home) -> None:
    granted = home.with_ports(limits=Limits(credits_monthly=5))
    item_id = an_id()
    for _ in range(3):
        save_link(granted.library, home.owner, item_id, "https://example.org/")
    assert quota(granted.library, home.owner).credits_used == 1


def test_a_capture_that_fails_gives_its_credit_back_once_to_the_month_it_came_from(home: Home) -> None:
    granted = home.with_ports(limits=Limits(credits_monthly=5))
    save_link(granted.library, home.owner, an_id(), "https://example.org/")
    job = home.claim()
    assert job is not None
    home.clock.pass_by(days=1)
    for _ in range(2):
        record_failure(granted.library, job, CaptureState.FAILED, "not found")
    with home.library.storage.read() as tx:
        account = home.owner.account_id
        assert (tx.credits.used(account, "2026-11"), tx.credits.used(account, "2026-12")) == (0, 0)


def test_a_capture_made_without_a_credit_gives_none_back(home: Home) -> None:
    poor = home.with_ports(limits=Limits(credits_monthly=0))
    save_link(poor.library, home.owner, an_id(), "https://example.org/")
    job = home.claim()
    assert job is not None
    record_failure(poor.library, job, CaptureState.BLOCKED, "login")
    assert quota(poor.library, home.owner).credits_used == 0
