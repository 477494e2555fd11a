"""How are agent keys made, listed and revoked at the command line?"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from vademecum.commands.terminal import (
    DONE,
    Session,
    add_account,
    add_action,
    add_common,
    command_parser,
    run_action,
    say,
)
from vademecum.library.connecting import KeyRequest, change_key, list_keys, mint_key, revoke_key
from vademecum.model.access import AgentKey, ToolSet, is_in_force


def run(command: str, words: Sequence[str]) -> int:
    """`vade keys create|set|list|revoke`."""
    parser = command_parser(command, "Agent keys: what an MCP client shows instead of a sign-in.")
    actions = parser.add_subparsers(metavar="ACTION", required=True)
    create = add_action(actions, "create", "mint a key; it is shown once")
    create.add_argument("--name", required=True, help="what the key is for")
    create.add_argument("--face", required=True, choices=["library", "gateway"], help="the tool set it opens")
    create.add_argument("--tier", required=True, help="library: read_only, edit, full; gateway: read, write")
    _add_reach(create)
    create.set_defaults(action=_create)
    change = add_action(actions, "set", "change a gateway key, from its next request")
    change.add_argument("id", metavar="ID", help="the id that `vade keys list` shows")
    change.add_argument("--name", default="", help="what the key is for")
    change.add_argument("--tier", default="", choices=["read", "write"], help="what it may do")
    _add_reach(change)
    change.set_defaults(action=_change)
    listing = add_action(actions, "list", "list the account's keys")
    listing.set_defaults(action=_list)
    revoke = add_action(actions, "revoke", "end a key; it fails at its next request")
    revoke.add_argument("id", metavar="ID", help="the id that `vade keys list` shows")
    revoke.set_defaults(action=_revoke)
    everyone = (create, change, listing, revoke)
    add_common(*everyone)
    add_account(*everyone)
    return run_action(parser, words)


def _add_reach(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--space", action="append", default=[], metavar="S", help="a space it reaches; repeatable"
    )
    parser.add_argument("--expires", type=int, metavar="DAYS", help="days until it ends by itself")


def _request(session: Session, tool_set: ToolSet) -> KeyRequest:
    given = session.arguments
    return KeyRequest(given.name, tool_set, given.tier, given.space, given.expires)


def _create(session: Session) -> int:
    request = _request(session, ToolSet(session.arguments.face))
    key, secret = mint_key(session.app.library, session.caller, request)
    result = {"id": key.key_id, "key": secret, "face": key.tool_set.value, "tier": key.tier}
    session.show(result, [secret])
    if not session.wants_json:
        say(f"This key is shown once. It opens the {key.tool_set.value} tools with the tier {key.tier}.")
    return DONE


def _change(session: Session) -> int:
    request = _request(session, ToolSet.GATEWAY)
    key = change_key(session.app.library, session.caller, session.arguments.id, request)
    session.show(_shape(session, key), [f"{key.key_id}  {key.name}: changed"])
    return DONE


def _list(session: Session) -> int:
    keys = [_shape(session, key) for key in list_keys(session.app.library, session.caller)]
    lines = [
        f"{key['id']}  {key['shown']}…  {key['face']:<8} {key['tier']:<10} {key['state']:<8} {key['name']}"
        for key in keys
    ]
    session.show(
        {"keys": keys}, lines or ["There are no keys yet: `vade keys create --help` tells how to make one."]
    )
    return DONE


def _revoke(session: Session) -> int:
    key = revoke_key(session.app.library, session.caller, session.arguments.id)
    session.show(_shape(session, key), [f"{key.key_id}  {key.name}: revoked"])
    return DONE


def _shape(session: Session, key: AgentKey) -> dict[str, object]:
    now = session.app.library.now()
    state = "active" if is_in_force(key, now) else "revoked" if key.revoked_at else "expired"
    return {
        "id": key.key_id,
        "shown": key.shown,
        "name": key.name,
        "face": key.tool_set.value,
        "tier": key.tier,
        "state": state,
        "createdAt": key.created_at,
        "expiresAt": key.expires_at,
        "revokedAt": key.revoked_at,
        "lastUsedAt": key.last_used_at,
    }
