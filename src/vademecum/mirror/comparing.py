"""How does the folder on disk differ from what was last seen of it?"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from vademecum.library.outside import Facts
from vademecum.library.places import is_note
from vademecum.library.reading_files import FILE_LIMIT
from vademecum.mirror.seen import Signature, Snapshot, names_of
from vademecum.mirror.standing import Standing
from vademecum.model.items import IMPORT_TEXT_LIMIT
from vademecum.model.outside_files import is_left_out
from vademecum.ports.places import MirrorFile

_LONG_AGO = 2_000_000_000  # nanoseconds
_MASS = 10  # fewer files than these are never too many to be gone
_LONGEST_WAIT = 5.0  # seconds that one file which is being written may hold up what was deleted


@dataclass(frozen=True, slots=True)
class Found:
    """A file whose content is not that which was last seen at its path."""

    facts: Facts
    signature: Signature

    @property
    def path(self) -> str:
        return self.facts.path


@dataclass(slots=True)
class Findings:
    """`edited` files have a row with another content, `arrived` ones have none; `gone` rows have no file.

    `renamed` pairs are taken out of these three.
    """

    edited: list[tuple[MirrorFile, Found]] = field(default_factory=list)
    arrived: list[Found] = field(default_factory=list)
    gone: list[MirrorFile] = field(default_factory=list)
    renamed: list[tuple[MirrorFile, Found]] = field(default_factory=list)
    touched: list[MirrorFile] = field(default_factory=list)  # the content is the same, all else not


def compare(standing: Standing, seen: Snapshot, now: float) -> Findings:
    """What another program did since the last look, as far as it has been left alone for long enough.

    `now` is in seconds of a clock that only goes on. Files are told from what was seen by their content;
    their times only say which need not be read.
    """
    findings = Findings()
    unquiet = False
    for path, signature in seen.files.items():
        if standing.checked.get(path) == signature:
            continue
        if not _is_quiet(standing, path, signature, now):
            unquiet = unquiet or path not in standing.files
            continue
        _look_into(standing, path, signature, findings)
    for path in [path for path in standing.waiting if path not in seen.files]:
        del standing.waiting[path]
    findings.gone = [row for path, row in standing.files.items() if _is_gone(seen, path)]
    pair(findings)
    findings.gone = list(_believed(standing, findings.gone, unquiet, now))
    return findings


def _is_quiet(standing: Standing, path: str, signature: Signature, now: float) -> bool:
    if standing.sequence is None and time.time_ns() - signature.changed > _LONG_AGO:
        return True  # nobody was watching when it was written
    before, since = standing.waiting.get(path, (None, now))
    if before != signature:
        since = now
        standing.waiting[path] = signature, now
    if now - since >= standing.pace.quiet:
        return True
    standing.unsettled = True
    return False


def _look_into(standing: Standing, path: str, signature: Signature, findings: Findings) -> None:
    limit = IMPORT_TEXT_LIMIT if is_note(path) else FILE_LIMIT
    if signature.size > limit:
        standing.not_in[path] = f"larger than {limit:,} bytes"
        return
    try:
        facts, signature = standing.disk.facts(path)
    except FileNotFoundError:
        return  # gone since it was listed: the next look tells
    except OSError as error:
        standing.not_in[path] = f"cannot be read: {error.strerror}"
        return
    row = standing.files.get(path)
    if row is None:
        findings.arrived.append(Found(facts, signature))
    elif row.content_hash != facts.content_hash:
        findings.edited.append((row, Found(facts, signature)))
    else:
        standing.remember(path, signature)
        now = replace(
            row,
            size=facts.size,
            modified_nanoseconds=facts.modified_nanoseconds,
            file_number=facts.file_number,
        )
        if now != row:
            findings.touched.append(now)


def _is_gone(seen: Snapshot, path: str) -> bool:
    return path not in seen.files and not seen.may_hide(path) and not is_left_out(names_of(path))


def pair(findings: Findings) -> None:
    """Find the renames: a file that is the same one with the same content, else one that has the content of
    a file that is gone, under the same name if there are several.

    A file that another was renamed over is edited, as programs save, unless it was itself renamed.
    """
    pairs = _same_files(findings)
    edited = {row.path for row, _ in findings.edited}
    while over := edited.intersection(pairs) - {row.path for row, _ in pairs.values()}:
        for path in over:
            del pairs[path]
    findings.renamed += pairs.values()
    moved = {row.path for row, _ in pairs.values()}
    findings.arrived += [
        found for row, found in findings.edited if row.path in moved and found.path not in pairs
    ]
    findings.edited = [(row, found) for row, found in findings.edited if row.path not in moved]
    findings.gone = [row for row in findings.gone if row.path not in moved]
    findings.arrived = [found for found in findings.arrived if found.path not in pairs]
    _pair_by_content(findings)


def _same_files(findings: Findings) -> dict[str, tuple[MirrorFile, Found]]:
    """Files found under another path than their row has, by the new path."""
    rows = [*findings.gone, *(row for row, _ in findings.edited)]
    by_file = {(row.file_number, row.content_hash): row for row in rows}
    pairs: dict[str, tuple[MirrorFile, Found]] = {}
    for found in (*(found for _, found in findings.edited), *findings.arrived):
        row = by_file.pop((found.facts.file_number, found.facts.content_hash), None)
        if row is not None:
            pairs[found.path] = row, found
    return pairs


def _pair_by_content(findings: Findings) -> None:
    contents: dict[str, list[MirrorFile]] = {}
    for row in findings.gone:
        contents.setdefault(row.content_hash, []).append(row)
    for found in findings.arrived:
        if candidates := contents.get(found.facts.content_hash):
            same_name = [row for row in candidates if names_of(row.path)[-1] == names_of(found.path)[-1]]
            row = (same_name or candidates)[0]
            candidates.remove(row)
            findings.renamed.append((row, found))
    moved = {row.path for row, _ in findings.renamed}
    taken = {found.path for _, found in findings.renamed}
    findings.gone = [row for row in findings.gone if row.path not in moved]
    findings.arrived = [found for found in findings.arrived if found.path not in taken]


def _believed(standing: Standing, gone: list[MirrorFile], unquiet: bool, now: float) -> Iterator[MirrorFile]:
    """Those that are gone for good: for a while, and not most of the folder at once (cases A33)."""
    since = {row.path: standing.gone_since.get(row.path, now) for row in gone}
    standing.gone_since = since
    if len(gone) >= _MASS and 2 * len(gone) > len(standing.files):
        is_first = standing.doubted_since is None
        standing.doubted_since = now if standing.doubted_since is None else standing.doubted_since
        if is_first or now - standing.doubted_since < standing.pace.doubt:
            standing.not_in[""] = f"{len(gone):,} of {len(standing.files):,} files are gone at once"
            standing.unsettled = True
            return
    else:
        standing.doubted_since = None
    for row in gone:
        waited = now - since[row.path]
        if waited >= (_LONGEST_WAIT if unquiet else 2 * standing.pace.quiet):
            del standing.gone_since[row.path]
            yield row
        else:
            standing.unsettled = True
