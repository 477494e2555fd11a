"""What does every use case work with?"""

from __future__ import annotations

from dataclasses import dataclass, field

from vademecum.model.quota import Limits
from vademecum.model.times import stamp
from vademecum.ports.blobs import BlobStore
from vademecum.ports.clock import Clock
from vademecum.ports.documents import Documents
from vademecum.ports.models import Embedder, Reranker
from vademecum.ports.storage import Storage


@dataclass(frozen=True, slots=True)
class Library:
    """The ports and limits of one installation. What is None is absent, and answers say so."""

    storage: Storage
    blobs: BlobStore
    clock: Clock
    embedder: Embedder | None = None
    second_stage: Embedder | None = None
    reranker: Reranker | None = None
    documents: Documents | None = None
    limits: Limits = field(default_factory=Limits)
    public_url: str = "http://localhost:8484"

    def now(self) -> str:
        """The stamp of this moment."""
        return stamp(self.clock.now())
