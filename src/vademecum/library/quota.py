"""What does an account have left?"""

from __future__ import annotations

from vademecum.library.context import Library
from vademecum.model.access import Caller
from vademecum.model.quota import Quota, month_of, next_month


def quota(library: Library, caller: Caller) -> Quota:
    """Plan, storage, items and credits of the caller's account over the spaces that the caller reads."""
    limits, now = library.limits, library.now()
    with library.storage.read() as tx:
        used_bytes = tx.items.text_bytes(caller.spaces) + tx.blobs.used_bytes(caller.spaces)
        counts = tx.items.counts(caller.spaces)
        used = tx.credits.used(caller.account_id, month_of(now))
    monthly = limits.credits_monthly
    return Quota(
        tier=caller.tier.value,
        storage_bytes=limits.storage_bytes,
        storage_used_bytes=used_bytes,
        item_count=counts["items"],
        link_bytes=limits.link_bytes,
        credits_remaining=None if monthly is None else max(0, monthly - used),
        credits_monthly=monthly,
        credits_used=used,
        resets_at=None if monthly is None else next_month(now),
    )
