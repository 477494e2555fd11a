"""On which lines of which notes does a pattern match?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from vademecum.library.context import Library
from vademecum.library.places import NOTE_ENDINGS, Tree, folder_at, is_note, item_at, tree_of
from vademecum.model.access import Caller
from vademecum.model.errors import InvalidInput, NotFound
from vademecum.model.names import clean_path
from vademecum.ports.places import PlacedText
from vademecum.ports.storage import Transaction
from vademecum.text.patterns import LinePattern, PathPattern, encoded_lines, is_glob
from vademecum.text.shown_note import shown

_PREFIX = shown("", "")  # before the body of a note that has no frontmatter of its own


@dataclass(frozen=True, slots=True)
class GrepRequest:
    """What to look for (contracts 3.4.1). `path` is a folder, the path of one note, or a glob over whole
    paths; None and the empty path mean the whole vault.
    """

    pattern: str
    is_expression: bool = False
    ignore_case: bool = False
    path: str | None = None
    context: int = 0
    archived: bool = False
    limit: int = 100


@dataclass(frozen=True, slots=True)
class LineMatch:
    """A line that matches, its number from 1 on as `read_note` counts, and the lines around it."""

    path: str
    line: int
    text: str
    before: tuple[str, ...]
    after: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GrepAnswer:
    """The first matches by path, and what was counted of all: lines, the notes that have some with their
    number, and how many notes could not be read.
    """

    matches: tuple[LineMatch, ...]
    counts: tuple[tuple[str, int], ...]
    lines: int
    skipped: int


@dataclass(frozen=True, slots=True)
class _Hit:
    path: str
    frontmatter: str
    body: str


@dataclass(slots=True)
class _Hits:
    """The notes that have matches: how many each, and the texts of no more than are shown, the first by path,
    since a pattern may match all that there is.
    """

    most: int
    counts: list[tuple[str, int]] = field(default_factory=list)
    kept: list[_Hit] = field(default_factory=list)

    def add(self, hit: _Hit, lines: int) -> None:
        self.counts.append((hit.path, lines))
        self.kept.append(hit)
        if len(self.kept) > 2 * self.most:
            self.kept = self.first()

    def first(self) -> list[_Hit]:
        """As many as are shown at most, by path."""
        return sorted(self.kept, key=lambda hit: hit.path)[: self.most]


def grep(library: Library, caller: Caller, request: GrepRequest) -> GrepAnswer:
    """Search all that `read_note` shows of notes and captures, line by line, by exact text or expression.

    Matches come by path and line. Raises InvalidInput (`pattern`, `path`), TooLarge, NotFound for a path that
    is nothing in the vault; a glob that names nothing finds nothing.
    """
    pattern = LinePattern(
        request.pattern, is_expression=request.is_expression, ignore_case=request.ignore_case
    )
    with library.storage.read() as tx:
        hits, skipped = _hits(tx, caller.spaces[0], request, pattern)
    return GrepAnswer(
        matches=tuple(_first_matches(hits.first(), pattern, request)),
        counts=tuple(sorted(hits.counts)),
        lines=sum(count for _, count in hits.counts),
        skipped=skipped,
    )


def _hits(tx: Transaction, space_id: str, request: GrepRequest, pattern: LinePattern) -> tuple[_Hits, int]:
    tree = tree_of(tx, space_id)
    where = _field(tx, space_id, tree, request.path or "")
    hits = _Hits(request.limit)
    skipped = 0
    in_prefix = pattern.matches(encoded_lines(_PREFIX))
    for text in tx.places.each_text(space_id, where.folders, NOTE_ENDINGS, archived=request.archived):
        if not where.has(tree, text):
            continue
        if text.frontmatter is None or text.body is None:
            skipped += 1
        elif lines := _count(pattern, text.frontmatter, text.body, in_prefix=in_prefix):
            path = tree.path_of(text.folder_id, text.file_name)
            hits.add(_Hit(path, text.frontmatter, text.body), lines)
    return hits, skipped


@dataclass(frozen=True, slots=True)
class _Field:
    """Which notes are looked at: those in some folders, all where that is None, and of these those whose path
    fits, or the one of that id.
    """

    folders: Sequence[str | None] | None = None
    paths: PathPattern | None = None
    item_id: str | None = None

    def has(self, tree: Tree, text: PlacedText) -> bool:
        if self.paths is not None:
            return self.paths.matches(tree.path_of(text.folder_id, text.file_name))
        return self.item_id is None or text.item_id == self.item_id


def _field(tx: Transaction, space_id: str, tree: Tree, path: str) -> _Field:
    names = clean_path(path)
    if not names:
        return _Field()
    try:
        return _Field(folders=list(tree.below(folder_at(tree, path))))
    except NotFound:
        if is_glob(path):
            return _Field(paths=PathPattern("/".join(names)))
    placed = item_at(tx, space_id, tree, path)
    if not is_note(placed.file_name):
        raise InvalidInput("path", "is no note: grep_notes searches notes, folders of them, or a glob")
    return _Field(folders=[placed.folder_id], item_id=placed.item_id)


def _count(pattern: LinePattern, frontmatter: str, body: str, *, in_prefix: bool) -> int:
    """How many lines of what is shown match. Each such line stands in one of these texts or in `_PREFIX`, so
    that frontmatter, whose reading takes most of the time, is only read where it may hold one. Of expressions
    some ask where a text begins or ends, so that they count in the whole.
    """
    is_above = in_prefix or bool(frontmatter and pattern.matches(encoded_lines(frontmatter)))
    encoded = encoded_lines(body)
    if not is_above and not pattern.matches(encoded):
        return 0
    if is_above or pattern.is_expression:
        encoded = encoded_lines(shown(frontmatter, body))
    return sum(1 for _ in pattern.numbers(encoded))


def _first_matches(hits: Sequence[_Hit], pattern: LinePattern, request: GrepRequest) -> Iterator[LineMatch]:
    left = request.limit
    for hit in hits:
        if left <= 0:
            return
        encoded = encoded_lines(shown(hit.frontmatter, hit.body))
        lines = encoded.split(b"\n")
        for number in islice(pattern.numbers(encoded), left):
            left -= 1
            yield LineMatch(
                path=hit.path,
                line=number + 1,
                text=lines[number].decode(),
                before=_decoded(lines[max(number - request.context, 0) : number]),
                after=_decoded(lines[number + 1 : number + 1 + request.context]),
            )


def _decoded(lines: Sequence[bytes]) -> tuple[str, ...]:
    return tuple(line.decode() for line in lines)
