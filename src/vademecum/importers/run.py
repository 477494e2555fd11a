"""How does an import run from the first file to a report whose numbers add up?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from vademecum.importers.builtin import IMPORTERS
from vademecum.importers.dry_run import Scales
from vademecum.importers.plugin import Broken, Importer, Skipped, SourceFile, Unreadable
from vademecum.importers.tree import readable
from vademecum.library.context import Library
from vademecum.library.importing import (
    ImportOutcome,
    ImportRun,
    Plan,
    import_batch,
    known_files,
    plan,
    same_place,
)
from vademecum.library.reading import zone_of
from vademecum.model.errors import InvalidInput, NotFound, Refusal

Told = Callable[[int, int], None]  # files done and found
_BATCH_FILES, _BATCH_CHARACTERS = 64, 2 * 1024 * 1024


@dataclass(slots=True)
class Report:
    """What an import did. `found` equals the sum of all outcomes, skipped files and failures."""

    source: str
    found: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    skipped: list[Skipped] = field(default_factory=list)
    failed: list[tuple[str, str]] = field(default_factory=list)
    warnings: list[tuple[str, str]] = field(default_factory=list)

    @property
    def skipped_files(self) -> int:
        return sum(entry.files for entry in self.skipped)

    @property
    def adds_up(self) -> bool:
        return self.found == sum(self.outcomes.values()) + self.skipped_files + len(self.failed)


@dataclass(frozen=True, slots=True)
class Task:
    """What to import: `into` is the folder that receives it, `dry` only tells what would be done."""

    run: ImportRun
    root: Path
    importer: Importer
    into: tuple[str, ...] = ()
    dry: bool = False


def choose_importer(root: Path, wanted: str | None) -> Importer:
    """The importer of that name, or the first that recognises the source. Raises NotFound, InvalidInput."""
    if not root.exists():
        raise NotFound(
            f"There is no file or folder {readable(str(root))!r}.",
            advice="Check the spelling, and put a path with spaces in quotation marks.",
        )
    if wanted is not None:
        named = [importer for importer in IMPORTERS if importer.name == wanted]
        if not named:
            raise InvalidInput(
                "format", f"one of {', '.join(importer.name for importer in IMPORTERS)} is needed"
            )
        return named[0]
    found = next((importer for importer in IMPORTERS if importer.recognises(root)), None)
    if found is None:
        raise InvalidInput("path", "no importer recognises this")
    return found


def import_source(library: Library, task: Task, told: Told) -> Report:
    """Import everything in the source; one broken file blocks no other, and each is accounted for.

    Files already imported and unchanged are not read into the library again.
    """
    library = replace(library, blobs=Scales()) if task.dry else library
    with library.blobs.storing():
        return _import_all(library, task, told)


def _import_all(library: Library, task: Task, told: Told) -> Report:
    report = Report(readable(str(task.root)))
    files = list(_files(task, report))
    batch: list[Plan] = []
    characters = 0
    for number, made in enumerate(_plans(library, task, report, files), start=1):
        if made is not None:
            batch.append(made)
            characters += _size(made)
        if len(batch) >= _BATCH_FILES or characters >= _BATCH_CHARACTERS or number == len(files):
            _carry_out(library, task, report, batch)
            batch, characters = [], 0
        told(number, len(files))  # the last time when all is done, and not before
    return report


def _files(task: Task, report: Report) -> Iterator[SourceFile]:
    """The files to read; what is skipped or cannot be read goes into the report."""
    for entry in task.importer.walk(task.root):
        report.found += entry.files if isinstance(entry, Skipped) else 1
        if isinstance(entry, Skipped):
            report.skipped.append(entry)
        elif isinstance(entry, Broken):
            report.failed.append((entry.path, entry.reason))
        else:
            yield entry


def _plans(library: Library, task: Task, report: Report, files: list[SourceFile]) -> Iterator[Plan | None]:
    known, zone = known_files(library, task.run), zone_of(task.run.caller)
    for file in files:
        try:
            incoming, warnings = task.importer.read(library, file, zone)
        except Unreadable as error:
            report.failed.append((file.path, error.reason))
            yield None
            continue
        report.warnings += [(file.path, warning) for warning in warnings]
        placed = same_place(incoming, task.into)
        yield plan(library, task.run, placed, known.get(file.path))


def _size(made: Plan) -> int:
    return sum(map(len, made.incoming.layers.present().values()))


def _carry_out(library: Library, task: Task, report: Report, batch: list[Plan]) -> None:
    if not batch:
        return
    if task.dry:
        report.outcomes.update(each.outcome.value for each in batch)
        return
    if all(each.outcome in (ImportOutcome.UNCHANGED, ImportOutcome.CHANGED) for each in batch):
        report.outcomes.update(each.outcome.value for each in batch)
        return
    try:
        outcomes = import_batch(library, task.run, batch)
    except Refusal as refusal:
        _one_by_one(library, task, report, batch, refusal)
        return
    report.outcomes.update(outcome.value for outcome in outcomes)


def _one_by_one(library: Library, task: Task, report: Report, batch: list[Plan], refusal: Refusal) -> None:
    """A refused batch is repeated file by file, so that the one at fault blocks no other."""
    if len(batch) == 1:
        report.failed.append((batch[0].incoming.path, f"{refusal.code}: {refusal.detail}"))
        return
    for each in batch:
        _carry_out(library, task, report, [each])
