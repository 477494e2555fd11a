"""What does the library ask of the place where files are kept?"""

from __future__ import annotations

from typing import BinaryIO, Protocol


class BlobStore(Protocol):
    """Files by the SHA-256 of their content; what `put` returned is durable."""

    def put(self, content: bytes) -> str:
        """Keep the content and return its hash; the same content is kept once. Raises StorageFull."""

    def put_file(self, source: BinaryIO, most: int) -> tuple[str, int]:
        """Keep a stream of at most `most` bytes, never all in memory; its hash and size. Raises TooLarge."""

    def open(self, content_hash: str) -> BinaryIO:
        """The content as a stream; raises StoredDataDamaged when it is not there."""

    def has(self, content_hash: str) -> bool: ...
    def remove(self, content_hash: str) -> None: ...
