"""How are another program's files brought in at the command line?"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

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
from vademecum.importers.builtin import IMPORTERS
from vademecum.importers.run import Report, Task, choose_importer, import_source
from vademecum.importers.tree import readable
from vademecum.library.importing import ImportRun
from vademecum.library.spaces import writable_space
from vademecum.model.ids import new_id
from vademecum.model.names import clean_path

_SHOWN = 20
_FORMATS = ", ".join(importer.name for importer in IMPORTERS)
_TRIAL = "This was a trial: nothing was imported or changed. Without --dry-run it is done."


def run(command: str, words: Sequence[str]) -> int:
    """`vade import PATH… [--into FOLDER] [--space S] [--format F] [--dry-run] [--update]`."""
    parser = command_parser(
        command, "Bring in Markdown files, folders and Obsidian vaults, with everything beside them."
    )
    parser.add_argument(
        "path", nargs="+", type=Path, metavar="PATH", help="a Markdown file, a folder of notes, or a vault"
    )
    parser.add_argument("--into", metavar="FOLDER", help="the folder of the library that receives it")
    parser.add_argument("--space", metavar="S", help="the space (default: the personal one)")
    parser.add_argument(
        "--format", metavar="F", help=f"the format, where it is not to be detected: {_FORMATS}"
    )
    parser.add_argument("--dry-run", action="store_true", help="tell what would be done, and change nothing")
    parser.add_argument("--update", action="store_true", help="take files that changed since the last import")
    parser.set_defaults(action=_import)
    add_account(parser)
    return run_action(parser, words)


def _import(session: Session) -> int:
    given = session.arguments
    if given.dry_run:
        session.leave_no_trace()
    caller = session.caller
    space_id = writable_space(session.app.library, caller, given.space)
    into = tuple(clean_path(given.into)) if given.into else ()
    roots = [path.absolute() for path in given.path]
    # All are chosen before the first is imported, so that a misspelt path is told before anything is done.
    chosen = [(root, choose_importer(root, given.format)) for root in roots]
    reports = []
    for root, importer in chosen:
        origin = readable(str(root if root.is_dir() else root.parent))
        task = Task(
            ImportRun(caller, space_id, origin, new_id(), given.update), root, importer, into, given.dry_run
        )
        label = "Looking through" if given.dry_run else "Importing"
        with Progress(f"{label} {readable(root.name)}", 0) as progress:
            reports.append(import_source(session.app.library, task, progress.of))
    lines = [line for one in reports for line in _lines(one, is_trial=given.dry_run)]
    if given.dry_run:
        lines.append(_TRIAL)
    session.show({"dryRun": given.dry_run, "imports": [_shape(report) for report in reports]}, lines)
    if any(report.outcomes["changed"] for report in reports):
        say("Some files changed since they were imported: `--update` takes them.")
    return FAILED if any(report.failed for report in reports) else DONE


def _shape(report: Report) -> dict[str, object]:
    return {
        "source": report.source,
        "found": report.found,
        **{
            name: report.outcomes[name]
            for name in ("added", "updated", "unchanged", "changed", "edited-here")
        },
        "skipped": report.skipped_files,
        "failed": len(report.failed),
        "skippedPaths": [
            {"path": one.path, "reason": one.reason, "files": one.files} for one in report.skipped
        ],
        "failedPaths": [{"path": path, "reason": reason} for path, reason in report.failed],
        "warnings": [{"path": path, "warning": warning} for path, warning in report.warnings],
    }


def _lines(report: Report, *, is_trial: bool) -> list[str]:
    words = {"added": "would be added", "updated": "would be updated"} if is_trial else {}
    numbers = {words.get(name, name): number for name, number in sorted(report.outcomes.items())}
    numbers |= {"skipped": report.skipped_files, "failed": len(report.failed)}
    width = max(map(len, numbers)) + 1
    lines = [f"{report.source}: {report.found:,} files found"]
    lines += [f"  {name:<{width}} {number:>8,}" for name, number in numbers.items()]
    told = [(path, f"failed: {reason}") for path, reason in report.failed]
    told += report.warnings
    told += [(one.path, f"skipped: {one.reason} ({one.files:,} files)") for one in report.skipped]
    lines += [f"  {path}: {what}" for path, what in told[:_SHOWN]]
    if len(told) > _SHOWN:
        lines.append(f"  … and {len(told) - _SHOWN:,} more; --json lists all")
    return lines
