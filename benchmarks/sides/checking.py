"""Are folder and library alike, and does the history hold all that it must?"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping
from datetime import UTC
from pathlib import Path

from benchmarks.sides.record import Record, words_of
from vademecum.app import App, open_app
from vademecum.library.file_texts import has_text_file, note_text, said_by
from vademecum.library.importing import Incoming
from vademecum.library.places import Tree, tree_of
from vademecum.library.reading_files import read_note
from vademecum.model.items import Document, State
from vademecum.model.names import name_key
from vademecum.model.outside_files import is_folder_left_out, is_left_out, is_passing
from vademecum.model.revisions import Action, ActorKind
from vademecum.model.tags import tag_key
from vademecum.ports.storage import Transaction
from vademecum.settings import read_settings
from vademecum.text.properties import parse

_MOST_TRASHED = 100_000
_MARK = "\ufeff"


class Reader:
    """Reads the library beside the running server, through its storage."""

    def __init__(self, environment: Mapping[str, str], root: Path) -> None:
        given = {name: value for name, value in environment.items() if name.startswith("VADE_")}
        self._app: App = open_app(read_settings({}, given))
        self._root = root

    def close(self) -> None:
        self._app.close()

    def notes(self) -> list[tuple[str, int]]:
        """Ids and versions of what lies in the tree."""
        with self._app.storage.read() as tx:
            return [(one.item_id, one.version) for one in tx.places.within(self._space(tx), None)]

    def trashed(self) -> list[str]:
        """Ids of what lies in the trash."""
        with self._app.storage.read() as tx:
            return [item.item_id for item in tx.items.trashed([self._space(tx)], _MOST_TRASHED)]

    def history(self) -> set[str]:
        """The words of every version of every item, and the hashes of their files."""
        found: set[str] = set()
        with self._app.storage.read() as tx:
            space_id = self._space(tx)
            for item_id in tx.items.every_id(space_id):
                for entry in tx.revisions.list(space_id, item_id):
                    revision = tx.revisions.find(space_id, item_id, entry.version)
                    if revision is None:
                        continue
                    layers = revision.state.layers
                    texts = (layers.authored, layers.extracted)
                    found |= {text.lstrip("\ufeff") for text in texts if text is not None}
                    found |= {words_of(text) for text in texts if text is not None}
                    found |= {revision.state.blob or ""}
        return found

    def missing(self, record: Record) -> list[str]:
        """What was acknowledged or left alone for long enough, and stands in no version."""
        history = self.history()
        return [f"{where}: {key[:150]!r}" for key, where in record.owed().items() if key not in history]

    def taken_for_deleted(self, record: Record) -> list[str]:
        """Items that lie in the trash since their file was taken for deleted, which no program did."""
        found = []
        with self._app.storage.read() as tx:
            space_id = self._space(tx)
            for item in tx.items.trashed([space_id], _MOST_TRASHED):
                revision = tx.revisions.find(space_id, item.item_id, item.version)
                if revision is None or revision.action is not Action.TRASH:
                    continue
                if revision.change.actor_kind is not ActorKind.OUTSIDE:
                    continue
                state = revision.state
                key = words_of(state.layers.authored or "") if has_text_file(state) else state.blob or ""
                if key not in record.removed:
                    found.append(f"{item.item_id} {state.file_name}: {key[:80]!r}")
        return found

    def differences(self) -> list[str]:
        """Where folder and library are not alike, item by item and folder by folder."""
        with self._app.storage.read() as tx:
            space_id = self._space(tx)
            tree, placed = tree_of(tx, space_id), tx.places.within(space_id, None)
            rows = {row.path: row.item_id for row in tx.mirror.files(space_id)}
            documents = list(tx.items.load_all([(space_id, one.item_id) for one in placed]))
        files, folders = self._disk()
        paths: dict[str, list[str]] = {}
        for path, item_id in rows.items():
            paths.setdefault(item_id, []).append(path)
        found = [f"no file any more: {path}" for path in sorted(rows.keys() - files)]
        found += [f"of no item: {path}" for path in sorted(files - rows.keys())]
        found += [
            f"of an item that is gone: {path}"
            for item_id in paths.keys() - {one.item.item_id for one in documents}
            for path in paths[item_id]
        ]
        for document in documents:
            found += self._of_item(tree, document, paths.get(document.item.item_id, []))
        own = {_key(tree.path_of(one)) for one in tree.below(None) if one is not None}
        disk = {_key(folder) for folder in folders}
        found += [f"folder on one side alone: {'/'.join(one)}" for one in sorted(own ^ disk)]
        return found

    def _of_item(self, tree: Tree, document: Document, paths: list[str]) -> Iterator[str]:
        path = tree.path_of(document.item.folder_id, document.item.file_name)
        if is_left_out(tuple(path.split("/"))):
            return
        if len(paths) != 1:
            yield f"{path} has {len(paths)} files: {paths}"
            return
        if _key(paths[0]) != _key(path):
            yield f"{path} lies at {paths[0]}"
        try:
            content = (self._root / paths[0]).read_bytes()
        except FileNotFoundError:
            return  # told already
        if unlike := _unlike(content, document):
            yield f"{paths[0]} says another {', '.join(unlike)} than its item"

    def files(self) -> set[str]:
        """The paths of all files that follow the library."""
        return self._disk()[0]

    def unfinished(self) -> list[str]:
        """What was left half written."""
        return sorted(str(path) for path in self._root.rglob(".vade-*"))

    def _disk(self) -> tuple[set[str], set[str]]:
        files: set[str] = set()
        below: set[str] = set()
        for place, folders, names in os.walk(self._root):
            folders[:] = [name for name in folders if not is_folder_left_out(name)]
            own = Path(place).relative_to(self._root)
            below |= {str(own / name) for name in folders}
            files |= {
                str(own / name)
                for name in names
                if not is_passing(name) and not Path(place, name).is_symlink()
            }
        return files, below

    def _space(self, tx: Transaction) -> str:
        owner = next(account for account in tx.access.accounts() if account.is_owner)
        space = tx.access.personal_space(owner.account_id)
        if space is None:
            raise RuntimeError("the library has no owner yet")
        return space.space_id


def _key(path: str) -> tuple[str, ...]:
    return tuple(name_key(name) for name in path.split("/"))


def _unlike(content: bytes, document: Document) -> list[str]:
    """In what a file says another thing than its item, in whatever encoding another program wrote it."""
    state, created_at = document.state, document.item.created_at
    if not has_text_file(state):
        return [] if hashlib.sha256(content).hexdigest() == state.blob else ["content"]
    if content == note_text(state, created_at).encode():
        return []
    own, found = (
        said_by(state, created_at),
        read_note(state.file_name, content, 0.0, UTC)[0],
    )
    unlike = [name for name in ("title", "pinned", "archived") if getattr(own, name) != getattr(found, name)]
    if (own.layers.authored or "").lstrip(_MARK) != (found.layers.authored or "").lstrip(_MARK):
        unlike.append("text")
    if found.frontmatter.lstrip(_MARK) not in (own.frontmatter, state.frontmatter.lstrip(_MARK)):
        unlike.append("frontmatter")
    return unlike if _are_tags_alike(state, found) else [*unlike, "tags"]


def _are_tags_alike(state: State, found: Incoming) -> bool:
    """Whether a file tells the tags of its item. Of words like #this some may be none: those that stood in a
    text of the library stay none when another program adds others (`mirror.merging`).
    """
    own, told = ({tag_key(tag) for tag in tags} for tags in (state.tags, found.tags))
    header = {tag_key(tag) for tag in parse(found.frontmatter).tags}
    return own <= told and not header & (told - own)
