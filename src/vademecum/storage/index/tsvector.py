"""How do postings and vectors stand in PostgreSQL?"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from vademecum.ports.index import NewVector
from vademecum.storage.dialect import Database
from vademecum.storage.index.bm25 import Tokens
from vademecum.storage.index.chunk_rows import StoredTokens
from vademecum.storage.index.kernel import as_row
from vademecum.storage.index.spaces import IndexedSpace
from vademecum.storage.index.writing import CHUNK_COLUMNS

START = ""  # what stands before the first token of a text, led by the space's code as tokens are

_NUMBERS = {
    name: f"SELECT nextval('{name}_number') AS number FROM generate_series(1, CAST(:count AS INTEGER))"
    for name in ("chunk", "space")
}
_ADD = f"""
INSERT INTO chunk ({", ".join(CHUNK_COLUMNS)}) VALUES ({", ".join(f":{column}" for column in CHUNK_COLUMNS)})
"""
_POST = """
INSERT INTO chunk_posting (space_id, chunk_id, postings)
VALUES (:space_id, :chunk_id, CAST(:postings AS tsvector))
ON CONFLICT (space_id, chunk_id) DO UPDATE SET postings = excluded.postings
WHERE chunk_posting.postings <> excluded.postings
"""
_PUT_VECTOR = """
INSERT INTO chunk_vector (space_id, chunk_id, model, part, vector)
VALUES (:space_id, :chunk_id, :model, :part, CAST(:vector AS halfvec))
ON CONFLICT (space_id, chunk_id, model, part) DO UPDATE SET vector = excluded.vector
WHERE chunk_vector.vector <> excluded.vector
"""
_FORGET = "DELETE FROM chunk_vector WHERE space_id = :space_id AND model = :model"


class TsvectorPostings:
    """A column of tokens with their places under an inverted index, and a table of vectors."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def new_numbers(self, name: str, count: int) -> Sequence[int]:
        return sorted(row["number"] for row in self._database.all(_NUMBERS[name], count=count))

    def add(self, space: IndexedSpace, rows: Sequence[dict[str, object]], tokens: Sequence[Tokens]) -> None:
        self._database.run_many(_ADD, rows)
        self._post(space, [(row["chunk_id"], of) for row, of in zip(rows, tokens, strict=True)])

    def remove(self, space: IndexedSpace, sections: Sequence[StoredTokens]) -> None:
        opened = self._database.dialect.list_rows("chunks", "chunk_id BIGINT")
        sql = f"DELETE FROM chunk WHERE space_id = :space_id AND chunk_id IN {opened}"
        self._database.run(sql, space_id=space.space_id, chunks=[section.chunk_id for section in sections])

    def renew(self, space: IndexedSpace, sections: Sequence[StoredTokens]) -> None:
        self._post(space, [(section.chunk_id, section.tokens) for section in sections])

    def _post(self, space: IndexedSpace, sections: Sequence[tuple[object, Tokens]]) -> None:
        rows = [
            {"space_id": space.space_id, "chunk_id": chunk_id, "postings": postings(space, tokens)}
            for chunk_id, tokens in sections
        ]
        self._database.run_many(_POST, rows)

    def put_vectors(self, space: IndexedSpace, vectors: Sequence[tuple[int, NewVector]]) -> None:
        rows = [
            {
                "space_id": space.space_id,
                "chunk_id": chunk_id,
                "model": vector.model,
                "part": vector.part,
                "vector": halfvec(vector.vector),
            }
            for chunk_id, vector in vectors
        ]
        self._database.run_many(_PUT_VECTOR, rows)

    def forget_vectors(self, space: IndexedSpace, model: str) -> None:
        self._database.run(_FORGET, space_id=space.space_id, model=model)


def postings(space: IndexedSpace, tokens: Tokens) -> str:
    """The tokens as a literal: those of the head first, with a weight, and no phrase crosses to the text."""
    places: dict[str, list[str]] = defaultdict(list)
    head = tokens.head.split()
    for place, token in enumerate(head, start=1):
        places[token].append(f"{place}A")
    places[START].append(str(len(head) + 1))
    for place, token in enumerate(tokens.body.split(), start=len(head) + 2):
        places[token].append(str(place))
    return " ".join(f"'{space.code}{token}':{','.join(at)}" for token, at in places.items())


def halfvec(vector: bytes) -> str:
    """The components as a literal."""
    return f"[{','.join(map(str, as_row(vector).tolist()))}]"
