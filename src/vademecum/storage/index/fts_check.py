"""Does the full-text table of SQLite really hold the postings that it should?"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from zlib import crc32

from vademecum.storage.dialect import Database
from vademecum.storage.index.bm25 import Tokens
from vademecum.storage.index.fts_search import expression
from vademecum.storage.index.spaces import IndexedSpace
from vademecum.text.terms import Term

_PLACES = """
SELECT term, doc, col, "offset" AS place FROM chunk_fts_place WHERE term >= :code AND term < :beyond
"""
_AT_ONCE = 64  # tokens of one question
_STANDS = "SELECT 1 AS found FROM chunk_fts WHERE chunk_fts MATCH :wanted AND rowid = :chunk_id"
_SIZES = "SELECT sz FROM chunk_fts_docsize WHERE id = :chunk_id"


class PostingSums:
    """What the table holds of each section of a space, read once: a sum over its postings, each of them a
    token in a column at a place. Two sections with other postings have the same sum once in four thousand
    millions.
    """

    def __init__(self, database: Database, space: IndexedSpace) -> None:
        self._database = database
        self._code = space.code
        self._sums: dict[int, int] = defaultdict(int)
        beyond = space.code[:-1] + chr(ord(space.code[-1]) + 1)
        for row in database.each(_PLACES, code=space.code, beyond=beyond):
            self._sums[row["doc"]] += _posting(row["col"], row["place"], row["term"][len(space.code) :])

    def are(self, chunk_id: int, tokens: Tokens) -> bool:
        """Whether the section's postings are those tokens, each at its place, and their number is theirs."""
        columns = {"head": tokens.head.split(), "body": tokens.body.split()}
        row = self._database.one(_SIZES, chunk_id=chunk_id)
        if row is None or list(_numbers(row["sz"])) != [len(posted) for posted in columns.values()]:
            return False
        wanted = sum(
            _posting(column, place, token)
            for column, posted in columns.items()
            for place, token in enumerate(posted)
        )
        return self._sums.get(chunk_id, 0) == wanted or self._stand(chunk_id, columns)

    def _stand(self, chunk_id: int, columns: Mapping[str, Sequence[str]]) -> bool:
        """The same asked of the search itself: a stray posting that no search gives does no harm."""
        questions = [question for column, posted in columns.items() for question in self._ask(column, posted)]
        return all(
            self._database.one(_STANDS, wanted=wanted, chunk_id=chunk_id) is not None for wanted in questions
        )

    def _ask(self, column: str, tokens: Sequence[str]) -> Iterator[str]:
        """Phrases that overlap by a token, the first of them at the beginning."""
        for start in range(0, max(len(tokens) - 1, min(len(tokens), 1)), _AT_ONCE - 1):
            phrase = expression(self._code, Term(tuple(tokens[start : start + _AT_ONCE])))
            yield f"{column} : {'^ ' if start == 0 else ''}{phrase}"


def _posting(column: str, place: int, token: str) -> int:
    return crc32(f"{column} {place} {token}".encode()) * (place + 1)


def _numbers(packed: bytes) -> Iterator[int]:
    """The numbers of a row of sizes: seven bits a byte, the highest first, all but the last byte marked."""
    number = 0
    for byte in packed:
        number = number << 7 | byte & 0x7F
        if not byte & 0x80:
            yield number
            number = 0
