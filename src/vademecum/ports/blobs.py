"""What does the library ask of the place where files are kept?"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import BinaryIO, Protocol


class BlobStore(Protocol):
    """Files by the SHA-256 of their content; what `put` returned is durable.

    Whoever puts a file does so within `storing`, and commits the row that names it there too: until then
    nothing tells the file from one that nobody wants, and the same content may be there from before.
    """

    def storing(self) -> AbstractContextManager[None]:
        """No file is removed until this is left. Many may store at once."""

    def removing(self) -> AbstractContextManager[bool]:
        """Nobody stores until this is left; False, and nothing may be removed, while somebody does."""

    def put(self, content: bytes) -> str:
        """Keep the content and return its hash; the same content is kept once. Raises StorageFull."""

    def put_file(self, source: BinaryIO, most: int) -> tuple[str, int]:
        """Keep a stream of at most `most` bytes, never all in memory; its hash and size. Raises TooLarge."""

    def open(self, content_hash: str) -> BinaryIO:
        """The content as a stream; raises StoredDataDamaged when it is not there."""

    def has(self, content_hash: str) -> bool: ...
    def remove(self, content_hash: str) -> None:
        """Take the content away, within `removing`; nothing is done when it is not there.

        Raises NotPermitted when it cannot be taken away.
        """

    def names(self) -> Iterator[str]:
        """The hashes of all that is there, in no order."""
