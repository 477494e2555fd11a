"""How do tests fill a vault with notes and files at given paths?"""

from __future__ import annotations

import hashlib
from pathlib import PurePosixPath
from typing import Any

from tests.library.home import Home, an_id
from vademecum.library.importing import ImportRun, Incoming, import_batch, plan
from vademecum.model.items import Blob, Kind, Layers


def put(home: Home, path: str, body: str = "", **more: Any) -> None:
    """A note of that body at the path, a second after what was put before."""
    place = PurePosixPath(path)
    title = more.pop("title", place.stem)
    _bring_in(home, path, title=title, layers=Layers(authored=body), **more)


def put_file(home: Home, path: str, content: bytes, kind: Kind = Kind.FILE) -> None:
    """A file of that content at the path."""
    kept = home.library.blobs.put(content)
    blob = Blob(kept, len(content), "application/octet-stream")
    _bring_in(home, path, title=PurePosixPath(path).name, kind=kind, blob=blob)


def _bring_in(home: Home, path: str, **more: Any) -> None:
    home.clock.pass_by(seconds=1)
    place = PurePosixPath(path)
    digest = hashlib.sha256(repr(more).encode()).hexdigest()
    incoming = Incoming(path, digest, place.parts[:-1], place.name, **more)
    run = ImportRun(home.owner, home.owner.spaces[0], f"source {an_id()}", an_id())
    import_batch(home.library, run, [plan(home.library, run, incoming, None)])
