"""Where do files go while an import only tells what it would do?"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from io import BytesIO
from typing import BinaryIO

from vademecum.model.errors import StoredDataDamaged, TooLarge

_PIECE = 1024 * 1024  # bytes read at once


class Scales:
    """A blob store that measures what it is given and keeps nothing of it but its name."""

    def __init__(self) -> None:
        self._measured: set[str] = set()

    def storing(self) -> AbstractContextManager[None]:
        """Nothing has to be held: nothing is kept."""
        return nullcontext()

    def removing(self) -> AbstractContextManager[bool]:
        """Always True: nobody else has these."""
        return nullcontext(True)

    def put(self, content: bytes) -> str:
        """The hash of the content."""
        return self.put_file(BytesIO(content), len(content))[0]

    def put_file(self, source: BinaryIO, most: int) -> tuple[str, int]:
        """The hash and size of a stream, never all of it in memory; raises TooLarge beyond `most` bytes."""
        digest, size = hashlib.sha256(), 0
        while piece := source.read(_PIECE):
            size += len(piece)
            if size > most:
                raise TooLarge("file", most, "bytes")
            digest.update(piece)
        self._measured.add(digest.hexdigest())
        return digest.hexdigest(), size

    def open(self, content_hash: str) -> BinaryIO:
        """Nothing is kept here: always raises StoredDataDamaged."""
        raise StoredDataDamaged(hash=content_hash)

    def has(self, content_hash: str) -> bool:
        return content_hash in self._measured

    def remove(self, content_hash: str) -> None:
        self._measured.discard(content_hash)

    def names(self) -> Iterator[str]:
        """What was measured."""
        return iter(self._measured)
