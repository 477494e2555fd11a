"""May the archive that a document is be opened, or would it fill the memory?"""

from __future__ import annotations

import io
import zipfile

from vademecum.providers.documents.refusals import DAMAGED, LOCKED, TOO_LARGE, refused

_MOST_ENTRIES = 5_000
_MOST_UNPACKED = 256 * 1024 * 1024  # bytes that all parts declare together
_RATIO_FROM = 8 * 1024 * 1024  # bytes; smaller parts may be packed as well as they like
_STEEPEST = 400  # times; sheets of one repeated number reach about 250
_OLD_FORMAT = b"\xd0\xcf\x11\xe0"  # of the container for .xls and for workbooks with a password


def open_archive(content: bytes) -> zipfile.ZipFile:
    """The archive, judged by its directory before any part is unpacked.

    Raises DocumentRefused for one that is damaged, locked, or declares more than fits.
    """
    if content.startswith(_OLD_FORMAT):
        raise refused(LOCKED)
    try:
        archive = zipfile.ZipFile(io.BytesIO(content))
    except (zipfile.BadZipFile, ValueError, RuntimeError, OSError) as error:
        raise refused(DAMAGED) from error
    parts = archive.infolist()
    if len(parts) > _MOST_ENTRIES or sum(part.file_size for part in parts) > _MOST_UNPACKED:
        raise refused(TOO_LARGE)
    if any(part.file_size > max(_RATIO_FROM, _STEEPEST * max(1, part.compress_size)) for part in parts):
        raise refused(TOO_LARGE)
    return archive
