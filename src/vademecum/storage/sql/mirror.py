"""What stood on disk of a space when its folder was last written or read?"""

from __future__ import annotations

import hashlib

from vademecum.ports.places import MirrorFile, MirrorFolder
from vademecum.storage.dialect import Database

_FILE_COLUMNS = (
    *("space_id", "path", "item_id", "item_version", "content_hash", "size", "modified_nanoseconds"),
    "file_number",
)
_FILES = f"SELECT {', '.join(_FILE_COLUMNS)} FROM mirror_file WHERE space_id = :space_id"
_FILE_AT = f"{_FILES} AND path_hash = :path_hash"
_REMOVE_FILE = "DELETE FROM mirror_file WHERE space_id = :space_id AND path_hash = :path_hash"
_ADD_FILE = f"""
INSERT INTO mirror_file (path_hash, {", ".join(_FILE_COLUMNS)})
VALUES (:path_hash, {", ".join(f":{name}" for name in _FILE_COLUMNS)})
"""
_FOLDERS = "SELECT space_id, folder_id, path, file_number FROM mirror_folder WHERE space_id = :space_id"
_REMOVE_FOLDER = "DELETE FROM mirror_folder WHERE space_id = :space_id AND folder_id = :folder_id"
_ADD_FOLDER = """
INSERT INTO mirror_folder (space_id, folder_id, path, file_number)
VALUES (:space_id, :folder_id, :path, :file_number)
"""


class MirrorTable:
    """Files by their path within the space's folder, folders by their id."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def files(self, space_id: str) -> list[MirrorFile]:
        """In no order."""
        return [MirrorFile(**dict(row)) for row in self._database.all(_FILES, space_id=space_id)]

    def file_at(self, space_id: str, path: str) -> MirrorFile | None:
        row = self._database.one(_FILE_AT, space_id=space_id, path_hash=_hash(path))
        return None if row is None else MirrorFile(**dict(row))

    def put_file(self, file: MirrorFile) -> None:
        """Keep it instead of what is known of the same path."""
        self.remove_file(file.space_id, file.path)
        columns = {name: getattr(file, name) for name in _FILE_COLUMNS}
        self._database.run(_ADD_FILE, path_hash=_hash(file.path), **columns)

    def remove_file(self, space_id: str, path: str) -> None:
        self._database.run(_REMOVE_FILE, space_id=space_id, path_hash=_hash(path))

    def folders(self, space_id: str) -> list[MirrorFolder]:
        """In no order."""
        return [MirrorFolder(**dict(row)) for row in self._database.all(_FOLDERS, space_id=space_id)]

    def put_folder(self, folder: MirrorFolder) -> None:
        """Keep it instead of what is known of the same folder."""
        self.remove_folder(folder.space_id, folder.folder_id)
        self._database.run(
            _ADD_FOLDER,
            space_id=folder.space_id,
            folder_id=folder.folder_id,
            path=folder.path,
            file_number=folder.file_number,
        )

    def remove_folder(self, space_id: str, folder_id: str) -> None:
        self._database.run(_REMOVE_FOLDER, space_id=space_id, folder_id=folder_id)


def _hash(path: str) -> str:
    return hashlib.sha256(path.encode("utf-8", "surrogatepass")).hexdigest()
