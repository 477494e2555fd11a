"""How are people, spaces, members and keys kept?"""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any

from vademecum.model.access import AgentKey, ToolSet
from vademecum.model.items import Account, Role, Space
from vademecum.ports.index import Index
from vademecum.storage.dialect import Database, Row
from vademecum.storage.sql.blobs import BlobTable

_ACCOUNT = ", ".join(f"account.{field.name}" for field in fields(Account))
_ADD_ACCOUNT = """
INSERT INTO account (account_id, name, created_at, is_owner, password_hash, zone)
VALUES (:account_id, :name, :created_at, :is_owner, :password_hash, :zone) ON CONFLICT DO NOTHING
"""
_FIND_ACCOUNT = f"SELECT {_ACCOUNT} FROM account WHERE account_id = :account_id"
_ACCOUNT_NAMED = f"SELECT {_ACCOUNT} FROM account WHERE name = :name"
_ACCOUNTS = f"SELECT {_ACCOUNT} FROM account ORDER BY created_at, account_id"
_SET_SIGN_IN = "UPDATE account SET password_hash = :password_hash WHERE account_id = :account_id"

_SPACE = ", ".join(f"space.{field.name}" for field in fields(Space))
_ADD_SPACE = """
INSERT INTO space (space_id, slug, name, created_at, personal_of, archived_at)
VALUES (:space_id, :slug, :name, :created_at, :personal_of, :archived_at) ON CONFLICT DO NOTHING
"""
_FIND_SPACE = f"SELECT {_SPACE} FROM space WHERE space_id = :space_id"
_SPACE_WITH_SLUG = f"SELECT {_SPACE} FROM space WHERE slug = :slug"
_PERSONAL_SPACE = f"SELECT {_SPACE} FROM space WHERE personal_of = :account_id"
_SPACES = f"SELECT {_SPACE} FROM space ORDER BY created_at, space_id"
_SPACES_OF = f"""
SELECT {_SPACE}, space_member.role FROM space_member JOIN space ON space.space_id = space_member.space_id
WHERE space_member.account_id = :account_id
ORDER BY CASE WHEN space.personal_of = :account_id THEN 0 ELSE 1 END, space.created_at, space.space_id
"""
_SET_ARCHIVED = "UPDATE space SET archived_at = :at WHERE space_id = :space_id"
_TAKE_TURN = "UPDATE space_sequence SET last_sequence = last_sequence WHERE space_id = :space_id"
_ITEM_IDS = "SELECT item_id FROM item WHERE space_id = :space_id"
_REMOVE_REVISIONS = "DELETE FROM revision WHERE space_id = :space_id"
_REMOVE_ITEMS = "DELETE FROM item WHERE space_id = :space_id"
_REMOVE_FOLDERS = "DELETE FROM folder WHERE space_id = :space_id"
_REMOVE_SOME_AUDIT = """
DELETE FROM audit WHERE space_id = :space_id AND audit_id IN (
    SELECT audit_id FROM audit WHERE space_id = :space_id LIMIT :most)
"""
_REMOVE_SOME_CHANGES = """
DELETE FROM change WHERE space_id = :space_id AND change_id IN (
    SELECT change_id FROM change WHERE space_id = :space_id LIMIT :most)
"""
_REMOVE_SPACE = "DELETE FROM space WHERE space_id = :space_id"

_MEMBERS = f"""
SELECT {_ACCOUNT}, space_member.role FROM space_member
JOIN account ON account.account_id = space_member.account_id
WHERE space_member.space_id = :space_id ORDER BY account.created_at, account.account_id
"""
_SET_MEMBER = """
INSERT INTO space_member (space_id, account_id, role) VALUES (:space_id, :account_id, :role)
ON CONFLICT (space_id, account_id) DO UPDATE SET role = excluded.role
"""
_REMOVE_MEMBER = "DELETE FROM space_member WHERE space_id = :space_id AND account_id = :account_id"

_KEY_FIELDS = [field.name for field in fields(AgentKey)]
_KEY = ", ".join(_KEY_FIELDS)
_ADD_KEY = f"INSERT INTO agent_key ({_KEY}) VALUES ({', '.join(f':{field}' for field in _KEY_FIELDS)})"
_KEY_WITH_HASH = f"SELECT {_KEY} FROM agent_key WHERE key_hash = :key_hash"
_KEYS = f"SELECT {_KEY} FROM agent_key WHERE account_id = :account_id ORDER BY created_at, key_id"
_REPLACE_KEY = """
UPDATE agent_key SET tier = :tier, name = :name, spaces = :spaces, expires_at = :expires_at,
    revoked_at = :revoked_at
WHERE key_id = :key_id
"""
_RENEW = "UPDATE agent_key SET key_hash = :key_hash, shown = :shown WHERE key_id = :key_id"
_USE_KEY = """
UPDATE agent_key SET
    session_id = CASE WHEN session_id IS NOT NULL AND last_used_at >= :gap_start THEN session_id
        ELSE CAST(:new_session AS TEXT) END,
    last_used_at = CASE WHEN last_used_at > :at THEN last_used_at ELSE CAST(:at AS TEXT) END
WHERE key_id = :key_id RETURNING session_id
"""


class AccountTable:
    """People."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add_account(self, account: Account) -> bool:
        """False, and nothing done, when the id or the name is taken."""
        added = self._database.run(
            _ADD_ACCOUNT,
            account_id=account.account_id,
            name=account.name,
            created_at=account.created_at,
            is_owner=int(account.is_owner),
            password_hash=account.password_hash,
            zone=account.zone,
        )
        return added == 1

    def account(self, account_id: str) -> Account | None:
        return _account(self._database.one(_FIND_ACCOUNT, account_id=account_id))

    def account_named(self, name: str) -> Account | None:
        return _account(self._database.one(_ACCOUNT_NAMED, name=name))

    def accounts(self) -> list[Account]:
        """Oldest first."""
        return [_account_from(row) for row in self._database.all(_ACCOUNTS)]

    def set_password(self, account_id: str, password_hash: str | None) -> None:
        self._database.run(_SET_SIGN_IN, account_id=account_id, password_hash=password_hash)


class SpaceTable:
    """Spaces and who is a member of them."""

    def __init__(self, database: Database, index: Index) -> None:
        self._database = database
        self._index = index
        self._blobs = BlobTable(database)

    def add_space(self, space: Space) -> bool:
        """False, and nothing done, when the id or slug is taken or the account has its personal space."""
        added = self._database.run(
            _ADD_SPACE,
            space_id=space.space_id,
            slug=space.slug,
            name=space.name,
            created_at=space.created_at,
            personal_of=space.personal_of,
            archived_at=space.archived_at,
        )
        return added == 1

    def space(self, space_id: str) -> Space | None:
        return _space(self._database.one(_FIND_SPACE, space_id=space_id))

    def space_with_slug(self, slug: str) -> Space | None:
        return _space(self._database.one(_SPACE_WITH_SLUG, slug=slug))

    def personal_space(self, account_id: str) -> Space | None:
        return _space(self._database.one(_PERSONAL_SPACE, account_id=account_id))

    def spaces(self) -> list[Space]:
        """Oldest first."""
        return [_space_from(row) for row in self._database.all(_SPACES)]

    def spaces_of(self, account_id: str) -> list[tuple[Space, Role]]:
        """The spaces the account is a member of: the personal one first, then the oldest."""
        rows = self._database.all(_SPACES_OF, account_id=account_id)
        return [(_space_from(row), Role(row["role"])) for row in rows]

    def set_archived(self, space_id: str, at: str | None) -> None:
        self._database.run(_SET_ARCHIVED, space_id=space_id, at=at)

    def purge_records(self, space_id: str, most: int) -> bool:
        """Remove the folders of a space whose items are gone, and up to `most` of its audit rows and as many
        changes; False when there were no more.
        """
        self._database.run(_TAKE_TURN, space_id=space_id)
        self._database.run(_REMOVE_FOLDERS, space_id=space_id)
        removed = [
            self._database.run(statement, space_id=space_id, most=most)
            for statement in (_REMOVE_SOME_AUDIT, _REMOVE_SOME_CHANGES)
        ]
        return any(removed)

    def purge_space(self, space_id: str) -> None:
        """Remove the space with every row of its content and of its index, and release its files."""
        self._database.run(_TAKE_TURN, space_id=space_id)
        for row in self._database.all(_ITEM_IDS, space_id=space_id):
            self._index.replace(space_id, row["item_id"], 0, ())
        for statement in (_REMOVE_REVISIONS, _REMOVE_ITEMS, _REMOVE_FOLDERS):
            self._database.run(statement, space_id=space_id)
        self._blobs.drop_unused(space_id, [blob.content_hash for blob in self._blobs.list(space_id)])
        self._database.run(_REMOVE_SPACE, space_id=space_id)

    def members(self, space_id: str) -> list[tuple[Account, Role]]:
        """The members by the age of their accounts."""
        rows = self._database.all(_MEMBERS, space_id=space_id)
        return [(_account_from(row), Role(row["role"])) for row in rows]

    def set_member(self, space_id: str, account_id: str, role: Role) -> None:
        self._database.run(_SET_MEMBER, space_id=space_id, account_id=account_id, role=role.value)

    def remove_member(self, space_id: str, account_id: str) -> bool:
        """False when the account was no member."""
        return self._database.run(_REMOVE_MEMBER, space_id=space_id, account_id=account_id) == 1


class KeyTable:
    """Agent keys, of which only hashes are kept."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add_key(self, key: AgentKey) -> None:
        self._database.run(_ADD_KEY, **_key_columns(key))

    def key_with_hash(self, key_hash: str) -> AgentKey | None:
        row = self._database.one(_KEY_WITH_HASH, key_hash=key_hash)
        return None if row is None else _key_from(row)

    def keys(self, account_id: str) -> list[AgentKey]:
        """All keys of the account, revoked and expired ones too, oldest first."""
        return [_key_from(row) for row in self._database.all(_KEYS, account_id=account_id)]

    def replace_key(self, key: AgentKey) -> bool:
        """Set tier, name, spaces, expiry and revocation; the rest is for life. False for an unknown key."""
        return self._database.run(_REPLACE_KEY, **_key_columns(key)) == 1

    def renew_key(self, key_id: str, key_hash: str, shown: str) -> bool:
        """Let another secret open the connection, and no longer the one before. False for an unknown key."""
        return self._database.run(_RENEW, key_id=key_id, key_hash=key_hash, shown=shown) == 1

    def use_key(self, key_id: str, at: str, new_session: str, gap_start: str) -> str:
        """Note a use and return the key's session in force: the one it has when its last use was at or after
        `gap_start`, else `new_session`, which becomes its session.
        """
        row = self._database.one(_USE_KEY, key_id=key_id, at=at, new_session=new_session, gap_start=gap_start)
        return new_session if row is None else str(row["session_id"])


class AccessTable(AccountTable, SpaceTable, KeyTable):
    """People, spaces, members and keys."""

    def __init__(self, database: Database, index: Index) -> None:
        SpaceTable.__init__(self, database, index)


def _account(row: Row | None) -> Account | None:
    return None if row is None else _account_from(row)


def _account_from(row: Row) -> Account:
    return Account(
        account_id=row["account_id"],
        name=row["name"],
        created_at=row["created_at"],
        is_owner=bool(row["is_owner"]),
        password_hash=row["password_hash"],
        zone=row["zone"],
    )


def _space(row: Row | None) -> Space | None:
    return None if row is None else _space_from(row)


def _space_from(row: Row) -> Space:
    return Space(
        space_id=row["space_id"],
        slug=row["slug"],
        name=row["name"],
        created_at=row["created_at"],
        personal_of=row["personal_of"],
        archived_at=row["archived_at"],
    )


def _key_columns(key: AgentKey) -> dict[str, object]:
    columns: dict[str, object] = {field: getattr(key, field) for field in _KEY_FIELDS}
    return columns | {"tool_set": key.tool_set.value, "spaces": json.dumps(key.spaces)}


def _key_from(row: Row) -> AgentKey:
    columns: dict[str, Any] = {field: row[field] for field in _KEY_FIELDS}
    changed = {"tool_set": ToolSet(row["tool_set"]), "spaces": tuple(json.loads(row["spaces"]))}
    return AgentKey(**columns | changed)
