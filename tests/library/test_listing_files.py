"""Which files does a list of items show?"""

from __future__ import annotations

from tests.library.home import Home, an_id
from vademecum.library.importing import ImportRun, Incoming, import_batch, plan
from vademecum.library.reading import ListRequest, list_items
from vademecum.model.items import Blob, Kind, Layers


def test_files_with_text_are_listed_and_attachments_without_are_not(home: Home) -> None:
    """Decisions, Layers in search."""
    kept = home.library.blobs.put(b"bytes")
    run = ImportRun(home.owner, home.owner.spaces[0], "vault", an_id())
    files = [
        Incoming("a.png", "1", (), "a.png", "a.png", Kind.IMAGE, blob=Blob(kept, 5, "image/png")),
        Incoming("b.csv", "2", (), "b.csv", "b.csv", Kind.FILE, Layers(extracted="tea,3"), blob=None),
        Incoming("c.md", "3", (), "c.md", "c", layers=Layers(authored="")),
    ]
    import_batch(home.library, run, [plan(home.library, run, file, None) for file in files])
    listed = list_items(home.library, home.owner, ListRequest())
    assert sorted(item.title for item in listed) == ["b.csv", "c"]
