"""How is it kept who did what?"""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from dataclasses import fields

from vademecum.ports.storage import AuditEntry
from vademecum.storage.dialect import Database

_FIELDS = [field.name for field in fields(AuditEntry)]
_COLUMNS = ", ".join(_FIELDS)
_ADD = f"INSERT INTO audit ({_COLUMNS}) VALUES ({', '.join(f':{field}' for field in _FIELDS)})"
_LIST = (
    f"SELECT {_COLUMNS} FROM audit WHERE space_id = :space_id ORDER BY at DESC, audit_id DESC LIMIT :limit"
)


class AuditTable:
    """Entries of spaces, in the order in which things happened."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, entries: Sequence[AuditEntry]) -> None:
        if entries:
            self._database.run_many(_ADD, [_row(entry) for entry in entries])

    def list(self, spaces: Sequence[str], limit: int) -> builtins.list[AuditEntry]:
        """Newest first."""
        found = [
            AuditEntry(**dict(row))
            for space_id in spaces
            for row in self._database.all(_LIST, space_id=space_id, limit=limit)
        ]
        return sorted(found, key=lambda entry: (entry.at, entry.audit_id), reverse=True)[:limit]


def _row(entry: AuditEntry) -> dict[str, object]:
    return {name: getattr(entry, name) for name in _FIELDS}
