"""How is an item's history read, and an earlier version brought back, at the command line?"""

from __future__ import annotations

from collections.abc import Sequence

from vademecum.commands.terminal import DONE, Session, add_account, command_parser, run_action
from vademecum.library.history import revert, revisions
from vademecum.model.revisions import HistoryEntry


def run(command: str, words: Sequence[str]) -> int:
    """`vade history ID` and `vade revert ID REVISION`."""
    sentence = (
        "List every version of an item."
        if command == "history"
        else "Make an earlier version the newest one."
    )
    parser = command_parser(command, sentence)
    parser.add_argument("id", metavar="ID", help="the item's id, as `vade search` shows it")
    if command == "revert":
        parser.add_argument(
            "revision",
            type=int,
            metavar="VERSION",
            help="the version to go back to, as `vade history` shows it",
        )
    parser.set_defaults(action=_history if command == "history" else _revert)
    add_account(parser)
    return run_action(parser, words)


def _history(session: Session) -> int:
    found = revisions(session.app.library, session.caller, session.arguments.id)
    lines = [
        f"{one.version:>5}  {one.change.made_at[:19]}Z  {one.action.value:<8} {one.change.change_id}  "
        f"{one.change.actor_kind.value} {one.change.client_name or ''}".rstrip()
        for one in found
    ]
    session.show({"revisions": [_shape(one) for one in found]}, lines)
    return DONE


def _shape(one: HistoryEntry) -> dict[str, object]:
    return {
        "version": one.version,
        "action": one.action.value,
        "title": one.title,
        "tags": list(one.tags),
        "change": one.change.change_id,
        "madeAt": one.change.made_at,
        "actor": one.change.actor_kind.value,
        "credential": one.change.credential_id,
        "client": one.change.client_name,
        "tool": one.change.tool,
        "session": one.change.session_id,
    }


def _revert(session: Session) -> int:
    given = session.arguments
    version = revert(session.app.library, session.caller, given.id, given.revision)
    session.show(
        {"id": given.id, "version": version}, [f"version {given.revision} is back as version {version}"]
    )
    return DONE
