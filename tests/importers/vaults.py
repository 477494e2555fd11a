"""What do tests of importers write into a folder, and how do they import it?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.library.home import Home, an_id
from vademecum.importers.run import Report, Task, choose_importer, import_source
from vademecum.library.importing import ImportRun
from vademecum.library.reading import document
from vademecum.model.items import Document, Folder, Item


def write(root: Path, files: Mapping[str, str | bytes]) -> Path:
    """Files below the root; texts are written as UTF-8 with the line ends they have."""
    for path, content in files.items():
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content.encode() if isinstance(content, str) else content)
    return root


def bring_in(home: Home, root: Path, *, update: bool = False, **more: Any) -> Report:
    """Import as the command does, and hold the report to its promise that the numbers add up."""
    origin = str(root if root.is_dir() else root.parent)
    run = ImportRun(home.owner, home.owner.spaces[0], origin, an_id(), update)
    told: list[tuple[int, int]] = []
    task = Task(run, root, choose_importer(root, None), **more)
    report = import_source(home.library, task, lambda done, total: told.append((done, total)))
    assert report.adds_up, report
    assert told == [(number, len(told)) for number in range(1, len(told) + 1)]
    return report


def numbers(report: Report) -> dict[str, int]:
    """What became of the files, those of which there are none left out."""
    every = Counter(report.outcomes) + Counter(skipped=report.skipped_files, failed=len(report.failed))
    return dict(every)


def items(home: Home) -> dict[str, Item]:
    """All items out of the trash, by their place in the tree."""
    space_id = home.owner.spaces[0]
    with home.library.storage.read() as tx:
        folders = {folder.folder_id: folder for folder in tx.folders.list(space_id)}
        found = [tx.items.find(space_id, item_id) for item_id in tx.items.every_id(space_id)]
    return {_place(folders, item): item for item in found if item and not item.trashed}


def _place(folders: Mapping[str, Folder], item: Item) -> str:
    parts, at = [item.file_name], item.folder_id
    while at is not None:
        parts.append(folders[at].name)
        at = folders[at].parent_id
    return "/".join(reversed(parts))


def whole(home: Home, place: str) -> Document:
    """The item at a place, with its texts."""
    return document(home.library, home.owner, items(home)[place].item_id)


def as_file(found: Document) -> bytes:
    """The note as a file would hold it."""
    return (found.frontmatter + found.body).encode()
