"""What changed between two texts, by lines and within them by words?"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum
from itertools import pairwise

from vademecum.text.markdown_lines import split_lines

_CONTEXT = 3
# The comparison that finds the fewest changes takes time with the product of both sizes and worse, so only
# small gaps between what both texts hold once are given to it; larger ones are replaced as a whole.
_GAP_COMPARED = 10_000
_ALL_COMPARED = 1_000_000
_LONGEST_LINE = 200_000
_ALIKE = 0.3
_CJK = "\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
_WORD = re.compile(rf"[{_CJK}]|[^\W{_CJK}]+|\s+|.", re.DOTALL)

Block = tuple[int, int, int, int]


class LineKind(StrEnum):
    """Which of the two texts a line stands in."""

    SAME = "same"
    REMOVED = "removed"
    ADDED = "added"


@dataclass(frozen=True, slots=True)
class Part:
    """A run of a line, and whether the other text has something else there."""

    text: str
    changed: bool


@dataclass(frozen=True, slots=True)
class DiffLine:
    """A line with its number, from 1, in the old and the new text, and its parts, which joined are the line.

    The line end belongs to the last part. A line without a like one in the other text is one changed part.
    """

    kind: LineKind
    old_line: int | None
    new_line: int | None
    parts: tuple[Part, ...]

    @property
    def text(self) -> str:
        return "".join(part.text for part in self.parts)


def diff(old: str, new: str) -> list[DiffLine]:
    """The lines of both texts in order: those that stay, else those removed before those added.

    Same and removed lines joined are the old text, same and added ones the new. Time and memory grow with
    the length alone: where much was changed at once, lines are replaced rather than matched.
    """
    return list(_Comparison(split_lines(old), split_lines(new)).lines())


def unified(old: str, new: str, context: int = _CONTEXT) -> str:
    """The difference in the unified form, `context` unchanged lines around each change; empty for none."""
    lines = diff(old, new)
    changed = [index for index, line in enumerate(lines) if line.kind is not LineKind.SAME]
    hunks: list[list[int]] = []
    for index in changed:
        if hunks and index - hunks[-1][1] <= 2 * context + 1:
            hunks[-1][1] = index
        else:
            hunks.append([index, index])
    shown = (lines[max(0, first - context) : last + context + 1] for first, last in hunks)
    return "".join(text for hunk in shown for text in _hunk(hunk, lines))


class _Comparison:
    """Compares two texts line by line, and what changed word by word, with so much work in all."""

    def __init__(self, old: list[str], new: list[str]) -> None:
        self._old = old
        self._new = new
        self._budget = _ALL_COMPARED

    def lines(self) -> Iterator[DiffLine]:
        old_place = new_place = 0
        end = (len(self._old), len(self._old), len(self._new), len(self._new))
        for old_start, old_end, new_start, new_end in (*self._matches(self._old, self._new), end):
            yield from self._changed((old_place, old_start, new_place, new_start))
            for offset, line in enumerate(self._old[old_start:old_end]):
                numbers = old_start + offset + 1, new_start + offset + 1
                yield DiffLine(LineKind.SAME, *numbers, (Part(line, changed=False),))
            old_place, new_place = old_end, new_end

    def _changed(self, block: Block) -> Iterator[DiffLine]:
        """The lines of a replaced block; the first removed is compared with the first added, and so on."""
        old_start, old_end, new_start, new_end = block
        removed, added = self._old[old_start:old_end], self._new[new_start:new_end]
        compared = [self._words(*pair) for pair in zip(removed, added, strict=False)]
        for index, line in enumerate(removed):
            parts = compared[index][0] if index < len(compared) else (Part(line, changed=True),)
            yield DiffLine(LineKind.REMOVED, old_start + index + 1, None, parts)
        for index, line in enumerate(added):
            parts = compared[index][1] if index < len(compared) else (Part(line, changed=True),)
            yield DiffLine(LineKind.ADDED, None, new_start + index + 1, parts)

    def _words(self, old: str, new: str) -> tuple[tuple[Part, ...], tuple[Part, ...]]:
        """Two lines in parts; each is one changed part when they are too long or have little in common."""
        whole = (Part(old, changed=True),), (Part(new, changed=True),)
        if max(len(old), len(new)) > _LONGEST_LINE:
            return whole
        old_words, new_words = _WORD.findall(old), _WORD.findall(new)
        runs = self._matches(old_words, new_words)
        like = sum(len(word) for start, end, _, _ in runs for word in old_words[start:end] if word.strip())
        if like < _ALIKE * max(len(old.strip()), len(new.strip())):
            return whole
        in_old, in_new = [run[:2] for run in runs], [run[2:] for run in runs]
        return _parts(old_words, in_old), _parts(new_words, in_new)

    def _matches(self, old: Sequence[str], new: Sequence[str]) -> list[Block]:
        """Runs of lines or words that both have in the same order."""
        before = 0
        shorter = min(len(old), len(new))
        while before < shorter and old[before] == new[before]:
            before += 1
        after = 0
        while after < shorter - before and old[-1 - after] == new[-1 - after]:
            after += 1
        inner = self._inner_pairs(old[before : len(old) - after], new[before : len(new) - after])
        pairs = [*((index, index) for index in range(before))]
        pairs += [(before + one, before + other) for one, other in inner]
        pairs += [(len(old) - index, len(new) - index) for index in range(after, 0, -1)]
        return _runs(pairs)

    def _inner_pairs(self, old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int, int]]:
        """Pairs of what each side holds once, and between them of what is small enough to compare."""
        anchors = _longest_rising(_unique_pairs(old, new))
        edges = [(-1, -1), *anchors, (len(old), len(new))]
        for (one, other), (next_one, next_other) in pairwise(edges):
            size = (next_one - one - 1) * (next_other - other - 1)
            if 0 < size <= min(_GAP_COMPARED, self._budget):
                self._budget -= size
                gap, other_gap = old[one + 1 : next_one], new[other + 1 : next_other]
                matcher = SequenceMatcher(None, gap, other_gap, autojunk=False)
                for first, second, length in matcher.get_matching_blocks():
                    for step in range(length):
                        yield one + 1 + first + step, other + 1 + second + step
            if next_one < len(old):
                yield next_one, next_other


def _runs(pairs: list[tuple[int, int]]) -> list[Block]:
    runs: list[Block] = []
    for one, other in pairs:
        if runs and runs[-1][1] == one and runs[-1][3] == other:
            runs[-1] = (runs[-1][0], one + 1, runs[-1][2], other + 1)
        else:
            runs.append((one, one + 1, other, other + 1))
    return runs


def _unique_pairs(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    places: dict[str, list[int]] = {}
    for side, lines in ((0, old), (2, new)):
        for index, line in enumerate(lines):
            found = places.setdefault(line, [0, 0, 0, 0])
            found[side] += 1
            found[side + 1] = index
    return sorted((one, other) for count, one, others, other in places.values() if count == others == 1)


def _longest_rising(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The most pairs whose second numbers rise as the first ones do."""
    tops: list[int] = []
    piles: list[int] = []
    before: list[int] = []
    for index, (_, other) in enumerate(pairs):
        pile = bisect_left(tops, other)
        before.append(piles[pile - 1] if pile else -1)
        tops[pile : pile + 1] = [other]
        piles[pile : pile + 1] = [index]
    chosen: list[tuple[int, int]] = []
    index = piles[-1] if piles else -1
    while index >= 0:
        chosen.append(pairs[index])
        index = before[index]
    return chosen[::-1]


def _parts(words: list[str], same: list[tuple[int, int]]) -> tuple[Part, ...]:
    parts: list[Part] = []
    place = 0
    for start, end in (*same, (len(words), len(words))):
        parts.append(Part("".join(words[place:start]), changed=True))
        parts.append(Part("".join(words[start:end]), changed=False))
        place = end
    return tuple(part for part in parts if part.text)


def _hunk(hunk: list[DiffLine], lines: list[DiffLine]) -> Iterator[str]:
    old_lines = [line.old_line for line in hunk if line.old_line is not None]
    new_lines = [line.new_line for line in hunk if line.new_line is not None]
    yield f"@@ -{_range(old_lines, hunk, lines, old=True)} +{_range(new_lines, hunk, lines, old=False)} @@\n"
    signs = {LineKind.SAME: " ", LineKind.REMOVED: "-", LineKind.ADDED: "+"}
    for line in hunk:
        bare = line.text.rstrip("\r\n")
        yield f"{signs[line.kind]}{bare}\n"
        if bare == line.text:
            yield "\\ No newline at end of file\n"


def _range(numbers: list[int], hunk: list[DiffLine], lines: list[DiffLine], *, old: bool) -> str:
    if numbers:
        return f"{numbers[0]},{len(numbers)}" if len(numbers) != 1 else str(numbers[0])
    before = lines[: lines.index(hunk[0])]
    above = [line.old_line if old else line.new_line for line in before]
    return f"{max((number for number in above if number is not None), default=0)},0"
