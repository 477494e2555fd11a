"""Are keys, people and spaces made, shown and ended at the command line?"""

from __future__ import annotations

import io
import uuid
from datetime import datetime
from pathlib import Path

import pytest

from tests.commands.shell import Shell
from vademecum.model.ids import is_key_shaped


def a_key(shell: Shell, *more: str, tier: str = "edit", face: str = "library") -> dict[str, str]:
    made: dict[str, str] = shell.ok(
        "keys", "create", "--name", "A key", "--face", face, "--tier", tier, *more
    )
    return made


def test_the_first_key_makes_the_owner_too(shell: Shell) -> None:
    made = a_key(shell)
    assert set(made) == {"id", "key", "face", "tier"}
    assert (made["face"], made["tier"], is_key_shaped(made["key"])) == ("library", "edit", True)
    assert uuid.UUID(made["id"]).version == 4
    (account,) = shell.ok("accounts", "list")["accounts"]
    assert (account["name"], account["owner"]) == ("me", True)
    assert [(one["slug"], one["role"]) for one in shell.ok("spaces", "list")["spaces"]] == [("me", "owner")]


def test_a_key_is_shown_once_and_alone_on_standard_output(shell: Shell) -> None:
    ran = shell.run("keys", "create", "--name", "A key", "--face", "library", "--tier", "full")
    secret = ran.text.strip()
    assert (ran.code, is_key_shaped(secret)) == (0, True)
    assert secret not in ran.messages
    for words in (["keys", "list"], ["keys", "list", "--json"], ["config", "list"], ["status"], ["doctor"]):
        later = shell.run(*words)
        assert secret not in later.text + later.messages


@pytest.mark.parametrize(
    ("face", "tiers"), [("library", ["read_only", "edit", "full"]), ("gateway", ["read", "write"])]
)
def test_each_tool_set_has_its_tiers(shell: Shell, face: str, tiers: list[str]) -> None:
    assert [a_key(shell, face=face, tier=tier)["tier"] for tier in tiers] == tiers
    for tier in {"read_only", "edit", "full", "read", "write", "admin"} - set(tiers):
        assert "INVALID_INPUT" in shell.refused(
            1, "keys", "create", "--name", "x", "--face", face, "--tier", tier
        )


def test_keys_are_listed_with_their_state_and_revoked(shell: Shell) -> None:
    made = a_key(shell, "--expires", "7")
    (listed,) = shell.ok("keys", "list")["keys"]
    assert (listed["id"], listed["name"], listed["state"]) == (made["id"], "A key", "active")
    assert made["key"].startswith(listed["shown"])
    assert len(listed["shown"]) < 20
    days = datetime.fromisoformat(listed["expiresAt"]) - datetime.fromisoformat(listed["createdAt"])
    assert days.days == 7
    assert shell.ok("keys", "revoke", made["id"])["state"] == "revoked"
    assert shell.ok("keys", "list")["keys"][0]["state"] == "revoked"
    assert shell.run("keys", "revoke", listed["shown"]).code == 0
    assert "NOT_FOUND" in shell.refused(1, "keys", "revoke", str(uuid.uuid4()))
    assert "revoked" in shell.run("keys", "list").text


@pytest.mark.parametrize("more", [["--expires", "0"], ["--space", "nowhere"], ["--account", "nobody"]])
def test_a_key_that_cannot_be_is_refused(shell: Shell, more: list[str]) -> None:
    a_key(shell)
    words = ["keys", "create", "--name", "x", "--face", "library", "--tier", "edit", *more]
    assert shell.refused(1, *words)
    assert len(shell.ok("keys", "list")["keys"]) == 1


def test_a_gateway_key_is_changed_and_a_library_key_is_not(shell: Shell) -> None:
    gateway, library = a_key(shell, face="gateway", tier="read"), a_key(shell)
    changed = shell.ok("keys", "set", gateway["id"], "--name", "Other", "--tier", "write")
    assert (changed["name"], changed["tier"]) == ("Other", "write")
    assert "NOT_PERMITTED" in shell.refused(1, "keys", "set", library["id"], "--name", "Other")
    assert {key["name"] for key in shell.ok("keys", "list")["keys"]} == {"Other", "A key"}


def test_people_have_keys_and_spaces_of_their_own(shell: Shell) -> None:
    made = shell.ok("accounts", "create", "ada")
    assert (made["name"], made["owner"]) == ("ada", False)
    a_key(shell, "--account", "ada")
    assert shell.ok("keys", "list") == {"keys": []}
    assert len(shell.ok("keys", "list", "--account", "ada")["keys"]) == 1
    assert "ALREADY_EXISTS" in shell.refused(1, "accounts", "create", "ada")
    assert "INVALID_INPUT" in shell.refused(1, "accounts", "create", "a b")
    assert shell.ok("accounts", "create", "bob", "--owner")["owner"]
    assert [one["name"] for one in shell.ok("accounts", "list")["accounts"]] == ["me", "ada", "bob"]


def test_passwords_come_from_standard_input_and_are_never_shown(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    def typed(text: str) -> None:
        monkeypatch.setattr("sys.stdin", io.StringIO(text))

    typed("corréct: horse%\n")
    ran = shell.run("accounts", "create", "ada", "--password-stdin")
    assert (ran.code, "horse" in ran.text + ran.messages) == (0, False)
    typed("another password\n")
    ran = shell.run("accounts", "reset-password", "ada", "--password-stdin")
    assert (ran.code, "another" in ran.text + ran.messages) == (0, False)
    for wrong in ("short\n", "\n", ""):
        typed(wrong)
        assert "INVALID_INPUT" in shell.refused(1, "accounts", "reset-password", "ada", "--password-stdin")
    typed("")
    assert "INVALID_INPUT" in shell.refused(1, "accounts", "create", "bob", "--password-stdin")
    assert "INVALID_INPUT" in shell.refused(1, "accounts", "reset-password", "ada")
    typed("long enough\n")
    assert "NOT_FOUND" in shell.refused(1, "accounts", "reset-password", "nobody", "--password-stdin")
    assert [one["name"] for one in shell.ok("accounts", "list")["accounts"]] == ["me", "ada"]


def test_a_space_is_made_shared_archived_restored_and_purged(shell: Shell) -> None:
    made = shell.ok("spaces", "create", "work", "--name", "Our work")
    assert (made["slug"], made["name"], made["archivedAt"]) == ("work", "Our work", None)
    shell.ok("accounts", "create", "ada")
    assert shell.ok("spaces", "members", "set", "work", "ada", "reader") == {
        "account": "ada",
        "role": "reader",
    }
    members = shell.ok("spaces", "members", "list", "work")["members"]
    assert members == [{"account": "me", "role": "owner"}, {"account": "ada", "role": "reader"}]
    assert "NOT_PERMITTED" in shell.refused(1, "spaces", "archive", "work", "--account", "ada")
    shell.ok("spaces", "members", "remove", "work", "ada")
    assert "NOT_FOUND" in shell.refused(1, "spaces", "members", "remove", "work", "ada")
    assert "NOT_PERMITTED" in shell.refused(1, "spaces", "purge", "work", "--yes")
    assert shell.ok("spaces", "archive", "work")["slug"] == "work"
    shell.ok("spaces", "restore", "work")
    shell.ok("spaces", "archive", "work")
    assert "--yes" in shell.refused(1, "spaces", "purge", "work")
    assert "(archived)" in shell.run("spaces", "list").text
    shell.ok("spaces", "purge", "work", "--yes")
    assert [one["slug"] for one in shell.ok("spaces", "list")["spaces"]] == ["me"]
    assert "NOT_PERMITTED" in shell.refused(1, "spaces", "archive", "me")


def test_a_member_of_a_space_searches_and_imports_as_their_role_allows(shell: Shell, tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "a.md").write_text("halyard")
    shell.ok("accounts", "create", "ada")
    shell.ok("spaces", "create", "work")
    shell.ok("import", str(folder), "--space", "work")
    assert shell.ok("search", "halyard", "--account", "ada")["count"] == 0
    shell.ok("spaces", "members", "set", "work", "ada", "reader")
    assert shell.ok("search", "halyard", "--account", "ada")["count"] == 1
    words = ["import", str(folder), "--space", "work", "--account", "ada"]
    assert "NOT_PERMITTED" in shell.refused(1, *words)
    shell.ok("spaces", "members", "set", "work", "ada", "editor")
    assert shell.ok(*words)["imports"][0]["unchanged"] == 1
