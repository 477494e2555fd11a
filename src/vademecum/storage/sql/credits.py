"""What has an account spent in a month?"""

from __future__ import annotations

from vademecum.storage.dialect import Database

_USED = "SELECT used FROM credit WHERE account_id = :account_id AND month = :month"
# What is given back never leaves less than nothing used.
_SPEND = """
INSERT INTO credit (account_id, month, used)
SELECT CAST(:account_id AS TEXT), CAST(:month AS TEXT), CASE WHEN :amount < 0 THEN 0 ELSE :amount END
WHERE CAST(:most AS BIGINT) IS NULL OR :amount <= CAST(:most AS BIGINT)
ON CONFLICT (account_id, month) DO UPDATE SET
    used = CASE WHEN credit.used + :amount < 0 THEN 0 ELSE credit.used + :amount END
WHERE :amount < 0 OR CAST(:most AS BIGINT) IS NULL OR credit.used + :amount <= CAST(:most AS BIGINT)
"""


class CreditTable:
    """Credits by account and month."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def used(self, account_id: str, month: str) -> int:
        row = self._database.one(_USED, account_id=account_id, month=month)
        return 0 if row is None else int(row["used"])

    def spend(self, account_id: str, month: str, amount: int, most: int | None) -> bool:
        """False, and nothing spent, when it would pass `most`. A negative amount gives back."""
        spent = self._database.run(_SPEND, account_id=account_id, month=month, amount=amount, most=most)
        return spent == 1
