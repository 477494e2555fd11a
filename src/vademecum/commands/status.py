"""How is it told at the command line how much there is, and whether all is well?"""

from __future__ import annotations

from collections.abc import Sequence

from vademecum.commands.terminal import DONE, FAILED, Session, add_account, command_parser, run_action, say
from vademecum.library.checking import Problem, examine, queued_work, status


def run(command: str, words: Sequence[str]) -> int:
    """`vade status` and `vade doctor`."""
    if command == "status":
        parser = command_parser(command, "Count items, what is indexed, and work that waits.")
        add_account(parser)
        parser.set_defaults(action=_status)
    else:
        parser = command_parser(command, "Check texts, history, links, index and storage.")
        parser.set_defaults(action=_doctor)
    return run_action(parser, words)


def _status(session: Session) -> int:
    found = status(session.app.library, session.caller)
    result = {
        "items": found.counts,
        "index": found.index,
        "jobs": found.jobs,
        "vectorShare": found.vector_share,
        "links": found.links,
        "storageBytes": found.storage_bytes,
        "dataFolder": str(session.settings.data),
    }
    lines = [f"{name:<24} {number:>12,}" for name, number in found.counts.items()]
    lines += [f"{name:<24} {number:>12,}" for name, number in found.index.items()]
    lines += [f"{'links':<24} {found.links:>12,}", f"{'stored bytes':<24} {found.storage_bytes:>12,}"]
    lines += [f"{f'vectors by {model}':<24} {share:>12.0%}" for model, share in found.vector_share.items()]
    lines += [f"{f'jobs: {kind}':<24} {number:>12,}" for kind, number in found.jobs.items()]
    session.show(result, lines)
    return DONE


def _doctor(session: Session) -> int:
    library = session.app.library
    found: list[Problem] = []
    for problem in (*session.app.problems(), *examine(library), *queued_work(library)):
        found.append(problem)
        if not session.wants_json:
            weight = "DAMAGE" if problem.is_damage else "note  "
            print(f"{weight} {problem.code}: {problem.subject}: {problem.detail}\n       {problem.advice}")
    damage = sum(problem.is_damage for problem in found)
    result = {"damage": damage, "problems": [_shape(problem) for problem in found]}
    session.show(result, ["All is well." if not damage else f"{damage} problem(s) need attention."])
    if damage:
        say(f"vade: doctor found {damage} problem(s)")
    return FAILED if damage else DONE


def _shape(problem: Problem) -> dict[str, object]:
    return {
        "code": problem.code,
        "subject": problem.subject,
        "detail": problem.detail,
        "advice": problem.advice,
        "damage": problem.is_damage,
    }
