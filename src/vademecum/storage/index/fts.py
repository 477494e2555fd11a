"""How do postings and vectors stand in SQLite?"""

from __future__ import annotations

from collections.abc import Sequence

from vademecum.ports.index import NewVector
from vademecum.storage.dialect import Database
from vademecum.storage.index.bm25 import Tokens
from vademecum.storage.index.chunk_rows import StoredTokens
from vademecum.storage.index.spaces import IndexedSpace
from vademecum.storage.index.vector_changes import EVERY_CHUNK, VectorChanges
from vademecum.storage.index.writing import CHUNK_COLUMNS

_COUNT_ON = "UPDATE index_number SET last_number = last_number + :count WHERE name = :name"
_LAST = "SELECT last_number FROM index_number WHERE name = :name"
_ADD = f"""
INSERT INTO chunk ({", ".join(CHUNK_COLUMNS)}) VALUES ({", ".join(f":{column}" for column in CHUNK_COLUMNS)})
"""
_REMOVE = """
DELETE FROM chunk WHERE space_id = :space_id AND chunk_id IN (SELECT value FROM json_each(:chunks))
"""
_POST = "INSERT INTO chunk_fts (rowid, head, body) VALUES (:chunk_id, :head, :body)"
_UNPOST = """
INSERT INTO chunk_fts (chunk_fts, rowid, head, body) VALUES ('delete', :chunk_id, :head, :body)
"""
_POSTED = "SELECT id FROM chunk_fts_docsize WHERE id IN (SELECT value FROM json_each(:chunks))"
_PUT_VECTOR = """
INSERT INTO chunk_vector (space_id, chunk_id, model, part, sequence, vector)
VALUES (:space_id, :chunk_id, :model, :part, :sequence, :vector)
ON CONFLICT DO UPDATE SET sequence = excluded.sequence, vector = excluded.vector
WHERE chunk_vector.vector <> excluded.vector
"""
_FORGET = "DELETE FROM chunk_vector WHERE space_id = :space_id AND model = :model"


class FtsPostings:
    """A table of postings without content, fed with our tokens, and a table of vectors (search 7)."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._changes = VectorChanges(database)

    def new_numbers(self, name: str, count: int) -> Sequence[int]:
        self._database.run(_COUNT_ON, name=name, count=count)
        row = self._database.one(_LAST, name=name)
        last = int(row["last_number"]) if row else 0
        return range(last - count + 1, last + 1)

    def add(self, space: IndexedSpace, rows: Sequence[dict[str, object]], tokens: Sequence[Tokens]) -> None:
        self._database.run_many(_ADD, rows)
        posts = [_post(space, row["chunk_id"], of) for row, of in zip(rows, tokens, strict=True)]
        self._database.run_many(_POST, posts)

    def remove(self, space: IndexedSpace, sections: Sequence[StoredTokens]) -> None:
        numbers = [section.chunk_id for section in sections]
        self._unpost(_posts(space, sections))
        self._database.run(_REMOVE, space_id=space.space_id, chunks=numbers)
        self._changes.note(space, numbers)

    def renew(self, space: IndexedSpace, sections: Sequence[StoredTokens]) -> None:
        posts = _posts(space, sections)
        self._unpost(posts)
        self._database.run_many(_POST, posts)

    def put_vectors(self, space: IndexedSpace, vectors: Sequence[tuple[int, NewVector]]) -> None:
        rows = [
            {
                "space_id": space.space_id,
                "chunk_id": chunk_id,
                "model": vector.model,
                "part": vector.part,
                "sequence": space.last_sequence,
                "vector": vector.vector,
            }
            for chunk_id, vector in vectors
        ]
        self._database.run_many(_PUT_VECTOR, rows)
        self._changes.note(space, list(dict.fromkeys(chunk_id for chunk_id, _ in vectors)))

    def forget_vectors(self, space: IndexedSpace, model: str) -> None:
        self._database.run(_FORGET, space_id=space.space_id, model=model)
        self._changes.note(space, [EVERY_CHUNK])

    def _unpost(self, posts: Sequence[dict[str, object]]) -> None:
        """Take out the postings of sections that the table knows: to take out one twice would damage it."""
        rows = self._database.all(_POSTED, chunks=[post["chunk_id"] for post in posts])
        posted = {row["id"] for row in rows}
        self._database.run_many(_UNPOST, [post for post in posts if post["chunk_id"] in posted])


def led(space: IndexedSpace, tokens: str) -> str:
    """The tokens as the table takes them, each led by the code of its space."""
    return space.code + tokens.replace(" ", f" {space.code}") if tokens else ""


def _post(space: IndexedSpace, chunk_id: object, tokens: Tokens) -> dict[str, object]:
    return {"chunk_id": chunk_id, "head": led(space, tokens.head), "body": led(space, tokens.body)}


def _posts(space: IndexedSpace, sections: Sequence[StoredTokens]) -> list[dict[str, object]]:
    return [_post(space, section.chunk_id, section.tokens) for section in sections]
