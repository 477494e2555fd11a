"""How is a change taken back at the command line?"""

from __future__ import annotations

from collections.abc import Sequence

from vademecum.commands.terminal import DONE, Session, add_account, command_parser, run_action
from vademecum.library.undoing import Undone, undo_change


def run(command: str, words: Sequence[str]) -> int:
    """`vade undo CHANGE`."""
    parser = command_parser(command, "Take back what one change did, where no one wrote since.")
    parser.add_argument("change", metavar="CHANGE", help="the change's id, as `vade history` shows it")
    parser.set_defaults(action=_undo)
    add_account(parser)
    return run_action(parser, words)


def _undo(session: Session) -> int:
    report = undo_change(session.app.library, session.caller, session.arguments.change)
    lines = [_line(one) for one in report.subjects]
    if report.change_id is None:
        lines.append("nothing was taken back")
    shape = {"change": report.change_id, "undone": [_shape(one) for one in report.subjects]}
    session.show(shape, lines)
    return DONE


def _line(one: Undone) -> str:
    what = f"{one.subject.value} {one.name!r} ({one.subject_id})"
    return f"as before: {what}" if one.why is None else f"left: {what}, because {one.why.value}"


def _shape(one: Undone) -> dict[str, object]:
    return {
        "kind": one.subject.value,
        "id": one.subject_id,
        "name": one.name,
        "undone": one.why is None,
        "reason": None if one.why is None else one.why.value,
    }
