"""How fast are the kinds of question that differ in how many sections hold their words?

The index is filled and asked in this process, without a server and without vectors, because a hundred
thousand sections would take an hour to embed; the same postings serve `search_hub` and `list_items`.
"""

from __future__ import annotations

import random
import sqlite3
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from benchmarks.report import Part, Target, percentile
from benchmarks.vault import background
from vademecum.app import open_app
from vademecum.library.connecting import person
from vademecum.library.saving import save_note
from vademecum.model.items import Layer
from vademecum.ports.index import NewChunk, Scope
from vademecum.ports.storage import Storage
from vademecum.settings import read_settings
from vademecum.text.queries import parse_query
from vademecum.text.tokens import TOKENIZER_VERSION, index_text, tokens

_SIZES, _QUICK_SIZES = (10_000, 100_000), (2_000,)
_SECTIONS_OF_AN_ITEM = 500
_BEST = 10
_ROUNDS, _SLOW_ROUNDS = 15, 5
# Words that the background does not hold though their parts are common there, and in how large a share of the
# sections each stands.
_SHARES = {
    "watermarket": 0.5,
    "stationfield": 0.5,
    "winterschool": 0.1,
    "storyglass": 0.1,
    "bridgecount": 0.01,
    "gardenplate": 0.0002,
    "澄澈": 0.01,
}
_ANY = {
    "rare": ("gardenplate",),
    "1 %": ("bridgecount",),
    "10 %": ("winterschool",),
    "50 %": ("watermarket",),
    "two characters, 1 %": ("澄澈",),
    "10 % or 10 %": ("winterschool", "storyglass"),
    "50 % or rare": ("watermarket", "gardenplate"),
}
_ALL = {"10 % and 10 %": ("winterschool", "storyglass"), "50 % and rare": ("watermarket", "gardenplate")}


@dataclass(frozen=True, slots=True)
class _Way:
    """One way to ask: how many sections it finds at most ten of, and what it costs."""

    ask: Callable[[Sequence[str], bool], int]
    rounds: int


def run(*, quick: bool) -> Part:
    """The product's postings beside FTS5's trigram index and LIKE over the same texts in the same run."""
    part = Part("classes", "Kinds of question: postings of the product, FTS5 trigram, LIKE")
    part.columns = (
        "sections",
        "kind",
        "ours CPU ms",
        "ours p95 ms",
        "trigram CPU ms",
        "LIKE CPU ms",
        "ours found",
        "trigram found",
    )
    for size in _QUICK_SIZES if quick else _SIZES:
        with tempfile.TemporaryDirectory() as folder:
            _measure(part, size, Path(folder))
    part.notes += [
        "ours and trigram give the ten best by BM25; of 'and', ours gives the ten newest items",
        "LIKE counts all matches in one scan; a word of two characters is none for a trigram index",
    ]
    return part


def texts(count: int, seed: int = 11) -> Iterator[str]:
    """Sections of text, seven in ten English, the rest Chinese, with the words of the kinds strewn in."""
    chance = random.Random(seed)
    for text in islice(background(seed), count):
        strewn = [word for word, share in _SHARES.items() if chance.random() < share]
        middle = len(text) // 2
        yield " ".join([text[:middle], *strewn, text[middle:]])


def _measure(part: Part, size: int, folder: Path) -> None:
    made = list(texts(size))
    given = {"VADE_DATA": str(folder / "data"), "VADE_EMBEDDER": "off", "VADE_RERANKER": "off"}
    settings = read_settings({}, given)
    app = open_app(settings, with_owner=True)
    with closing(sqlite3.connect(folder / "others.db")) as others:
        _fill_others(others, made)
        caller = person(app.library, None)
        items = [str(uuid.UUID(int=number, version=4)) for number in range(-(-size // _SECTIONS_OF_AN_ITEM))]
        for number, item in enumerate(items):
            save_note(app.library, caller, item, "section", None)
            _index(
                app.storage,
                caller.spaces[0],
                item,
                made[number * _SECTIONS_OF_AN_ITEM :][:_SECTIONS_OF_AN_ITEM],
            )
        ways = {
            "ours": _Way(_ours(app.storage, Scope(caller.spaces)), _ROUNDS),
            "trigram": _Way(_trigram(others), _ROUNDS),
            "like": _Way(_like(others), _SLOW_ROUNDS),
        }
        costs = {kind: _row(part, size, kind, words, ways) for kind, words in {**_ANY, **_ALL}.items()}
        if size == _SIZES[-1]:
            _compare(part, costs)
    app.close()


def _index(storage: Storage, space: str, item: str, sections: Sequence[str]) -> None:
    chunks = [
        NewChunk(
            layer=Layer.AUTHORED,
            ordinal=number,
            heading_path=(),
            start=0,
            text=text,
            head="",
            head_tokens="",
            body_tokens=index_text(text),
            tokenizer_version=TOKENIZER_VERSION,
            script="latin",
        )
        for number, text in enumerate(sections)
    ]
    with storage.write() as tx:
        tx.index.replace(space, item, 1, chunks)


def _fill_others(others: sqlite3.Connection, made: Sequence[str]) -> None:
    others.execute("CREATE TABLE plain (number INTEGER PRIMARY KEY, text TEXT NOT NULL)")
    others.execute(
        "CREATE VIRTUAL TABLE trigram "
        "USING fts5 (text, content='plain', content_rowid='number', tokenize='trigram')"
    )
    with others:
        others.executemany("INSERT INTO plain (text) VALUES (?)", ((text,) for text in made))
        others.execute("INSERT INTO trigram (rowid, text) SELECT number, text FROM plain")


def _ours(storage: Storage, scope: Scope) -> Callable[[Sequence[str], bool], int]:
    def ask(words: Sequence[str], every: bool) -> int:
        with storage.read() as tx:
            if every:
                return len(tx.index.containing([tokens(word) for word in words], scope, _BEST, 0))
            return len(tx.index.keyword(parse_query(" ".join(words)), scope, _BEST))

    return ask


def _trigram(others: sqlite3.Connection) -> Callable[[Sequence[str], bool], int]:
    statement = "SELECT rowid FROM trigram WHERE trigram MATCH ? ORDER BY rank LIMIT 10"

    def ask(words: Sequence[str], every: bool) -> int:
        query = (" AND " if every else " OR ").join(f'"{word}"' for word in words)
        return len(others.execute(statement, (query,)).fetchall())

    return ask


def _like(others: sqlite3.Connection) -> Callable[[Sequence[str], bool], int]:
    def ask(words: Sequence[str], every: bool) -> int:
        test = (" AND " if every else " OR ").join("text LIKE ?" for _ in words)
        row = others.execute(
            f"SELECT count(*) FROM plain WHERE {test}", [f"%{word}%" for word in words]
        ).fetchone()
        return int(row[0])

    return ask


def _row(
    part: Part, size: int, kind: str, words: Sequence[str], ways: Mapping[str, _Way]
) -> dict[str, float]:
    """Add the kind's row; the processor milliseconds of each way, the middle of several rounds."""
    every = kind in _ALL
    cpu: dict[str, float] = {}
    wall: dict[str, float] = {}
    found: dict[str, int] = {}
    for name, way in ways.items():
        found[name] = way.ask(words, every)
        costs, times = [], []
        for _ in range(way.rounds):
            began, spent = time.perf_counter(), time.process_time()
            way.ask(words, every)
            costs.append((time.process_time() - spent) * 1000)
            times.append((time.perf_counter() - began) * 1000)
        cpu[name], wall[name] = percentile(costs, 0.5), percentile(times, 0.95)
    part.rows.append(
        (size, kind, cpu["ours"], wall["ours"], cpu["trigram"], cpu["like"], found["ours"], found["trigram"])
    )
    return cpu


def _compare(part: Part, costs: Mapping[str, Mapping[str, float]]) -> None:
    rare, pair = costs["rare"], costs["two characters, 1 %"]
    part.targets += [
        Target(
            "two characters, times as fast as LIKE",
            pair["like"] / pair["ours"],
            30.0,
            at_least=True,
            unit="x",
        ),
        Target(
            "a rare word, times as fast as LIKE", rare["like"] / rare["ours"], 100.0, at_least=True, unit="x"
        ),
        Target(
            "a rare word, times as fast as trigram",
            rare["trigram"] / rare["ours"],
            5.0,
            at_least=True,
            unit="x",
        ),
    ]
