"""When does the file of a purged item leave the store?"""

from __future__ import annotations

from vademecum.library.context import Library

_PAGE = 200  # files removed while others wait to store some


def remove_released_files(library: Library) -> None:
    """Remove the files that purges released and that no space has; while somebody is storing files it is left
    for the next time, as is what a kill cuts short.

    Only what a purge noted is ever removed, never what merely seems unknown. Raises NotPermitted when a file
    cannot be removed.
    """
    while _is_anything_released(library):
        with library.blobs.removing() as is_alone:
            if not is_alone:
                return
            # Read only now: whoever stored a file before has committed the row that names it.
            with library.storage.read() as tx:
                released = tx.blobs.released(_PAGE)
                named = tx.blobs.named([content_hash for _, content_hash in released])
            for _, content_hash in released:
                if content_hash not in named:
                    library.blobs.remove(content_hash)
        with library.storage.write() as tx:
            tx.blobs.forget_released([release_id for release_id, _ in released])


def _is_anything_released(library: Library) -> bool:
    with library.storage.read() as tx:
        return bool(tx.blobs.released(1))
