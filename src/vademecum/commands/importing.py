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
from vademecum.importers.run import Report, Task, choose_importer, import_source
from vademecum.importers.tree import readable
from vademecum.library.importing import ImportRun
from vademecum.library.spaces import writable_space
from vademecum.model.ids import new_id
from vademecum.model.names import clean_path

_SHOWN = 20


def run(command: str, words: Sequence[str]) -> int:
    """`vade import PATH… [--into FOLDER] [--space S] [--format F] [--dry-run] [--update]`."""
    parser = command_parser(
        command, "Bring in Markdown files, folders and Obsidian vaults, with everything beside them."
    )
    parser.add_argument("path", nargs="+", type=Path)
    parser.add_argument("--into", metavar="FOLDER", help="the folder of the library that receives it")
    parser.add_argument("--space", metavar="S", help="the space (default: the personal one)")
    parser.add_argument("--format", metavar="F", help="the format, if it is not to be detected")
    parser.add_argument("--dry-run", action="store_true", help="tell what would be done, and do nothing")
    parser.add_argument("--update", action="store_true", help="take files that changed since the last import")
    parser.set_defaults(action=_import)
    add_account(parser)
    return run_action(parser, words)


def _import(session: Session) -> int:
    given = session.arguments
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
        with Progress(f"Importing {readable(root.name)}", 0) as progress:
            reports.append(import_source(session.app.library, task, progress.of))
    session.show(
        {"imports": [_shape(report) for report in reports]}, [line for one in reports for line in _lines(one)]
    )
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


def _lines(report: Report) -> list[str]:
    lines = [f"{report.source}: {report.found:,} files found"]
    lines += [f"  {name:<12} {number:>8,}" for name, number in sorted(report.outcomes.items())]
    lines += [f"  {'skipped':<12} {report.skipped_files:>8,}", f"  {'failed':<12} {len(report.failed):>8,}"]
    told = [(one.path, f"skipped: {one.reason} ({one.files:,} files)") for one in report.skipped]
    told += [(path, f"failed: {reason}") for path, reason in report.failed]
    told += report.warnings
    lines += [f"  {path}: {what}" for path, what in told[:_SHOWN]]
    if len(told) > _SHOWN:
        lines.append(f"  … and {len(told) - _SHOWN:,} more; --json lists all")
    return lines
