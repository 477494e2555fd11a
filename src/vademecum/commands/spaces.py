"""How are spaces made, shared and ended at the command line?"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from vademecum.commands.terminal import (
    DONE,
    FAILED,
    Actions,
    Session,
    add_account,
    add_action,
    add_common,
    command_parser,
    confirmed,
    run_action,
)
from vademecum.library import spaces
from vademecum.model.items import Role, Space

_WHICH = "the space's short name, as `vade spaces list` shows it"


def run(command: str, words: Sequence[str]) -> int:
    """`vade spaces create|list|archive|restore|purge|members …`."""
    parser = command_parser(command, "Spaces: what a person owns or shares.")
    actions = parser.add_subparsers(metavar="ACTION", required=True)
    create = add_action(actions, "create", "make a space")
    create.add_argument("slug", metavar="SLUG", help="its short name, such as work")
    create.add_argument("--name", help="its name in full")
    create.set_defaults(action=_create)
    listing = add_action(actions, "list", "list your spaces")
    listing.set_defaults(action=_list)
    changing = [
        _slug_action(actions, "archive", "close a space; nothing is lost", _archive),
        _slug_action(actions, "restore", "open an archived space again", _restore),
        _slug_action(actions, "purge", "end an archived space and all in it for good", _purge),
    ]
    changing[-1].add_argument("--yes", action="store_true", help="do not ask")
    everyone = (create, listing, *changing, *_member_actions(actions))
    add_common(*everyone)
    add_account(*everyone)
    return run_action(parser, words)


def _slug_action(actions: Actions, name: str, sentence: str, action: object) -> argparse.ArgumentParser:
    parser = add_action(actions, name, sentence)
    parser.add_argument("slug", metavar="SLUG", help=_WHICH)
    parser.set_defaults(action=action)
    return parser


def _member_actions(actions: Actions) -> list[argparse.ArgumentParser]:
    members = add_action(actions, "members", "tell or set who may read or write a space")
    inner = members.add_subparsers(metavar="ACTION", required=True)
    listing = _slug_action(inner, "list", "list its members", _members)
    setting = add_action(inner, "set", "let someone in, or change the role")
    setting.add_argument("slug", metavar="SLUG", help=_WHICH)
    setting.add_argument("member", metavar="ACCOUNT", help="the account's name")
    setting.add_argument("role", choices=[role.value for role in Role], help="what they may do there")
    setting.set_defaults(action=_set_member)
    removing = add_action(inner, "remove", "shut someone out")
    removing.add_argument("slug", metavar="SLUG", help=_WHICH)
    removing.add_argument("member", metavar="ACCOUNT", help="the account's name")
    removing.set_defaults(action=_remove_member)
    return [listing, setting, removing]


def _shape(space: Space) -> dict[str, object]:
    return {"id": space.space_id, "slug": space.slug, "name": space.name, "archivedAt": space.archived_at}


def _create(session: Session) -> int:
    made = spaces.create_space(
        session.app.library, session.caller, session.arguments.slug, session.arguments.name
    )
    session.show(_shape(made), [f"{made.slug}: made"])
    return DONE


def _list(session: Session) -> int:
    found = spaces.list_spaces(session.app.library, session.caller)
    lines = [
        f"{space.slug:<20} {role.value:<8} {space.name}{' (archived)' if space.archived_at else ''}"
        for space, role in found
    ]
    session.show({"spaces": [{**_shape(space), "role": role.value} for space, role in found]}, lines)
    return DONE


def _archive(session: Session) -> int:
    space = spaces.archive_space(session.app.library, session.caller, session.arguments.slug)
    session.show(_shape(space), [f"{space.slug}: archived"])
    return DONE


def _restore(session: Session) -> int:
    space = spaces.restore_space(session.app.library, session.caller, session.arguments.slug)
    session.show(_shape(space), [f"{space.slug}: open again"])
    return DONE


def _purge(session: Session) -> int:
    slug = session.arguments.slug
    if not confirmed(session, f"End the space {slug!r} and everything in it for good?"):
        return FAILED
    space = spaces.purge_space(session.app.library, session.caller, slug)
    session.show(_shape(space), [f"{space.slug}: purged"])
    return DONE


def _members(session: Session) -> int:
    found = spaces.members(session.app.library, session.caller, session.arguments.slug)
    result = {"members": [{"account": account.name, "role": role.value} for account, role in found]}
    session.show(result, [f"{account.name:<20} {role.value}" for account, role in found])
    return DONE


def _set_member(session: Session) -> int:
    given = session.arguments
    spaces.set_member(session.app.library, session.caller, given.slug, given.member, Role(given.role))
    session.show(
        {"account": given.member, "role": given.role}, [f"{given.member}: {given.role} of {given.slug}"]
    )
    return DONE


def _remove_member(session: Session) -> int:
    given = session.arguments
    spaces.remove_member(session.app.library, session.caller, given.slug, given.member)
    session.show({"account": given.member, "removed": True}, [f"{given.member}: out of {given.slug}"])
    return DONE
