"""How is the trash looked through, restored from and emptied at the command line?"""

from __future__ import annotations

from collections.abc import Sequence

from vademecum.commands.terminal import (
    DONE,
    FAILED,
    Session,
    add_account,
    add_action,
    add_common,
    command_parser,
    confirmed,
    run_action,
)
from vademecum.library.trash import list_trash, purge, restore

_MOST_LISTED = 1000
_MOST_PURGED = 100_000


def run(command: str, words: Sequence[str]) -> int:
    """`vade trash list|restore|purge`."""
    parser = command_parser(command, "What was deleted, until a person or its time ends it.")
    actions = parser.add_subparsers(metavar="ACTION", required=True)
    listing = add_action(actions, "list", "list what is in the trash")
    listing.set_defaults(action=_list)
    restoring = add_action(actions, "restore", "bring items back to their place")
    restoring.add_argument("id", nargs="+", metavar="ID", help="which, as `vade trash list` shows them")
    restoring.set_defaults(action=_restore)
    purging = add_action(actions, "purge", "end items for good, with their history")
    purging.add_argument("id", nargs="*", metavar="ID", help="which; all when none is named")
    purging.add_argument("--yes", action="store_true", help="do not ask")
    purging.set_defaults(action=_purge)
    everyone = (listing, restoring, purging)
    add_common(*everyone)
    add_account(*everyone)
    return run_action(parser, words)


def _list(session: Session) -> int:
    found = list_trash(session.app.library, session.caller, _MOST_LISTED)
    lines = [f"{item.item_id}  {str(item.trashed_at)[:10]}  {item.title}" for item in found]
    result = [{"id": item.item_id, "title": item.title, "trashedAt": item.trashed_at} for item in found]
    session.show({"items": result}, lines or ["The trash is empty."])
    return DONE


def _restore(session: Session) -> int:
    restored = [restore(session.app.library, session.caller, item_id) for item_id in session.arguments.id]
    result = {"restored": [item.item_id for item in restored]}
    session.show(result, [f"{item.item_id}  {item.title}: restored" for item in restored])
    return DONE


def _purge(session: Session) -> int:
    wanted = session.arguments.id or [
        item.item_id for item in list_trash(session.app.library, session.caller, _MOST_PURGED)
    ]
    if wanted and not confirmed(session, f"End {len(wanted)} item(s) for good, with all their history?"):
        return FAILED
    for item_id in wanted:
        purge(session.app.library, session.caller, item_id)
    session.show({"purged": wanted}, [f"{len(wanted)} purged"])
    return DONE
