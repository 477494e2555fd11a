"""Where in the tree of a space is something, and what is at a path?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from vademecum.model.errors import AlreadyExists, NotFound
from vademecum.model.items import Folder
from vademecum.model.names import clean_path, file_name, name_key
from vademecum.ports.places import Placed
from vademecum.ports.storage import Transaction

NOTE_ENDINGS = (".md", ".markdown")
SHEET_ENDING = ".xlsx"  # the only one that is listed as a sheet (decisions, Vault)


class Tree:
    """The folders of one space as they stood at one moment, by id and by path."""

    def __init__(self, folders: Iterable[Folder]) -> None:
        self._folders: dict[str | None, Folder] = {folder.folder_id: folder for folder in folders}
        self._children: dict[str | None, dict[str, str]] = {}
        self._names: dict[str | None, tuple[str, ...]] = {None: ()}
        for folder in self._folders.values():
            self._children.setdefault(folder.parent_id, {})[name_key(folder.name)] = folder.folder_id

    def names_of(self, folder_id: str | None) -> tuple[str, ...]:
        """The names from the top down to the folder; none for the top itself."""
        if folder_id not in self._names:
            folder = self._folders.get(folder_id)
            self._names[folder_id] = (*self.names_of(folder.parent_id), folder.name) if folder else ()
        return self._names[folder_id]

    def path_of(self, folder_id: str | None, file_name: str | None = None) -> str:
        """The path of a folder, or of what bears the file name in it, as in `Tea/Green.md`."""
        return "/".join((*self.names_of(folder_id), *([file_name] if file_name is not None else [])))

    def folder(self, folder_id: str) -> Folder | None:
        """The folder of that id, None where the tree has none."""
        return self._folders.get(folder_id)

    def children(self, folder_id: str | None) -> list[Folder]:
        """The folders directly within, by name."""
        return [self._folders[child] for _, child in sorted(self._children.get(folder_id, {}).items())]

    def below(self, folder_id: str | None) -> Iterator[str | None]:
        """The folder and every one within it, at any depth."""
        waiting = [folder_id]
        while waiting:
            current = waiting.pop()
            yield current
            waiting += self._children.get(current, {}).values()

    def may_hold(self, parent_id: str | None, folder_id: str) -> bool:
        """Whether the folder may lie in the parent: that is there, and neither the folder nor below it."""
        is_there = parent_id is None or parent_id in self._folders
        return is_there and parent_id not in set(self.below(folder_id))

    def find(self, names: Iterable[str]) -> tuple[bool, str | None]:
        """Whether there is a folder of those names from the top, compared as names are, and its id."""
        folder_id: str | None = None
        for name in names:
            child = self._children.get(folder_id, {}).get(name_key(name))
            if child is None:
                return False, None
            folder_id = child
        return True, folder_id


def tree_of(tx: Transaction, space_id: str) -> Tree:
    """The tree of the space as it stands in the transaction."""
    return Tree(tx.folders.list(space_id))


def path_of(tx: Transaction, space_id: str, folder_id: str | None, file_name: str | None = None) -> str:
    """As `Tree.path_of`, for one path: a large tree is not read for it."""
    names = [] if file_name is None else [file_name]
    while folder_id is not None and (folder := tx.folders.find(space_id, folder_id)) is not None:
        if folder.removed_at is not None:
            break
        names.append(folder.name)
        folder_id = folder.parent_id
    return "/".join(reversed(names))


def find_folder(tx: Transaction, space_id: str, names: Iterable[str]) -> tuple[bool, str | None]:
    """As `Tree.find`, for one folder: a large tree is not read for it."""
    folder_id: str | None = None
    for name in names:
        folder = tx.folders.named(space_id, folder_id, name_key(name))
        if folder is None:
            return False, None
        folder_id = folder.folder_id
    return True, folder_id


def folder_at(tree: Tree, path: str) -> str | None:
    """The id of the folder at the path, None for the top (`""` or `.`).

    Raises NotFound where there is none, InvalidInput and TooLarge for what is no path within a space.
    """
    found, folder_id = tree.find(clean_path(path))
    if not found:
        raise NotFound(
            f"There is no folder at {path!r} in this vault.",
            advice="List the folders and use a path as it stands there.",
        )
    return folder_id


def new_folder_names(tx: Transaction, space_id: str, tree: Tree, path: str) -> tuple[str, ...]:
    """The names of the folder that the path means, from the top: of what is there as it is written, of what
    has to be made as every common file system can hold it (design 5).

    Raises InvalidInput and TooLarge for what is no path within a space, and AlreadyExists where a note or
    file bears the name.
    """
    names: tuple[str, ...] = ()
    for written in clean_path(path):
        name = written
        if not tree.find((*names, name))[0]:
            name = file_name(written, suffix="")
            is_above, parent_id = tree.find(names)
            if is_above:
                check_no_item(tx, space_id, parent_id, name)
        names = (*names, name)
    return names


def check_no_item(tx: Transaction, space_id: str, folder_id: str | None, name: str) -> None:
    """Raise AlreadyExists where a note or file bears the name that a folder is to have: on disk the two
    cannot lie side by side.
    """
    if tx.places.at(space_id, folder_id, name_key(name)) is not None:
        raise AlreadyExists(
            f"There is a note or file {name!r} already.",
            advice="A folder cannot bear the name of what lies beside it: choose another name.",
        )


def is_empty(tx: Transaction, tree: Tree, folder: Folder) -> bool:
    """Whether no folder, and no item out of the trash, lies in the folder."""
    return not tree.children(folder.folder_id) and not tx.places.within(folder.space_id, [folder.folder_id])


def item_at(tx: Transaction, space_id: str, tree: Tree, path: str) -> Placed:
    """What lies at the path: a note, sheet or file. Raises as `folder_at` does."""
    names = clean_path(path)
    if names:
        found, folder_id = tree.find(names[:-1])
        placed = tx.places.at(space_id, folder_id, name_key(names[-1])) if found else None
        if placed is not None:
            return placed
    raise NotFound(
        f"There is nothing at {path!r} in this vault.",
        advice="Paths change when notes are moved or renamed: list or search again and use the path found.",
    )


def is_note(file_name: str) -> bool:
    """Whether what bears the file name is Markdown: a note or a capture (decisions, Vault)."""
    return name_key(file_name).endswith(NOTE_ENDINGS)


def is_sheet(file_name: str) -> bool:
    """Whether what bears the file name is listed as a sheet."""
    return name_key(file_name).endswith(SHEET_ENDING)


def without_note_ending(path: str) -> str:
    """The path or file name as links write it that leave out the ending of a note."""
    stem, dot, ending = path.rpartition(".")
    return stem if name_key(dot + ending) in NOTE_ENDINGS else path
