"""How are people added at the command line?"""

from __future__ import annotations

import getpass
import sys
from collections.abc import Sequence

from vademecum.commands.terminal import DONE, Session, add_action, add_common, command_parser, run_action
from vademecum.library.connecting import create_account, list_accounts, reset_password
from vademecum.model.errors import InvalidInput


def run(command: str, words: Sequence[str]) -> int:
    """`vade accounts create|list|reset-password`."""
    parser = command_parser(command, "The people of this installation, each with a personal space.")
    actions = parser.add_subparsers(metavar="ACTION", required=True)
    create = add_action(actions, "create", "add a person")
    create.add_argument("name", metavar="NAME", help="the name to sign in with")
    create.add_argument("--owner", action="store_true", help="may manage the installation")
    create.add_argument("--password-stdin", action="store_true", help="read a password from standard input")
    create.set_defaults(action=_create)
    listing = add_action(actions, "list", "list the people")
    listing.set_defaults(action=_list)
    reset = add_action(actions, "reset-password", "give a person another password")
    reset.add_argument("name", metavar="NAME", help="whose password, as `vade accounts list` shows it")
    reset.add_argument("--password-stdin", action="store_true", help="read it from standard input")
    reset.set_defaults(action=_reset)
    add_common(create, listing, reset)
    return run_action(parser, words)


def _from_stdin() -> str:
    """The first line of standard input; an empty one is refused, for it would take the password away."""
    password = sys.stdin.readline().rstrip("\r\n")
    if not password:
        raise InvalidInput("password", "standard input gave none")
    return password


def _create(session: Session) -> int:
    given = session.arguments
    password = _from_stdin() if given.password_stdin else None
    account = create_account(session.app.library, given.name, password=password, is_owner=given.owner)
    session.show(
        {"id": account.account_id, "name": account.name, "owner": account.is_owner},
        [f"{account.name}: added"],
    )
    return DONE


def _list(session: Session) -> int:
    found = [
        {"id": one.account_id, "name": one.name, "owner": one.is_owner, "createdAt": one.created_at}
        for one in list_accounts(session.app.library)
    ]
    lines = [f"{one['name']:<20} {'owner' if one['owner'] else ''}".rstrip() for one in found]
    session.show({"accounts": found}, lines or ["There is no one yet: `vade keys create` makes the owner."])
    return DONE


def _reset(session: Session) -> int:
    given = session.arguments
    if given.password_stdin:
        password = _from_stdin()
    elif sys.stdin.isatty():
        password = getpass.getpass("New password: ")
    else:
        raise InvalidInput("password", "give it with --password-stdin")
    reset_password(session.app.library, given.name, password)
    session.show({"name": given.name, "changed": True}, [f"{given.name}: the password is changed"])
    return DONE
