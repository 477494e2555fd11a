"""Are the folder on disk and the library alike, and what has not been brought over yet?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import UTC
from pathlib import Path

from vademecum.library.checking import Problem
from vademecum.library.context import Library
from vademecum.library.file_texts import content_hash_of, has_text_file, said_by
from vademecum.library.importing import Incoming
from vademecum.library.note_blocks import document_on_disk, from_disk
from vademecum.library.places import Tree, tree_of
from vademecum.library.reading_files import read_note
from vademecum.mirror.comparing import Findings, compare
from vademecum.mirror.identity import Identity, read_identity
from vademecum.mirror.merging import is_conflict
from vademecum.mirror.mirror import Mirror
from vademecum.mirror.seen import names_of
from vademecum.mirror.standing import Pace, Standing
from vademecum.model.errors import StoredDataDamaged
from vademecum.model.items import Document
from vademecum.model.outside_files import is_left_out
from vademecum.ports.places import MirrorFile, Placed

_AT_ONCE = Pace(quiet=0.0, doubt=float("inf"))
_MANY_GONE = "Put them back if that was not meant: when they stay away they go into the trash, as all else."
_LATER = "Nothing: it is brought over while serving."
_NOTES = {
    "waiting": ("items not on disk as they are yet", _LATER),
    "edited": ("files changed outside and not read in yet", _LATER),
    "left out": (
        "files that cannot be items (links, pipes, names that no tool takes)",
        "They are left alone.",
    ),
    "conflicts": (
        "notes hold what was changed on both sides at once",
        "Join each with the note beside it, then delete it.",
    ),
}


def examine_mirror(library: Library, root: Path, inner: Path) -> Iterator[Problem]:
    """Compare every file with its item; only what nothing under way explains counts as damage (operations).

    Writes nothing, and may be asked while a server follows the same folder.
    """
    identity = read_identity(inner)
    if identity is None or identity.folder != str(root.absolute()):
        return  # nothing has served it yet
    mirror = Mirror(library, root, inner, _AT_ONCE)
    if mirror.number != identity.number:
        yield Problem(
            "mirror",
            str(root),
            "is not the folder that was mirrored: it was replaced, or is not mounted",
            f"Put it back; or, to have it written anew, remove {inner / 'mirror.json'}.",
        )
        return
    counts: Counter[str] = Counter()
    for standing in mirror.standings(identity):
        yield from _examine_space(standing, identity, counts)
    for name, (detail, advice) in _NOTES.items():
        if counts[name]:
            yield Problem("mirror", str(root), f"{counts[name]:,} {detail}", advice, is_damage=False)


def _examine_space(standing: Standing, identity: Identity, counts: Counter[str]) -> Iterator[Problem]:
    if standing.disk.number() is None:
        return
    seen = standing.disk.look(identity.apart(standing.disk))
    for path, reason in seen.unreadable.items():
        yield Problem("mirror", path, f"cannot be read: {reason}", "Give yourself the right to read it.")
    counts["left out"] += len(seen.left_out)
    findings = compare(standing, seen, 0.0)
    for path, reason in standing.not_in.items():
        if not path:
            yield Problem("mirror", standing.space.slug, reason, _MANY_GONE, is_damage=False)
        elif path not in seen.unreadable:
            yield Problem("mirror", path, reason, "Make it smaller, or give yourself the right to read it.")
    counts["edited"] += _outside(findings)
    changed = {row.path for row, _ in (*findings.edited, *findings.renamed)}
    changed |= {row.path for row in findings.gone}
    with standing.library.storage.read() as tx:
        tree, placed = tree_of(tx, standing.space_id), tx.places.within(standing.space_id, None)
    for one in placed:
        counts["conflicts"] += is_conflict(one.title)
        row = standing.file_of(one.item_id)
        if _is_behind(tree, one, row):
            counts["waiting"] += 1
        elif row is not None and row.path not in changed and row.path in seen.files:
            yield from _compare(standing, row)
    known = {one.item_id for one in placed}
    counts["waiting"] += sum(item_id not in known for item_id in standing.items)


def _outside(findings: Findings) -> int:
    return len(findings.edited) + len(findings.arrived) + len(findings.gone) + len(findings.renamed)


def _is_behind(tree: Tree, one: Placed, row: MirrorFile | None) -> bool:
    if is_left_out((*tree.names_of(one.folder_id), one.file_name)):
        return False
    return row is None or row.item_version != one.version


def _compare(standing: Standing, row: MirrorFile) -> Iterator[Problem]:
    try:
        with standing.library.storage.read() as tx:
            document = document_on_disk(tx, standing.space_id, row.item_id)
        if document is None or document.item.version != row.item_version:
            return
        if not _shows(standing, document, row):
            yield Problem(
                "mirror", row.path, "the file holds another text than its item", "Save the file once more."
            )
    except (OSError, StoredDataDamaged):
        return  # gone or changed since it was seen, or told by the check of texts


def _shows(standing: Standing, document: Document, row: MirrorFile) -> bool:
    """Whether the file holds the item's text, in whatever encoding another program wrote it."""
    state, created_at = document.state, document.item.created_at
    if content_hash_of(state, created_at) == row.content_hash:
        return True
    if not has_text_file(state):
        return False
    with standing.disk.open(row.path) as (stream, _):
        content = stream.read(row.size + 1)
    found, _ = read_note(names_of(row.path)[-1], content, 0.0, UTC)
    return _words(found) == _words(said_by(state, created_at))


def _words(incoming: Incoming) -> str:
    """The body, without the mark that stands before it where there is no header, and before that else, and
    without the data of blocks: another program may have left them out, and the library still has them.
    """
    return from_disk((incoming.layers.authored or "").removeprefix("\ufeff"))[0]
