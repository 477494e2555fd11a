"""Does the full-text table of SQLite really hold the postings that it should?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from vademecum.storage.dialect import Database
from vademecum.storage.index.bm25 import Tokens
from vademecum.storage.index.fts_search import expression
from vademecum.storage.index.spaces import IndexedSpace
from vademecum.text.terms import Term

_AT_ONCE = 64  # tokens of one question
_SIZES = "SELECT sz FROM chunk_fts_docsize WHERE id = :chunk_id"
_STANDS = "SELECT 1 AS found FROM chunk_fts WHERE chunk_fts MATCH :wanted AND rowid = :chunk_id"


def holds_exactly(database: Database, space: IndexedSpace, chunk_id: int, tokens: Tokens) -> bool:
    """Whether the section's postings are those tokens, each at its place, and their number is theirs."""
    head, body = tokens.head.split(), tokens.body.split()
    row = database.one(_SIZES, chunk_id=chunk_id)
    if row is None or list(_numbers(row["sz"])) != [len(head), len(body)]:
        return False
    questions = [*_questions(space, "head", head), *_questions(space, "body", body)]
    return all(database.one(_STANDS, wanted=wanted, chunk_id=chunk_id) is not None for wanted in questions)


def _questions(space: IndexedSpace, column: str, tokens: Sequence[str]) -> Iterator[str]:
    """Phrases that overlap by a token, the first of them at the beginning."""
    for start in range(0, max(len(tokens) - 1, min(len(tokens), 1)), _AT_ONCE - 1):
        phrase = expression(space.code, Term(tuple(tokens[start : start + _AT_ONCE])))
        yield f"{column} : {'^ ' if start == 0 else ''}{phrase}"


def _numbers(packed: bytes) -> Iterator[int]:
    """The numbers of a row of sizes: seven bits a byte, the highest first, all but the last byte marked."""
    number = 0
    for byte in packed:
        number = number << 7 | byte & 0x7F
        if not byte & 0x80:
            yield number
            number = 0
