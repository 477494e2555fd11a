"""Which small facts are kept of the whole installation?"""

from __future__ import annotations

from vademecum.storage.dialect import Database

_GET = "SELECT value FROM installation WHERE name = :name"
_PUT = """
INSERT INTO installation (name, value) VALUES (:name, :value)
ON CONFLICT (name) DO UPDATE SET value = excluded.value
"""


class InstallationTable:
    """Values by name."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def get(self, name: str) -> str | None:
        row = self._database.one(_GET, name=name)
        return None if row is None else str(row["value"])

    def put(self, name: str, value: str) -> None:
        self._database.run(_PUT, name=name, value=value)
