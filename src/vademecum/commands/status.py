"""How is it told at the command line how much there is, and whether all is well?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from vademecum.commands.terminal import (
    DONE,
    FAILED,
    Progress,
    Session,
    add_account,
    command_parser,
    run_action,
    say,
)
from vademecum.library.checking import Problem, Status, examine, queued_work, status, stray_files
from vademecum.library.vault import read_vault, vault_problems
from vademecum.model.access import Tier
from vademecum.model.vault import Switch, Switches

_WIDTH = 36
_ROWS = {
    "kind.note": "  notes",
    "kind.article": "  articles",
    "kind.thread": "  threads",
    "kind.video": "  videos",
    "kind.pdf": "  PDFs",
    "kind.image": "  images",
    "kind.conversation": "  conversations",
    "kind.sheet": "  sheets",
    "kind.file": "  other files",
    "trashed": "in the trash",
    "index.indexed": "items found by words and by meaning",
    "index.keyword": "items found by words",
    "index.skipped": "items found by name alone",
    "index.queued": "items not searched yet",
    "index.failed": "items that could not be indexed",
    "job.capture": "links waiting to be read",
    "job.embed": "items waiting to be read for meaning",
    "job.second-stage": "items waiting for the second model",
    "job.failed": "work that failed",
}


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
    switches = read_vault(session.app.library).switches
    result = {
        "items": found.counts,
        "index": found.index,
        "jobs": found.jobs,
        "vectorShare": found.vector_share,
        "links": found.links,
        "storageBytes": found.storage_bytes,
        "dataFolder": str(session.settings.data),
        "vault": _vault_shape(switches),
        "mirror": str(session.settings.mirror or "") or None,
    }
    library = session.app.library
    uses = (
        (library.embedder, "passages searched by meaning"),
        (library.second_stage, "passages known to the second model"),
    )
    words = {model.name: use for model, use in uses if model}
    rows = list(_rows(found, words))
    if switches.publish:
        rows.append(("vault", _vault_line(switches)))
    if session.settings.mirror:
        rows.append(("folder on disk", str(session.settings.mirror)))
    session.show(result, [f"{name:<{_WIDTH}} {text:>12}" for name, text in rows])
    return DONE


def _vault_shape(switches: Switches) -> dict[str, bool]:
    return {switch.value: getattr(switches, switch.value) for switch in Switch}


def _vault_line(switches: Switches) -> str:
    """What an agent beside the person may do, in a few words."""
    return {
        Tier.READ_ONLY: "open, to read",
        Tier.EDIT: "open, to read and write",
        Tier.FULL: "open, to read, write and move",
    }[switches.tier]


def _rows(found: Status, words: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """What there is, in the words of those who read it; what there is none of is left out, but for items."""
    yield "items", f"{found.counts['items']:,}"
    numbers = found.counts | {f"job.{kind}": number for kind, number in found.jobs.items()}
    yield from ((row, f"{numbers[name]:,}") for name, row in _ROWS.items() if numbers.get(name))
    if passages := found.index.get("chunks", 0):
        yield "passages searched by words", f"{passages:,}"
        yield from ((words[model], f"{share:.0%}") for model, share in found.vector_share.items())
    if found.links:
        yield "links", f"{found.links:,}"
    yield "stored", _size(found.storage_bytes)


def _size(amount: int) -> str:
    """A number of bytes as people say it, in units of a thousand."""
    for unit, worth in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if amount >= worth:
            return f"{amount / worth:.1f} {unit}"
    return f"{amount} bytes"


def _doctor(session: Session) -> int:
    library = session.app.library
    with Progress("Checking", 0) as progress:
        damage_and_notes = (
            examine(library, progress.of),
            stray_files(library),
            queued_work(library),
            vault_problems(library),
        )
        found = [
            *session.app.problems(),
            *chain.from_iterable(damage_and_notes),
            *session.app.mirror_problems(),
        ]
    damage = sum(problem.is_damage for problem in found)
    switches = read_vault(library).switches
    result = {
        "damage": damage,
        "problems": [_shape(problem) for problem in found],
        "vault": _vault_shape(switches),
    }
    verdict = "All is well." if not damage else f"{damage} problem(s) need attention."
    vault = [f"vault: {_vault_line(switches)}"] if switches.publish else []
    session.show(result, [*map(_line, found), *vault, verdict])
    if damage:
        say(f"vade: doctor found {damage} problem(s)")
    return FAILED if damage else DONE


def _line(problem: Problem) -> str:
    weight = "DAMAGE" if problem.is_damage else "note  "
    subject = (
        _ROWS[f"job.{problem.subject}"] if problem.code == "jobs" else f"{problem.code}: {problem.subject}"
    )
    return f"{weight} {subject}: {problem.detail}\n       {problem.advice}"


def _shape(problem: Problem) -> dict[str, object]:
    return {
        "code": problem.code,
        "subject": problem.subject,
        "detail": problem.detail,
        "advice": problem.advice,
        "damage": problem.is_damage,
    }
